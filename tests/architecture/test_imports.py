"""Imports point one way, from the commands down to the core, and none in a circle."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from tests.architecture.house import (
    ROOT,
    circle,
    import_graph,
    module_name,
    part,
    python_imports,
    sources,
    upward,
)

# What other parts of the package may take from the rooms of the search; all else may change at any time.
PUBLIC = {
    "agreements": {"PARTNERS", "Agreement", "Bond", "Bonds", "agreed"},
    "analysis": {"Analysis", "Found", "Line"},
    "beliefs": {"Beliefs", "given_in", "note"},
    "config": {"IDEAS", "Ideas", "SearchConfig"},
    "forcing": {"Planner"},
    "paper": {"SetPools"},
    "proof": {"Goal", "Prover", "TooMany", "parts", "sure_after_retreats"},
    "request": {"LINES", "MOST_PROCESSES", "Limit", "Request"},
    "sets": {"from_orders", "in_full", "worst_quarter"},
}
INSIDERS = {"bordeaux.engine", "bordeaux.metamap.goals"}


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


def test_no_rooms_of_the_search_import_each_other_in_a_circle() -> None:
    rooms: dict[str, set[str]] = {}
    for name, room, _, _ in search_imports():
        own = name.split(".")[2] if name.startswith("bordeaux.search.") else ""
        if own and own != room:
            rooms.setdefault(own, set()).add(room)
    assert len(rooms) > 10
    assert " -> ".join(circle(rooms)) == ""


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
        ("bordeaux.search.bestfirst", "from bordeaux import Position"),
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
        ("bordeaux.engine", "from bordeaux import openings\nimport numpy, bordeaux.search"),
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
