"""`benchmarks/played_out.py`: the sets can be played, and the figures are of what they came to."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from click.testing import CliRunner, Result

import played_out
from bordeaux.board.submission import submit
from played_out import DATA, figures, read
from tests.cli.conftest import complaint

LINES = [*read(DATA)]


def run(*options: str) -> Result:
    return CliRunner().invoke(played_out.main, options)


def test_every_set_can_be_played_and_half_of_the_positions_are_held_out() -> None:
    assert len({case.id for _, case in LINES}) == 40
    assert sum(case.held_out for _, case in LINES) == 20
    for _, case in LINES:
        assert len({frozenset(orders) for orders in case.sets}) == len(case.shares) > 1
        units = sum(unit.power == case.power for unit in case.position.units)
        for orders in case.sets:
            given = submit(case.position, {case.power: orders})
            assert [order.fault for order in given.orders] == [""] * units, (case.id, orders)


def test_the_figures_are_of_the_set_that_the_search_puts_first() -> None:
    case = LINES[0][1]
    _, values = case.chosen()
    best = values.index(max(values))
    other = case._replace(shares=tuple(1.0 if place == best else 0.25 for place in range(len(values))))
    row = figures([other])
    assert (row["positions"], row["chosen"], row["best"]) == (1, 1.0, 1.0)
    assert row["mean"] == round(fmean(other.shares), 4)
    assert figures([case._replace(shares=(0.5,) * len(values))])["correlation"] is None
    found = case._replace(shares=tuple(values))
    assert figures([found])["correlation"] == 1.0


@pytest.mark.slow
def test_a_set_is_played_out_for_two_years(tmp_path: Path) -> None:
    data, case = min(LINES, key=lambda line: len(line[1].position.units))
    short = {**data, "sets": data["sets"][:2]}
    (tmp_path / "one.jsonl").write_text(json.dumps(short) + "\n", "utf-8")
    done = run("--file", str(tmp_path / "one.jsonl"), "--play", "2")
    assert (done.exit_code, done.stderr) == (0, "")
    told, _ = json.loads(done.stdout)["sets"]
    shares = [case.played(case.sets[0], seed) for seed in range(2)]
    assert told["share"] == round(fmean(shares), 4) and 0 <= told["share"] < 1
    assert told["error"] == round(abs(shares[0] - shares[1]) / 2, 4)


def test_one_half_alone_has_figures(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(json.dumps(LINES[0][0]) + "\n", "utf-8")
    done = run("--file", str(tmp_path / "one.jsonl"))
    assert done.exit_code == 0 and "looked at" in done.stdout and "held out" not in done.stdout


SETS = LINES[0][0]["sets"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"power": "NOBODY"}, "unknown power"),
        ({"held_out": "no"}, "held_out must be True or False"),
        ({"sets": SETS[:1]}, "two sets or more"),
        ({"sets": [*SETS, SETS[0]]}, "each of them once"),
        ({"sets": [{**SETS[0], "orders": ["A PAR H"]}]}, "'A PAR H' has no legal order for each unit"),
        ({"sets": [{**SETS[0], "share": "much"}, SETS[1]]}, "this is no played-out position"),
        ({"before": 3}, "this is no played-out position"),
    ],
)
def test_what_cannot_be_read_is_one_line(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    path = tmp_path / "rubbish.jsonl"
    path.write_text(json.dumps({**LINES[0][0], **changes}) + "\n", "utf-8")
    said = complaint(run("--file", str(path)))
    assert "line 1: this is no played-out position" in said and says in said


def test_a_file_needs_a_position(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    assert "has no position" in complaint(run("--file", str(tmp_path / "empty.jsonl")))
