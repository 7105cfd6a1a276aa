"""Imports point one way, from the commands down to the core, none in a circle; no file outgrows a reader."""

import ast
import builtins
import graphlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "bordeaux": "bordeaux",
    "bordeaux._ext": "_ext",
    "bordeaux.openings": "openings",
    "bordeaux.metamap": "metamap",
}
# Lowest first; a module may import its own line and those before it. "" is the package itself: it
# shows the engine and what lies below, and only what lies above the engine may import it. A part of a part
# with a line of its own belongs there: books are read below the engine, and made above it.
LINES = (
    ("_ext",),
    ("board",),
    ("formats",),
    ("jobs", "rules"),
    ("evaluation",),
    ("policy",),
    ("search",),
    ("openings", "metamap"),
    ("engine", "bench", "puzzles"),
    ("",),
    ("press", "press.language"),
    ("press.diplomat",),
    ("players",),
    ("daide", "join", "arena", "openings.making", "review"),
    ("view", "protocol"),
    ("report",),
    ("prompt",),
    ("cli", "web", "__main__"),
)
LEVELS = {part: level for level, line in enumerate(LINES) for part in line}
LONGEST = 400
# Modules whose names may be names of other things as well. These classes are the words of two languages, and
# are written with the language before them: `d.Unit` of DAIDE, `p.Propose` of press.
WORDS = {
    "bordeaux/daide/language/messages.py",
    "bordeaux/daide/language/values.py",
    "bordeaux/press/language/messages.py",
}

# Names that tell nothing of a value. Functions may have them: "told" is what such a one does.
SAYS_NOTHING = {"here", "each", "told", "found"}
# Names of builtin functions that values may have: words of the game, of click, of files and of records.
OWN_WORDS = {"map", "help", "id", "type", "input", "all"}
SHADOWED = {name for name in dir(builtins) if name[0].islower()} - OWN_WORDS
BARE = SAYS_NOTHING | SHADOWED
# What other parts of the package may take from the rooms of the search; all else may change at any time.
PUBLIC = {
    "agreements": {"PARTNERS", "Agreement", "Bond", "Bonds", "agreed"},
    "answers": {"Analysis", "SetPools"},
    "beliefs": {"Beliefs", "given_in", "note"},
    "config": {"SearchConfig"},
    "forcing": {"Goal", "Planner", "Prover", "TooMany", "parts", "sure_after_retreats"},
    "ideas": {"IDEAS", "Ideas"},
    "request": {"LINES", "MOST_PROCESSES", "Limit", "Request"},
    "result": {"Found", "Line"},
    "sets": {"from_orders", "in_full", "worst_quarter"},
}
INSIDERS = {"bordeaux.engine", "bordeaux.metamap.goals"}

CYTHON_FROM = re.compile(r"^\s*from\s+([\w.]+)\s+c?import\s+(.+)$")
CYTHON_PLAIN = re.compile(r"^\s*c?import\s+(.+)$")


def sources() -> list[Path]:
    """Every file of code that the package is made of."""
    return sorted(
        path
        for folder in FOLDERS.values()
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".pyi", ".pyx", ".pxd"}
    )


def module_name(path: Path) -> tuple[str, bool]:
    """The dotted name under which a file is imported, and whether it is a package."""
    for package, folder in sorted(FOLDERS.items(), key=lambda item: -len(item[0])):
        if path.is_relative_to(ROOT / folder):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            return ".".join((package, *(parts[:-1] if is_package else parts))), is_package
    raise AssertionError(f"{path} lies in no folder of the package")


def part(module: str) -> str:
    """The part of the package that a dotted name belongs to: "" for the package itself."""
    _, *names = module.split(".")
    inner = ".".join(names[:2])
    return inner if inner in LEVELS else ".".join(names[:1])


def absolute(base: str, dots: int, module: str, is_package: bool) -> str:
    """The full name behind `from ..module import`, written in module `base`."""
    if not dots:
        return module
    above = base.split(".")
    above = above[: len(above) - dots + is_package]
    return ".".join([*above, module] if module else above)


@cache
def python_imports(text: str, base: str, is_package: bool) -> tuple[tuple[int, str, str], ...]:
    """(line, module, name) for each name that a Python file imports, inside functions and for types alone
    too; the name is empty where the module is imported whole. Several tests ask this of all files."""
    return tuple(_python_imports(text, base, is_package))


