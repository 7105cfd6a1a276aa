"""``bordeaux arena --save``: tournaments that are continued, killed and stopped."""

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bordeaux.formats.games import read_games
from tests.cli.conftest import complaint, timeless
from tests.cli.processes import lines_in
from tests.jobs.seen import alive, children, gone, wait_until
from tests.patience import PATIENCE

from .conftest import Run


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
        wait_until(lambda: lines_in(self.log) > games or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.communicate()


@pytest.mark.slow
def test_a_killed_command_loses_only_games_in_flight(run: Run, tmp_path: Path) -> None:
    log, games = tmp_path / "a.log", tmp_path / "games.jsonl"
    command = Command(log, "--games-file", str(games), "--until", "1903")
    command.wait_for(5)
    workers = children(command.process.pid)
    assert len(workers) == 2
    command.process.kill()
    command.process.communicate()
    assert gone(*workers)
    done = lines_in(log) - 1
    result = run(*command.args, "--games", str(done + 5), "--json")
    assert result.exit_code == 0, result.stderr
    assert f"has {done} games; going on" in result.stderr
    answer = json.loads(result.stdout)
    assert answer["games"] == done + 5
    assert [int(game.id.partition("-")[0]) for game in read_games(games)] == list(range(done + 5))
    fresh = ("arena", "--players", "random", "--nodes", "10", "--until", "1903", "--games", str(done + 5))
    assert timeless(run.told(*fresh)) == timeless(answer)


@pytest.mark.slow
def test_a_stopped_command_says_how_to_go_on(run: Run, tmp_path: Path) -> None:
    command = Command(tmp_path / "my log")
    command.wait_for(3)
    workers = children(command.process.pid)
    command.process.send_signal(signal.SIGTERM)
    # All the games would take far longer.
    out, err = command.process.communicate(timeout=PATIENCE)
    assert command.process.returncode == 128 + signal.SIGTERM
    assert workers and not any(map(alive, workers))
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


QUICK_STARTS = ("--nodes", "10", "--processes", "1")


@pytest.fixture(scope="module")
def recorded(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four games of DumbBots, to 1905: twelve starts."""
    path = tmp_path_factory.mktemp("recorded") / "games.jsonl"
    args = ("--players", "dumbbot", "--games", "4", "--until", "1905", "--games-file", path)
    assert run("arena", *args, *QUICK_STARTS).exit_code == 0
    return path


@pytest.mark.slow
def test_without_a_number_there_are_as_many_games_as_starts(run: Run, recorded: Path) -> None:
    one = ("--from", recorded, "--years", "1", *QUICK_STARTS)
    assert run.told("arena", "--players", "hold", "--against", "random", *one)["games"] == 12
    assert run.told("arena", "--players", "hold,random", *one)["games"] == 24
    refused = complaint(run("arena", "--players", "hold,random", *one, "--games", "25"))
    assert f"{recorded} has 12 positions to begin at, for --games 24 at most" in refused


def test_other_starts_do_not_go_on(run: Run, recorded: Path, tmp_path: Path) -> None:
    log, other, same = tmp_path / "log", tmp_path / "other", tmp_path / "same"
    lines = recorded.read_text().splitlines(keepends=True)
    other.write_text("".join(lines[:3]))
    same.write_text("".join(lines))
    args = ("arena", "--players", "hold", "--against", "random", "--games", "1", "--save", log, *QUICK_STARTS)
    assert run(*args, "--from", recorded).exit_code == 0
    before = log.read_bytes()
    for changed, says in (
        (("--from", other), 'from "'),
        (("--from", recorded, "--years", "2"), "(years 3, not 2)"),
        ((), "until null, not 1935; "),
    ):
        assert says in complaint(run(*args, *changed))
    assert run(*args, "--from", same).exit_code == 0
    assert log.read_bytes() == before
