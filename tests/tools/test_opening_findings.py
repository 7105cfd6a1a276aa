"""The program behind the findings of docs/studies/openings.md."""

import json
import runpy
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.formats.games import Game, GamePhase, read_games
from tests.patience import PATIENCE

PROGRAM = Path(__file__).resolve().parents[2] / "tools" / "opening_findings.py"
POWERS = Map.standard().powers
OPENINGS = {power: ["A X H"] for power in POWERS}


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    return runpy.run_path(str(PROGRAM))


def game(
    orders: dict[str, list[str]] | None = None,
    fall: dict[str, list[str]] | None = None,
    centres: dict[str, list[str]] | None = None,
    solo: str | None = None,
) -> Game:
    """A game of which the first two phases, 1904's centres and the end are known."""
    start = Position.start().to_json()
    later = {**start, "centers": {**start["centers"], **(centres or {})}}
    phases = [
        GamePhase("S1901M", start, {**OPENINGS, **(orders or {})}),
        GamePhase("F1901M", start, fall or {}),
        GamePhase("W1904A", later, {}),
    ]
    if solo:
        won = [f"C{number}" for number in range(18)]
        phases.append(GamePhase("W1910A", {**start, "centers": {solo: won}}, {}))
    return Game("g", "standard", (), tuple(phases))


def test_a_game_in_which_a_power_sent_nothing_does_not_count(program: dict[str, Any]) -> None:
    assert program["played"](game()) is not None
    assert program["played"](game(orders={"ITALY": []})) is None


def test_centres_after_1904_and_solos(program: dict[str, Any]) -> None:
    played = program["played"](game(centres={"RUSSIA": ["A", "B"]}, solo="TURKEY"))
    assert played.later["RUSSIA"] == 2
    assert played.end["TURKEY"] == 18
    assert program["solos"]([played], "TURKEY").mean == 1.0
    assert program["solos"]([program["played"](game())], "TURKEY").low == 0.0


def test_a_game_won_before_1904_counts_as_it_ended(program: dict[str, Any]) -> None:
    short = game(solo="TURKEY")
    phases = tuple(phase for phase in short.phases if phase.name != "W1904A")
    assert program["played"](Game("g", "standard", (), phases)).later["TURKEY"] == 18
    left = Game("g", "standard", (), phases[:2])
    assert program["played"](left).later is None


def test_the_bounce_in_sweden_is_told_from_the_pass(program: dict[str, Any]) -> None:
    russian = {"RUSSIA": ["F BOT - SWE"]}
    stopped = [
        program["played"](game(fall={**russian, "GERMANY": ["F DEN - SWE"]}, centres={"RUSSIA": ["A"] * n}))
        for n in (3, 3, 4, 4)
    ]
    let = [
        program["played"](game(fall={**russian, "GERMANY": ["F DEN H"]}, centres={"RUSSIA": ["A"] * n}))
        for n in (6, 6, 7, 7)
    ]
    elsewhere = [program["played"](game(fall={"GERMANY": ["F DEN - SWE"]}))]
    finding = program["sweden"](stopped + let + elsewhere)
    assert [row.games for row in finding.rows] == [4, 4]
    cost = finding.answers["Russia: stopped, less let pass"]
    assert cost.mean == -3.0 and cost.low < -3.0 < cost.high < 0


@pytest.mark.slow
def test_the_program_on_some_real_games(shared_data: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    with path.open("w", encoding="utf-8") as handle:
        for one in islice(read_games(shared_data / "games" / "human.jsonl.gz"), 400):
            handle.write(json.dumps(one.to_json()) + "\n")
    frequencies = shared_data / "openings" / "frequencies.csv"
    run = subprocess.run(
        [sys.executable, "-P", PROGRAM, path, "--frequencies", frequencies, "--json"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    answer = json.loads(run.stdout)
    assert len(answer["findings"]) == 5
    assert 100 < answer["games"] < 400
    for finding in answer["findings"]:
        for row in finding["rows"]:
            intervals = [value for value in row.values() if isinstance(value, dict)]
            assert intervals and all(
                interval["low"] <= interval["mean"] <= interval["high"] for interval in intervals
            )
    wins = {row["what"]: row["wins"]["mean"] for row in answer["findings"][2]["rows"] if "wins" in row}
    assert wins["Galicia, the larger collection"] == pytest.approx(0.219, abs=1e-4)
