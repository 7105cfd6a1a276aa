import csv
import json
import re
import shlex
import shutil
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bordeaux import Map
from bordeaux.arena.runner import run as run_here
from bordeaux.formats.games import read_games
from bordeaux.rules.replay import replay_game
from tests.cli.tournaments import QUICK, timeless

from .conftest import Run

POWERS = Map.standard().powers


def test_json_has_the_form_of_the_contract(run: Run) -> None:
    result = run("arena", "--players", "random", "--against", "hold", "--games", "14", *QUICK, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    assert answer["seconds"] > 0
    assert list(answer["players"]) == ["random", "hold"]
    assert (answer["players"]["random"]["games"], answer["players"]["random"]["seats"]) == (14, 14)
    assert (answer["players"]["hold"]["games"], answer["players"]["hold"]["seats"]) == (14, 84)
    for player in answer["players"].values():
        for share in ("solo", "draw", "survived", "eliminated"):
            ends = player["intervals"][share]
            assert 0 <= ends["low"] <= player[share] <= ends["high"] <= 1
        mean, low, high = (player["sum_of_squares"][key] for key in ("mean", "low", "high"))
        assert 0 <= low <= mean <= high <= 1


@pytest.mark.slow
def test_results_do_not_hang_on_the_number_of_processes(run: Run) -> None:
    def once(processes: str) -> dict[str, Any]:
        args = ("--nodes", "10", "--until", "1904", "--processes", processes, "--seed", "3", "--json")
        return timeless(json.loads(run("arena", "--players", "random,hold", "--games", "9", *args).stdout))

    assert once("1") == once("3")


@pytest.mark.parametrize("ratio", ["1:6", "3:4", "6:1"])
def test_seats_are_balanced_over_the_powers(run: Run, tmp_path: Path, ratio: str) -> None:
    path = tmp_path / "seats.csv"
    args = ("--players", "random", "--against", "hold", "--ratio", ratio, "--games", "14", "--csv", path)
    result = run("arena", *args, *QUICK)
    assert result.exit_code == 0
    with path.open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    held = Counter(row["power"] for row in rows if row["player"] == "random")
    assert held == dict.fromkeys(POWERS, 2 * int(ratio[0]))
    assert len({row["seed"] for row in rows}) == 14
    assert "not balanced" not in result.stdout


def test_a_mixed_table_for_people(run: Run) -> None:
    result = run("arena", "--players", "random*2,hold", "--games", "4", *QUICK)
    assert result.exit_code == 0
    assert result.stdout.startswith("4 games in ")
    for name in ("random", "hold"):
        (line,) = (line for line in result.stdout.splitlines() if line.split()[:1] == [name])
        assert line.count("(") == 7
    assert "Seats are not balanced: 4 games, and they come out even after every 3." in result.stdout
    assert "\x1b" not in result.stdout


def test_candidates_play_the_same_games(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "seats.csv"
    args = ("--players", "random,hold", "--against", "hold", "--games", "7", "--csv", path, "--json")
    answer = json.loads(run("arena", *args, *QUICK).stdout)
    assert answer["games"] == 14
    assert set(answer["differences"]) == {"hold"}
    difference = answer["differences"]["hold"]["sum_of_squares"]
    assert difference["low"] <= difference["mean"] <= difference["high"]
    with path.open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    for pair in range(7):
        assert len({row["seed"] for row in rows if row["pair"] == str(pair)}) == 1
    readable = run("arena", *args[:-1], "--force", *QUICK).stdout
    assert "More than random, in games of equal seats and seeds" in readable


def test_a_sequential_test_stops_the_games(run: Run) -> None:
    args = ("--players", "hold", "--against", "random", "--games", "5000", "--score", "survived")
    answer = json.loads(run("arena", *args, *QUICK, "--sprt", "0.2,0.6", "--json").stdout)
    assert answer["sprt"]["accepted"] == 0.6
    assert answer["games"] == answer["sprt"]["games"] < 50
    readable = run("arena", *args, *QUICK, "--sprt", "0.2,0.6").stdout
    assert f"score 0.2 against 0.6, {answer['games']} games" in readable


def test_games_are_saved_in_order(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    result = run("arena", "--players", "random", "--games", "6", "--games-file", path, *QUICK)
    assert result.exit_code == 0
    games = list(read_games(path))
    assert [int(game.id.partition("-")[0]) for game in games] == list(range(6))
    assert all(replay_game(game).mismatches == [] for game in games)


@pytest.mark.slow
def test_a_preset_stands_beside_its_paper(run: Run) -> None:
    args = ("--preset", "diplominator", "--games", "6", "--until", "1902")
    answer = json.loads(run("arena", *args, "--json").stdout)
    assert answer["preset"] == "diplominator"
    assert answer["games"] == 6
    for table in answer["tables"].values():
        assert len(table) == 6
        assert all(
            row["ours"] is None or set(row["ours"]) == {"mean", "low", "high"} for row in table.values()
        )
    readable = run("arena", *args).stdout
    assert "paper 000, tables 2 and 3" in readable
    assert "78.6% (52-92)" in readable


@pytest.mark.slow
def test_a_preset_with_talks_stands_beside_the_same_games_without(run: Run) -> None:
    args = ("--preset", "diplominator", "--level", "10", "--games", "6", "--until", "1902", "--json")
    answer = json.loads(run("arena", *args).stdout)
    assert answer["games"] == 12
    talking, silent = (
        [row for row in answer["rows"] if f"(table {number})" in row["table"]] for number in (3, 2)
    )
    assert [round(100 * row["paper"]["mean"]) for row in talking] == [100, 90, 95, 50, 35, 5]
    assert [round(100 * row["paper"]["mean"]) for row in silent] == [79, 79, 57, 50, 21, 7]
    assert [row["row"] for row in talking] == [row["row"] for row in silent]
    assert all(row["ours"] for row in answer["rows"])


@pytest.mark.slow
def test_a_picture_is_drawn(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    for args in (("--players", "random", "--against", "hold"), ("--preset", "haai", "--nodes", "1")):
        limits = ("--games", "2", "--until", "1901", "--processes", "2")
        assert run("arena", *args, *limits, "--plot", path, "--force").exit_code == 0
        root = ElementTree.parse(path).getroot()
        assert root.tag.endswith("svg")
        assert all(name in path.read_text() for name in (args[1], "random"))


@pytest.mark.parametrize("option", ["--csv", "--plot", "--games-file"])
def test_a_file_that_is_there_is_kept_unless_told_otherwise(run: Run, tmp_path: Path, option: str) -> None:
    path, log = tmp_path / "file", tmp_path / "log"
    path.write_text("mine")
    args = ("arena", "--players", "random", "--games", "2", *QUICK, option, path)
    refused = run(*args, "--save", log)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert (
        refused.stderr == f"bordeaux: {option}: {path} is there already; name another file, or add --force\n"
    )
    assert path.read_text() == "mine" and not log.exists()
    assert run(*args, "--force", "--save", log).exit_code == 0
    written = path.read_text()
    assert "mine" not in written
    # The same command goes on with its own files.
    assert run(*args, "--save", log).exit_code == 0
    assert path.read_text() == written


@pytest.mark.slow
def test_a_scheduler_gets_the_same_jobs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses = []

    def cluster(jobs: Any, *, address: str) -> Any:
        addresses.append(address)
        return run_here(jobs, processes=1)

    monkeypatch.setattr("bordeaux.cli.arena.run_on_dask", cluster)
    args = ("--players", "random", "--games", "3", "--nodes", "10", "--until", "1902", "--json")
    far = json.loads(run("arena", *args, "--scheduler", "tcp://127.0.0.1:8786").stdout)
    assert addresses == ["tcp://127.0.0.1:8786"]
    assert timeless(far) == timeless(json.loads(run("arena", *args).stdout))


@pytest.mark.slow
def test_examples_of_the_help_can_be_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(Path(__file__).resolve().parents[2] / "examples" / "my_player.py", "mine.py")
    with Path("mine.py").open("a") as file:
        file.write("\n\nBot = Grabber\n")
    tried = 0
    for command, quick in (("play", ()), ("arena", ("--games", "1"))):
        for line in run(command, "--help").stdout.replace(" \\\n", " ").splitlines():
            if line.strip().startswith(f"bordeaux {command}") and not re.search("program:|daide:", line):
                args = shlex.split(line.strip())[1:]
                result = run(*args, "--until", "1901", "--nodes", "50", *quick)
                assert (result.exit_code, result.stderr) == (0, "")
                tried += 1
    assert tried == 11


def test_ratings_come_on_demand(run: Run) -> None:
    args = ("--players", "random,hold", "--games", "4", "--ratings")
    answer = json.loads(run("arena", *args, *QUICK, "--json").stdout)
    assert set(answer["ratings"]) == {"random", "hold"}
    assert all(rating["low"] < rating["mean"] < rating["high"] for rating in answer["ratings"].values())
    assert "Ratings" in run("arena", *args, *QUICK).stdout


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("", "--players"),
        ("--against hold", "--players"),
        ("--players dumbot", "'dumbbot'"),
        ("--players hold --against dumbot", "'dumbbot'"),
        ("--players hold --against random,hold", "one player, not 2"),
        ("--players hold,hold --against random", "twice"),
        ("--players hold,,random", "empty place"),
        ("--players hold --ratio 1:6", "--against"),
        ("--players hold --against random --ratio 1:5", "7 seats"),
        ("--players hold --against random --ratio six", "'six'"),
        ("--players hold --against random --seats random", "--seats"),
        ("--players hold --seats sideways", "sideways"),
        ("--players hold --games 0", "--games"),
        ("--players hold --games many", "--games"),
        ("--players hold --time -1", "--time"),
        ("--players hold --nodes 0", "--nodes"),
        ("--players hold --until 1800", "1901"),
        ("--players hold --stale x", "--stale"),
        ("--players hold --seed -3", "--seed"),
        ("--players hold --map atlantis", "atlantis"),
        ("--players hold --processes 0", "--processes"),
        ("--players hold --processes 2 --scheduler tcp://127.0.0.1:1", "--scheduler"),
        ("--players hold --save /no/such/place/x.log", "--save"),
        ("--players hold --save /", "--save"),
        ("--players hold --games-file /no/such/place/x", "--games-file"),
        ("--players hold --csv /no/such/place/x", "--csv"),
        ("--players hold --plot /no/such/place/x", "--plot"),
        ("--players hold --csv /tmp/one --plot /tmp/../tmp/one", "the file of --csv"),
        ("--players bordeaux:evaluation=x --against hold", "unknown evaluation 'x'"),
        ("--players hold --sprt 0.1,0.2", "--against"),
        ("--players hold --against random --sprt 0.2,0.1", "smaller"),
        ("--players hold --against random --sprt a,b", "'a,b'"),
        ("--players hold --against random --sprt 0.1,1.2", "between 0 and 1"),
        ("--players hold,random,dumbbot --against hold --sprt 0.1,0.2", "two candidates"),
        ("--players hold --score elo", "elo"),
        ("--preset hai", "'haai'"),
        ("--preset haai --players hold", "--players is set by --preset haai"),
        ("--preset haai --against hold", "--against is set by --preset haai"),
        ("--preset haai --stale 5", "--stale is set by --preset haai"),
        ("--preset haai --until 1800", "1901"),
        ("--preset diplominator --sprt 0.1,0.2", "--against"),
        ("--players hold extra", "extra"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(run: Run, args: str, says: str) -> None:
    result = run("arena", *args.split())
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
