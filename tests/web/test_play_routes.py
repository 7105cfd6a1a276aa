"""Games from the page: a year against players of ours, talks, and the ways in which games go on and end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import BordeauxError, Map, Position
from bordeaux.players import registry
from bordeaux.players.base import Seat
from bordeaux.players.catalogue import CATALOGUE
from bordeaux.players.limits import LEVELS
from bordeaux.studies import games as study_games
from bordeaux.studies.games import ORDERS, StudyGame, opened
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.saved import SHARED, _packed, study_to_json
from bordeaux.studies.store import Store
from bordeaux.studies.table import seated
from bordeaux.web.routing import ServerState
from tests.jobs.seen import wait_until

from . import hanging
from .browser.served import Served
from .conftest import BEARER, refused, visiting

POWERS = Position.start().map.powers
MOVES = ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]


def table(spec: str = "dumbbot", *you: str) -> dict[str, str]:
    return {power: "you" if power in (you or ("FRANCE",)) else spec for power in POWERS}


def begun(client: TestClient, players: dict[str, str], **body: Any) -> str:
    response = client.post("/api/play", json={"players": players, "nodes": 300, **body})
    assert response.status_code == 200, response.text
    identity: str = response.json()["id"]
    return identity


def settled(client: TestClient, study: str) -> dict[str, Any]:
    """The study when the players wait for the person, or the game is over."""

    def answer() -> dict[str, Any]:
        told: dict[str, Any] = client.get(f"/api/studies/{study}").json()
        return told

    wait_until(lambda: answer()["play"]["status"] != "thinking")
    return answer()


def submitted(client: TestClient, study: str, orders: dict[str, list[str]], **body: Any) -> dict[str, Any]:
    response = client.post(f"/api/studies/{study}/play/submit", json={"orders": orders, **body})
    assert response.status_code == 202, response.text
    return settled(client, study)


@pytest.mark.slow
def test_a_game_for_two_is_played_on_the_page(client: TestClient) -> None:
    study = begun(client, {"AUSTRIA": "dumbbot", "FRANCE": "you"}, map="fva")
    first = settled(client, study)
    assert [power["name"] for power in first["powers"]] == ["AUSTRIA", "FRANCE"]
    assert first["map"] == "standard_france_austria" in client.get("/api/about").json()["maps"]
    after = submitted(client, study, {"FRANCE": MOVES})
    assert after["play"]["status"] == "waiting" and len(after["nodes"]) > 1


def at(client: TestClient, study: dict[str, Any]) -> dict[str, Any]:
    """The node that the game has come to."""
    answer: dict[str, Any] = client.get(f"/api/studies/{study['id']}/nodes/{study['play']['node']}").json()
    return answer


def test_a_year_against_dumbbots(client: TestClient) -> None:
    study = begun(client, table(), seed=3)
    phases = []
    orders: dict[str, list[str]] = {"FRANCE": MOVES}
    while True:
        now = settled(client, study)
        node = at(client, now)
        if node["phase"].endswith("1902M"):
            break
        phases.append(node["phase"])
        assert "FRANCE" in node["due"]
        submitted(client, study, orders)
        orders = {}
    assert phases[:2] == ["S1901M", "F1901M"] and now["play"]["over"] is None
    root = client.get(f"/api/studies/{study}/nodes/0").json()
    (played,) = root["next"]
    assert set(played["orders"]) == set(POWERS) and sorted(played["orders"]["FRANCE"]) == sorted(MOVES)
    legal = {order for orders in root["legal"].values() for order in orders}
    for power in POWERS:
        assert all(order in legal for order in played["orders"][power]), power
    saved = client.get(f"/api/studies/{study}/game.json").json()
    assert [phase["name"] for phase in saved["phases"]][-1] == "S1902M"
    # What is tried beside the game leaves the game as it is.
    client.post(f"/api/studies/{study}/nodes/0/adjudicate", json={"orders": {"FRANCE": ["A PAR - PIC"]}})
    assert settled(client, study)["play"] == now["play"]


def test_a_hint_is_kept_with_the_game(client: TestClient) -> None:
    study = begun(client, table(), seed=3)
    asked = f"/api/studies/{study}/play/hint"
    assert settled(client, study)["play"]["hints"] == []
    for _ in range(2):
        assert client.post(asked, json={}).json() == {"phase": "S1901M"}
    assert settled(client, study)["play"]["hints"] == ["S1901M"]
    after = submitted(client, study, {"FRANCE": MOVES})
    assert after["play"]["hints"] == ["S1901M"]
    client.post(f"/api/studies/{study}/play/leave", json={})
    refused(client.post(asked, json={}), 409, "while it is your turn")


def test_levels_are_offered_by_name_and_all_who_are_offered_can_be_seated(client: TestClient) -> None:
    players = client.get("/api/about").json()["players"]
    assert [player["name"] for player in players[: len(LEVELS)]] == [level.name for level in reversed(LEVELS)]
    assert len({player["spec"] for player in players}) == len(players)
    for player in players:
        registry.check(player["spec"])
    study = begun(client, table("bordeaux:level=1"), until=1901)
    assert settled(client, study)["play"]["players"]["ITALY"] == "bordeaux:level=1"


def test_talks_are_understood_and_answered(client: TestClient) -> None:
    players = {
        **table("hold"),
        "ENGLAND": "bordeaux:press=30,nodes=50",
        "GERMANY": "parrot",
        "ITALY": "liar",
    }
    study = begun(client, players, level=30)
    node = at(client, settled(client, study))
    heard = [(message["sender"], message["text"]) for message in node["messages"]]
    assert ("ITALY", "Italy proposes peace between Italy and France.") in heard
    assert all("FRANCE" in (message["sender"], *message["recipients"]) for message in node["messages"])

    def say(to: list[str], text: str) -> Any:
        body = {"power": "FRANCE", "to": to, "text": text}
        return client.post(f"/api/studies/{study}/play/say", json=body)

    answer = say(["GERMANY"], "dmz bur?")
    assert answer.status_code == 200
    assert answer.json() == {"understood": "France proposes that France and Germany keep out of Burgundy."}
    assert say(["ITALY"], "yes").json()["understood"].startswith("France says yes to the proposal of peace")
    assert say(["ENGLAND"], "peace?").json() == {
        "understood": "France proposes peace between France and England."
    }

    def replies() -> set[str]:
        return {message["sender"] for message in at(client, settled(client, study))["messages"][len(heard) :]}

    wait_until(lambda: {"GERMANY", "ENGLAND"} <= replies())
    for to, text, reason in [
        (["GERMANY"], "how is the weather", "write it like"),
        (["FRANCE"], "peace?", "cannot be talked to"),
        ([], "peace?", "at least one"),
        (["TURKEY"], "yes", "no proposal to answer"),
    ]:
        refused(say(to, text), 400, reason)
    after = submitted(client, study, {})
    # Italy and England have talked to others as well, which is told when the game is over.
    client.post(f"/api/studies/{study}/play/leave", json={})
    every = client.get(f"/api/studies/{study}/nodes/0").json()["messages"]
    assert any("FRANCE" not in (message["sender"], *message["recipients"]) for message in every)
    assert after["play"]["faults"] == []


@pytest.mark.slow
def test_a_game_goes_on_when_the_server_is_started_again(tmp_path: Path) -> None:
    """After an end in order, and after one that is killed while the players think; talks included."""
    with visiting(ServerState(Store(tmp_path)), **BEARER) as client:
        study = begun(client, {**table("dumbbot"), "ENGLAND": "liar", "ITALY": "parrot"}, level=20)
        settled(client, study)
        body = {"power": "FRANCE", "to": ["ENGLAND", "ITALY"], "text": "peace?"}
        assert client.post(f"/api/studies/{study}/play/say", json=body).status_code == 200
        before = submitted(client, study, {"FRANCE": MOVES})
        said = client.get(f"/api/studies/{study}/nodes/0").json()["messages"]
        assert {line_said["sender"] for line_said in said} >= {"FRANCE", "ITALY", "ENGLAND"}
    with Served(tmp_path) as server:
        answer = server.call("GET", f"/api/studies/{study}")
        assert answer["play"] == before["play"] and answer["nodes"] == before["nodes"]
        server.call("POST", f"/api/studies/{study}/play/submit", {"orders": {}})
        server.process.kill()
        server.process.wait()
    with visiting(ServerState(Store(tmp_path)), **BEARER) as client:
        after = settled(client, study)
        assert after["play"]["faults"] == [] and len(after["nodes"]) > len(before["nodes"])
        assert client.get(f"/api/studies/{study}/nodes/0").json()["messages"] == said
        say = {"power": "FRANCE", "to": ["ITALY"], "text": "dmz pie"}
        assert client.post(f"/api/studies/{study}/play/say", json=say).status_code == 200


def test_a_dead_process_of_players_is_replaced(
    client: TestClient, own_children: Callable[[], list[int]]
) -> None:
    study = begun(client, table())
    submitted(client, study, {"FRANCE": MOVES})
    for process in own_children():
        os.kill(process, signal.SIGKILL)
    assert at(client, submitted(client, study, {}))["phase"] != "F1901M"


def test_one_who_leaves_is_followed_by_a_player_or_ends_the_game(client: TestClient) -> None:
    study = begun(client, table())
    assert client.post(f"/api/studies/{study}/play/leave", json={"player": "nobody"}).status_code == 400
    play = client.post(f"/api/studies/{study}/play/leave", json={}).json()["play"]
    assert (play["status"], play["over"]) == ("over", "you have left the game")
    assert client.post(f"/api/studies/{study}/play/leave", json={}).status_code == 409
    response = client.post(f"/api/studies/{study}/play/submit", json={"orders": {}})
    assert response.status_code == 409
    study = begun(client, table(), until=1901)
    client.post(f"/api/studies/{study}/play/leave", json={"player": "dumbbot"})
    play = settled(client, study)["play"]
    assert play["over"] == "1901 was the last year" and play["players"]["FRANCE"] == "dumbbot"


MANY = "PAR MAR BRE SPA POR BEL HOL LON LVP EDI ROM NAP VEN TUN BER KIE DEN"
NEAR = {
    "name": "F1910M",
    "units": {"FRANCE": ["A BUR", "A PAR"], "TURKEY": ["A BUL"]},
    "centers": {"FRANCE": MANY.split(" "), "TURKEY": ["CON", "BUL"]},
}


def test_all_who_are_left_may_agree_to_a_draw(client: TestClient, server_state: ServerState) -> None:
    players = table("hold", "FRANCE", "TURKEY")
    for turkey, over in (("you", "a draw was agreed: FRANCE, TURKEY"), ("hold", None)):
        made = study_of_position(Position.from_json(NEAR))
        game = StudyGame({**players, "TURKEY": turkey}, level=10)
        study = server_state.store.add(replace(made, play=opened(made, game).to_json())).id
        settled(client, study)
        assert submitted(client, study, {}, draw=True)["play"]["over"] == over


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"players": {}}, "names nobody"),
        ({"players": table("dumbbot", "NONE")}, "no 'you'"),
        ({"players": table("program:rm -rf /")}, "runs a file or a program"),
        ({"players": table("liar:player=/x;/../tmp/mine.py:Bot")}, "runs a file or a program"),
        ({"players": table("bordeaux:book=/etc/passwd")}, "is one of none, standard, not '/etc/passwd'"),
        ({"players": table("bordeaux:processes=900")}, "not for everybody"),
        ({"players": table("bordeaux:seed=-1")}, "seed must be from 0"),
        ({"players": table("dumbot")}, "dumbbot"),
        ({"players": table(), "level": 7}, "'level'"),
        ({"players": table(), "until": 1800}, "'until'"),
        ({"players": table(), "time": 0}, "'time'"),
        ({"players": table(), "time": 601}, "600 seconds a phase at most"),
        ({"players": table(), "nodes": 10**7}, "1,000,000 nodes a phase at most"),
        ({"players": [1]}, "'players'"),
        ({"players": {"FRANCE": 1}}, "a player is named"),
    ],
)
def test_games_that_make_no_sense_are_refused(client: TestClient, body: dict[str, Any], message: str) -> None:
    refused(client.post("/api/play", json=body), 400, message)


@pytest.fixture
def attack(tmp_path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """A player that runs a Python file if it is made, alone and in a game in which it would be at turn. The
    file leaves a mark, which must not be there afterwards."""
    mark = tmp_path / "marked"
    (tmp_path / "plain.py").write_text(f"open({str(mark)!r}, 'w').close()\nclass Bot:\n    orders = print\n")
    spec = f"liar:player=/x;/..{tmp_path}/plain.py:Bot"
    game = StudyGame(table(), stage=ORDERS).to_json() | {"players": table(spec)}
    yield spec, game
    assert not mark.exists()


def test_no_request_seats_a_file(client: TestClient, attack: tuple[str, dict[str, Any]]) -> None:
    study = begun(client, table())
    for path, body in (
        ("/api/play", {"players": table(attack[0])}),
        (f"/api/studies/{study}/play/leave", {"player": attack[0]}),
    ):
        refused(client.post(path, json=body), 400, "runs a file or a program")
    assert settled(client, study)["play"]["over"] is None


@pytest.mark.parametrize("form", ["permalink", "text"])
def test_a_link_holds_no_game_in_progress(
    client: TestClient, attack: tuple[str, dict[str, Any]], form: str
) -> None:
    data = study_to_json(study_of_position(Position.start()))
    for game in (attack[1], StudyGame(table(), stage=ORDERS).to_json()):
        link = f"http://127.0.0.1/#{SHARED}{_packed({**data, 'play': game})}"
        response = client.post("/api/studies", json={form: link})
        assert response.status_code == 200 and response.json()["play"] is None
        assert client.get(f"/api/studies/{response.json()['id']}").json()["play"] is None


def test_a_saved_game_seats_no_file(
    client: TestClient, server_state: ServerState, attack: tuple[str, dict[str, Any]]
) -> None:
    lines: list[str] = []
    server_state.log = lines.append
    study = server_state.store.add(replace(study_of_position(Position.start()), play=attack[1]))
    assert client.get(f"/api/studies/{study.id}").json()["play"] is None
    assert "cannot be read: player '/x;/.." in lines[0]
    with pytest.raises(BordeauxError, match="runs a file or a program"):
        seated(attack[0], Seat("FRANCE", Map.standard()))


@pytest.mark.parametrize(
    ("change", "over"),
    [
        ({"players": {"FRANCE": {}}}, None),
        ({"players": [1]}, None),
        ({"time": "x"}, None),
        ({"time": 1e9}, None),
        ({"nodes": True}, None),
        ({"stage": "x"}, None),
        ({"letters": 3}, None),
        ({"letters": {"0": 3}}, None),
        ({"you": 1}, None),
        ({"node": "99"}, "the game was broken off: study"),
        ({"waiting": [1]}, "the game was broken off: a letter must be an object"),
        ({"waiting": [{"sender": 1, "to": [], "message": 1}]}, "the game was broken off: the sender"),
        ({"letters": {"0": [{"sender": "FRANCE", "to": "x"}]}}, "the game was broken off: the recipients"),
    ],
)
def test_a_damaged_game_is_told_in_one_line(
    client: TestClient, server_state: ServerState, change: dict[str, Any], over: str | None
) -> None:
    game = StudyGame(table(), stage=ORDERS).to_json() | change
    study = server_state.store.add(replace(study_of_position(Position.start()), play=game))
    client.get(f"/api/studies/{study.id}")
    play = client.get(f"/api/studies/{study.id}").json()["play"]
    assert play is None if over is None else play["over"].startswith(over)


@pytest.mark.slow
def test_a_hanging_player_stops_its_own_game_alone(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The processes of the players find this player there.
    monkeypatch.setattr(sys, "path", [*sys.path, str(Path(__file__).parents[2])])
    monkeypatch.setattr(study_games, "answer", hanging.answer)
    monkeypatch.setitem(CATALOGUE, hanging.NAME, hanging.ENTRY)
    patient = begun(client, {**table(), "ITALY": hanging.NAME}, time=300, nodes=None)
    client.post(f"/api/studies/{patient}/play/submit", json={"orders": {}})
    hasty = begun(client, {**table(), "ITALY": hanging.NAME}, time=0.01, nodes=None)
    client.post(f"/api/studies/{hasty}/play/submit", json={"orders": {}})
    other = begun(client, table())
    now = submitted(client, other, {"FRANCE": MOVES})
    assert at(client, now)["phase"] == "F1901M", now["play"]
    ended = settled(client, hasty)["play"]
    assert ended["over"] == "the game was broken off: ITALY did not come back in time"
    assert ended["patience"] == 1.01
    waiting = client.get(f"/api/studies/{patient}").json()["play"]
    assert (waiting["status"], waiting["patience"]) == ("thinking", 600)
    # Who does not want to wait leaves, and the process is ended.
    client.post(f"/api/studies/{patient}/play/leave", json={})
    assert settled(client, patient)["play"]["over"] == "you have left the game"


@pytest.mark.parametrize(
    ("orders", "message"),
    [
        ({"GERMANY": ["A MUN - BUR"]}, "not yours"),
        ({"FRANCE": ["A PAR - LON"]}, "illegal"),
        ({"FRANCE": ["Paris!"]}, "Paris!"),
        ([], "orders by power"),
    ],
)
def test_orders_that_make_no_sense_are_refused_and_nothing_is_played(
    client: TestClient, orders: Any, message: str
) -> None:
    study = begun(client, table())
    refused(client.post(f"/api/studies/{study}/play/submit", json={"orders": orders or ["x"]}), 400, message)
    assert settled(client, study)["play"]["node"] == "0"
