"""tools/intentions.py: whether powers do what is read of their intentions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux import Position
from bordeaux.formats.games import Game, GamePhase, write_game
from tests.tools.test_older import load

intentions = load("intentions")

#: Austria and Italy fight about Venice, Austria and Russia leave each other alone.
WAR = {"AUSTRIA": ["F TRI - VEN"], "ITALY": ["A VEN - TRI"], "RUSSIA": ["A WAR H"]}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A game of six movement phases, in all of which the same orders are given."""
    phases: list[GamePhase] = []
    position = Position.start()
    while len(phases) < 8:
        orders = WAR if position.phase.kind == "M" else {}
        phases.append(GamePhase(str(position.phase), position.to_json(), orders))
        position = position.next(orders)
    path = tmp_path / "game.json"
    write_game(path, Game("g", "standard", (), tuple(phases)))
    return path


def test_who_fights_is_said_to_be_at_war_and_goes_on(saved: Path) -> None:
    done = CliRunner().invoke(intentions.main, [str(saved), "--nodes", "2000", "--json"])
    rows = json.loads(done.stdout)
    assert done.exit_code == 0
    for row in rows.values():
        assert row["at war"]["fight"]["mean"] == 1 and row["sorted"] == 1
        assert row["allied" if "allied" in row else "neither"]["fight"]["mean"] == 0
        assert row["at war"]["help"]["mean"] == 0
    assert rows["signs and searches"]["nodes"] > 0 == rows["signs alone"]["nodes"]


def test_the_table_is_shown(saved: Path) -> None:
    shown = CliRunner().invoke(intentions.main, [str(saved), "--nodes", "1000"]).stdout
    assert "signs alone: 1 games" in shown and "said to be at war" in shown


@pytest.mark.parametrize("bad", [["--nodes", "0"], ["--games", "0"], ["--skip", "-1"]])
def test_bad_numbers_are_told_in_one_line(saved: Path, bad: list[str]) -> None:
    done = CliRunner().invoke(intentions.main, [str(saved), *bad])
    assert done.exit_code == 2 and done.stdout == "" and done.stderr.count("\n") == 1


def test_how_well_chances_sort() -> None:
    def reading(war: float, fights: bool) -> object:
        return intentions.Reading(0, intentions.NEITHER, war, fights, False)

    assert intentions.sorted_well([reading(0.9, True), reading(0.1, False), reading(0.1, True)]) == 0.75
    assert intentions.sorted_well([reading(0.9, True)]) == 0.5
