"""tools/hindsight.py: orders judged against what the others really played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux import Position
from bordeaux.formats.games import Game, GamePhase, write_game
from tests.tools.test_older import load

hindsight = load("hindsight")

START = Position.start()
OPENING = {"AUSTRIA": ["A BUD - SER", "A VIE H", "F TRI - ALB"], "RUSSIA": ["A WAR - GAL"]}
SPRING = START.next(OPENING)
OPEN_VIENNA = {"RUSSIA": ["A GAL - BUD"], "ITALY": ["A VEN - TRI"]}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game of three phases, of which the Fall can be asked about."""
    fall = {**OPEN_VIENNA, "AUSTRIA": ["A SER - RUM", "A VIE - TYR", "F ALB - ION"]}
    states = [START, SPRING, SPRING.next(fall)]
    phases = [
        GamePhase(str(state.phase), state.to_json(), orders)
        for state, orders in zip(states, (OPENING, fall, {}), strict=True)
    ]
    path = tmp_path / "game.json"
    write_game(path, Game("g", "standard", (), tuple(phases)))
    return path


def test_orders_that_keep_a_home_come_to_more_than_those_that_leave_it() -> None:
    case = hindsight.Case(SPRING, "AUSTRIA", OPEN_VIENNA, [])
    kept = hindsight.centres(case, ["A SER - BUD", "A VIE - TRI", "F ALB S A VIE - TRI"])
    left = hindsight.centres(case, ["A SER - RUM", "A VIE - TYR", "F ALB - ION"])
    assert 0 <= left < kept <= 34


def test_the_difference_is_that_of_pairs() -> None:
    mean, width = hindsight.difference([3.0, 5.0, 4.0], [2.0, 4.0, 3.0])
    assert (mean, width) == (1.0, 0.0)
    assert hindsight.difference([3.0, 3.0], [2.0, 4.0])[1] > 0


def test_a_table_of_all_engines_and_of_what_was_played(saved: Path) -> None:
    asked = [str(saved), "--nodes", "300", "--ideas", "rollouts,forcing+replies", "--json"]
    done = CliRunner().invoke(hindsight.main, asked)
    rows = json.loads(done.stdout)
    assert done.exit_code == 0
    assert set(rows) == {"played", "all ideas", "without rollouts", "without forcing+replies"}
    assert rows["all ideas"]["difference"] == 0 and rows["played"]["centres"] > 0
    assert json.loads(CliRunner().invoke(hindsight.main, asked).stdout) == rows


def test_rubbish_is_one_line(saved: Path, tmp_path: Path) -> None:
    garbage = tmp_path / "garbage.json"
    garbage.write_text("no game")
    games = str(saved)
    rubbish = [[str(garbage)], [str(tmp_path / "none")], [games, "--ideas", "luck"], [games, "--units", "9"]]
    rubbish += [[games, "--time", "0"], [games, "--nodes", "0"], [games, "--positions", "-3"]]
    for asked in rubbish:
        done = CliRunner().invoke(hindsight.main, asked)
        assert done.exit_code == 2 and done.stdout == "" and done.stderr.count("\n") == 1, asked
