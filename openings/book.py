"""A book of openings: positions and views with the orders to play there, found by key."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.board.cleaning import csv_cell
from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase, order_of_play
from bordeaux.board.position import Position
from bordeaux.openings import names, schema
from bordeaux.openings.canonical import canonical, position_key, unit_view
from bordeaux.openings.entry import Entry, Node, View

STANDARD = "standard.jsonl"


def phase_order(phase: Phase | str) -> tuple[int, int, int]:
    """The sort key of phases, earlier ones first. Raises PositionError."""
    return order_of_play(Phase.parse(phase) if isinstance(phase, str) else phase)


def phase_number(phase: Phase, start: Phase) -> int:
    """The number of phases between the start and a phase: 3 a year, since retreats do not count. Never
    raises; a finished game is before its start."""
    return 3 * (phase.year - start.year) + "SFW".find(phase.season)


class Book:
    """Positions from the start of a game on, each with weighted sets of orders for every power.

    `header` describes the sources of the book. A book holds exact positions (`Node`) and, since these hardly
    repeat after the first phase, `views` of single powers (`View`), by key. Iterating gives the
    nodes, sorted by phase and key.
    """

    def __init__(
        self, map: Map, header: Mapping[str, Any], nodes: Mapping[str, Node], views: Mapping[str, View]
    ) -> None:
        self.map = map
        self.header = dict(header)
        self.views = views
        self._nodes = nodes
        self._entries: dict[tuple[str, str], tuple[Entry, ...]] = {}

    @classmethod
    def make(cls, map: Map, header: Mapping[str, Any], nodes: Iterable[Node], views: Iterable[View]) -> Book:
        """A book from its parts, in any order."""
        by_phase = sorted(nodes, key=lambda node: (phase_order(node.phase), node.key))
        seen = sorted(
            views, key=lambda view: (phase_order(view.phase), map.powers.index(view.power), view.key)
        )
        return cls(map, header, {node.key: node for node in by_phase}, {view.key: view for view in seen})

    @classmethod
    def load(cls, path: str | Path | None = None, *, check: bool | None = None) -> Book:
        """The book in a file (``.gz`` is accepted), or without a `path` the bundled one.

        With `check` all of it is read at once; without, each position is read at first use. By default only
        the bundled book, which was checked when it was made, is not checked. Raises BookError, a line with
        file and number, and FormatError for a file that cannot be read.
        """
        if path is None:
            data = (resources.files("bordeaux.openings") / "data" / STANDARD).read_bytes()
            text = schema.BookText(data, STANDARD)
        else:
            text = schema.BookText(schema.read_bytes(path), name_of(path))
        book = cls(text.map, text.header, text.nodes, text.views)
        if check or (check is None and path is not None):
            text.check()
        return book

    @classmethod
    def named(cls, name: str) -> Book:
        """The book of a user's name: ``standard`` for the bundled one, or a file. Raises as `load` does."""
        return standard_book() if name == "standard" else cls.load(name)

    def save(self, path: str | Path) -> None:
        """Write the book atomically. Raises OSError."""
        schema.write(path, self.map, self.header, self, self.views.values())

    def __len__(self) -> int:
        return len(self._nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self._nodes.values())

    def __contains__(self, where: object) -> bool:
        return (position_key(where) if isinstance(where, Position) else where) in self._nodes

    def __getitem__(self, where: Position | str) -> Node:
        return self._nodes[position_key(where) if isinstance(where, Position) else where]

    def get(self, where: Position | str) -> Node | None:
        """The node of a position or key, if the book has it. Raises BookError if its lines are invalid and
        were not checked before."""
        return self._nodes.get(position_key(where) if isinstance(where, Position) else where)

    @property
    def root(self) -> Node:
        """The first node of a game. Raises KeyError for a book without one."""
        return self[Position.start(self.map)]

    def view(self, position: Position, power: str) -> View | None:
        """The book's data on a power's own units in a phase, for any positions of others. Raises MapError for
        an unknown power."""
        name = position.map.power(power)
        return self.views.get(unit_view(position, name).key) if position.phase.kind in "MA" else None

    def place(self, key: str) -> Position:
        """The position of a key; of a view only what it contains. Raises KeyError for an unknown key."""
        return self.views[key].position if key in self.views else self._nodes[key].position

    def entries(self, position: Position, power: str) -> tuple[Entry, ...]:
        """The sets of orders for a power at a position, the largest weight first; none if out of book.

        They are those of the exact position if it is in the book, with the records of the wider view, which
        includes the position. Else they are those of the view that are legal here, with weights that sum to
        1. Raises MapError for an unknown power.
        """
        name = position.map.power(power)
        key = position_key(position)
        known = self._entries.get((key, name))
        if known is None:
            known = self._entries[key, name] = self._found(key, position, name)
        return known

    def _found(self, key: str, position: Position, power: str) -> tuple[Entry, ...]:
        node = self._nodes.get(key)
        view = self.view(position, power)
        if node is not None and power in node.powers:
            wider = {entry.orders: entry.records for entry in view.entries} if view else {}
            return tuple(
                replace(entry, records=wider[entry.orders]) if entry.orders in wider else entry
                for entry in node.powers[power]
            )
        if view is None:
            return ()
        legal = [entry for entry in view.entries if self._fits(position, power, entry)]
        total = sum(entry.weight for entry in legal)
        return tuple(replace(entry, weight=entry.weight / total) for entry in legal) if total else ()

    def _fits(self, position: Position, power: str, entry: Entry) -> bool:
        """Whether a set of a view is legal at a position: own units have the same orders, but a home may be
        occupied by a foreign unit."""
        return position.phase.kind != "A" or canonical(position, power, entry.orders) == entry.orders

    def games(self, position: Position, power: str) -> Mapping[str, int]:
        """By source the games that are the denominator of a power's records: those in which it gave orders
        with this view, or without one, at this position. Empty if unknown. Raises MapError for an unknown
        power."""
        view = self.view(position, power)
        if view is not None:
            return view.games
        node = self.get(position)
        return node.sent.get(position.map.power(power), {}) if node is not None else {}


