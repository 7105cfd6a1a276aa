"""DAIDE clients as players of ``bordeaux arena`` and ``bordeaux play``, and what is refused before a game."""

import json
import sys
from pathlib import Path

import pytest

from .conftest import Run

BOT = f"{sys.executable} -P -m bordeaux bot {{address}} --player"
GUEST = f"daide:{BOT} dumbbot"


@pytest.mark.slow
def test_clients_play_a_tournament(run: Run) -> None:
    limits = ("--games", "2", "--until", "1902", "--time", "2", "--processes", "2")
    args = ("--players", GUEST, "--against", "dumbbot", "--ratio", "2:5")
    result = run("arena", *args, *limits, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    answer = json.loads(result.stdout)
    assert answer["faults"] == []
    assert {name: player["seats"] for name, player in answer["players"].items()} == {GUEST: 4, "dumbbot": 10}


@pytest.mark.slow
def test_a_list_may_hold_clients_with_commas_and_stars(run: Run) -> None:
    random = f"daide:{BOT} bordeaux:maxims=none --nodes 50 --name a,b*2"
    result = run("play", "--players", f"{random},dumbbot*6", "--until", "1901", "--time", "2", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    orders = json.loads(result.stdout)["phases"][0]["orders"]
    assert len(orders["AUSTRIA"]) == 3


@pytest.mark.parametrize("command", ["arena", "play"])
@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("daide:/nonexistent {address}", "no program '/nonexistent' that can be run"),
        ("daide:true", "does not say where to connect"),
        ("program:/nonexistent", "no program '/nonexistent' that can be run"),
        ("program:true 'half", "No closing quotation"),
    ],
)
def test_commands_that_cannot_be_run_are_refused_before_a_game(
    run: Run, command: str, spec: str, text: str, tmp_path: Path
) -> None:
    saved = tmp_path / "saved"
    result = run(command, "--players", spec, "--players", "hold*6", "--save", str(saved))
    assert (result.exit_code, result.stdout) == (2, "")
    assert text in result.stderr and result.stderr.count("\n") == 1
    assert not saved.exists()


def test_a_compressed_file_of_games_is_refused_before_the_log_is_begun(run: Run, tmp_path: Path) -> None:
    log = tmp_path / "new.log"
    files = ("--games-file", str(tmp_path / "x.gz"), "--save", str(log))
    result = run("arena", "--players", "hold", "--against", "random", "--games", "1", *files)
    assert result.exit_code == 2
    assert "leave out .gz" in result.stderr
    assert not log.exists()
