"""How the accuracy of reviews is held against results."""

import pytest

from bordeaux import Position
from bordeaux.review.accuracy import accuracy
from bordeaux.review.record import read_record
from tests.review.games import board, game
from tests.tools.test_older import load

results = load("review_results")

CALM = {"FRANCE": ["A BUR H"], "GERMANY": ["A RUH H"]}


def test_equal_values_share_a_rank() -> None:
    assert results.ranks([3.0, 1.0, 3.0, 2.0]) == [2.5, 0.0, 2.5, 1.0]


def test_rank_correlation_is_known() -> None:
    assert results.spearman([1, 2, 3], [10, 20, 900]) == 1
    assert results.spearman([1, 2, 3], [3, 2, 1]) == -1
    # The textbook's formula: 1 - 6 * (1 + 1) / (4 * 15).
    assert results.spearman([1, 2, 3, 4], [2, 1, 3, 4]) == pytest.approx(0.8)
    assert results.spearman([1, 1], [1, 2]) is None and results.spearman([], []) is None


def test_phases_are_spread_evenly() -> None:
    assert results.spread(range(16), 4) == {2, 6, 10, 14}


def test_scores_are_shares_of_squares_and_a_solo_is_all() -> None:
    drawn = board("S1905M", {}, {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]})
    record = read_record(game(drawn.start(), CALM))._replace(last=drawn)
    assert results.scores(record)["FRANCE"] == 0.8 and sum(results.scores(record).values()) == pytest.approx(
        1
    )


def test_a_short_game_or_a_silent_power_is_not_sampled() -> None:
    assert not results.fits(game(Position.start(), {"FRANCE": ["A PAR H"]}))


def test_a_game_without_orders_is_not_sampled() -> None:
    assert not results.fits(game(Position.start(), {}))


def test_what_is_judged_is_reported() -> None:
    beside = board(
        "F1904M",
        {"FRANCE": ["A BUR"], "GERMANY": ["A RUH"]},
        {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    )
    recorded = game(beside, CALM, CALM)
    kept = results.judged(read_record(recorded), recorded, {0}, 200)
    assert {power for power, _ in kept["peace"]} == {"FRANCE", "GERMANY"}
    assert [fields["number"] for _, fields in kept["free"]] == [0, 0]
    assert results.report([kept, kept], "peace", accuracy).startswith("peace: all ")
