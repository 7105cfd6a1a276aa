"""Comparison of two books, or of a book and people's games: sets that only one side plays.

The surprise of a set is its part of Jeffreys' divergence between the two ways to play at a place. It is (p
- q) log2(p / q) bits for shares p and q, never below 0. (H. Jeffreys, An invariant form for the prior
probability in estimation problems, 1946.)
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.phase import Phase
from bordeaux.formats.games import read_games
from bordeaux.jobs.pool import mapped
from bordeaux.openings.book import Book, phase_number, phase_order
from bordeaux.openings.entry import Entry, Orders
from bordeaux.openings.making.gathered import on_map
from bordeaux.openings.making.opening_lines import Trace, trace_of
from bordeaux.openings.names import name_of

LEAST = 0.001
"""What a share counts as at least: nobody can tell a set never played from one in a thousand."""
PRIOR = 10.0
"""Games in agreement with the book that are added to those of a place, so that few games surprise little."""


class BookPlace(NamedTuple):
    """A place where a power gives orders: a phase, the power, and the key of the position or of its view."""

    phase: str
    power: str
    key: str
    view: bool


class Difference(NamedTuple):
    """A set that two sides play differently.

    `first` and `second` are its shares on the two sides, of 1; `surprise` is in bits. `value` is the first
    side's engine value and `loss` its distance to the best set there, `second_value` the other book's;
    None if not searched. `engine`: whether `first` is the engine's own share and not the book's.
    `games` are those in which the second side played the set.
    """

    place: BookPlace
    orders: Orders
    name: str
    first: float
    second: float
    surprise: float
    engine: bool = False
    value: float | None = None
    second_value: float | None = None
    loss: float | None = None
    games: int = 0

    def to_json(self) -> dict[str, Any]:
        """The difference for `json.dumps`."""
        rest = {key: value for key, value in self._asdict().items() if key not in ("place", "orders")}
        return {**self.place._asdict(), "orders": list(self.orders), **rest}


Collection = Mapping[BookPlace, Counter[Orders]]
"""How often each set was played, by place."""


def surprise(first: float, second: float) -> float:
    """The difference of two shares of 1, in bits."""
    p, q = max(first, LEAST), max(second, LEAST)
    return (p - q) * math.log2(p / q)


def collect(traces: Iterable[Trace]) -> dict[BookPlace, Counter[Orders]]:
    """The sets played in games; powers that sent nothing in a phase do not count there."""
    counts: dict[BookPlace, Counter[Orders]] = {}
    for trace in traces:
        for step in trace.steps:
            for power in step.sent:
                orders = step.orders[power]
                counts.setdefault(BookPlace(step.phase, power, step.key, False), Counter())[orders] += 1
                if power in step.views:
                    place = BookPlace(step.phase, power, step.views[power].key, True)
                    counts.setdefault(place, Counter())[orders] += 1
    return counts


def collect_games(
    path: str, book: Book, processes: int, tell: Callable[[int], None] = lambda games: None
) -> tuple[int, dict[BookPlace, Counter[Orders]]]:
    """The number of games in a file, and the sets played in them, in the phases that a book covers.

    They are read in so many processes; `tell` is called after every game with their number. Raises
    FormatError, BordeauxError for a game on another map.
    """
    traces = []
    follow = partial(trace_of, depth=depth_of(book), map=book.map)
    with mapped(follow, on_map(read_games(path), book.map), processes) as followed:
        for trace in followed:
            traces.append(trace)
            tell(len(traces))
    return len(traces), collect(traces)


def depth_of(book: Book) -> int:
    """The number of phases from the start that the book covers, three a year."""
    phases = {node.phase for node in book} | {view.phase for view in book.views.values()}
    return 1 + max((phase_number(Phase.parse(phase), book.map.start_phase) for phase in phases), default=0)


def places(book: Book, power: str = "") -> dict[BookPlace, tuple[Entry, ...]]:
    """The entries of a book by place, of one power or of all. Raises MapError for an unknown power."""
    wanted = book.map.power(power) if power else ""
    entries = {
        BookPlace(node.phase, name, node.key, False): entries
        for node in book
        for name, entries in node.powers.items()
        if wanted in ("", name)
    }
    for view in book.views.values():
        if wanted in ("", view.power):
            entries[BookPlace(view.phase, view.power, view.key, True)] = view.entries
    return entries


def compare(first: Book, second: Book, power: str = "") -> list[Difference]:
    """The differences of two books at the places that both have, the most surprising first.

    Sets of the same share in both are left out unless their values differ. Raises MapError for an unknown
    power, and BordeauxError for books of two maps.
    """
    if first.map is not second.map:
        raise BordeauxError(f"one book is on map {first.map.name}, the other on map {second.map.name}")
    others = places(second, power)
    differences = []
    for place, entries in places(first, power).items():
        mine = {entry.orders: entry for entry in entries}
        theirs = {entry.orders: entry for entry in others.get(place, ())}
        for orders in dict.fromkeys((*mine, *theirs)) if place in others else ():
            one, other = mine.get(orders, Entry(orders, 0.0)), theirs.get(orders, Entry(orders, 0.0))
            if (one.weight, one.value) != (other.weight, other.value):
                made = _difference(first.map, place, entries, orders, one.weight, other.weight)
                differences.append(made._replace(second_value=other.value, games=other.games))
    return in_order(differences)


def compare_games(book: Book, games: Collection, power: str = "") -> list[Difference]:
    """The differences of people's games and a book, at the places that both have, the most surprising first.

    Where the engine has searched, its own share is compared with that of the people; elsewhere, the book's.
    Raises MapError for an unknown power.
    """
    differences = []
    for place, entries in places(book, power).items():
        counts = games.get(place) or Counter()
        total = sum(counts.values())
        searched = any(entry.probability is not None for entry in entries)
        mine = {entry.orders: (entry.probability or 0.0) if searched else entry.weight for entry in entries}
        for orders in dict.fromkeys((*mine, *counts)) if counts else ():
            first = mine.get(orders, 0.0)
            drawn = (counts[orders] + PRIOR * first) / (total + PRIOR)
            made = _difference(book.map, place, entries, orders, first, counts[orders] / total)
            bits = surprise(first, drawn)
            differences.append(made._replace(surprise=bits, engine=searched, games=counts[orders]))
    return in_order(differences)


def in_order(differences: Iterable[Difference]) -> list[Difference]:
    """The most surprising first; equal ones by time, power and orders."""
    return sorted(
        differences,
        key=lambda difference: (
            -round(difference.surprise, 9),
            phase_order(difference.place.phase),
            difference.place.power,
            difference.orders,
        ),
    )


def _difference(
    map: Map, place: BookPlace, entries: Iterable[Entry], orders: Orders, first: float, second: float
) -> Difference:
    """The difference of a set, with its value among the entries of the first side."""
    values = {entry.orders: entry.value for entry in entries if entry.value is not None}
    value, name = values.get(orders), name_of(place.power, orders, place.phase, map) or ""
    loss = None if value is None else max(values.values()) - value
    return Difference(place, orders, name, first, second, surprise(first, second), value=value, loss=loss)
