"""`benchmarks/lost_positions.py`: the boards show what the texts say, and counts are of what is played."""

from __future__ import annotations

import json
import sys
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bordeaux.board.submission import submit
from bordeaux.rules.adjudication import legal_orders

sys.path.append(str(Path(__file__).resolve().parents[2] / "benchmarks"))
import lost_positions
from foolish import Refrain, main, report, shipped
from lost_positions import DATA, Lost, figures, read

BOARDS = {board.id: board for board in read(DATA)}
BERLIN = BOARDS["germany-f1901-1"]


def run(*options: str) -> Result:
    return CliRunner().invoke(lost_positions.main, options)


@pytest.mark.parametrize("name", BOARDS)
def test_mistakes_are_legal_and_miss_the_aim_which_the_better_orders_reach(name: str) -> None:
    board = BOARDS[name]
    assert board.mistake and board.power not in board.others
    for orders in (board.mistake, board.better):
        given = submit(board.position, {board.power: orders, **board.others})
        assert [order.fault for order in given.orders if order.power == board.power] == [""] * len(orders)
    if board.aim:
        assert not board.reached(board.mistake)
        assert board.reached(board.better or ["A BUR H"] if board.aim[0] != "moves" else [])


def test_every_aim_is_decided_by_what_stands_there() -> None:
    def aimed(kind: str, what: str) -> Lost:
        return Lost("", "GERMANY", (), (), (kind, what), BERLIN.others, (), BERLIN.position)

    assert BERLIN.reached(["A KIE - BER"]) and not BERLIN.reached(["A KIE H"])
    assert not aimed("take", "BER").reached(["A KIE - BER"]) and aimed("take", "HOL").reached(["A KIE - HOL"])
    assert aimed("moves", "A KIE").reached(["A KIE - HOL"])
    assert not aimed("moves", "A KIE").reached(["A KIE - BER"])


@pytest.mark.slow
def test_the_counts_are_of_the_sets_that_a_search_plays() -> None:
    sets = [set(BERLIN.played(300, seed)) for seed in (1, 2, 3)]
    assert figures([BERLIN], 300, 3) == {
        "germany-f1901": {
            "searches": 3,
            "mistake": sum("A KIE - HOL" in orders for orders in sets),
            "better": sum({"A KIE - BER", "A RUH - HOL"} <= orders for orders in sets),
            "aim": sum(map(BERLIN.reached, sets)),
        }
    }
    done = run("--only", BERLIN.id, "--nodes", "300", "--seeds", "3", "--json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {"300": figures([BERLIN], 300, 3)}


def test_what_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.jsonl"
    rubbish.write_text('{"id": "x-1"}\n', "utf-8")
    for options, complaint in (
        (("--only", "nowhere"), "no board has a name that begins with 'nowhere'"),
        (("--file", str(rubbish)), "line 1: this is no lost position"),
    ):
        done = run(*options)
        assert done.exit_code == 2 and complaint in done.stderr and len(done.stderr.splitlines()) == 1


# The positions of the bench of foolish orders, their rules, and the figures.


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
