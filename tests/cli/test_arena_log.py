"""``bordeaux arena --save``: tournaments that are continued, killed and stopped."""

import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from bordeaux.formats.games import Game, read_games
from tests.cli.conftest import QUICK, timeless
from tests.patience import PATIENCE

from .conftest import Run


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


SAVED = ("arena", "--players", "hold", "--against", "random", "--games", "1", *QUICK)


@pytest.fixture(scope="module")
def saved(run: Run, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The log of a tournament of one game."""
    log = tmp_path_factory.mktemp("saved") / "a.log"
    assert run(*SAVED, "--save", log).exit_code == 0
    return log.read_bytes()


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
def test_a_changed_set_up_is_refused(
    run: Run, saved: bytes, tmp_path: Path, changed: tuple[str, ...], says: str
) -> None:
    log = tmp_path / "a.log"
    log.write_bytes(saved)
    result = run(*SAVED, "--save", log, *changed)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says in result.stderr
    assert log.read_bytes() == saved


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


@pytest.mark.slow
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
@pytest.mark.slow
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


@pytest.mark.slow
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


def test_a_file_that_is_no_log_is_left_alone(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter 1\n")
    result = run("arena", "--players", "hold", "--save", path)
    assert result.exit_code == 2
    assert "not a log of the arena" in result.stderr
    assert path.read_text() == "Chapter 1\n"


QUICK_STARTS = ("--nodes", "10", "--processes", "1")
PAIRED = ("arena", "--players", "random,dumbbot", "--against", "hold", *QUICK_STARTS)


@pytest.fixture(scope="module")
def recorded(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four games of DumbBots, to 1905: twelve starts."""
    path = tmp_path_factory.mktemp("recorded") / "games.jsonl"
    args = ("--players", "dumbbot", "--games", "4", "--until", "1905", "--games-file", path)
    assert run("arena", *args, *QUICK_STARTS).exit_code == 0
    return path


def answer(run: Run, *args: object) -> dict[str, Any]:
    result = run(*args, "--json")
    assert result.exit_code == 0, result.stderr
    read: dict[str, Any] = json.loads(result.stdout)
    return read


def ends(game: Game) -> list[dict[str, Any]]:
    """The owners of centres after every year."""
    return [
        phase.state["centers"] for phase in game.phases if phase.name[0] == "S" or phase is game.phases[-1]
    ]


def begins(game: Game) -> tuple[str, dict[str, Any]]:
    return game.phases[0].name, game.phases[0].state


def test_two_candidates_get_the_same_starts_seats_and_seeds(run: Run, recorded: Path, tmp_path: Path) -> None:
    kept, seats = tmp_path / "kept.jsonl", tmp_path / "seats.csv"
    args = ("--from", recorded, "--games", "5", "--years", "2", "--games-file", kept, "--csv", seats)
    given = answer(run, *PAIRED, *args)
    assert (given["games"], given["years"]) == (10, 2)
    assert list(given["differences"]) == ["dumbbot"]
    more = given["differences"]["dumbbot"]["centres"]
    assert more["low"] <= more["mean"] <= more["high"]
    games = list(read_games(kept))
    assert given["changed"] == {
        "dumbbot": {
            "otherwise": sum(
                ends(one) != ends(two) for one, two in zip(games[::2], games[1::2], strict=True)
            ),
            "games": 5,
        }
    }
    with seats.open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    of = [rows[7 * number : 7 * number + 7] for number in range(10)]
    springs = [begins(game) for source in read_games(recorded) for game in at_each_spring(source)]
    for number in range(0, 10, 2):
        assert begins(games[number]) == begins(games[number + 1])
        assert begins(games[number]) in springs
        assert len({row["seed"] for row in of[number] + of[number + 1]}) == 1
        places = [
            [row["power"] for row in of[number + place] if row["player"] == player]
            for place, player in enumerate(("random", "dumbbot"))
        ]
        assert len(places[0]) == 1 and places[0] == places[1]
        assert all(
            len(game.phases[0].state["centers"][places[0][0]]) >= 4 for game in games[number : number + 2]
        )
    assert len({json.dumps(begins(game)) for game in games}) == 5
    for game in games:
        first, last = game.phases[0].name, game.phases[-1].name
        assert first.startswith("S") and first != "S1901M"
        assert last in ("COMPLETED", f"S{int(first[1:5]) + 2}M")


def at_each_spring(game: Game) -> list[Game]:
    """The game cut off before each Spring after the first."""
    places = [place for place, phase in enumerate(game.phases) if phase.name[0] + phase.name[-1] == "SM"]
    return [Game(game.id, game.map, game.rules, game.phases[place:]) for place in places[1:]]


def test_people_read_where_games_began_and_the_differences(
    run: Run, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = run(*PAIRED, "--from", recorded, "--games", "4").stdout
    assert "Games began at 4 recorded positions and ended after 3 years at most." in shown
    differences = shown.partition("More than random, in games of equal seats and seeds")[2]
    assert differences.split()[:7] == ["candidate", "solo", "draw", "out", "squares", "share", "centres"]
    assert re.search(r"^dumbbot: other centres in \d of 4 games\.$", differences, re.MULTILINE)
    assert max(map(len, shown.splitlines())) <= 80
    one = run(
        "arena",
        "--players",
        "hold",
        "--from",
        recorded,
        "--games",
        "1",
        "--years",
        "1",
        *QUICK_STARTS,
    ).stdout
    assert "Games began at 1 recorded position and ended after 1 year at most." in one


def test_without_a_number_there_are_as_many_games_as_starts(run: Run, recorded: Path) -> None:
    one = ("--from", recorded, "--years", "1", *QUICK_STARTS)
    assert answer(run, "arena", "--players", "hold", "--against", "random", *one)["games"] == 12
    assert answer(run, "arena", "--players", "hold,random", *one)["games"] == 24
    refused = run("arena", "--players", "hold,random", *one, "--games", "25")
    assert refused.exit_code == 2
    assert f"{recorded} has 12 positions to begin at, for --games 24 at most" in refused.stderr


def test_a_tournament_that_was_killed_goes_on(run: Run, recorded: Path, tmp_path: Path) -> None:
    log, games = tmp_path / "log", tmp_path / "games.jsonl"
    args = (*PAIRED, "--from", recorded, "--save", log, "--games-file", games)
    whole = answer(run, *args, "--games", "4")
    text, saved = log.read_bytes(), games.read_bytes()
    log.write_bytes(b"".join(text.splitlines(keepends=True)[:4]) + b'{"index": 3, "se')
    again = run(*args, "--games", "4", "--json")
    assert again.stderr == f"bordeaux: {log} has 3 games; going on from there\n"
    assert timeless(json.loads(again.stdout)) == timeless(whole)
    assert games.read_bytes() == saved
    grown = answer(run, *args, "--games", "6")
    fresh = answer(run, *PAIRED, "--from", recorded, "--games", "6")
    assert timeless(grown) == timeless(fresh)


def test_other_starts_do_not_go_on(run: Run, recorded: Path, tmp_path: Path) -> None:
    log, other, same = tmp_path / "log", tmp_path / "other", tmp_path / "same"
    lines = recorded.read_text().splitlines(keepends=True)
    other.write_text("".join(lines[:3]))
    same.write_text("".join(lines))
    args = (
        "arena",
        "--players",
        "hold",
        "--against",
        "random",
        "--games",
        "1",
        "--save",
        log,
        *QUICK_STARTS,
    )
    assert run(*args, "--from", recorded).exit_code == 0
    before = log.read_bytes()
    for changed, says in (
        (("--from", other), 'from "'),
        (("--from", recorded, "--years", "2"), "(years 3, not 2)"),
        ((), "until null, not 1935; "),
    ):
        refused = run(*args, *changed)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert refused.stderr.count("\n") == 1 and says in refused.stderr
    assert run(*args, "--from", same).exit_code == 0
    assert log.read_bytes() == before


def test_it_goes_together_with_tests_and_talks(run: Run, recorded: Path, tmp_path: Path) -> None:
    plotted = tmp_path / "plot.svg"
    more = ("--sprt", "0,0.1", "--level", "10", "--stale", "1", "--plot", plotted)
    given = answer(run, *PAIRED, "--from", recorded, "--games", "3", *more)
    assert given["sprt"]["games"] == 3
    assert set(given["players"]["dumbbot"]) >= {"letters"}
    assert "hold" in plotted.read_text()


def test_standard_input_gives_games_too(run: Run, recorded: Path) -> None:
    args = (*PAIRED, "--games", "2", "--years", "1")
    piped = json.loads(run(*args, "--from", "-", "--json", input=recorded.read_bytes()).stdout)
    assert timeless(piped) == timeless(answer(run, *args, "--from", recorded))


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("--players hold --from {games} --until 1910", "--until does not go with --from"),
        ("--players hold --years 2", "--years goes with --from"),
        ("--players hold --from {games} --years 0", "--years"),
        ("--players hold --from {games} --years 1.5", "--years"),
        ("--players hold --against random --from {games} --ratio 2:5", "one seat for --players"),
        ("--players hold --from {games} --map capitals", "is on map 'standard', not capitals"),
        ("--players hold --from {games} --csv {games} --force", "--csv: {games} is the file of --from"),
        ("--players hold --from {games} --games-file {games} --force", "is the file of --from already"),
        ("--players hold --from {games} --save {games}", "is the file of --from already"),
        ("--preset haai --from {games}", "--from does not go with --preset"),
        ("--players hold --from {folder}/none", "cannot read {folder}/none: No such file"),
        ("--players hold --from {folder}", "there is no saved page in it"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    run: Run, recorded: Path, tmp_path: Path, args: str, says: str
) -> None:
    before = recorded.read_bytes()
    names = {"games": recorded, "folder": tmp_path}
    result = run("arena", *(word.format(**names) for word in args.split()))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert says.format(**names) in result.stderr
    assert recorded.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty; expected saved games"),
        (b"{}\n", "game 1: game '' has no 'phases'"),
        (b"to do\n", "game 1: not JSON"),
        (b"\x1f\x8b\x08\x00rubbish", "rubbish"),
        (b'{"id": "g", "phases": []}\n', "no position to begin at"),
        (b'{"id": "g", "phases": []}\n{"id": "g", "pha\n', "game 2: line 2: JSON is cut short"),
    ],
)
def test_a_file_without_games_is_refused_in_one_line(
    run: Run, tmp_path: Path, content: bytes, says: str
) -> None:
    path = tmp_path / "rubbish"
    path.write_bytes(content)
    result = run("arena", "--players", "hold", "--from", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "rubbish" in result.stderr and says in result.stderr
