"""A book that is not sound is found out."""

from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.openings import Book, Came, Entry, Node, name_of, verify

Change = Callable[[Node], Node]


def with_node(book: Book, node: Node, change: Change) -> Book:
    nodes = [change(node_of_book) if node_of_book.key == node.key else node_of_book for node_of_book in book]
    return Book.make(book.map, book.header, nodes, book.views.values())


def with_entries(node: Node, *entries: Entry) -> Node:
    return replace(node, powers={**node.powers, "FRANCE": entries})


LEGAL = ("F BRE - MAO", "A MAR - SPA", "A PAR - BUR")


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([Entry(("F BRE - MAO", "A MAR - LON", "A PAR - BUR"), 1.0)], "not legal or not in canonical form"),
        ([Entry(("A PAR - BUR", "A MAR - SPA", "F BRE - MAO"), 1.0)], "not legal or not in canonical form"),
        ([Entry(LEGAL, 0.9)], "weights sum to 0.9000, not 1"),
        ([Entry(LEGAL, 0.5), Entry(LEGAL, 0.5)], "for the second time"),
    ],
)
def test_sets_that_cannot_be(book: Book, entries: list[Entry], message: str) -> None:
    broken = with_node(book, book.root, lambda node: with_entries(node, *entries))
    faults = list(verify(broken))
    assert len(faults) == 1 and message in faults[0] and "S1901M" in faults[0] and "FRANCE" in faults[0]


def test_positions_that_cannot_be_reached(book: Book) -> None:
    child = next(node for node in book if node.came and node.came[0].parent == book.root.key)
    way = child.came[0]

    def faults(*came: Came) -> list[str]:
        return list(verify(with_node(book, child, lambda node: replace(node, came=came))))

    assert faults(way) == []
    assert "nothing says how it is reached" in faults()[0]
    assert "which is not in the book" in faults(way._replace(parent="0" * 16))[0]
    assert "lead to" in faults(way._replace(orders={}))[0]
    assert "a later phase" in faults(way._replace(parent=child.key))[0]
    assert "NOBODY" in faults(way._replace(orders={"NOBODY": ("A PAR H",)}))[0]


def test_keys_must_fit(book: Book) -> None:
    nodes = [replace(node, key="0" * 16) if node is book.root else node for node in book]
    faults = list(verify(Book.make(book.map, {}, nodes, [])))
    assert any("the start position is not in the book" in fault for fault in faults)
    assert any("its key should be 458e2b33d8886e86" in fault for fault in faults)


def test_views_must_fit(book: Book) -> None:
    view = next(view for view in book.views.values() if view.phase == "F1901M")

    def faults(**changes: object) -> list[str]:
        return list(verify(Book.make(book.map, {}, list(book), [replace(view, **changes)])))  # type: ignore[arg-type]

    assert faults() == []
    assert "no sets of orders" in faults(entries=())[0]
    assert "its key should be" in faults(key="0" * 16)[0]
    assert "its key should be" in faults(units=view.units[:-1])[0]
    assert faults(units=("A NOWHERE",))


def test_a_power_that_owes_no_orders_has_none() -> None:
    book = Book.load()
    winter = next(node for node in book if len(node.position.orderable()) < 7)
    idle = next(power for power in book.map.powers if power not in winter.position.orderable())
    broken = replace(winter, powers={**winter.powers, idle: (Entry(("A PAR H",), 1.0),)})
    assert any(f"{idle} owes no orders" in fault for fault in verify(Book.make(book.map, {}, [broken], [])))


@pytest.mark.slow
def test_the_shipped_book_is_sound() -> None:
    book = Book.load(check=True)
    assert list(verify(book)) == []
    assert Position.start() in book
    assert set(book.map.powers) == set(book.root.powers)


FILE = resources.files("bordeaux.openings") / "data" / "standard.jsonl"


@pytest.mark.slow
def test_writing_it_again_changes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "again.jsonl"
    Book.load().save(place)
    assert place.read_bytes() == FILE.read_bytes()


def test_it_holds_what_people_open_with() -> None:
    book = Book.load()
    named = set()
    for power, entries in book.root.powers.items():
        assert sum(entry.games for entry in entries) > 4000, power
        assert entries[0].value is not None and 0 < (entries[0].record.score or 0) < 1
        named |= {str(name) for entry in entries if (name := name_of(power, entry.orders))}
    assert {"Maginot", "Churchill", "Southern Hedgehog", "Russian Attack"} <= named
