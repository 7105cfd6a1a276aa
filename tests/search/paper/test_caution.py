"""Caution: between the mean over the enemies' replies and the worst of them."""

from __future__ import annotations

import math

import pytest

from bordeaux import BordeauxError, Engine
from bordeaux.arena import bench
from bordeaux.search.paper.trial import SetScore


def test_the_score_goes_from_the_mean_to_the_worst_reply() -> None:
    scores = [SetScore(100, (100, 40), caution).score for caution in (0, 0.5, 1)]
    assert scores == [85, 77.5, 70]
    assert SetScore(100, (), 1).score == 100


def test_a_second_judgement_keeps_the_caution() -> None:
    again = SetScore(100, (80,), 1).with_another(SetScore(70, (90, 50), 1))
    assert again == SetScore(80, (90, 50), 1)


def test_a_cautious_engine_values_some_sets_lower() -> None:
    lower = 0
    for position, _ in bench.positions()[:7]:
        # Rollouts would give the sets other values in the end.
        with (
            Engine(caution=0, search="paper", without=["rollouts"]) as bold,
            Engine(caution=1, search="paper", without=["rollouts"]) as careful,
        ):
            trusting = bold.search_all(position, nodes=10_000)
            wary = careful.search_all(position, nodes=10_000)
        for power, answer in trusting.items():
            values = {line.orders: line.value for line in answer.lines}
            lower += any(line.value < values.get(line.orders, -math.inf) - 0.01 for line in wary[power].lines)
    assert lower > 0


@pytest.mark.parametrize("caution", [-0.1, 1.5, math.nan, math.inf])
def test_caution_is_a_share(caution: float) -> None:
    with pytest.raises(BordeauxError, match="caution must be a number from 0 to 1"):
        Engine(search="paper", caution=caution)
