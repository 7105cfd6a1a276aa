"""Intervals against published figures, and against how often they hold what they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError
from bordeaux.arena.statistics import bootstrap, corrected, paired_bootstrap, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_figures_of_newcombe(successes: int, trials: int, low: float, high: float) -> None:
    interval = wilson(successes, trials)
    assert interval.mean == pytest.approx(successes / trials)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("given", [(-1, 5), (6, 5), (1, -1), (float("nan"), 5)])
def test_what_is_no_share_is_refused(given: tuple[Any, ...]) -> None:
    with pytest.raises(BordeauxError):
        wilson(*given)


def scores(chance: np.random.Generator, games: int) -> np.ndarray:
    """What sums of squares look like: solos, eliminations, and something small between; mean 0.2423."""
    kind = chance.random(games)
    return np.where(kind < 0.15, 1.0, np.where(kind < 0.6, 0.0, chance.beta(1.5, 5, games)))


def test_the_bootstrap_holds_the_true_mean_as_often_as_it_says() -> None:
    truth = 0.15 + 0.4 * 1.5 / 6.5
    chance = np.random.default_rng(8)
    beyond = [0, 0]
    for trial in range(400):
        interval = bootstrap(scores(chance, 60), seed=trial, rounds=600)
        beyond[0] += truth < interval.low
        beyond[1] += truth > interval.high
    # Two standard deviations of 400 trials are 0.022.
    assert sum(beyond) / 400 == pytest.approx(0.05, abs=0.022)
    # Uncorrected percentiles would miss such skewed scores mostly on one side.
    assert max(beyond) <= 3 * min(beyond)


def test_the_correction_is_that_of_the_paper() -> None:
    # Without bias, and with an acceleration of .068: leaning by -.5, -.5 and 1.
    drawn, sums, masses = np.array([0.0, 2.0]), np.array([0.0, 0.0, 3.0]), np.ones(3)
    assert corrected((0.025, 0.975), drawn, 1.0, sums, masses) == pytest.approx([0.0419, 0.9881], abs=1e-4)


def test_the_bootstrap_of_values_spread_evenly_is_the_textbook_interval() -> None:
    values = np.random.default_rng(3).normal(0.5, 0.05, 400)
    reach = 1.959964 * values.std(ddof=1) / 20
    interval = bootstrap(values, rounds=20_000)
    assert interval.mean == pytest.approx(values.mean())
    assert (interval.low, interval.high) == pytest.approx(
        (values.mean() - reach, values.mean() + reach), abs=4e-4
    )


def test_values_of_one_game_count_as_one() -> None:
    values = scores(np.random.default_rng(1), 50)
    once = bootstrap(values)
    sixfold = bootstrap(np.repeat(values, 6), groups=np.repeat(np.arange(50), 6).tolist())
    assert sixfold == pytest.approx(once)
    blind = bootstrap(np.repeat(values, 6))
    assert blind.high - blind.low < 0.6 * (once.high - once.low)


def test_where_all_games_agree_the_interval_is_that_of_wilson() -> None:
    assert bootstrap([0.0] * 20) == pytest.approx(wilson(0, 20))
    assert bootstrap([1.0]) == pytest.approx(wilson(1, 1))
    interval = bootstrap([17.0] * 8, bounds=(0, 34))
    assert interval == pytest.approx(wilson(4, 8).scaled(34))
    assert bootstrap([3.0] * 8, bounds=None) == (3.0, 3.0, 3.0)


def test_the_mean_lies_in_its_interval() -> None:
    chance = np.random.default_rng(2)
    for games in (2, 3, 5):
        for _ in range(50):
            interval = bootstrap(scores(chance, games), rounds=200)
            assert 0 <= interval.low <= interval.mean <= interval.high <= 1


@pytest.mark.parametrize("values", [[], [0.5, 1.5], [0.5, float("nan")]])
def test_what_has_no_interval_is_refused(values: list[float]) -> None:
    with pytest.raises(BordeauxError):
        bootstrap(values)
    with pytest.raises(BordeauxError):
        bootstrap([0.5], bounds=None)


def test_pairs_cut_the_noise_that_both_share() -> None:
    chance = np.random.default_rng(4)
    luck = chance.random(80) * 0.8
    first, second = luck + 0.1 * chance.random(80), luck + 0.1 * chance.random(80) - 0.05 * luck
    paired = paired_bootstrap(first, second, seed=1)
    shuffled = paired_bootstrap(first, chance.permutation(second), seed=1)
    assert paired.mean == pytest.approx((first - second).mean())
    assert paired.mean == pytest.approx(shuffled.mean)
    assert paired.low > 0 > shuffled.low
    assert paired.high - paired.low < 0.2 * (shuffled.high - shuffled.low)
