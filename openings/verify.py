"""Verification of a book: orders legal, weights that sum to 1, every position reached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position
from bordeaux.openings.book import Book, phase_order
from bordeaux.openings.canonical import canonical, position_key, unit_view
from bordeaux.openings.entry import Entry, Node, View

SLACK = 1e-6
"""What sums of weights may differ from 1 by: weights have four decimals, and their sum is made exact."""


def verify(book: Book) -> Iterator[str]:
    """The faults of a book, a line each; empty for a valid one.

    Every set must be legal and in canonical form, weights of a power sum to 1, and keys must match their
    contents. Every position except the start must follow by the rules from an earlier one of the book with
    the given orders. Raises BookError for a book that cannot be read.
    """
    if Position.start(book.map) not in book:
        yield "the start position is not in the book"
    for node in book:
        yield from (f"position {node.key} ({node.phase}): {fault}" for fault in _node(book, node))
    for key, view in book.views.items():
        yield from (f"view {key} ({view.phase} {view.power}): {fault}" for fault in _view(view))


def _node(book: Book, node: Node) -> Iterator[str]:
    if position_key(node.position) != node.key:
        yield f"its key should be {position_key(node.position)}"
    yield from _reached(book, node)
    owing = [power for power, places in node.position.orderable().items() if places]
    for power, entries in node.powers.items():
        if power not in owing:
            yield f"{power} owes no orders"
        else:
            yield from _entries(node.position, power, entries)


def _reached(book: Book, node: Node) -> Iterator[str]:
    if node.position == Position.start(book.map):
        return
    if not node.came:
        yield "nothing says how it is reached"
    for way in node.came:
        parent = book.get(way.parent)
        if parent is None:
            yield f"it comes from {way.parent}, which is not in the book"
        elif phase_order(parent.phase) >= phase_order(node.phase):
            yield f"it comes from {way.parent}, a later phase ({parent.phase})"
        else:
            try:
                after = parent.position.next(way.orders)
            except BordeauxError as error:
                yield f"orders from {way.parent}: {error}"
                continue
            if after != node.position:
                yield f"the orders from {way.parent} lead to {position_key(after)}, not here"


def _view(view: View) -> Iterator[str]:
    try:
        position = view.position
    except BordeauxError as error:
        yield str(error)
        return
    due = unit_view(position, view.power)
    if due.key != view.key:
        yield f"its key should be {due.key}"
    if not view.entries:
        yield "no sets of orders"
    else:
        yield from _entries(position, view.power, view.entries)


def _entries(position: Position, power: str, entries: Iterable[Entry]) -> Iterator[str]:
    total = 0.0
    seen = set()
    for entry in entries:
        total += entry.weight
        listed = "; ".join(entry.orders) or "no orders"
        if entry.orders in seen:
            yield f"{power}: {listed}: for the second time"
        seen.add(entry.orders)
        proper = canonical(position, power, entry.orders)
        if proper != entry.orders:
            yield f"{power}: {listed}: not legal or not in canonical form, which is {'; '.join(proper)}"
    if abs(total - 1) > SLACK:
        yield f"{power}: weights sum to {total:.4f}, not 1"
