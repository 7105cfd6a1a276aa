"""`benchmarks/rating_list.py`: a list that is begun, goes on, takes newcomers, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import builds
import rating_list
from bordeaux.arena.presets import Sparring, preset
from bordeaux.arena.tournament import Log
from tests.arena.test_presets import sparred
from tests.cli.conftest import complaint

LIMITS = ("--nodes", "50", "--until", "1902", "--processes", "1")
CLASS = "class Bot:\n    def orders(self, position, limit):\n        return []\n"


def run(*args: str) -> Result:
    """Call the script in this process."""
    return CliRunner().invoke(rating_list.main, args)


def rated(path: Path, *args: str) -> dict[str, Any]:
    """The list that a command gives."""
    result = run(str(path), *args, "--processes", "1", "--json")
    assert result.exit_code == 0, result.stderr
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The content of a list with a few games."""
    path = tmp_path_factory.mktemp("rated") / "list"
    rated(path, "--players", "dumbbot,hold", *LIMITS, "--games", "7")
    return path.read_bytes()


@pytest.mark.slow
def test_a_list_is_kept_with_its_conditions_and_takes_newcomers(tmp_path: Path) -> None:
    path, mine = tmp_path / "list.jsonl", tmp_path / "mine.py"
    mine.write_text(CLASS)
    first = rated(path, "--players", "dumbbot,random,hold", *LIMITS, "--games", "14")
    assert first["games"] == 14 and set(first["players"]) == {"dumbbot", "random", "hold"}
    for player in first["players"].values():
        assert set(player) == {"rating", "low", "high", "games", "share"}
        assert player["low"] < player["rating"] < player["high"] and player["games"] == 14
    assert first["players"]["dumbbot"]["rating"] == 1000.0
    assert next(iter(first["players"])) == "dumbbot", "best first"
    seen = rated(path, "--games", "14")
    assert seen["players"] == first["players"], "nothing is played twice"
    more = rated(path, "--players", f"{mine}:Bot", "--games", "21")
    assert more["games"] == 21 and more["players"][f"{mine}:Bot"]["games"] == 7
    setup = json.loads(path.read_text().splitlines()[0])["setup"]
    assert (setup["nodes"], setup["time"], setup["until"]) == (50, None, 1902)


def test_the_table(listed: bytes, tmp_path: Path) -> None:
    (tmp_path / "list").write_bytes(listed)
    result = run(str(tmp_path / "list"), "--games", "7")
    assert result.exit_code == 0
    assert "2 players, 7 games" in result.stdout and "dumbbot has 1000" in result.stdout


@pytest.mark.slow
def test_a_list_runs_no_class_that_is_not_named_again(tmp_path: Path) -> None:
    path, mine, mark = tmp_path / "list", tmp_path / "mine.py", tmp_path / "mark"
    mine.write_text(CLASS)
    rated(path, "--players", f"{mine}:Bot,hold,dumbbot", *LIMITS, "--games", "7")
    mine.write_text(f"open({str(mark)!r}, 'w').close()\n{CLASS}")
    result = run(str(path), "--games", "14", "--processes", "1", "--json")
    assert result.exit_code == 0 and not mark.exists()
    assert "mine.py:Bot keeps its rating and plays no more: player" in result.stderr
    assert json.loads(result.stdout)["players"][f"{mine}:Bot"]["games"] == 7
    again = rated(path, "--players", f"{mine}:Bot", "--games", "21")
    assert again["players"][f"{mine}:Bot"]["games"] > 7 and mark.exists()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--nodes", "60"), "holds games of another set-up (nodes 50, not 60)"),
        (("--seed", "4"), "(seed 0, not 4)"),
        (("--players", "nobody"), "no player 'nobody'"),
        (("--csv", "{list}"), "is the file of --csv already"),
    ],
)
def test_what_makes_no_sense_is_refused(
    listed: bytes, tmp_path: Path, args: tuple[str, ...], says: str
) -> None:
    path = tmp_path / "list"
    path.write_bytes(listed)
    result = run(str(path), *(arg.format(list=path) for arg in args))
    assert (result.exit_code, result.stdout) == (2, "")
    message = result.stderr.splitlines()[-1]
    assert says in message
    assert path.read_bytes() == listed


def test_other_files_are_no_lists(tmp_path: Path) -> None:
    path = tmp_path / "notes"
    path.write_text("to do\n")
    assert "is no rating list; name another file" in complaint(run(str(path), "--players", "hold,random"))
    assert path.read_text() == "to do\n"
    assert "needs two players" in complaint(run(str(tmp_path / "new"), "--players", "hold", "--games", "7"))
    assert not (tmp_path / "new").exists()


# `benchmarks/builds.py`: the games that both builds have played, and no others.


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
    assert "until 1904, not 1903" in complaint(CliRunner().invoke(builds.main, [str(old), str(new)]))
    assert "cannot read" in complaint(CliRunner().invoke(builds.main, [str(tmp_path / "none.log")]))
