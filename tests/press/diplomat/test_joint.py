"""The game of two powers: values of pairs of sets, and how it is played without a word."""

from __future__ import annotations

import numpy as np
import pytest

from bordeaux import Position, adjudicate, evaluate
from bordeaux.board.code import codes_in
from bordeaux.evaluation import evaluator
from bordeaux.press.diplomat.joint import JointGame, changed, reach, solved
from bordeaux.search.sets import from_orders

from .boards import MAP, SERBIA


def test_values_are_those_of_the_evaluation() -> None:
    ours = [from_orders(SERBIA, "AUSTRIA", [order]) for order in ("A BUD H", "A BUD S A TRI - SER")]
    theirs = [from_orders(SERBIA, "ITALY", [order]) for order in ("A TRI H", "A TRI - SER", "A TRI - BUD")]
    sample = from_orders(SERBIA, "TURKEY", ["A SER H", "A CON - BUL"])
    game = JointGame(SERBIA, evaluator(MAP), ("AUSTRIA", "ITALY"), [sample, sample])
    table = game.table(ours, theirs)
    assert table.shape == (2, 2, 3) and game.nodes == 2 * 2 * 3 * 2
    after = adjudicate(
        SERBIA,
        {"AUSTRIA": ["A BUD S A TRI - SER"], "ITALY": ["A TRI - SER"], "TURKEY": ["A SER H", "A CON - BUL"]},
    ).after
    values = evaluate(after)
    assert table[:, 1, 1] == pytest.approx([values["AUSTRIA"].value, values["ITALY"].value], rel=1e-5)
    by_sample = game.by_sample(ours, theirs)
    assert by_sample.shape == (2, 2, 3, 2) and by_sample.mean(axis=3) == pytest.approx(table)
    assert game.table(ours, theirs, 1) == pytest.approx(by_sample[..., 0])
    assert game.pair(ours[1], theirs[1]) == pytest.approx(tuple(table[:, 1, 1]))


def test_without_a_word_prisoners_stab() -> None:
    # The table of paper 002, section 5, as two powers have it: to stab is better, whatever the other does.
    table = np.array([[[0.0, 5.0], [-2.0, 3.0]], [[0.0, -2.0], [5.0, 3.0]]])
    often, worth = solved(table)
    assert often[0, 0] > 0.9 and worth[0] < 0.6
    assert often.sum() == pytest.approx(1.0)


def test_where_both_only_have_to_agree_the_start_decides() -> None:
    table = np.array([[[4.0, 0.0], [0.0, 4.0]], [[4.0, 0.0], [0.0, 4.0]]])
    for start in ((0, 0), (1, 1)):
        often, worth = solved(table, start)
        assert often[start] > 0.9 and min(worth) > 3.5


def test_changed_and_reach() -> None:
    orders = from_orders(SERBIA, "TURKEY", ["A SER H", "A CON - BUL"])
    instead = from_orders(SERBIA, "TURKEY", ["A SER - GRE"])
    after = changed(orders, codes_in(instead))
    assert set(codes_in(after)) == {*codes_in(instead), *codes_in(orders)} - {
        codes_in(from_orders(SERBIA, "TURKEY", ["A SER H"]))[0]
    }
    assert changed(orders, ()) == orders
    names = {MAP.provinces[number].name for number in reach(SERBIA, "AUSTRIA")}
    assert names == {"BUD", "VIE", "TRI", "SER", "RUM", "GAL"}
    assert not reach(Position.start(), "ENGLAND") & reach(Position.start(), "TURKEY")
