"""The engine's values of sets of orders: those of a search, and those of sets that it did not list."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.openings.assess import SAMPLES, Searched, outlooks
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Orders

__all__ = ["JudgedSet", "judge"]


class JudgedSet(NamedTuple):
    """The engine's judgement on a set: its value in points, its share in the engine's mixture."""

    value: float
    probability: float


def judge(
    position: Position,
    sets: Mapping[str, Iterable[Orders]],
    searched: Searched,
    *,
    evaluation: str = "default",
    samples: int = SAMPLES,
) -> dict[str, dict[Orders, JudgedSet]]:
    """The engine's judgement on every power's `sets` and on those that a search listed.

    A listed set has the value of the search. Another has that of the best listed one minus the difference of
    the evaluations of the next position, which is at least 0; its share in the mixture is 0.
    """
    verdicts: dict[str, dict[Orders, JudgedSet]] = {}
    for power in position.map.powers:
        listed: dict[Orders, JudgedSet] = {}
        for given, value, share in searched.get(power, ()):
            orders = canonical(position, power, given)
            known = listed.get(orders, JudgedSet(value, 0.0))
            listed[orders] = JudgedSet(max(known.value, value), known.probability + share)
        if not any(listed):
            continue
        best = max(listed, key=lambda orders: listed[orders].value)
        rest = [orders for orders in dict.fromkeys(sets.get(power, ())) if orders not in listed]
        verdicts[power] = dict(listed)
        if rest:
            seen = outlooks(position, power, [best, *rest], searched, evaluation=evaluation, samples=samples)
            for orders in rest:
                behind = min(seen[orders].points - seen[best].points, 0.0)
                verdicts[power][orders] = JudgedSet(listed[best].value + behind, 0.0)
    return verdicts
