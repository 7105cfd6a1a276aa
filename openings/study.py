"""The best opening of a power against known opponents: joint orders drawn, adjudicated, valued and ranked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from statistics import fmean, variance
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluate
from bordeaux.openings.book import Book, phase_order
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Orders
from bordeaux.openings.names import name_of
from bordeaux.openings.rows import rows_of, shares

__all__ = ["Answer", "Band", "Table", "expect", "play_on", "played_in", "table_of"]

Table = Mapping[str, Sequence[tuple[Orders, float]]]
"""What the powers at a table do: sets of orders with their shares, which need not sum to 1."""
Follow = Callable[[Position, Random], Mapping[str, Iterable[str | Order]]]
"""The orders of all powers in a later phase."""
Measure = Callable[[Position], float]
"""How good a position is for the power in question."""

Z = 1.96
SAMPLES = 400


class Band(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class Answer(NamedTuple):
    """What to expect of a set of orders: its `expected` measure, and how far that is `behind` that of the
    best set, on the same tables (0 or more; the best one is behind by nothing)."""

    orders: Orders
    name: str
    expected: Band
    behind: Band


def table_of(
    book: Book, position: Position, changes: Table | None = None
) -> dict[str, list[tuple[Orders, float]]]:
    """The table that the book's records show at a position: how often each power plays what, and where
    nobody played, the book's weights. `changes` replaces the powers that it names. Raises MapError.
    """
    found = {}
    for power in position.orderable():
        shown = rows_of(book.entries(position, power), power, str(position.phase))
        pairs = [(row.orders, row.share if row.share is not None else row.weight) for row in shown]
        if known := [(orders, share) for orders, share in pairs if share > 0]:
            found[power] = known
    for name, sets in (changes or {}).items():
        power = position.map.power(name)
        found[power] = [(canonical(position, power, orders), share) for orders, share in sets]
    return found


def played_in(book: Book) -> Follow:
    """A way to play on as people did in the games of a book: each power draws a set by its share of the
    games, where nobody played by weight; where the book knows nothing units hold, or disband."""

    def follow(position: Position, random: Random) -> dict[str, Orders]:
        drawn = {}
        for power in position.orderable():
            entries = book.entries(position, power)
            played = shares(entries)
            if entries:
                sets = [entry.orders for entry in entries]
                chances = [played.get(entry.orders, entry.weight) for entry in entries]
                drawn[power] = random.choices(sets, chances)[0]
        return drawn

    return follow


def play_on(position: Position, until: str, follow: Follow, random: Random) -> Position:
    """The position at the beginning of the phase `until`, like ``W1901A``, or of the first one after it,
    or where the game ends. Raises PositionError for what is no phase."""
    wanted = phase_order(until)
    while position.phase.kind != "-" and phase_order(position.phase) < wanted:
        position = position.next(follow(position, random))
    return position


def expect(
    position: Position,
    power: str,
    sets: Iterable[Iterable[str | Order]],
    table: Table,
    *,
    samples: int = SAMPLES,
    seed: int = 0,
    measure: Measure | None = None,
    follow: Follow | None = None,
    until: str = "",
) -> list[Answer]:
    """What to expect of each of the `sets` of a power, the best first.

    The orders of the other powers are drawn `samples` times from the `table`; those that it does not
    name hold. Every set meets the same draws, so that differences between sets are surer than their means.
    What follows is judged by `measure`, by default the value of the position to the power, in points of the
    engine's evaluation. With `follow` and `until` play goes on to a later phase first. The same seed gives
    the same answer.

    Raises MapError for an unknown power, BordeauxError for no sets, fewer than two samples or a table
    with shares that cannot be drawn from.
    """
    name = position.map.power(power)
    candidates = list(dict.fromkeys(canonical(position, name, orders) for orders in sets))
    if not candidates or samples < 2:
        raise BordeauxError("expect: give at least one set of orders and two samples")
    others = {position.map.power(other): list(given) for other, given in table.items()}
    others.pop(name, None)
    for other, given in others.items():
        if not given or any(not 0 <= share < math.inf for _, share in given) or not sum(s for _, s in given):
            raise BordeauxError(f"expect: the shares of {other} at the table must not be negative, nor all 0")
    judge = measure or (lambda after: evaluate(after)[name].value)
    random = Random(f"{seed} {position.phase} {name}")
    found: list[list[float]] = [[] for _ in candidates]
    known: dict[Position, float] = {}
    for number in range(samples):
        drawn = {
            other: random.choices([orders for orders, _ in given], [share for _, share in given])[0]
            for other, given in others.items()
        }
        for values, orders in zip(found, candidates, strict=True):
            after = position.next({**drawn, name: orders})
            if follow is not None and until:
                after = play_on(after, until, follow, Random(f"{seed} {number}"))
            if after not in known:
                known[after] = judge(after)
            values.append(known[after])
    return ranked(name, str(position.phase), candidates, found)


def ranked(
    power: str, phase: str, candidates: Sequence[Orders], found: Sequence[Sequence[float]]
) -> list[Answer]:
    """Answers out of the values of every candidate on the same tables."""
    order = sorted(range(len(candidates)), key=lambda each: (-fmean(found[each]), candidates[each]))
    best = found[order[0]]
    answers = []
    for each in order:
        called = name_of(power, candidates[each], phase)
        gaps = [first - own for first, own in zip(best, found[each], strict=True)]
        answers.append(Answer(candidates[each], str(called) if called else "", band(found[each]), band(gaps)))
    return answers


def band(values: Sequence[float]) -> Band:
    """The mean of values with its 95 % interval (normal approximation)."""
    mean = fmean(values)
    reach = Z * math.sqrt(variance(values) / len(values))
    return Band(mean, mean - reach, mean + reach)
