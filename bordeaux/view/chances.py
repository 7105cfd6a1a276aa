"""The expected result of each line of an answer: the expected share of the final result, and the probability
of a solo.

Each line is adjudicated for its phase against the expected orders of the others. Values learnt from recorded
games evaluate the next positions (`bordeaux.evaluation.prospect`). This looks less far ahead than the points
of a search.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.engine import Engine, Found, Line
from bordeaux.evaluation.prospect import prospect_value
from bordeaux.search.sets import from_orders

__all__ = ["Chances", "chances", "expected_of_others"]

SAMPLES = 64
"""Joint orders of the others against which a line is evaluated, the same for all lines."""
PEOPLE = 8
"""Sets of a power from people's net that are used if the search has no expectation of it."""

Expected = Mapping[str, Sequence[Line]]


class Chances(NamedTuple):
    """A power's expected result after a line: its `share` of the final result (its square of centres in all
    squares, 1 for a solo) and its probability of a `solo`, from 0 to 1."""

    share: float
    solo: float


def expected_of_others(engine: Engine, answer: Found) -> Expected:
    """The expected orders of the others in an answer's position: those of its search, or, after a book
    answer, which has none, those of people."""
    position = answer.position
    if answer.expected or position is None:
        return answer.expected
    expected = {}
    for power in position.orderable():
        if power != answer.power:
            sets = engine.people(position, power, PEOPLE)
            expected[power] = tuple(Line(orders, 0.0, probability) for orders, probability in sets)
    return expected


def chances(answer: Found, expected: Expected, seed: int = 0) -> list[Chances]:
    """The expected result of the power after each line of its answer. Reproducible with the same seed."""
    position = answer.position
    if position is None:
        return [Chances(0.0, 0.0) for _ in answer.lines]
    value, number = prospect_value(position.map), position.map.powers.index(answer.power)
    joints = _drawn(position, expected, random.Random(f"{seed} {answer.power}"))
    by_line = []
    for line in answer.lines:
        own = _codes(position, answer.power, line.orders)
        judged = [value.judged(position.packed.adjudicate([*joint, *own])[0]) for joint in joints]
        share = fmean(shares[number] for shares, _ in judged)
        by_line.append(Chances(share, fmean(solos[number] for _, solos in judged)))
    return by_line


def _drawn(position: Position, expected: Expected, chance: random.Random) -> list[list[tuple[int, int]]]:
    """Joint orders of the others as codes with the numbers of the powers, drawn by probability."""
    others = [
        ([_codes(position, power, line.orders) for line in lines], [line.probability for line in lines])
        for power, lines in expected.items()
        if any(line.probability > 0 for line in lines)
    ]
    return [
        [pair for sets, weights in others for pair in chance.choices(sets, weights)[0]]
        for _ in range(SAMPLES)
    ]


def _codes(position: Position, power: str, orders: Sequence[str]) -> list[tuple[int, int]]:
    number = position.map.powers.index(power)
    return [(number, code) for code in codes_in(from_orders(position, power, orders))]
