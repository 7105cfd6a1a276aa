"""Values of sets of orders against a mixture of all others, by adjudicating and evaluating the phase.

This is not a search. It gives values to sets that a search did not list, and finds moves that lose something
at once.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluator
from bordeaux.openings.canonical import position_key
from bordeaux.openings.entry import Orders
from bordeaux.search.sets import worst_quarter

SAMPLES = 8
"""Draws of everybody else's orders that a set is played against."""

Candidate = tuple[Sequence[str], float, float]
"""What a search says of a set: orders, value in points, share in its mixture."""
Searched = Mapping[str, Sequence[Candidate]]
"""The answer of a search for every power, the best set first."""


class Outlook(NamedTuple):
    """The mean result of a set: points of the evaluation, and holdings (see `holdings`); and the holdings in
    the worst quarter of the draws."""

    points: float
    holdings: float
    worst: float


def holdings(position: Position, power: str) -> int:
    """The holdings of a power: its centres without a foreign unit and those that it occupies, and its
    undislodged units."""
    standing = {unit.province: unit.power for unit in position.units}
    held = 0
    for centre, owner in zip(position.map.centres, position.owners, strict=True):
        held += standing.get(centre, owner) == power
    return held + len(position.units_of(power))


def outlooks(
    position: Position,
    power: str,
    sets: Iterable[Orders],
    searched: Searched,
    *,
    evaluation: str = "default",
    samples: int = SAMPLES,
) -> dict[Orders, Outlook]:
    """The results of a power's `sets` when the others draw theirs from `searched`.

    All sets are evaluated on the same draws, which depend only on the position. Powers that `searched` does
    not list hold. Raises MapError for an unknown power and OrderError for unreadable orders.
    """
    map = position.map
    name = map.power(power)
    number = map.powers.index(name)
    judge_of = evaluator(map, evaluation)
    draws = _draws(position, name, searched, samples)
    by_orders = {}
    for orders in sets:
        own = _codes(position, {name: orders})
        points = 0.0
        held = []
        for others in draws:
            after, *_ = position.packed.adjudicate(own + others)
            points += judge_of.evaluate(after, number)[0]
            held.append(holdings(Position.from_packed(map, after), name))
        by_orders[orders] = Outlook(points / len(draws), sum(held) / len(held), worst_quarter(held))
    return by_orders


def _draws(position: Position, power: str, searched: Searched, samples: int) -> list[list[tuple[int, int]]]:
    """Codes of all others' orders, `samples` times; one draw suffices if nobody else orders."""
    chance = random.Random(int(position_key(position), 16))
    pools = {
        other: ([tuple(orders) for orders, _, _ in lines], [share for _, _, share in lines])
        for other, lines in searched.items()
        if lines and other != power
    }
    return [
        _codes(position, {other: _drawn(chance, *pool) for other, pool in pools.items()})
        for _ in range(samples if pools else 1)
    ]


def _drawn(chance: random.Random, sets: Sequence[Orders], shares: Sequence[float]) -> Orders:
    return chance.choices(sets, shares)[0] if sum(shares) > 0 else sets[0]


def _codes(position: Position, orders: Mapping[str, Orders]) -> list[tuple[int, int]]:
    return submit(position, orders).codes()
