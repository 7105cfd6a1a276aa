"""The files of the package, their imports, and the lines of the architecture."""

import ast
import graphlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
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
    ("engine",),
    ("",),
    ("press", "press.language"),
    ("press.diplomat",),
    ("players",),
    ("daide", "arena", "openings.making", "review"),
    ("view", "protocols"),
    ("cli", "web", "__main__"),
)
LEVELS = {part: level for level, line in enumerate(LINES) for part in line}

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
