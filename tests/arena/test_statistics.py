"""Intervals against published figures, and against how often they hold what they should."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError
from bordeaux.arena import tables as module
from bordeaux.arena.job import Result
from bordeaux.arena.statistics import bootstrap, paired_bootstrap, wilson
from bordeaux.arena.tables import places, ratings


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


@pytest.mark.parametrize("given", [(-1, 5), (6, 5), (1, -1), (float("nan"), 5), (1, 5, 0.0), (1, 5, 95)])
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
    held = {0.8: 0, 0.95: 0}
    beyond = [0, 0]
    for trial in range(400):
        values = scores(chance, 60)
        for level in held:
            interval = bootstrap(values, level=level, seed=trial, rounds=600)
            held[level] += interval.low <= truth <= interval.high
            if level == 0.95:
                beyond[0] += truth < interval.low
                beyond[1] += truth > interval.high
    # Two standard deviations of 400 trials are 0.04 and 0.022.
    assert held[0.8] / 400 == pytest.approx(0.8, abs=0.04)
    assert held[0.95] / 400 == pytest.approx(0.95, abs=0.022)
    # Uncorrected percentiles would miss such skewed scores mostly on one side.
    assert max(beyond) <= 3 * min(beyond)


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


@pytest.mark.parametrize(
    ("values", "options"),
    [
        ([], {}),
        ([0.5, 1.5], {}),
        ([0.5, float("nan")], {}),
        ([0.5], {"bounds": None}),
        ([0.5, 0.6], {"bounds": (1, 0)}),
        ([0.5, 0.6], {"groups": [1]}),
        ([0.5, 0.6], {"weights": [1.0]}),
        ([0.5, 0.6], {"weights": [1.0, -1.0]}),
        ([0.5, 0.6], {"weights": [0.0, 0.0]}),
        ([0.5, 0.6], {"rounds": 0}),
        ([0.5, 0.6], {"level": 1.0}),
    ],
)
def test_what_has_no_interval_is_refused(values: list[float], options: dict[str, Any]) -> None:
    with pytest.raises(BordeauxError):
        bootstrap(values, **options)


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


# Ratings: places from results, and an order that is that of the strengths behind the games.

STRENGTHS = {"a": 0.0, "b": 0.4, "c": 0.8, "d": 1.2, "e": 1.6, "f": 2.0, "g": 2.4}


def result(
    index: int,
    seats: Sequence[str],
    centres: Sequence[int],
    winner: int | None = None,
    eliminated: dict[int, int] | None = None,
) -> Result:
    gone = eliminated or {}
    years = tuple(gone.get(seat) for seat in range(7))
    return Result(
        index=index,
        seats=tuple(seats),
        seed=index,
        end="cap" if winner is None else "solo",
        phase="W1920A",
        winner=winner,
        centres=((3, 3, 3, 3, 3, 4, 3), tuple(centres)),
        alive=tuple(year is None for year in years),
        eliminated=years,
        faults=(),
        seconds=(0.0,) * 7,
        orders=(0,) * 7,
        total=0.0,
    )


def games(count: int, seed: int = 1) -> list[Result]:
    """Games of seven players whose places follow the strengths, with luck (a Plackett-Luce model)."""
    chance = random.Random(seed)
    made = []
    for index in range(count):
        seats = list(STRENGTHS)
        chance.shuffle(seats)
        luck = {name: STRENGTHS[name] - math.log(-math.log(chance.random())) for name in seats}
        order = sorted(seats, key=luck.__getitem__)
        made.append(result(index, seats, [order.index(name) + 1 for name in seats]))
    return made


def test_places_of_a_solo() -> None:
    game = result(0, "abcdefg", (18, 0, 5, 5, 6, 0, 0), winner=0, eliminated={1: 1907, 5: 1904, 6: 1907})
    assert places(game) == (1, 5, 3, 3, 2, 7, 5)


def test_places_of_a_draw() -> None:
    game = result(0, "abcdefg", (17, 0, 9, 8, 0, 0, 0), eliminated={1: 1905, 4: 1910, 5: 1902, 6: 1901})
    assert places(game) == (1, 5, 2, 3, 4, 6, 7)


def test_the_order_is_that_of_the_strengths() -> None:
    rated = ratings(games(400))
    assert list(rated) == sorted(STRENGTHS, reverse=True)
    assert {rating.games for rating in rated.values()} == {400}
    for rating in rated.values():
        assert rating.strength.low < rating.strength.mean < rating.strength.high
    # Neighbours lie 0.4 apart in log strength; the ends are told apart without doubt.
    assert rated["g"].strength.low > rated["a"].strength.high


def test_the_first_game_is_what_openskill_itself_gives() -> None:
    from openskill.models import PlackettLuce

    by_name = ratings([result(0, "abcdefg", range(7, 0, -1))])
    model = PlackettLuce()
    rated = model.rate([[model.rating()] for _ in range(7)])
    # The model's own drift of strengths between games shows in the fourth digit.
    assert [rating.strength.mean for rating in by_name.values()] == pytest.approx(
        [rating.mu for (rating,) in rated], rel=1e-3
    )


def test_without_openskill_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    real = builtins.__import__

    def absent(name: str, *args: Any, **more: Any) -> Any:
        if name.startswith("openskill"):
            raise ImportError(name)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(BordeauxError, match=r"bordeaux-diplomacy\[arena\]"):
        module.ratings(games(1))


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_that_is_none(level: int) -> None:
    with pytest.raises(BordeauxError):
        ratings(games(2), level=level)
