"""``bordeaux human`` as a process: through a pipe, with JSON, and at a prompt."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bordeaux import Position
from bordeaux.cli.human import Commands
from bordeaux.cli.report.event_output import EventPrinter
from bordeaux.daide.client.human_input import OrderSheet
from bordeaux.formats.games import read_games
from tests.cli.conftest import Run, complaint
from tests.cli.processes import PATIENCE, piped, terminal
from tests.daide.client.house import house


@pytest.mark.slow
def test_a_script_plays_through_a_pipe_and_leaves(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    script = "# a comment\nlegal\nall hold\norders\ndone\nnext\nA ZZZ - BUR\nquit\nnever read\n"
    with house() as served:
        served.seat(6)
        with piped("human", served.address, "--name", "Alice", "--save", str(path)) as process:
            out, err = process.communicate(script, timeout=PATIENCE)
        assert served.game.position.phase.kind == "M"
    assert process.returncode == 0 and err == ""
    power, line = re.findall(r"You play (\w+) on .*\n.*come back after a break: (.*)", out)[0]
    assert "S1901M: orders for" in out and "all is ordered" in out and "done; until" in out
    # What was played is shown, and the next board; then the script goes on.
    assert out.index("S1901M was played") < out.index("F1901M: orders for") < out.index("'ZZZ'")
    assert "never" not in out
    assert out.splitlines()[-1] == f"You have left. To come back: {line}"
    (game,) = read_games(path)
    orders = game.phases[0].orders[power]
    assert orders and all(order.endswith(" H") for order in orders)


@pytest.mark.slow
def test_the_end_of_the_input_leaves_and_somebody_takes_over() -> None:
    with house() as served:
        served.seat(6)
        with piped("human", served.address) as process:
            out, _ = process.communicate("orders\nplayers\nsubmitt\n", timeout=PATIENCE)
        assert "no command 'players'; help lists all" in out
        assert "no command 'submitt'; did you mean 'submit'?; help lists all" in out
        back = out.splitlines()[-1].partition("To come back: bordeaux ")[2].split()
        assert process.returncode == 0 and back[0] == "human" and "--passcode" in back
        served.until(lambda game: bool(game.vacant))
        with piped(*back) as process:
            out, err = process.communicate("done\ndone\nnext\nhistory S1901M\nquit\n", timeout=PATIENCE)
    assert process.returncode == 0 and err == ""
    assert out.count("S1901M was played") == 2 and "F1901M: orders for" in out


@pytest.mark.slow
def test_a_game_to_its_end(tmp_path: Path) -> None:
    with house() as served:
        served.seat(6)
        phases = "done\ndone\nnext\n" * 6
        with piped("human", served.address, "--save", str(tmp_path / "game.json.gz")) as process:
            out, err = process.communicate(f"{phases}draw\nnext\n", timeout=PATIENCE)
    assert process.returncode == 0 and err == ""
    assert out.count("shares the draw") == 7 and "Human 0" in out
    (game,) = read_games(tmp_path / "game.json.gz")
    assert re.search(r"S1901M.*: orders for [AF] [A-Z]{3}", out)
    assert [phase.name for phase in game.phases][-1] == "S1904M"


def test_a_full_game_is_refused(run: Run) -> None:
    with house() as served:
        served.seat(6)
        # Seven that hold agree to a draw within half a second.
        served.seat(1, "bordeaux:nodes=100000")
        assert "takes no more players" in complaint(run("human", served.address, input=""))


def test_done_once_more_is_of_the_phase_that_was_warned_of() -> None:
    given: Any = []
    sheet = OrderSheet(Position.start(), "FRANCE")
    person: Any = SimpleNamespace(phase="Spring", teller=EventPrinter(True))
    person.writing = lambda: (person.phase, sheet)
    person.done = lambda: given.append(person.phase) or []
    commands = Commands(person)
    asyncio.run(commands.run("done"))
    person.phase = "Fall"
    asyncio.run(commands.run("done"))
    assert given == []
    asyncio.run(commands.run("done"))
    assert given == ["Fall"]


@pytest.mark.slow
def test_at_a_prompt_orders_are_completed_and_news_appears_above() -> None:
    with house(level=10) as served:
        served.seat(6, "blabbot")
        with terminal("human", served.address) as shown:
            # Proposals come while we have typed half an order, and the line is still there after them.
            at = shown.until("AUSTRIA S1901M>")
            shown.type("vie - b")
            at = shown.until("A VIE - BOH", at)
            shown.type("ud\r")
            at = shown.until("A VIE - BUD   without orders: ", at)
            shown.type("A BUD - SER; F TRI - ALB\r")
            at = shown.until("all is ordered", at)
            shown.type("letters\r")
            at = shown.until("proposes peace between", at)
            shown.type("talk yes\r")
            at = shown.until("* delivered to ", at)
            shown.type("nonsense\x03")  # Ctrl-C throws a line away
            shown.type("done\r")
            at = shown.until("S1901M was played", at)
            at = shown.until("A BUD - SER", at)
            shown.until("AUSTRIA F1901M>", at)
            shown.type("\x04")  # Ctrl-D leaves
            shown.until("You have left. To come back: bordeaux human", at)
            assert shown.end() == 0
        assert "Traceback" not in shown.text and "nonsense'" not in shown.text
        record = served.saves[-1]["phases"][0]["orders"]["AUSTRIA"]
    assert sorted(record) == ["A BUD - SER", "A VIE - BUD", "F TRI - ALB"]
