"""The walk among choices: how often it stops where."""

from __future__ import annotations

from collections import Counter

import pytest

from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux.players.dumbbot import DumbBot
from bordeaux.policy.dumbbot import ANY
from tests.players.strip import STRIP

DRAWS = 40_000
#: Five standard deviations of the rarest and the most even frequency.
NEAR = 5 * (0.25 / DRAWS) ** 0.5


def walker(
    seed: int = 1, weak_variant: bool = False, alternative: int = 50, modifier: int = 500
) -> DumbBotPolicy:
    """DumbBot's way of choosing, with other numbers for the walk."""
    numbers = DumbBot.schemes, DumbBot.size, -1, weak_variant, seed, alternative, modifier
    return DumbBotPolicy(STRIP.tables, *numbers, (ANY, ANY, ANY), 1)


def frequencies(choice: DumbBotPolicy, values: list[int], furthest: int = ANY) -> list[float]:
    """How often walks end on each of some values."""
    ends = Counter(choice.walked(values, furthest) for _ in range(DRAWS))
    return [ends[place] / DRAWS for place in range(len(values))]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([100], [1.0]),
        # A tenth worse is fifty in a hundred of a hurdle, after an even chance.
        ([100, 90], [0.75, 0.25]),
        ([100, 80], [1.0, 0.0]),
        ([100, 100], [0.5, 0.5]),
        # From 95 to 90 the hurdle is 500 * 5 / 95, which is 26: the value that the walk stands on counts.
        ([100, 95, 90], [1 - 0.375, 0.375 * (1 - 0.37), 0.375 * 0.37]),
        ([0, -5], [0.5, 0.5]),
        # Among removals values grow: no hurdle but the first draw.
        ([100, 200, 5000], [0.5, 0.25, 0.25]),
    ],
)
def test_how_often_a_walk_ends_where(values: list[int], expected: list[float]) -> None:
    assert frequencies(walker(), values) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([100, 98], [0.6, 0.4]), ([100, 90], [1.0, 0.0]), ([100, 102], [0.6, 0.4]), ([100, 200], [1.0, 0.0])],
)
def test_the_crude_way_draws_once_and_minds_any_gap(values: list[int], expected: list[float]) -> None:
    assert frequencies(walker(weak_variant=True), values) == pytest.approx(expected, abs=NEAR)


@pytest.mark.parametrize(("alternative", "modifier"), [(-1, 500), (101, 500), (50, -1)])
def test_numbers_that_make_no_walk_are_refused(alternative: int, modifier: int) -> None:
    with pytest.raises(ValueError, match="no such walk"):
        walker(alternative=alternative, modifier=modifier)
