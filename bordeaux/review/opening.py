"""The opening of a game: the names of the powers' first orders, and where each power left the book."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.openings.book import Book
from bordeaux.openings.canonical import canonical
from bordeaux.openings.names import alliances_of, name_of
from bordeaux.review.record import GameRecord, RecordedPhase
from bordeaux.review.result import LeftBook

__all__ = ["GameOpening", "opening_of"]


class GameOpening(NamedTuple):
    """The opening of a game: where each power `left` the book, and the powers with orders in the book or with
    a name, by phase number. Also the names of the first orders of several powers together."""

    left: Mapping[str, LeftBook]
    booked: Mapping[int, frozenset[str]]
    alliances: tuple[str, ...]


def opening_of(record: GameRecord) -> GameOpening:
    """Compare the turns of a game with the bundled book. Other maps have no openings."""
    powers = record.map.powers
    if record.map is not Map.standard():
        return GameOpening(dict.fromkeys(powers, LeftBook("", "", False)), {}, ())
    first: RecordedPhase | None = next(
        (turn for turn in record.turns if str(turn.before.phase) == "S1901M"), None
    )
    given = first.orders if first is not None else {}
    sent = {power: tuple(map(str, orders)) for power, orders in given.items() if orders}
    left, booked = {}, dict[int, frozenset[str]]()
    for power in powers:
        name = name_of(power, sent[power]) if power in sent else None
        inside, phase = _follow(record, power)
        if name is not None and first is not None:
            # A named opening counts as book, even if our book does not have it.
            booked[first.number] = booked.get(first.number, frozenset()) | {power}
        left[power] = LeftBook(name or "", phase, bool(inside))
        for index in inside:
            booked[index] = booked.get(index, frozenset()) | {power}
    return GameOpening(left, booked, tuple(alliances_of(sent)))


def _follow(record: GameRecord, power: str) -> tuple[list[int], str]:
    """The numbers of the phases in which a power's orders were in the book, and the first phase in which they
    were not ("" if the book ended first)."""
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
