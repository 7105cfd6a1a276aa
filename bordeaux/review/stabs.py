"""Stabs: attacks on powers after a long time without an attack, or against an agreed peace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bordeaux.board.code import kind_of, target_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.press.diplomat.conduct import conduct
from bordeaux.review.peace import QUIET, Quiet
from bordeaux.review.record import GameRecord, RecordedPhase, held, owned_after
from bordeaux.review.words import Word
from bordeaux.search.sets import from_orders, in_full

__all__ = ["Stab", "stabs"]


class Stab(NamedTuple):
    """An attack of one power on another after `quiet` movement phases without one, or against its `word`, a
    kind of promise. `taken` are the victim's centres that the attacker had after it, `entered` all of the
    victim's provinces that the attacker entered."""

    turn: RecordedPhase
    power: str
    victim: str
    quiet: int
    word: str
    taken: tuple[str, ...]
    entered: tuple[str, ...]


def stabs(record: GameRecord, quiet: Quiet, broken: Iterable[Word] = ()) -> Iterator[Stab]:
    """The stabs of a game, in order. An attack without a result counts only if it broke a promise. A power
    that is attacked in the same phase does not stab."""
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


def _entered(turn: RecordedPhase, power: str, victim: str) -> tuple[str, ...]:
    """Provinces with a unit or a centre of the victim that units of a power entered."""
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
