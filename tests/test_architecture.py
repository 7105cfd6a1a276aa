"""Imports point one way, what pages name is there, and nothing in the core is unused."""

import graphlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from bordeaux.search.config import SearchConfig

ROOT = Path(__file__).resolve().parents[1]
BESIDE = ("_ext", "openings", "metamap")
"""Folders of the checkout that are installed as parts of the package."""

GRAPH = """
import grimp, json
graph = grimp.build_graph("bordeaux", cache_dir=None)
print(json.dumps({name: sorted(graph.find_modules_directly_imported_by(name)) for name in graph.modules}))
"""


def sources(*suffixes: str) -> list[Path]:
    """Every file with one of these suffixes that the package or the core is made of."""
    folders = [ROOT / name for name in ("bordeaux", *BESIDE)]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes)


def as_installed(*command: str) -> subprocess.CompletedProcess[str]:
    """Run Python where `import bordeaux` gives the checkout, in the folders in which it is installed."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "bordeaux"
        package.mkdir()
        for path in [*(ROOT / "bordeaux").iterdir(), *(ROOT / name for name in BESIDE)]:
            (package / path.name).symlink_to(path)
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
        python = (sys.executable, "-c", *command)
        return subprocess.run(
            python, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )


@cache
def import_graph() -> dict[str, set[str]]:
    """The modules of the package that each of them imports, the core left out."""
    listed = json.loads(as_installed(GRAPH).stdout)
    return {name: set(imported) for name, imported in listed.items()}


# Rooms of the search that others may use; all else in it may change at any time.
PUBLIC = {"agreements", "analysis", "beliefs", "config", "forcing", "paper", "proof", "sets", "task"}
INSIDERS = {"bordeaux.engine", "bordeaux.metamap.goals"}

LINT = """
import sys
from importlinter.cli import lint_imports
sys.exit(lint_imports(config_filename=sys.argv[1], no_cache=True))
"""
CORE_IMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)


def test_imports_keep_the_contracts_of_pyproject() -> None:
    linted = as_installed(LINT, str(ROOT / "pyproject.toml"))
    assert linted.returncode == 0, linted.stdout + linted.stderr
    assert "bordeaux.openings.book" in import_graph()


# Lowest first.
CORE_FOLDERS = ("rules", "net", "value", "search", "learn")


def test_the_core_imports_itself_alone_one_way_and_in_no_circle() -> None:
    """Import-linter reads no Cython."""
    graph: dict[str, set[str]] = {}
    for path in sources(".pyx", ".pxd"):
        if path.is_relative_to(ROOT / "_ext"):
            module = ".".join(("bordeaux", *path.relative_to(ROOT).with_suffix("").parts))
            imported = {one or other for one, other in CORE_IMPORT.findall(path.read_text("utf-8"))}
            ours = {name for name in imported if name.startswith(("bordeaux", "."))}
            graph.setdefault(module, set()).update(ours - {module})
    assert sum(map(len, graph.values())) > len(graph) > 30
    assert set().union(*graph.values()) <= set(graph)
    graphlib.TopologicalSorter(graph).prepare()
    level = {name: CORE_FOLDERS.index(name.split(".")[2]) for name in graph}
    assert [(a, b) for a, imported in graph.items() for b in imported if level[b] > level[a]] == []


def test_the_search_is_used_through_its_public_rooms() -> None:
    """The engine puts a search together, and the meta-map runs that of the paper on regions. All others have
    the requests and the answers, by the faces of the rooms that hold them."""
    used = {
        module
        for name, imported in import_graph().items()
        if name not in INSIDERS and not f"{name}.".startswith("bordeaux.search.")
        for module in imported
        if module.startswith("bordeaux.search.")
    }
    assert used == {f"bordeaux.search.{room}" for room in PUBLIC}


# No file outgrows a reader.

LONGEST = 800


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    files = sources(".py", ".pyx", ".pxd")
    lengths = {str(path.relative_to(ROOT)): path.read_text("utf-8").count("\n") for path in files}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST} == {}


FOLDERS = "bordeaux|_ext|openings|metamap|tests|training|tools|benchmarks|docs|examples"
ENDINGS = "py|pyx|pxd|h|js|css|toml|md|ebnf|jsonl|npz"
NAMED = re.compile(rf"(?<![\w./~-])((?:{FOLDERS})/[\w./-]*\w\.(?:{ENDINGS}))\b")
SHORT = re.compile(r"`([\w./-]+\.(?:py|pyx|pxd|ebnf))`")
MODULE = re.compile(r"`(bordeaux(?:\.[a-z_]+)+)")
PAGES = [path for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")] if path.name != "CHANGELOG.md"]
DOCS = ROOT / "docs"
MADE = ("commands.md", "changes.md")
MADE_UP = {"_ext/value/mine.pyx", "tests/test_x.py", "bordeaux/config.toml", "tests/observation_test.py"}
"""Examples, the user's own files, and a file of another project."""


