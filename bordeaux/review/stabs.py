"""Stabs: attacks on powers that were let be for long, or that peace was agreed with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.code import kind_of, target_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.press.conduct import conduct
from bordeaux.review.record import Record, Turn, held, owned_after
from bordeaux.review.words import Word
from bordeaux.search.neighbours import near
from bordeaux.search.seeds import from_orders, in_full

__all__ = ["Quiet", "Stab", "quiet_before", "stabs", "untouched"]

QUIET = 4
"""Movement phases, two years, in which two that could have fought did not: an attack then is a stab."""
NEAR = 2
"""Moves within which two powers could have attacked each other soon."""


Quiet = dict[int, Mapping[frozenset[str], int]]
"""For how many movement phases pairs of powers had let each other be, by the number of the phase."""


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


def quiet_before(record: Record) -> Quiet:
    """For how many movement phases before each, by its number, two powers near each other had not attacked
    each other."""
    found: Quiet = {}
    quiet: dict[frozenset[str], int] = {}
    for turn in record.movements():
        found[turn.number] = dict(quiet)
        met = {frozenset(pair) for pair in conduct(turn.before, turn.orders).attacks}
        for pair in {frozenset(pair) for pair in near(turn.before, NEAR)} | met:
            quiet[pair] = 0 if pair in met else quiet.get(pair, 0) + 1
    return found


def stabs(record: Record, quiet: Quiet, broken: Iterable[Word] = ()) -> Iterator[Stab]:
    """The stabs of a game, in its order. An attack that reached nothing is none unless it broke a word; who
    strikes back in the same phase stabs nobody."""
    words = {(word.number, word.power): word for word in broken}
    for turn in record.movements():
        attacks = conduct(turn.before, turn.orders).attacks
        for power, victim in sorted(attacks):
            since = quiet[turn.number].get(frozenset((power, victim)), 0)
            word = words.get((turn.number, power))
            broke = word.kind if word is not None and victim in word.partners else ""
            entered = _entered(turn, power, victim)
            if broke or (since >= QUIET and entered and not attacks[victim, power]):
                taken = (held(turn.before, victim) & owned_after(turn.after, power)) & set(entered)
                yield Stab(turn, power, victim, since, broke, tuple(sorted(taken)), entered)


def untouched(turn: Turn, quiet: Quiet, power: str, orders: Sequence[str]) -> dict[str, int]:
    """The powers that other orders of one would have attacked after a long peace, which what it ordered does
    not, with the length of the peace in movement phases."""
    done = conduct(turn.before, turn.orders).attacks
    would = conduct(turn.before, {power: orders}).attacks
    since = {
        victim: quiet[turn.number].get(frozenset((power, victim)), 0)
        for _, victim in sorted(would)
        if not done[power, victim]
    }
    return {victim: phases for victim, phases in since.items() if phases >= QUIET}


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
