"""A book as a flat list: one row for every set of orders at every place, for tables, files and plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Protocol

from bordeaux.openings.entry import Entry, Node, View
from bordeaux.openings.names import name_of

PEOPLE = ("human", "statistics", "selfplay")
"""Sources whose counts give the share of a set, the first that has any at the place."""


DIGITS = 4


class Row(NamedTuple):
    """One set of orders of one power at one place.

    `key` is that of the position, or with `view` that of the power's view. `share` is how often the set was
    played there, of 1 (None without games), and `games` in how many games; see `counts`. `centres2` and
    `centres4` are mean centres two and four years later, `survival`, `solo` and `score` shares of 1, all None
    if unknown; `value` (points), `probability` and `weight` as in `bordeaux.openings.entry.Entry`.
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


COLUMNS = Row._fields


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
    entries: Iterable[Entry],
    power: str,
    phase: str,
    key: str = "",
    view: bool = False,
    total: Mapping[str, int] | None = None,
) -> list[Row]:
    """The rows of one power's entries at one place, in the given order; `total` as in `shares`."""
    listed = list(entries)
    (_, games), played = counts(listed), shares(listed, total)
    rows = []
    for entry in listed:
        record = entry.record
        name = name_of(power, entry.orders, phase)
        rows.append(
            Row(
                power,
                phase,
                key,
                view,
                entry.orders,
                name or "",
                entry.weight,
                _rounded(played.get(entry.orders)),
                games.get(entry.orders, 0),
                _rounded(record.centres2.mean if record.centres2.count else None),
                _rounded(record.centres4.mean if record.centres4.count else None),
                _rounded(record.survival),
                _rounded(record.solo),
                _rounded(record.score),
                entry.value,
                entry.probability,
            )
        )
    return rows


def _rounded(value: float | None) -> float | None:
    """Rounded to the digits of a book."""
    return None if value is None else round(value, DIGITS)


class _Book(Protocol):
    """The parts of a book; `bordeaux.openings.book.Book`, which makes tables of its rows, is one."""

    views: Mapping[str, View]

    def __iter__(self) -> Iterator[Node]: ...


def rows(book: _Book) -> Iterator[Row]:
    """All rows of a book: first those of its positions, then those of its views, each by phase."""
    for node in book:
        for power, entries in node.powers.items():
            yield from rows_of(entries, power, node.phase, node.key, total=node.sent.get(power))
    for view in book.views.values():
        yield from rows_of(view.entries, view.power, view.phase, view.key, True, view.games)
