"""Games through the tools: played, talked about, kept, taken up again, and within limits."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bordeaux.protocols.mcp import playing
from bordeaux.studies.games import game_of_study
from tests.patience import PATIENCE

from .conftest import Agent

MOVES = ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]
QUICK: dict[str, Any] = {"level": 3, "seconds": 0.1}


@pytest.fixture
def agent(made: Callable[[], Agent], monkeypatch: pytest.MonkeyPatch) -> Agent:
    """A server without a game, which waits for replies for as long as a busy machine needs."""
    monkeypatch.setattr(playing, "REPLIES", PATIENCE)
    return made()


@pytest.mark.slow
def test_a_year_is_played_from_the_first_handshake_on(agent: Agent, folder: Path) -> None:
    begun = agent("new_game", power="FRANCE", until=1901, name="My\n game", **QUICK)
    game = begun["game"]
    assert begun["phase"] == "S1901M" and begun["status"] == "waiting" and begun["you"] == ["FRANCE"]
    assert begun["must_order"] == {"FRANCE": "orders for 3 units"}
    kept = agent("my_orders", game=game, orders=[*MOVES, "A PAR - LON"])
    assert kept["orders"] == MOVES and kept["without_orders"] == []
    assert len(kept["wrong"]) == 1 and "cannot go to LON" in kept["wrong"][0]
    assert agent("game_state", game=game)["your_orders"] == {"FRANCE": MOVES}
    fall = agent("next_phase", game=game)
    assert fall["phase"] == "F1901M" and fall["your_orders"] == {}
    assert {row["order"] for row in fall["last_results"]["FRANCE"]} == set(MOVES)
    assert len(fall["last_results"]) == 7
    state = agent("next_phase", game=game, hold=True)
    for _ in range(4):
        if state["status"] == "over":
            break
        assert state["phase"] in ("F1901R", "W1901A")
        state = agent("next_phase", game=game, hold=True)
    assert state["status"] == "over" and "1901" in state["over"]
    assert "the game is over" in agent.wrong("next_phase", game=game)
    [row] = agent("list_games")["games"]
    assert row == {"id": game, "name": "My game", "phase": state["phase"], "status": "over"}
    assert (folder / f"{game}.json").is_file()
    assert agent("review_game", game=game, power="FRANCE", nodes=100)["powers"]["FRANCE"]["accuracy"]


def test_a_game_is_taken_up_by_another_server(made: Callable[[], Agent]) -> None:
    first = made()
    game = first("new_game", power="ITALY", **QUICK)["game"]
    first("my_orders", game=game, orders=["A VEN - TRI"])
    first.server.desk.close()
    second = made()
    assert second("game_state", game=game)["your_orders"] == {"ITALY": ["A VEN - TRI"]}
    state = second("next_phase", game=game)
    assert state["phase"] == "F1901M" and len(state["last_results"]["ITALY"]) == 3
    study = second.server.desk.store.get(game)
    assert study.main_line()[0].draft == {"ITALY": ["A VEN - TRI"]}, "the page shows the same"


def test_the_powers_talk(agent: Agent) -> None:
    players = {"GERMANY": "parrot", "ITALY": "liar", "ENGLAND": "bordeaux:press=30,nodes=300"}
    rest = dict.fromkeys(("AUSTRIA", "RUSSIA", "TURKEY"), "hold")
    begun = agent("new_game", power="FRANCE", press=True, players={**players, **rest}, seconds=0.3)
    game = begun["game"]
    assert any(letter["sender"] == "ITALY" for letter in begun["messages"])
    assert all(letter["to"] == ["FRANCE"] for letter in begun["messages"])
    answer = agent("send_message", game=game, to=["GERMANY"], text="dmz bur?")
    assert answer["understood"] == "France proposes that France and Germany keep out of Burgundy."
    assert [letter["sender"] for letter in answer["replies"]] == ["GERMANY"]
    assert "write it like" in agent.wrong("send_message", game=game, to=["GERMANY"], text="nice weather")
    assert "cannot be talked to" in agent.wrong("send_message", game=game, to=["FRANCE"], text="peace?")


@pytest.mark.slow
def test_every_level_talks(agent: Agent) -> None:
    """A level that draws its orders answers, and keeps what it has agreed to."""
    state = agent("new_game", power="FRANCE", press=True, level=1, seconds=0.3)
    game = state["game"]
    assert (state["players"]["GERMANY"], state["players"]["FRANCE"]) == ("Beginner (level 1)", "you")
    assert "Turkey" in agent("send_message", game=game, to=["all"], text="peace?")["understood"]
    answer = agent("send_message", game=game, to=["GERMANY"], text="dmz bur, and I really love Fridays")
    assert answer["understood"].endswith("keep out of Burgundy. (left out: i really love fridays)")
    assert [letter["sender"] for letter in answer["replies"]] == ["GERMANY"]


def test_without_press_nobody_talks(agent: Agent) -> None:
    game = agent("new_game", power="FRANCE", **QUICK)["game"]
    assert "no press" in agent.wrong("send_message", game=game, to=["ITALY"], text="peace?")


@pytest.mark.parametrize(
    "spec",
    ["program:touch ran", "mine.py:Bot", "dui:touch ran", "sampler:policy=./net.npz", "bordeaux:threads=9"],
)
def test_players_of_a_model_are_those_that_anybody_may_ask_for(agent: Agent, folder: Path, spec: str) -> None:
    """The allow-list of `registry.admitted` is the only door."""
    assert "everybody" in (line := agent.wrong("new_game", power="FRANCE", players={"ITALY": spec})) or (
        "runs a file or a program" in line or "is one of" in line
    )
    game = agent("new_game", power="FRANCE", **QUICK)["game"]
    assert "cannot ask for it" in agent.wrong("leave_game", game=game, player=spec)
    assert [path.name for path in folder.glob("*.json")] == [f"{game}.json"]
    assert agent("leave_game", game=game)["status"] == "over"


def test_what_makes_no_sense_says_what_to_do(agent: Agent) -> None:
    game = agent("new_game", power="FRANCE", **QUICK)["game"]
    assert "my_orders" in agent.wrong("next_phase", game=game)
    assert "is not yours" in agent.wrong("my_orders", game=game, orders=MOVES, power="ITALY")
    assert "there is no study" in agent.wrong("game_state", game="../../etc/passwd")
    assert "begin in 1901" in agent.wrong("new_game", power="FRANCE", until=1800)
    assert "did you mean" in agent.wrong("new_game", power="FRANCE", players={"ITALY": "dumbott"})
    assert "is yours" in agent.wrong("new_game", power="FRANCE", players={"FRA": "dumbbot"})
    other = agent.server.desk.store.add(agent.server.desk.at("start").study)
    assert "begin one with new_game" in agent.wrong("game_state", game=other.id)
    statuses = {row["id"]: row["status"] for row in agent("list_games")["games"]}
    assert statuses == {game: "waiting", other.id: "a study"}
    assert agent("list_games", limit=1)["left_out"] == "1 older ones"


def test_the_games_at_once_are_limited(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_GAMES", 1)
    first = agent("new_game", power="FRANCE", **QUICK)["game"]
    assert "leave_game" in agent.wrong("new_game", power="FRANCE", **QUICK)
    assert agent("game_state", game=first)["status"] == "waiting"
    agent("leave_game", game=first)
    second = agent("new_game", power="FRANCE", **QUICK)["game"]
    assert len(agent("list_games")["games"]) == 2
    study = agent.server.desk.store.get(second)
    assert (kept := game_of_study(study)) is not None and kept.players["ITALY"] == "bordeaux:level=3"


def test_a_spoilt_file_is_told_and_no_fault(agent: Agent, folder: Path) -> None:
    game = agent("new_game", power="FRANCE", **QUICK)["game"]
    path = folder / f"{game}.json"
    saved = json.loads(path.read_text())
    saved["play"]["players"]["ITALY"] = "program:touch ran"
    path.write_text(json.dumps(saved))
    assert "cannot be read" in (line := agent.wrong("game_state", game=game)) or "runs a file" in line
    assert not (folder / "ran").exists()