def test_named_files_are_there() -> None:
    there = "\n".join(str(path) for folder in FOLDERS.split("|") for path in (ROOT / folder).rglob("*.*"))
    texts = {
        path: path.read_text("utf-8") for path in [*PAGES, *sources(".py", ".pyx", ".pxd", ".h", ".toml")]
    }
    named = {(path.name, name) for path, text in texts.items() for name in NAMED.findall(text)}
    short = {(path.name, name) for path in PAGES for name in SHORT.findall(texts[path])}
    assert len(named) > 100 and len(short) > 50
    lost = {(page, name) for page, name in named if not (ROOT / name).exists()}
    lost |= {
        (page, name) for page, name in short if not re.search(rf"/{re.escape(name)}$", there, re.MULTILINE)
    }
    assert {(page, name) for page, name in lost if name not in MADE_UP} == set()


def test_named_modules_are_there() -> None:
    lost = set()
    for path in [*PAGES, *sources(".py", ".pyx", ".pxd")]:
        for name in MODULE.findall(path.read_text("utf-8")):
            parts = re.sub(r"^bordeaux\.(?=_ext|openings|metamap)", "", name).split(".")
            whole, room = ROOT.joinpath(*parts), ROOT.joinpath(*parts[:-1])
            held = room / "__init__.py" if room.is_dir() else room.with_suffix(".py")
            if not (whole.is_dir() or any(whole.parent.glob(f"{whole.name}.py*"))) and (
                not held.exists() or parts[-1] not in held.read_text("utf-8")
            ):
                lost.add((path.name, name))
    assert lost == set()


def test_a_table_of_a_folder_has_its_modules() -> None:
    """A table whose first heading is a folder lists all modules and folders in it, and no others."""
    table = re.compile(rf"^\| `((?:{FOLDERS})/[\w/]*)` \|.*\n((?:\|.*\n)+)", re.MULTILINE)
    tables = [found for page in PAGES for found in table.findall(page.read_text("utf-8"))]
    assert tables
    for folder, rows in tables:
        named = {
            name.strip("/") for row in rows.splitlines() for name in re.findall(r"`(.*?)`", row.split("|")[1])
        }
        there = {path.stem for path in (ROOT / folder).iterdir() if not path.name.startswith("__")}
        assert named == there, folder


def test_links_of_pages_lead_to_a_heading() -> None:
    """Those within the docs; the pages `commands` and `changes` are made for the site."""
    pages = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in DOCS.rglob("*.md")}
    anchors = {
        name: {slug(line) for line in text.splitlines() if line.startswith("#")}
        for name, text in pages.items()
    }
    lost = []
    for name, text in pages.items():
        for target, heading in re.findall(r"\]\(([\w./-]*)(#[\w-]+)?\)", text):
            there = (DOCS / name).parent / target if target else DOCS / name
            found = anchors.get(os.path.relpath(there, DOCS))
            if there.name not in MADE and (
                not there.exists() or (heading and heading[1:] not in (found or ()))
            ):
                lost.append((name, target + heading))
    assert lost == []


