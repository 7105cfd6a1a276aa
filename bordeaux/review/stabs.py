"""Stabs: attacks on powers that were let be for long, or that peace was agreed with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bordeaux.board.code import kind_of, target_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.press.conduct import conduct
from bordeaux.review.record import Record, Turn, held, owned_after
from bordeaux.review.words import Word
from bordeaux.search.replies import near
from bordeaux.search.seeds import from_orders, in_full

__all__ = ["Stab", "stabs"]

QUIET = 4
"""Movement phases, two years, in which two that could have fought did not: an attack then is a stab."""
NEAR = 2
"""Moves within which two powers could have attacked each other soon."""


class Stab(NamedTuple):
    """An attack of one power on another after so many `quiet` movement phases, or against its `word`, a kind
    of promise. `taken` are the centres of the victim that the attacker had after it, `entered` all of its
    provinces that the attacker came into."""

    turn: Turn
    power: str
    victim: str
    quiet: int
    word: str
    taken: tuple[str, ...]
    entered: tuple[str, ...]


def stabs(record: Record, broken: Iterable[Word] = ()) -> Iterator[Stab]:
    """The stabs of a game, in its order, each pair's first blow alone. An attack that reached nothing is none
    unless it broke a word."""
    words = {(word.number, word.power): word for word in broken}
    quiet: dict[frozenset[str], int] = {}
    for turn in record.movements():
        deeds, close = conduct(turn.before, turn.orders), near(turn.before, NEAR)
        for power, victim in sorted(deeds.attacks):
            pair = frozenset((power, victim))
            since = quiet.get(pair, 0)
            word = words.get((turn.number, power))
            broke = word.kind if word is not None and victim in word.partners else ""
            entered = _entered(turn, power, victim)
            # Who strikes back in the same phase, or moves into what the other leaves, stabs nobody.
            mutual = bool(deeds.attacks[victim, power])
            if broke or (since >= QUIET and entered and not mutual):
                taken = (held(turn.before, victim) & owned_after(turn.after, power)) & set(entered)
                yield Stab(turn, power, victim, since, broke, tuple(sorted(taken)), entered)
        met = {frozenset(pair) for pair in deeds.attacks}
        for pair in {frozenset(pair) for pair in close} | met:
            quiet[pair] = 0 if pair in met else quiet.get(pair, 0) + 1


def _entered(turn: Turn, power: str, victim: str) -> tuple[str, ...]:
    """Provinces where the victim had a unit or a centre that units of a power went into."""
    map, before, after = turn.before.map, turn.before, turn.after
    codes = in_full(before, power, from_orders(before, power, turn.orders.get(power, ()))).values()
    goals = {
        map.provinces[map.locations[target_of(code)].province].name
        for code in codes
        if kind_of(code) == OrderKind.MOVE
    }
    theirs = [goal for goal in sorted(goals) if _is_of(before, goal, victim)]
    return tuple(goal for goal in theirs if _stands(after, goal, power) and not _stands(before, goal, power))


def _is_of(position: Position, province: str, power: str) -> bool:
    unit = position.unit_at(province)
    return (unit is not None and unit.power == power) or province in held(position, power)


def _stands(position: Position, province: str, power: str) -> bool:
    unit = position.unit_at(province)
    return unit is not None and unit.power == power
