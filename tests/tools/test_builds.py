"""`benchmarks/builds.py`: the games that both builds have played, and no others."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bordeaux.arena.presets import Sparring, preset
from bordeaux.arena.tournament import Log
from tests.arena.test_presets import sparred

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import builds


def log(path: Path, player: str, won: dict[int, bool], until: int = 1903) -> Path:
    """A log of games that the player has won, or that all share, by number."""
    table = preset("sparring")
    assert isinstance(table, Sparring)
    table.choose([player])
    plan = table.plan(games=2, until=until)
    with Log(path, plan.setup()) as written:
        for job in plan.jobs():
            if job.index in won:
                winner = job.seats.index(player) if won[job.index] else None
                written.append(sparred(job.index, job.seats, winner))
    return path


def test_a_build_is_compared_game_by_game(tmp_path: Path) -> None:
    old = log(tmp_path / "old.log", "bordeaux:nodes=5", {0: False, 1: True, 2: False, 4: False})
    new = log(tmp_path / "new.log", "bordeaux:nodes=9", {0: True, 1: True, 4: False, 5: True})
    done = CliRunner().invoke(builds.main, [str(old), str(new), "--json"])
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)
    assert list(rows) == ["old", "new", "new - old"]
    assert set(rows["new"]) == {"iterated", "sampler", "all"}
    assert rows["new"]["sampler"]["mean"] == 1
    # Games 0, 1 and 4 are the common ones: iterated gains a half, sampler nothing.
    gained = rows["new - old"]
    assert gained["sampler"]["mean"] == 0
    assert gained["iterated"]["mean"] == pytest.approx((1 - 1 / 7) / 2)
    # Each opponent has the same weight, however many games it has.
    assert gained["all"]["mean"] == pytest.approx(gained["iterated"]["mean"] / 2)
    assert "by opponent" in CliRunner().invoke(builds.main, [str(old), str(new), "--centres"]).stdout


def test_a_log_of_other_conditions_is_refused(tmp_path: Path) -> None:
    old = log(tmp_path / "old.log", "bordeaux:nodes=5", {}, until=1904)
    new = log(tmp_path / "new.log", "bordeaux:nodes=9", {})
    refused = CliRunner().invoke(builds.main, [str(old), str(new)])
    assert refused.exit_code == 2 and "until 1904, not 1903" in refused.output
    missing = CliRunner().invoke(builds.main, [str(tmp_path / "none.log")])
    assert missing.exit_code == 2 and "cannot read" in missing.output
