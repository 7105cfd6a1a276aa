"""How a game was opened: what the powers' first orders are called, and where each left the book."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.openings.book import Book
from bordeaux.openings.canonical import canonical
from bordeaux.openings.names import alliances_of, name_of
from bordeaux.review.record import Record, RecordedPhase
from bordeaux.review.result import Left

__all__ = ["Opening", "opening_of"]


class Opening(NamedTuple):
    """The opening of a game: where each power `left` the book, the powers whose orders of a phase, by its
    number, are in the book or have a name, and names that first orders of several powers have together."""

    left: Mapping[str, Left]
    booked: Mapping[int, frozenset[str]]
    alliances: tuple[str, ...]


def opening_of(record: Record) -> Opening:
    """Hold the turns of a game against the book that comes with Bordeaux; of other maps it knows nothing."""
    powers = record.map.powers
    if record.map is not Map.standard():
        return Opening(dict.fromkeys(powers, Left("", "", False)), {}, ())
    first: RecordedPhase | None = next(
        (turn for turn in record.turns if str(turn.before.phase) == "S1901M"), None
    )
    given = first.orders if first is not None else {}
    sent = {power: tuple(map(str, orders)) for power, orders in given.items() if orders}
    left, booked = {}, dict[int, frozenset[str]]()
    for power in powers:
        name = name_of(power, sent[power]) if power in sent else None
        inside, phase = _follow(record, power)
        if name is not None and name.exact and first is not None:
            # What has a name has been thought about, whether our book has it or not.
            booked[first.number] = booked.get(first.number, frozenset()) | {power}
        left[power] = Left(str(name) if name else "", phase, bool(inside))
        for index in inside:
            booked[index] = booked.get(index, frozenset()) | {power}
    return Opening(left, booked, tuple(alliances_of(sent)))


def _follow(record: Record, power: str) -> tuple[list[int], str]:
    """The numbers of the phases in which a power's orders were in the book, and the first in which they were
    not, empty where the book had no more."""
    inside: list[int] = []
    for turn in record.turns:
        if power not in turn.orders:
            continue
        entries = _book().entries(turn.before, power)
        if not entries:
            return inside, ""
        played = canonical(turn.before, power, turn.orders[power])
        if not any(entry.orders == played and entry.weight > 0 for entry in entries):
            return inside, str(turn.before.phase)
        inside.append(turn.number)
    return inside, ""


@cache
def _book() -> Book:
    return Book.load()
