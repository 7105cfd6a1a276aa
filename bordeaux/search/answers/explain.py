"""Explains a set of orders: the terms that it changes, and the contribution of each order.

A set is judged as in paper 002, section 3.3: by its mean result against alternative sets of the others. All
comparisons use the same ones, so that a difference comes from the orders only.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux._ext.influence import Evaluator
from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.rules.rulesets import DATC, RuleSet

__all__ = ["Explanation", "explain", "profiles", "worths"]

#: Joint orders of the others against which a set is evaluated.
PROFILES = 32
#: The same for the values of the others' sets to themselves.
VALUED = 8

Codes = tuple[int, ...]
Numbered = list[tuple[int, int]]


class Explanation(NamedTuple):
    """`terms`: points of each term before and after; `marginals`: points for each order, in their
    order."""

    terms: dict[str, tuple[float, float]]
    marginals: tuple[float, ...]


def explain(
    position: Position,
    evaluator: Evaluator,
    power: str,
    orders: bytes,
    expected: Mapping[str, Sequence[tuple[bytes, float]]],
    rules: RuleSet = DATC,
) -> Explanation:
    """Explain a power's orders (bytes of codes, 8 for each) in any phase with orders.

    `expected` gives the sets that the other powers may play, with weights of any sum; a power that is left
    out gives no orders. "Before" is the value of the next phase if nobody gave an order (in a movement phase:
    if all held), "after" the mean value against the expected orders. The marginal of an order is the loss of
    that mean when this one order is left out. `rules` are those of the adjudication.
    """
    number = position.map.powers.index(power)
    around = profiles(position, expected)

    def worth(codes: Iterable[int], others: Numbered) -> tuple[float, dict[str, float]]:
        after, *_ = position.packed.adjudicate([(number, code) for code in codes] + others, rules.bits)
        value, terms = evaluator.evaluate(after, number)
        return value, terms

    def mean(codes: Codes) -> float:
        return sum(worth(codes, others)[0] for others in around) / len(around)

    chosen = codes_in(orders)
    before = worth((), [])[1]
    then = [worth(chosen, others)[1] for others in around]
    after = {term: sum(terms[term] for terms in then) / len(then) for term in before}
    whole = mean(chosen)
    return Explanation(
        {term: (points, after[term]) for term, points in before.items()},
        tuple(whole - mean(chosen[:place] + chosen[place + 1 :]) for place in range(len(chosen))),
    )


def worths(
    position: Position,
    evaluator: Evaluator,
    expected: Mapping[str, Sequence[tuple[bytes, float]]],
    rules: RuleSet = DATC,
) -> dict[str, list[float]]:
    """The value of each possible set of powers to its power, in points: the mean of the next phase over a few
    joint orders, in which the others play theirs by their weights."""
    around = profiles(position, expected, VALUED)
    values: dict[str, list[float]] = {}
    for power, sets in expected.items():
        number = position.map.powers.index(power)
        values[power] = []
        for orders, _ in sets:
            own = [(number, code) for code in codes_in(orders)]
            total = 0.0
            for joint in around:
                others = [order for order in joint if order[0] != number]
                after, *_ = position.packed.adjudicate(own + others, rules.bits)
                total += evaluator.evaluate(after, number)[0]
            values[power].append(total / len(around))
    return values


def profiles(
    position: Position, expected: Mapping[str, Sequence[tuple[bytes, float]]], count: int = PROFILES
) -> list[Numbered]:
    """`count` joint orders of the others as (power number, code), in which every set of a power occurs in
    proportion to its weight, independently of the other powers."""
    joint: list[Numbered] = [[] for _ in range(count)]
    chance = random.Random(0)
    for power, sets in expected.items():
        number = position.map.powers.index(power)
        drawn = _apportioned(sets, count)
        chance.shuffle(drawn)
        for orders, together in zip(drawn, joint, strict=True):
            together += [(number, code) for code in codes_in(orders)]
    return joint


def _apportioned(sets: Sequence[tuple[bytes, float]], count: int) -> list[bytes]:
    """`count` sets in proportion to their weights, by largest remainders."""
    total = sum(weight for _, weight in sets)
    if total <= 0:
        return [b""] * count
    quotas = [count * weight / total for _, weight in sets]
    seats = [int(quota) for quota in quotas]
    for place in sorted(range(len(sets)), key=lambda k: seats[k] - quotas[k])[: count - sum(seats)]:
        seats[place] += 1
    return [orders for (orders, _), times in zip(sets, seats, strict=True) for _ in range(times)]
