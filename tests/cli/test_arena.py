import csv
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bordeaux import Map
from bordeaux.arena.runner import run as run_here
from bordeaux.formats.games import read_games
from bordeaux.rules.replay import replay_game
from tests.patience import PATIENCE

from .conftest import Run

POWERS = Map.standard().powers
QUICK = ("--nodes", "10", "--until", "1902", "--processes", "1")


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """What the command gives in JSON, without what depends on the clock."""
    players = {
        name: {key: value for key, value in player.items() if "second" not in key}
        for name, player in answer["players"].items()
    }
    return {**answer, "players": players, "seconds": 0, "overhead": 0}


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


def test_a_saved_tournament_goes_on_and_may_grow(run: Run, tmp_path: Path) -> None:
    log, games = tmp_path / "a.log", tmp_path / "games.jsonl"
    args = ("arena", "--players", "random", "--against", "hold", "--save", log, "--games-file", games, *QUICK)
    assert run(*args, "--games", "5").exit_code == 0
    result = run(*args, "--games", "9", "--json")
    assert result.stderr == f"bordeaux: {log} has 5 games; going on from there\n"
    grown = json.loads(result.stdout)
    assert grown["games"] == 9
    assert len(log.read_text().splitlines()) == 10
    assert len(list(read_games(games))) == 9
    plain = json.loads(
        run("arena", "--players", "random", "--against", "hold", "--games", "9", *QUICK, "--json").stdout
    )
    assert timeless(grown) == timeless(plain)
    again = json.loads(run(*args, "--games", "9", "--json").stdout)
    assert timeless(again) == timeless(grown)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        (("--seed", "2"), "seed 0, not 2"),
        (("--nodes", "11"), "nodes 10, not 11"),
        (("--ratio", "2:5"), "ratio [1, 6], not [2, 5]"),
        (("--until", "1903"), "until 1902, not 1903"),
        (("--stale", "0"), "stale 5, not null"),
    ],
)
def test_a_changed_set_up_is_refused(run: Run, tmp_path: Path, changed: tuple[str, ...], says: str) -> None:
    log = tmp_path / "a.log"
    args = ("arena", "--players", "hold", "--against", "random", "--save", log, "--games", "1", *QUICK)
    assert run(*args).exit_code == 0
    before = log.read_bytes()
    result = run(*args, *changed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
    assert log.read_bytes() == before


class Command:
    """``bordeaux arena`` as a process of its own, with a tournament that would take for ever."""

    def __init__(self, log: Path, *more: str, save: bool = True) -> None:
        kept = ("--save", str(log)) if save else ("--csv", str(log))
        self.log = log
        self.args = ["arena", "--players", "random", "--nodes", "10", "--processes", "2", *kept, *more]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "bordeaux", *self.args, "--games", "100000"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, games: int) -> None:
        while not self.log.exists() or self.log.read_bytes().count(b"\n") <= games:
            assert self.process.poll() is None, self.process.communicate()
            time.sleep(0.01)

    def workers(self) -> list[int]:
        """The workers of this command that are alive."""
        workers = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                    state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                except OSError:
                    continue
                if (
                    b"bordeaux.jobs.worker" in words
                    and str(self.process.pid).encode() in words
                    and state != "Z"
                ):
                    workers.append(int(entry.name))
        return workers


def test_a_killed_command_loses_only_games_in_flight(run: Run, tmp_path: Path) -> None:
    log, games = tmp_path / "a.log", tmp_path / "games.jsonl"
    command = Command(log, "--games-file", str(games), "--until", "1903")
    command.wait_for(5)
    assert len(command.workers()) == 2
    command.process.kill()
    command.process.communicate()
    while command.workers():
        time.sleep(0.01)
    done = log.read_bytes().count(b"\n") - 1
    result = run(*command.args, "--games", str(done + 5), "--json")
    assert result.exit_code == 0, result.stderr
    assert f"has {done} games; going on" in result.stderr
    answer = json.loads(result.stdout)
    assert answer["games"] == done + 5
    assert [int(game.id.partition("-")[0]) for game in read_games(games)] == list(range(done + 5))
    fresh = ("arena", "--players", "random", "--nodes", "10", "--until", "1903", "--games", str(done + 5))
    assert timeless(json.loads(run(*fresh, "--json").stdout)) == timeless(answer)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_command_says_how_to_go_on(run: Run, tmp_path: Path, number: signal.Signals) -> None:
    command = Command(tmp_path / "my log")
    command.wait_for(3)
    command.process.send_signal(number)
    # All the games would take far longer.
    out, err = command.process.communicate(timeout=PATIENCE)
    assert command.process.returncode == 128 + number
    assert command.workers() == []
    (line,) = err.splitlines()
    match = re.fullmatch(
        r"bordeaux: stopped after (\d+) of 100000 games; the same command goes on: (.*)", line
    )
    assert match is not None
    assert int(match[1]) >= 3
    assert out.startswith(f"{match[1]} games in ")
    again = shlex.split(match[2])
    assert again == ["bordeaux", *command.args, "--games", "100000"]
    again[-1] = match[1]
    assert run(*again[1:]).exit_code == 0


def test_ctrl_c_without_a_log_still_shows_what_has_been_played(tmp_path: Path) -> None:
    command = Command(tmp_path / "seats.csv", save=False)
    while len(command.workers()) < 2:
        time.sleep(0.01)
    time.sleep(1)
    # As a terminal does it: to the command and whatever is in its group.
    os.kill(command.process.pid, signal.SIGINT)
    out, err = command.process.communicate(timeout=PATIENCE)
    assert command.process.returncode == 130
    assert "with --save FILE a tournament can go on later" in err
    assert "Traceback" not in err
    assert not out or "95 % intervals" in out


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


def test_a_file_that_is_no_log_is_left_alone(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter 1\n")
    result = run("arena", "--players", "hold", "--save", path)
    assert result.exit_code == 2
    assert "not a log of the arena" in result.stderr
    assert path.read_text() == "Chapter 1\n"