@cache
def standard_book() -> Book:
    """The bundled book, read once."""
    return Book.load()


PEOPLE = ("human", "statistics", "selfplay")
"""Sources whose counts give the share of a set, the first that has any at the place."""


# A book as a flat list: one row for every set of orders at every place, for tables, files and plots.


class Row(NamedTuple):
    """One set of orders of one power at one place.

    `key` is that of the position, or with `view` that of the power's view. `share` is how often the set was
    played there, of 1 (None without games), and `games` in how many games; see `counts`. `centres2` and
    `centres4` are mean centres two and four years later, `survival`, `solo` and `score` shares of 1, all None
    if unknown; `value`, `probability` and `weight` as in `bordeaux.openings.entry.Entry`.
    """

    power: str
    phase: str
    key: str
    view: bool
    orders: tuple[str, ...]
    name: str
    weight: float
    share: float | None
    games: int
    centres2: float | None
    centres4: float | None
    survival: float | None
    solo: float | None
    score: float | None
    value: float | None
    probability: float | None

    def to_json(self) -> dict[str, Any]:
        """The row for `json.dumps`: orders as a list, None for unknown values."""
        return {**self._asdict(), "orders": list(self.orders)}


def counts(entries: Iterable[Entry]) -> tuple[str, dict[tuple[str, ...], int]]:
    """The number of games with each set, among these entries of one power at one place, and the source.

    People in recorded games are counted, or if there are none published counts, or else programs; never two
    of them together, as one is not a sample of the other. Empty without games.
    """
    listed = list(entries)
    for source in PEOPLE:
        played = {entry.orders: entry.records[source].games for entry in listed if source in entry.records}
        if any(played.values()):
            return source, {entry.orders: played.get(entry.orders, 0) for entry in listed}
    return "", {}


def shares(entries: Iterable[Entry], total: Mapping[str, int] | None = None) -> dict[tuple[str, ...], float]:
    """The share of each set, of 1, by `counts`. `total` gives by source the number of games in which the
    power gave orders there; by default the given sets are taken for all."""
    source, counted = counts(entries)
    games = max((total or {}).get(source, 0), sum(counted.values()))
    return {orders: count / games for orders, count in counted.items()}


def rows_of(
    map: Map,
    entries: Iterable[Entry],
    power: str,
    phase: str,
    key: str = "",
    view: bool = False,
    total: Mapping[str, int] | None = None,
) -> list[Row]:
    """The rows of one power's entries at one place of a map, in the given order; `total` as in `shares`."""
    listed = list(entries)
    (_, games), played = counts(listed), shares(listed, total)
    rows = []
    for entry in listed:
        record = entry.record
        figures = (
            played.get(entry.orders),
            record.centres2.known,
            record.centres4.known,
            record.survival,
            record.solo,
            record.score,
        )
        share, two, four, survival, solo, score = (
            None if figure is None else round(figure, 4) for figure in figures
        )
        name = names.name_of(power, entry.orders, phase, map) or ""
        head = power, phase, key, view, entry.orders, name, entry.weight, share, games.get(entry.orders, 0)
        rows.append(Row(*head, two, four, survival, solo, score, entry.value, entry.probability))
    return rows


def rows(book: Book) -> Iterator[Row]:
    """All rows of a book: first those of its positions, then those of its views, each by phase."""
    for node in book:
        for power, entries in node.powers.items():
            yield from rows_of(book.map, entries, power, node.phase, node.key, total=node.sent.get(power))
    for view in book.views.values():
        yield from rows_of(book.map, view.entries, view.power, view.phase, view.key, True, view.games)


def to_json(book: Book) -> str:
    """A book as one JSON document: ``header``, and ``sets`` with the fields of `Row`, one set a line for
    comparison."""
    lines = ",\n".join(json.dumps(row.to_json(), ensure_ascii=False) for row in rows(book))
    return f'{{"header": {json.dumps(book.header, ensure_ascii=False)},\n"sets": [\n{lines}\n]}}\n'


def to_csv(book: Book) -> str:
    """A book as CSV: a head of the fields of `Row`, one set a line; orders are separated by ``; ``, unknown
    values are empty."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(Row._fields)
    for row in rows(book):
        told = row._replace(orders=("; ".join(row.orders)), view=int(row.view))  # type: ignore[arg-type]
        writer.writerow([csv_cell(value) for value in told])
    return text.getvalue()


# Verification of a book: orders legal, weights that sum to 1, every position reached.

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