def slug(heading: str) -> str:
    """The anchor of a heading on the site."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


TOLD = "".join((ROOT / "docs" / f"{name}.md").read_text("utf-8") for name in ("search", "paper-search"))
ROWS = [line for line in TOLD.splitlines() if line.startswith("| ") and "`" in line]
TESTS = sorted(set(re.findall(r"`((?:\w+/)*test_\w+(?:::\w+|\.py))`", "\n".join(ROWS))))


def test_named_tests_are_there() -> None:
    assert len(TESTS) > 50
    for named in TESTS:
        file, _, name = named.removesuffix(".py").partition("::")
        source = (ROOT / "tests" / f"{file}.py").read_text("utf-8")
        assert not name or f"def test_{name}(" in source, named


def test_every_module_of_the_search_has_a_row() -> None:
    part = TOLD.split("## Modules\n")[1].split("\n## ")[0]
    here = ROOT / "bordeaux" / "search"
    modules = [f"search/{path.name}" for path in here.glob("*.py") if path.stem != "__init__"]
    assert sorted(re.findall(r"`(search/\w+(?:\.py|/))`", part)) == sorted([*modules, "search/paper/"])


def test_every_setting_is_told_as_it_is() -> None:
    for name, value, span, search, what in SearchConfig().describe():
        shown = f"`{value}`" if value and isinstance(value, str) else value if value is not None else ""
        assert f"| `{name}` | {shown} | {span} | {search} | {what} |" in TOLD


SUFFIXES = (".pyx", ".pxd", ".h")
USERS = ("bordeaux", "openings", "metamap", "tests", "benchmarks", "tools", "training")
COMMENT = re.compile(r'""".*?"""|#(?!define|if).*?$', re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^[ \t]*(cdef|cpdef|def)\s(?!class)[^\n(=]*?\b(\w+)\s*\(", re.MULTILINE)
CLASS = re.compile(r"^[ \t]*cdef\s+class\s+(\w+)", re.MULTILINE)
IMPORT = re.compile(r"^\s*from bordeaux\._ext[\w.]* import (\([^)]*\)|.*)", re.MULTILINE)
ATTRIBUTE = re.compile(r"\.(\w+)")
CONSTANT = re.compile(r"^[ \t]+([A-Z][A-Z0-9_]+)(?:\s*=[^=].*)?$", re.MULTILINE)


def used(module: str) -> set[str]:
    """The names that Python code takes from the core, or as attributes of anything."""
    imported = " ".join(IMPORT.findall(module))
    return {*re.findall(r"\w+", imported), *ATTRIBUTE.findall(COMMENT.sub("", module))}


def unused(core: str, known: set[str]) -> list[str]:
    """Functions, classes and constants that the text of a core declares and does not mention again. Python
    may know those that it can see."""
    code = COMMENT.sub("", core)
    functions, classes = FUNCTION.findall(code), CLASS.findall(code)
    declared = Counter([name for _, name in functions] + classes + CONSTANT.findall(code))
    mentioned = Counter(re.findall(r"\w+", code))
    known = known & {*classes, *(name for kind, name in functions if kind != "cdef")}
    return sorted(
        name
        for name, times in declared.items()
        if mentioned[name] <= times and name not in known and not name.startswith("__")
    )


def test_nothing_in_the_core_is_unused() -> None:
    core = [path for path in sorted((ROOT / "_ext").rglob("*")) if path.suffix in SUFFIXES]
    text = "\n".join(path.read_text("utf-8") for path in core)
    users = (path.read_text("utf-8") for folder in USERS for path in (ROOT / folder).rglob("*.py"))
    assert len(FUNCTION.findall(text)) > 200 and len(CLASS.findall(text)) > 20
    assert unused(text, set().union(*map(used, users))) == []
