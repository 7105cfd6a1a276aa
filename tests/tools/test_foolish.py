"""`benchmarks/foolish.py`: the positions, their rules, and the figures."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase

import pytest
from click.testing import CliRunner

from bordeaux.rules.adjudication import legal_orders
from foolish import Refrain, main, report, shipped


def test_a_rule_asks_for_orders_that_are_there_and_orders_that_are_not() -> None:
    rule = Refrain(("A BUL - *",), ("F CON - BUL/*",))
    assert rule.broken_by(["A BUL - GRE", "F CON - BLA"])
    assert not rule.broken_by(["A BUL - GRE", "F CON - BUL/EC"])
    assert not rule.broken_by(["A BUL H", "F CON - BLA"])
    assert Refrain((), ("A CON - BUL",)).broken_by(["A CON H"])


def test_every_pattern_is_about_orders_that_can_be_given() -> None:
    positions = shipped()
    assert len({position.id for position in positions}) == len(positions) == 39
    assert sum(position.held_out for position in positions) == 19
    for temptation in positions:
        legal = [
            order
            for orders in legal_orders(temptation.position, temptation.power).values()
            for order in orders
        ]
        for rule in temptation.rules:
            assert rule.given or rule.missing
            for pattern in (*rule.given, *rule.missing):
                assert any(fnmatchcase(order, pattern) for order in legal), (temptation.id, pattern)


def test_the_figures_count_foolish_answers_and_seeds_that_agree() -> None:
    start, other = next(one for one in shipped() if one.power == "TURKEY" and not one.game), shipped()[5]
    wise, foolish = ("F ANK - BLA", "A CON - BUL", "A SMY - ARM"), ("F ANK - BLA", "A CON H", "A SMY - ARM")
    figures = report([start, other], [[[wise, wise, foolish]], [[(), (), ()]]], [500])
    (row,) = figures["budgets"]
    assert figures["positions"] == 2 and (row["nodes"], row["answers"]) == (500, 6)
    assert start.held_out and row["by_position"][start.id] == 1
    assert row["foolish"] == round((1 + row["by_position"].get(other.id, 0)) / 6, 4)
    assert row["held_out"] >= 0.16
    assert row["same_set"] == round((1 + 3) / 6, 4)
    assert row["same_orders"] == round((3 + 2 + 2) / 9, 4)


@pytest.mark.slow
def test_the_share_of_foolish_advice() -> None:
    given = ["--nodes", "40", "--seeds", "1", "--processes", "1"]
    result = CliRunner().invoke(main, [*given, "--json"])
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    (row,) = figures["budgets"]
    assert (figures["positions"], row["nodes"], row["answers"]) == (39, 40, 39)
    assert row["foolish"] == round(sum(row["by_position"].values()) / 39, 4) > 0
    assert row["same_set"] is None, "one seed has none to agree with"
    readable = CliRunner().invoke(main, given).stdout
    assert f"{row['foolish']:.1%}" in readable and " - " in readable
