"""``bordeaux arena --preset sparring``: one table, one row for each partner, and logs that go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run

PLAIN = (
    "arena",
    "--preset",
    "sparring",
    "--nodes",
    "60",
    "--until",
    "1901",
    "--processes",
    "1",
    "--games",
    "1",
)


def test_the_table_has_a_row_for_each_partner(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    done = run(*PLAIN, "--players", "dumbbot-weak", "--older", "old=random")
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for partner in ("iterated", "sampler", "haai-berserk", "dumbbot", "old"):
        assert any(line.split()[:2] == [partner, "1"] for line in lines), partner
    assert any(line.startswith("Health") for line in lines)


@pytest.mark.slow
def test_the_rows_for_programs_and_a_log_that_goes_on(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "results.jsonl")
    players = ("--players", "dumbbot-weak,random", "--save", log)
    answer = json.loads(run(*PLAIN, *players, "--json").stdout)
    assert [(row["player"], row["partner"]) for row in answer["rows"]] == [
        (player, partner)
        for player in ("dumbbot-weak", "random")
        for partner in ("iterated", "sampler", "haai-berserk", "dumbbot")
    ]
    assert {row["games"] for row in answer["rows"]} == {1}
    assert all(row["health"]["all_hold"]["of"] >= 0 for row in answer["rows"])
    again = json.loads(run(*PLAIN, *players, "--json").stdout)
    assert again["rows"] == answer["rows"]
    refused = run(*PLAIN, "--players", "hold", "--save", log)
    assert refused.exit_code == 2 and "another set-up" in refused.output


def test_the_other_presets_have_rows_as_well(run: Run) -> None:
    args = ("--preset", "diplominator", "--games", "6", "--until", "1901", "--processes", "1", "--json")
    rows = json.loads(run("arena", *args).stdout)["rows"]
    assert len(rows) == 12
    assert {"table", "row", "paper", "ours", "chance"} <= set(rows[0])


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--preset", "sparring", "--against", "hold"), "--against is set by --preset sparring"),
        (("--preset", "sparring", "--older", "x=nobody"), "nobody"),
        (("--preset", "haai", "--older", "x=random"), "--older names a partner of --preset sparring"),
        (("--players", "hold", "--older", "x=random"), "--preset sparring"),
        (("--preset", "sparring", "--players", "dumbbot"), "its own partner"),
    ],
)
def test_bad_options_give_one_line(run: Run, args: tuple[str, ...], message: str) -> None:
    done = run("arena", *args, "--games", "1", "--until", "1901", "--processes", "1")
    assert done.exit_code == 2
    assert message in done.output and "Traceback" not in done.output
