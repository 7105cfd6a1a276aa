from __future__ import annotations

import csv
import re
import shlex
import shutil
from collections import Counter
from pathlib import Path

import pytest

from bordeaux import Map
from tests.cli.conftest import QUICK, Run, complaint

POWERS = Map.standard().powers


def test_json_has_the_form_of_the_contract(run: Run) -> None:
    answer = run.told("arena", "--players", "random", "--against", "hold", "--games", "14", *QUICK)
    assert answer["seconds"] > 0
    assert list(answer["players"]) == ["random", "hold"]
    assert (answer["players"]["random"]["games"], answer["players"]["random"]["seats"]) == (14, 14)
    assert (answer["players"]["hold"]["games"], answer["players"]["hold"]["seats"]) == (14, 84)


def test_candidates_play_the_same_games(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "seats.csv"
    table = ("--against", "hold", "--ratio", "3:4", "--games", "7")
    args = ("--players", "random,hold", *table, "--csv", path)
    answer = run.told("arena", *args, *QUICK)
    assert answer["games"] == 14
    assert set(answer["differences"]) == {"hold"}
    difference = answer["differences"]["hold"]["sum_of_squares"]
    assert difference["low"] <= difference["mean"] <= difference["high"]
    with path.open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    assert Counter(row["power"] for row in rows if row["player"] == "random") == dict.fromkeys(POWERS, 3)
    for pair in range(7):
        assert len({row["seed"] for row in rows if row["pair"] == str(pair)}) == 1
    readable = run("arena", *args, "--force", *QUICK).stdout
    assert "More than random, in games of equal seats and seeds" in readable


@pytest.mark.slow
def test_a_preset_with_talks_stands_beside_the_same_games_without(run: Run) -> None:
    args = ("--preset", "diplominator", "--level", "10", "--games", "6", "--until", "1902")
    answer = run.told("arena", *args)
    assert answer["games"] == 12
    talking, silent = (
        [row for row in answer["rows"] if f"(table {number})" in row["table"]] for number in (3, 2)
    )
    assert [round(100 * row["paper"]["mean"]) for row in talking] == [100, 90, 95, 50, 35, 5]
    assert [round(100 * row["paper"]["mean"]) for row in silent] == [79, 79, 57, 50, 21, 7]
    assert [row["row"] for row in talking] == [row["row"] for row in silent]
    assert all(row["ours"] for row in answer["rows"])


@pytest.mark.parametrize("option", ["--csv", "--plot", "--games-file"])
def test_a_file_that_is_there_is_kept_unless_told_otherwise(run: Run, tmp_path: Path, option: str) -> None:
    path, log = tmp_path / "file.svg", tmp_path / "log"
    path.write_text("mine")
    args = ("arena", "--players", "random", "--games", "2", *QUICK, option, path)
    refused = complaint(run(*args, "--save", log))
    assert refused == f"{option}: {path} is there already; name another file, or add --force"
    assert path.read_text() == "mine" and not log.exists()
    assert run(*args, "--force", "--save", log).exit_code == 0
    written = path.read_text()
    assert "mine" not in written
    # The same command goes on with its own files.
    assert run(*args, "--save", log).exit_code == 0
    assert path.read_text() == written


@pytest.mark.slow
def test_examples_of_the_help_can_be_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(Path(__file__).resolve().parents[2] / "examples" / "my_player.py", "mine.py")
    with Path("mine.py").open("a") as file:
        file.write("\n\nBot = Grabber\n")
    tried = 0
    for command, quick in (("play", ()), ("arena", ("--games", "1", "--processes", "1"))):
        for line in run(command, "--help").stdout.splitlines():
            if line.strip().startswith(f"bordeaux {command}") and not re.search("program:|daide:", line):
                args = shlex.split(line.strip())[1:]
                result = run(*args, "--until", "1901", "--nodes", "10", *quick)
                assert (result.exit_code, result.stderr) == (0, "")
                tried += 1
    assert tried == 6


def test_games_that_repeat_another_are_told(run: Run) -> None:
    options = ("--games", "3", "--until", "1901", "--nodes", "30", "--processes", "1")
    same = run("arena", "--players", "bordeaux", "--against", "bordeaux", *options)
    assert "2 of 3 games repeat another" in same.stderr
    level = "bordeaux:level=2"
    assert "repeat" not in run("arena", "--players", level, "--against", level, *options).stderr


def test_a_table_of_ones_own(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "minds.toml"
    both = ["still", *["wild"] * 5]
    table.write_text(f"[partners]\nstill = 'hold'\nwild = 'random'\n[mixed]\nboth = {both}\n")
    options = ("--preset", str(table), "--games", "1", "--until", "1901", "--processes", "1")
    rows = run.told("arena", *options, "--players", "dumbbot")["rows"]
    assert [(row["partner"], row["games"]) for row in rows] == [("still", 1), ("wild", 1), ("both", 1)]


SPARRING = ("--preset", "sparring", "--nodes", "60", "--until", "1901", "--processes", "1", "--games", "1")


@pytest.mark.slow
def test_the_rows_for_programs_and_a_log_that_goes_on(run: Run, tmp_path: Path) -> None:
    log = str(tmp_path / "results.jsonl")
    players = ("--players", "dumbbot-weak,random", "--save", log)
    answer = run.told("arena", *SPARRING, *players)
    assert [(row["player"], row["partner"]) for row in answer["rows"]] == [
        (player, partner)
        for player in ("dumbbot-weak", "random")
        for partner in ("iterated", "sampler", "haai-berserk", "dumbbot")
    ]
    assert {row["games"] for row in answer["rows"]} == {1}
    again = run.told("arena", *SPARRING, *players)
    assert again["rows"] == answer["rows"]
    assert "another set-up" in complaint(run("arena", *SPARRING, "--players", "hold", "--save", log))
