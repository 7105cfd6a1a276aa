"""What is drawn without replacement, against the sum over all orders of drawing."""

from __future__ import annotations

import itertools
import math

import pytest

from bordeaux.policy.people import drawn_together


def summed(shares: list[float], rest: float, blank: float, blanks: int) -> float:
    """The same, one order of drawing after the other."""
    total = 0.0
    for order in set(itertools.permutations([*range(len(shares)), *[-1] * blanks])):
        left, chance = rest + blank + sum(shares), 1.0
        for index in order:
            share = blank if index < 0 else shares[index]
            chance *= share / left
            left -= share if index >= 0 else 0.0
        total += chance
    return total


@pytest.mark.parametrize(
    ("shares", "rest", "blank", "blanks"),
    [
        ([0.5], 0.5, 0.0, 0),
        ([0.2, 0.1], 0.7, 0.0, 0),
        ([0.6, 0.3999], 0.0001, 0.0, 0),
        ([0.9, 1e-7, 1e-9], 0.1, 0.0, 0),
        ([1e-9, 2e-9], 1 - 3e-9, 0.0, 0),
        ([0.3, 0.2, 0.2, 0.1, 0.05], 0.15, 0.0, 0),
        ([0.3, 0.2], 0.4, 0.1, 0),
        ([0.3, 0.2], 0.4, 0.1, 2),
        ([0.3], 0.0, 0.7, 3),
        ([], 0.8, 0.2, 4),
    ],
)
def test_it_is_the_sum_over_the_orders_of_drawing(
    shares: list[float], rest: float, blank: float, blanks: int
) -> None:
    assert drawn_together(shares, rest, blank, blanks) == pytest.approx(
        summed(shares, rest, blank, blanks), rel=1e-6
    )


def test_all_that_can_be_drawn_together_is_sure_in_sum() -> None:
    shares = [0.4, 0.25, 0.2, 0.1, 0.05]
    total = math.fsum(
        drawn_together([shares[index] for index in drawn], 1 - math.fsum(shares[index] for index in drawn))
        for drawn in itertools.combinations(range(5), 3)
    )
    assert total == pytest.approx(1)
    assert drawn_together([0.7, 0.3], 0.0) == 1 and drawn_together([1.0], 0.0, 0.0, 1) == 0
    assert drawn_together([1 / 17] * 12, 5 / 17) == pytest.approx(1 / math.comb(17, 12))
