"""Imports point one way, from the commands down to the core, and none in a circle."""

import graphlib
import re

from tests.architecture.house import ROOT, as_installed, import_graph, sources

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
