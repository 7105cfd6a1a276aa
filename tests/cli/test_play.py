import json
import signal
from pathlib import Path

import pytest

from bordeaux import Map
from bordeaux.cli.play import PhasePrinter
from bordeaux.formats.games import game_from_json, read_games
from bordeaux.rules.replay import replay_game
from tests.jobs.seen import alive, children

from .conftest import Run
from .processes import PATIENCE, piped

POWERS = Map.standard().powers
QUICK = ("--nodes", "10", "--until", "1902")


def test_json_is_the_saved_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = run.told("play", "--players", "random*7", *QUICK, "--seed", "5", "--save", path)
    assert {"id", "map", "rules", "phases"} <= set(game)
    assert game["phases"][0]["name"] == "S1901M"
    assert all({"name", "state", "orders", "results"} <= set(phase) for phase in game["phases"])
    assert replay_game(game_from_json(game)).mismatches == []
    (saved,) = read_games(path)
    assert saved == game_from_json(game)


def test_players_sit_in_the_order_of_the_powers(run: Run) -> None:
    specs = ["random", "hold", "hold", "random", "hold", "hold", "hold"]
    game = run.told("play", "--players", ",".join(specs), *QUICK)
    assert game["players"] == dict(zip(POWERS, specs, strict=True))
    for power, spec in game["players"].items():
        orders = [order for phase in game["phases"][:-1] for order in phase["orders"].get(power, [])]
        assert spec == "random" or all(order.endswith((" H", " D", "WAIVE")) for order in orders)


@pytest.mark.slow
def test_what_is_said_is_shown_and_saved(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    args = ("play", "--players", "blabbot:peace=draw*7", *QUICK, "--level", "10")
    shown = run(*args, "--save", path).stdout
    assert "  to ITALY: Austria proposes peace between Austria and Italy.\n" in shown
    # Agreed in a phase that is not played.
    assert f"  to {', '.join(POWERS[1:])}: Austria proposes a draw.\n" in shown
    assert "Nobody has won: a draw was agreed." in shown
    (saved,) = read_games(path)
    assert [len(phase.messages) for phase in saved.phases] == [84, 42 + 7 * 36]
    assert saved == game_from_json(run.told(*args))


def test_the_readable_form_shows_every_phase_and_the_centres(run: Run) -> None:
    result = run("play", "--players", "random,hold*6", *QUICK, "--seed", "1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    for phase in ("S1901M", "F1901M", "S1902M", "F1902M"):
        assert lines.count(phase) == 1
    assert sum(line.startswith("  GERMANY  A BER H; F KIE H; A MUN H") for line in lines) == 4
    assert any(line.split()[:5] == ["RUSSIA", "hold", "4", "4", "4"] for line in lines)
    assert "Nobody has won" in result.stdout
    assert "\x1b" not in result.stdout


@pytest.mark.slow
def test_a_stopped_game_is_saved_and_leaves_no_process_behind(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    args = ("--players", "bordeaux*7", "--time", "0.05", "--until", "1935", "--save", str(path))
    with piped("play", *args) as process:
        assert process.stdout is not None
        while "S1901M" not in (line := process.stdout.readline()):
            assert line
        (worker,) = children(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    (saved,) = read_games(path)
    assert [phase.name for phase in saved.phases][:1] == ["S1901M"]
    said = f"bordeaux: interrupted; {path} has the game to {saved.phases[-1].name}\n"
    assert (process.returncode, err) == (128 + signal.SIGINT, said)
    assert not alive(worker)


DIES = "program:false"
LATE = "class Late:\n    def orders(self, position, limit):\n        raise TimeoutError('much too late')\n"


@pytest.mark.slow
def test_a_game_in_which_a_player_died_is_saved_and_exits_with_1(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    result = run("play", "--players", f"{DIES},hold*6", *QUICK, "--save", saved)
    assert result.exit_code == 1
    assert "crash: AUSTRIA (program:false), at the start: " in result.stderr
    assert next(read_games(saved)).phases
    (tmp_path / "late.py").write_text(LATE)
    result = run("play", "--players", f"{tmp_path}/late.py:Late,hold*6", *QUICK, "--json")
    assert result.exit_code == 1 and "stall: AUSTRIA" in result.stderr
    assert json.loads(result.stdout)["phases"]


@pytest.mark.parametrize(("always", "code"), [("True", 1), ("str(position.phase) == 'S1901M'", 0)])
def test_who_is_never_legal_exits_with_1(run: Run, tmp_path: Path, always: str, code: int) -> None:
    (tmp_path / "bad.py").write_text(
        "class Bad:\n    def orders(self, position, limit):\n"
        f"        return ['A PAR - LON', 'rubbish'] if {always} else []\n"
    )
    result = run("play", "--players", f"{tmp_path}/bad.py:Bad,hold*6", *QUICK)
    assert result.exit_code == code and "illegal: AUSTRIA" in result.stderr


def test_a_phase_that_is_played_again_is_printed_once_and_kept_as_it_was_at_last(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = PhasePrinter(Map.standard())
    for name, order in (("S1901M", "A"), ("F1901M", "A"), ("S1901M", "B"), ("F1901M", "B"), ("W1901A", "B")):
        shown.phase({"name": name, "orders": {"FRANCE": [f"{order} PAR H"]}, "results": {}})
        last = [phase["orders"]["FRANCE"][0][0] for phase in shown.played.values()]
        assert {*last} == {order}
    assert [*shown.played] == ["S1901M", "F1901M", "W1901A"]
    assert [line for line in capsys.readouterr().out.split() if line in shown.played] == [*shown.played]
