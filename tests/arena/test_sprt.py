"""The sequential test against figures of other programs, Wald's own test, and its chances of error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from bordeaux import BordeauxError
from bordeaux.arena.statistics import hypotheses, sprt


def share(elo: float) -> float:
    """The score that chess players expect who are stronger by `elo`."""
    return 1 / (1 + 10 ** (-elo / 400))


@pytest.mark.parametrize(
    ("games", "elo", "llr"),
    [
        # What fastchess expects (app/tests/sprt_test.cpp): "logistic" results of single games and of pairs.
        ({1: 21404, 0: 21184, 0.5: 40708}, (0.5, 2.5), -1.57),
        ({1: 57433, 0: 57030, 0.5: 106593}, (0, 2), -2.59),
        ({0: 223, 0.25: 9863, 0.5: 21279, 0.75: 10037, 1: 246}, (0.5, 2.5), -3.07),
        ({0: 871, 0.25: 26175, 0.5: 55983, 0.75: 26678, 1: 821}, (0, 2), -4.98),
    ],
)
def test_the_ratio_is_that_of_fastchess(
    games: dict[float, int], elo: tuple[float, float], llr: float
) -> None:
    test = sprt(np.repeat(list(games), list(games.values())), share(elo[0]), share(elo[1]))
    assert test.llr == pytest.approx(llr, abs=0.005)
    assert test.games == sum(games.values())


def test_the_bounds_are_those_of_wald() -> None:
    test = sprt([], 0.1, 0.2)
    assert (test.lower, test.upper) == pytest.approx((-2.94444, 2.94444), abs=1e-5)
    assert (test.llr, test.games, test.mean, test.accepted) == (0.0, 0, None, None)
    uneven = sprt([], 0.1, 0.2, alpha=0.01, beta=0.1)
    assert (uneven.lower, uneven.upper) == pytest.approx((math.log(0.1 / 0.99), math.log(90)))


@pytest.mark.parametrize(("won", "lost"), [(3, 17), (1, 0), (0, 9), (40, 60)])
def test_of_wins_and_losses_it_is_walds_test(won: int, lost: int) -> None:
    test = sprt([1.0] * won + [0.0] * lost, 0.143, 0.2)
    walds = won * math.log(0.2 / 0.143) + lost * math.log(0.8 / 0.857)
    # The bound that no game reached counts as a thousandth of a game.
    assert test.llr == pytest.approx(walds, abs=0.002)


def test_it_tells_what_it_accepts() -> None:
    won = sprt([1.0] * 30, 0.143, 0.2)
    assert won.accepted == 0.2
    lost = sprt([0.0] * 60, 0.143, 0.2)
    assert lost.accepted == 0.143
    assert str(lost).endswith("60 games: LLR -4.13 between -2.94 and 2.94, 0.143 accepted")
    assert str(sprt([0.2], 0.143, 0.2)).endswith("goes on")
    assert won.to_json()["accepted"] == 0.2
    assert won.to_json()["games"] == 30


def test_the_order_of_games_and_the_units_do_not_matter() -> None:
    values = np.random.default_rng(0).beta(1, 4, 50)
    test = sprt(values, 0.1, 0.3)
    assert sprt(values[::-1], 0.1, 0.3).llr == pytest.approx(test.llr)
    stretched = sprt(values * 34, 3.4, 10.2, bounds=(0, 34))
    assert stretched.llr == pytest.approx(test.llr)
    assert sprt(values * 2 - 1, -0.8, -0.4, bounds=(-1, 1)).llr == pytest.approx(test.llr)


def test_half_way_between_the_hypotheses_nothing_is_gained() -> None:
    assert sprt([0.0, 0.2, 0.4, 0.6, 0.8, 1.0] * 10, 0.45, 0.55).llr == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("truth", "wrong"), [(0.143, 0.3), (0.3, 0.143)])
def test_it_errs_no_more_often_than_it_may(truth: float, wrong: float) -> None:
    chance = np.random.default_rng(6)
    errors, games = 0, []
    for _ in range(120):
        # Solos, draws of two, and nothing; half of the mean comes from each.
        drawn = chance.choice([1.0, 0.5, 0.0], 400, p=[truth / 2, truth, 1 - 1.5 * truth])
        for played in range(5, 401, 5):
            stands = sprt(drawn[:played], 0.143, 0.3)
            if stands.accepted is not None:
                errors += stands.accepted == wrong
                games.append(played)
                break
    assert len(games) == 120
    assert errors / 120 < 0.1
    assert np.mean(games) < 150


@pytest.mark.parametrize(
    ("scores", "s0", "s1", "options"),
    [
        ([0.5], 0.2, 0.1, {}),
        ([0.5], 0.0, 0.1, {}),
        ([0.5], 0.5, 1.0, {}),
        ([1.5], 0.1, 0.2, {}),
        ([float("nan")], 0.1, 0.2, {}),
        ([0.5], 0.1, 0.2, {"alpha": 0.0}),
        ([0.5], 0.1, 0.2, {"alpha": 0.6, "beta": 0.5}),
    ],
)
def test_what_cannot_be_tested_is_refused(
    scores: list[float], s0: float, s1: float, options: dict[str, Any]
) -> None:
    with pytest.raises(BordeauxError):
        sprt(scores, s0, s1, **options)


def test_hypotheses_are_read() -> None:
    assert hypotheses("0.143, 0.2") == (0.143, 0.2)
    for text in ("0.1", "a,b", "0.2,0.1", "0.1,0.2,0.3", "nan,0.1", "0.1,inf"):
        with pytest.raises(BordeauxError):
            hypotheses(text)
