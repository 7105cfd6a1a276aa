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
    """The opening of a game: where each power `left` the book, and the powers whose units the book knows, by
    phase number: its range. Also the names of the first orders of several powers together."""

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
        known, phase, entered = _follow(record, power)
        left[power] = LeftBook(name or "", phase, entered)
        for index in known:
            booked[index] = booked.get(index, frozenset()) | {power}
    return GameOpening(left, booked, tuple(alliances_of(sent)))


def _follow(record: GameRecord, power: str) -> tuple[list[int], str, bool]:
    """The numbers of the phases in which the book has sets for a power, the first of them whose orders were
    not among these ("" if the book ended first), and whether any were."""
    known: list[int] = []
    left, entered = "", False
    for turn in record.turns:
        if power not in turn.orders:
            continue
        entries = _book().entries(turn.before, power)
        if not entries:
            break
        known.append(turn.number)
        played = canonical(turn.before, power, turn.orders[power])
        if not left and any(entry.orders == played and entry.weight > 0 for entry in entries):
            entered = True
        else:
            left = left or str(turn.before.phase)
    return known, left, entered


@cache
def _book() -> Book:
    return Book.load()