def _python_imports(text: str, base: str, is_package: bool) -> Iterator[tuple[int, str, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name, ""
        elif isinstance(node, ast.ImportFrom):
            module = absolute(base, node.level, node.module or "", is_package)
            for alias in node.names:
                yield node.lineno, module, alias.name
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function = ast.unparse(node.func).rpartition(".")[2]
            if function in {"import_module", "__import__"} and isinstance(node.args[0].value, str):
                name = node.args[0].value
                bare = name.lstrip(".")
                yield node.lineno, absolute(base, len(name) - len(bare), bare, is_package), ""


def cython_imports(text: str, base: str, is_package: bool) -> Iterator[tuple[int, str, str]]:
    """(line, module, name) for each import and cimport in a Cython file."""
    for number, line in enumerate(text.splitlines(), 1):
        if match := CYTHON_FROM.match(line):
            bare = match[1].lstrip(".")
            module = absolute(base, len(match[1]) - len(bare), bare, is_package)
            for name in match[2].strip(" (),\\").split(","):
                yield number, module, name.partition(" as ")[0].strip()
        elif match := CYTHON_PLAIN.match(line):
            for name in match[1].split(","):
                yield number, name.split()[0], ""


def imports(name: str, text: str, is_package: bool, cython: bool) -> Iterable[tuple[int, str, str]]:
    """(line, module, name) for each name that a module imports, in either language."""
    return (cython_imports if cython else python_imports)(text, name, is_package)


def upward(name: str, text: str, *, is_package: bool = False, cython: bool = False) -> list[str]:
    """One sentence for each import in a module's text that points up, or into no known part."""
    if part(name) not in LEVELS:
        return [f"{name} has no line in the architecture"]
    faults: dict[str, None] = {}
    for line, module, imported in imports(name, text, is_package, cython):
        # What is imported may be a part with a line of its own, or what the module shows.
        reached = f"{module}.{imported}" if f"{module}.{imported}".partition(".")[2] in LEVELS else module
        if reached.split(".")[0] == "bordeaux" and LEVELS.get(part(reached), len(LINES)) > LEVELS[part(name)]:
            faults[f"{name}:{line} imports {reached}, which lies above it"] = None
    return list(faults)


def import_graph(files: Iterable[tuple[str, str, bool, bool]]) -> dict[str, set[str]]:
    """The modules that each module imports; of each file the module, the text, and whether it is a package
    and in Cython. ``from package import name`` imports the module ``package.name`` where there is one. That
    Python runs the packages around a module before it is not counted."""
    listed = list(files)
    graph: dict[str, set[str]] = {name: set() for name, *_ in listed}
    for name, text, is_package, cython in listed:
        for _, module, imported in imports(name, text, is_package, cython):
            reached = f"{module}.{imported}" if f"{module}.{imported}" in graph else module
            if reached in graph and (reached != name or not cython):
                graph[name].add(reached)
    return graph


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """Modules of which each imports the next, the last being the first again; empty if there are none."""
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_imports_point_one_way() -> None:
    faults = []
    for path in sources():
        name, is_package = module_name(path)
        cython = path.suffix in {".pyx", ".pxd"}
        text = path.read_text(encoding="utf-8")
        faults += upward(name, text, is_package=is_package, cython=cython)
    assert faults == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    files = []
    for path in sources():
        name, is_package = module_name(path)
        files.append((name, path.read_text(encoding="utf-8"), is_package, path.suffix in {".pyx", ".pxd"}))
    graph = import_graph(files)
    assert sum(map(len, graph.values())) > len(graph)
    assert " -> ".join(circle(graph)) == ""


def test_the_pool_knows_nothing_of_its_jobs() -> None:
    reached = set()
    for path in (ROOT / "bordeaux" / "jobs").glob("*.py"):
        name, is_package = module_name(path)
        reached |= {module for _, module, _ in python_imports(path.read_text("utf-8"), name, is_package)}
    ours = {module for module in reached if module.partition(".")[0] == "bordeaux"}
    assert {module for module in ours if part(module) != "jobs"} == {"bordeaux.board.errors"}


def search_imports() -> Iterator[tuple[str, str, list[str], str]]:
    """Of each import of the search in the package: the importing module, the room, the module in it if it is
    taken past the face of its room, and the name."""
    for path in sources():
        name, is_package = module_name(path)
        if path.suffix == ".py":
            for _, module, imported in python_imports(path.read_text("utf-8"), name, is_package):
                if f"{module}.".startswith("bordeaux.search."):
                    names = [*module.split(".")[2:], *([] if module.count(".") > 1 else [imported])]
                    yield name, names[0], names[1:], imported


def test_the_search_is_used_through_its_public_rooms() -> None:
    """The engine puts a search together, and the meta-map runs that of the paper on regions. All others have
    the requests, the answers, and the handles `Analysis` and `SetPools`."""
    taken: dict[str, set[str]] = {}
    for name, room, _, imported in search_imports():
        if part(name) != "search" and name not in INSIDERS:
            taken.setdefault(room, set()).add(imported)
    assert taken == PUBLIC


def test_rooms_of_the_search_are_entered_by_their_faces() -> None:
    """A package of the search shows its names in its `__init__`. The one for several processes has no face:
    the engine loads it only when it needs it."""
    past = [
        f"{name} imports {'.'.join([room, *inner])}"
        for name, room, inner, _ in search_imports()
        if inner and room != "parallel" and not f"{name}.".startswith(f"bordeaux.search.{room}.")
    ]
    assert past == []


def test_no_rooms_of_the_search_import_each_other_in_a_circle() -> None:
    rooms: dict[str, set[str]] = {}
    for name, room, _, _ in search_imports():
        own = name.split(".")[2] if name.startswith("bordeaux.search.") else ""
        if own and own != room:
            rooms.setdefault(own, set()).add(room)
    assert len(rooms) > 10
    assert " -> ".join(circle(rooms)) == ""


def test_no_file_is_longer_than_a_reader_can_hold() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    assert {str(path.relative_to(ROOT)): n for path, n in lengths.items() if n > LONGEST} == {}


def classes_of(text: str) -> set[str]:
    """The public classes that a module defines at its top."""
    return {
        node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef) and node.name[0] != "_"
    }


def shared(files: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Of files with their texts: the classes that several of them define, and these files."""
    owners: dict[str, list[str]] = {}
    for path, text in files:
        for name in classes_of(text):
            owners.setdefault(name, []).append(path)
    return {name: paths for name, paths in sorted(owners.items()) if len(paths) > 1}


def test_no_two_classes_share_a_name() -> None:
    """Classes in Python; those of the core are behind functions and classes of the package."""
    texts = {
        str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sources() if path.suffix == ".py"
    }
    assert set(texts) >= WORDS
    assert shared((path, text) for path, text in texts.items() if path not in WORDS) == {}


def test_a_shared_name_is_found_and_private_or_inner_classes_are_let_be() -> None:
    first = ("a.py", "class Line: ...\nclass _Reader: ...\nclass Plan:\n    class Inner: ...")
    second = ("b.py", "class Line: ...\nclass _Reader: ...\nclass Inner: ...")
    assert shared([first, second]) == {"Line": ["a.py", "b.py"]}


def values_of(text: str) -> set[str]:
    """The names of values that a module binds: variables, parameters, attributes, errors that it handles."""
    bound: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                bound.add(name)
            case ast.arg(arg=name):
                bound.add(name)
            case (
                ast.ExceptHandler(name=str(name))
                | ast.MatchAs(name=str(name))
                | ast.MatchStar(name=str(name))
            ):
                bound.add(name)
    return bound


def test_names_of_values_say_what_they_are() -> None:
    folders = (
        "_ext",
        "bordeaux",
        "openings",
        "metamap",
        "training",
        "tools",
        "benchmarks",
        "examples",
        "tests",
    )
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(paths) > 1_000
    bare = {str(path.relative_to(ROOT)): values_of(path.read_text("utf-8")) & BARE for path in paths}
    assert {path: names for path, names in bare.items() if names} == {}


@pytest.mark.parametrize(
    "text",
    [
        "each = 1",
        "for each in range(3): ...",
        "[each for each in ()]",
        "def f(each): ...",
        "lambda *each: 0",
        "x.each = 1",
        "class A:\n    each: int",
        "(a, *each) = f()",
        "with f() as each: ...",
        "if (each := f()): ...",
        "try: ...\nexcept ValueError as each: ...",
        "match f():\n    case (1, *each): ...",
    ],
)
def test_a_value_is_found_however_it_is_bound(text: str) -> None:
    assert "each" in values_of(text)
    assert values_of("import each\ndef each(): ...\neach()\nx.each") == set()


def test_the_core_and_the_package_are_both_looked_at() -> None:
    names = {module_name(path)[0] for path in sources()}
    assert {"bordeaux._ext", "bordeaux.board.map", "bordeaux.openings", "bordeaux.metamap"} <= names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bordeaux.board.map", "import bordeaux.rules"),
        ("bordeaux.board.map", "from bordeaux.search.paper.agenda import Agenda"),
        ("bordeaux.board.map", "from ..rules import adjudicate"),
        ("bordeaux.board.map", "from .. import rules"),
        ("bordeaux.board.map", "from bordeaux import rules"),
        ("bordeaux.search.bestfirst.agenda", "from bordeaux import Position"),
        ("bordeaux.engine", "from . import Position"),
        ("bordeaux.rules.adjudicate", "def late():\n    from bordeaux.engine import Engine"),
        ("bordeaux.rules.adjudicate", "import importlib\nimportlib.import_module('bordeaux.cli')"),
        ("bordeaux.search", "if True:\n    import bordeaux.openings.book as book"),
        ("bordeaux", "from bordeaux.players import Human"),
        ("bordeaux.openings.book", "from bordeaux.openings.making.build import Build"),
        ("bordeaux.openings.book", "from bordeaux.openings import making"),
        ("bordeaux.engine", "from bordeaux.openings import Book, making"),
        ("bordeaux.press.language.dui", "from bordeaux.press.diplomat.ledger import Ledger"),
        ("bordeaux.press.language.dui", "from bordeaux.press import diplomat"),
        ("bordeaux.press.language.dui", "from ..diplomat import ledger"),
        ("bordeaux.press", "from bordeaux.press.diplomat.diplomat import Diplomat"),
        ("bordeaux.board.map", "import bordeaux.unheard_of"),
        ("bordeaux.unheard_of", ""),
    ],
)
def test_an_import_that_points_up_is_found(name: str, text: str) -> None:
    assert len(upward(name, text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "from bordeaux.board.map import Map",
        "cimport bordeaux.search.node as node",
        "from ..rules cimport table",
        "cdef f():\n    from bordeaux import board",
        "from bordeaux.board cimport (",
    ],
)
def test_a_core_module_that_looks_up_is_found(text: str) -> None:
    assert len(upward("bordeaux._ext.tables", text, cython=True)) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bordeaux.rules", "from bordeaux._ext.adjudicate import resolve\nfrom ..board.map import Map"),
        ("bordeaux.engine", "from bordeaux import bench, openings\nimport numpy, bordeaux.search"),
        ("bordeaux", "from bordeaux.engine import Engine\nfrom .board import Map"),
        ("bordeaux.cli.orders", "from bordeaux import Engine, Position, view"),
        ("bordeaux.openings.book", "from bordeaux.search import agenda\nfrom . import data"),
        ("bordeaux.openings.making.build", "from bordeaux.arena import job\nfrom ..book import Book"),
        ("bordeaux.press.diplomat.ledger", "from ..language import letter"),
    ],
)
def test_an_import_that_points_down_is_let_be(name: str, text: str) -> None:
    assert upward(name, text, is_package=name in {"bordeaux", "bordeaux.rules"}) == []


def test_core_modules_may_cimport_each_other_and_the_c_library() -> None:
    text = "from libc.stdint cimport uint8_t\nfrom bordeaux._ext.tables cimport MapTables\nfrom .a cimport b"
    assert upward("bordeaux._ext.adjudicate", text, cython=True) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("from bordeaux.board.unit import Unit", "from bordeaux.board.order import Order"),
        ("import bordeaux.board.unit", "from ..board import order"),
        ("def late():\n    from .unit import Unit", "from bordeaux.board import order"),
        ("if TYPE_CHECKING:\n    from . import unit", "import_module('bordeaux.board.order')"),
    ],
)
def test_a_circle_is_found_and_named(first: str, second: str) -> None:
    files = [("bordeaux.board.order", first), ("bordeaux.board.unit", second), ("bordeaux.board", "")]
    graph = import_graph((name, text, name == "bordeaux.board", False) for name, text in files)
    ring = circle(graph)
    assert sorted(ring[1:]) == ["bordeaux.board.order", "bordeaux.board.unit"] and ring[0] == ring[-1]
    assert all(after in graph[before] for before, after in pairwise(ring))


def test_a_package_that_shows_its_modules_makes_no_circle() -> None:
    files = [("bordeaux.rules", "from bordeaux.rules.legal import legal_orders", True, False)]
    files += [("bordeaux.rules.legal", "from bordeaux.rules import outcome", False, False)]
    files += [("bordeaux.rules.outcome", "", False, False)]
    assert circle(import_graph(files)) == []
