"""A file of games: looked up by position, counted, and opened as studies."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Map, Position
from bordeaux.board.errors import FormatError
from bordeaux.web.recorded_games import GameFile
from bordeaux.web.routing import ServerState
from tests.jobs.seen import wait_until

from .conftest import FALL, SPRING, Make, played, refused

START = Position.start()
BURGUNDY = {"FRANCE": ["A PAR - BUR"]}


def ended(identity: str, power: str, *turns: dict[str, list[str]]) -> dict[str, Any]:
    """A game that a power has won alone, with all centres that it needs and nobody else with any."""
    game = played(*turns, identity=identity)
    game["phases"][-1]["state"]["centers"] = {power: list(Map.standard().centres[:18])}
    return game


GAMES = [
    ended("a", "FRANCE", BURGUNDY),
    played(BURGUNDY, identity="b"),
    played(SPRING, FALL, identity="c"),
    {"id": "d", "map": "pure", "phases": [{"name": "S1901M", "state": {}}]},
    {"id": "e", "map": "nowhere", "phases": played({})["phases"]},
]


@pytest.fixture
def games(server_state: ServerState, tmp_path: Path) -> GameFile:
    """The games, in a file with blank lines and a byte order mark."""
    path = tmp_path / "old.jsonl"
    path.write_text("\ufeff" + "\n\n".join(map(json.dumps, GAMES)) + "\n", encoding="utf-8")
    server_state.games = GameFile(str(path)).read_all()
    return server_state.games


def after(*turns: dict[str, list[str]]) -> Position:
    """The position after some phases."""
    return Position.from_json(played(*turns)["phases"][-1]["state"])


def test_games_are_found_by_the_positions_that_they_came_through(games: GameFile) -> None:
    assert len(games) == len(GAMES)
    assert [game.id for game in games.through(START)] == ["a", "b", "c"]
    assert [game.id for game in games.through(after(SPRING))] == ["c"]
    assert games.through(after({"FRANCE": ["A PAR - PIC"]})) == []
    # The last position of a is another one than that of b, as France owns more in it.
    assert [game.id for game in games.through(after(BURGUNDY))] == ["b"]
    a, b, c = games.through(START)
    assert (a.number, a.phase, a.last, a.victor, a.centres["FRANCE"]) == (1, "S1901M", "F1901M", "FRANCE", 18)
    assert (b.victor, b.centres["RUSSIA"], c.last) == ("", 4, "W1901A")
    assert games.through(Position.start(Map.load("pure"))) == []


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("{", "cut short"),
        ("[]", "object"),
        ('{"id": "x", "phases": []}', "needs phases"),
        ("nonsense", "not JSON"),
    ],
)
def test_a_line_that_is_no_game_is_named(tmp_path: Path, wrong: str, says: str) -> None:
    path = tmp_path / "old.jsonl"
    path.write_text(f"\n{json.dumps(GAMES[0])}\n{wrong}\n")
    with pytest.raises(FormatError, match=rf"old\.jsonl, line 3: .*{says}"):
        GameFile(str(path)).read_all()
    path.write_text("\n\n")
    with pytest.raises(FormatError, match=r"old\.jsonl is empty"):
        GameFile(str(path))


def test_until_a_file_is_read_its_games_so_far_are_told(
    client: TestClient, server_state: ServerState, make: Make, tmp_path: Path
) -> None:
    told: list[str] = []
    path = tmp_path / "old.jsonl"
    path.write_text("\n".join(map(json.dumps, GAMES[:3])) + "\n{\n")
    server_state.games = GameFile(str(path))
    address = f"/api/studies/{make()['id']}/nodes/0/games"
    assert client.get(address).json() == {"file": "old.jsonl", "reading": 1}
    server_state.games.read_beside(told.append)
    wait_until(lambda: told)
    assert "old.jsonl, line 4" in told[0]
    assert client.get(address).status_code == 400 and client.get(address).json()["error"] == told[0]


def test_a_packed_file_gives_every_game_back(tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, GAMES)).encode()))
    games = GameFile(str(path)).read_all()
    assert [json.loads(games.document(number)) for number in (3, 1, 5)] == [GAMES[2], GAMES[0], GAMES[4]]
    for number in (0, 6):
        with pytest.raises(FormatError, match=r"no game . in old.jsonl.gz; it has 5"):
            games.document(number)


def test_what_became_of_the_games_at_a_node(client: TestClient, make: Make, games: GameFile) -> None:
    study = make(text=json.dumps(played(SPRING, {})))

    def told(node: str, query: str = "") -> dict[str, Any]:
        answer: dict[str, Any] = client.get(f"/api/studies/{study['id']}/nodes/{node}/games{query}").json()
        return answer

    start = told("0")
    assert (start["file"], start["all"], start["through"], start["chosen"]) == ("old.jsonl", 5, 3, 3)
    assert start["won"] == {"FRANCE": 1, "nobody": 2}
    assert start["powers"]["FRANCE"] == {"games": 3, "solos": 1, "survived": 3, "centres": 8.0}
    assert start["powers"]["ITALY"] == {"games": 3, "solos": 0, "survived": 2, "centres": 2.0}
    won = {"number": 1, "id": "a", "last": "F1901M", "won": "FRANCE", "centres": {"FRANCE": 18}}
    assert start["games"][0] == won
    france = told("0", "?won=fra")
    assert (france["through"], france["chosen"], france["games"]) == (3, 1, [won])
    assert france["powers"]["ITALY"] == {"games": 1, "solos": 0, "survived": 0, "centres": 0.0}
    nobody = told("0", "?won=nobody&limit=1")
    assert (nobody["chosen"], [game["id"] for game in nobody["games"]]) == (2, ["b"])
    assert [game["id"] for game in told("1")["games"]] == ["c"]
    none = told("2")
    assert (none["through"], none["games"], none["powers"]["FRANCE"]["centres"]) == (0, [], None)
    # What each power played next, the most played first, with its results; holds need not be written.
    played_next = start["next"]["FRANCE"]
    assert [(line["orders"], line["games"], line["solos"], line["centres"]) for line in played_next] == [
        (["F BRE H", "A MAR H", "A PAR - BUR"], 3, 1, 8.0)
    ]
    assert played_next[0]["part"] == 1.0 and set(start["next"]) == {"AUSTRIA", "FRANCE", "GERMANY"}
    assert france["next"]["FRANCE"][0]["games"] == 1 and none["next"] == {}
    assert told("1")["next"]["TURKEY"][0]["orders"] == ["F ANK H", "A CON - BUL", "A SMY H"]


@pytest.mark.parametrize(
    ("query", "identities"),
    [
        ("power=fra&result=solo", ["a"]),
        ("power=ITALY&result=eliminated", ["a"]),
        ("power=ITALY&result=survived", ["b", "c"]),
        ("power=FRANCE&least=4", ["a"]),
        ("power=FRANCE&most=17", ["b", "c"]),
        ("power=RUSSIA&least=4&most=4", ["b", "c"]),
        ("since=1902", []),
        ("since=1901&until=1901", ["a", "b", "c"]),
        ("won=nobody&power=FRANCE&least=3", ["b", "c"]),
    ],
)
def test_games_are_narrowed_down(
    query: str, identities: list[str], client: TestClient, make: Make, games: GameFile
) -> None:
    answer = client.get(f"/api/studies/{make()['id']}/nodes/0/games?{query}").json()
    assert [game["id"] for game in answer["games"]] == identities
    assert (answer["chosen"], answer["through"], answer["years"]) == (len(identities), 3, [1901, 1901])


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("result=solo", "name it as well"),
        ("least=3", "name it as well"),
        ("power=FRANCE&result=lost", "result is one of solo, survived, eliminated, not 'lost'"),
        ("since=-1", "since is a whole number"),
        ("until=1234567", "until is a whole number"),
        ("power=MARS", "MARS"),
        ("won=MARS", "MARS"),
        *((f"limit={limit}", "limit is a whole number from 1 to 1000") for limit in ("0", "x", "1001")),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    query: str, says: str, client: TestClient, make: Make, games: GameFile
) -> None:
    refused(client.get(f"/api/studies/{make()['id']}/nodes/0/games?{query}"), 400, says)


def test_a_game_opens_as_a_study_and_the_same_one_again(client: TestClient, games: GameFile) -> None:
    opened = client.post("/api/games/3", json={"phase": "F1901M"}).json()
    assert (opened["name"], opened["at"]) == ("old.jsonl, game 3", "1")
    assert [node["phase"] for node in opened["nodes"]] == ["S1901M", "F1901M", "W1901A"]
    again = client.post("/api/games/3", json={"phase": "S1909M"}).json()
    assert (again["id"], again["at"]) == (opened["id"], "0")
    assert len(client.get("/api/studies").json()) == 1
    assert client.get("/api/about").json()["games"] == "old.jsonl"
    for number, status, says in (("9", 400, "no game 9"), ("x", 404, "no number"), ("5", 400, "nowhere")):
        refused(client.post(f"/api/games/{number}"), status, says)


def test_without_a_file_it_says_how_to_have_one(client: TestClient, make: Make) -> None:
    assert client.get("/api/about").json()["games"] is None
    for method, path in (("GET", f"/api/studies/{make()['id']}/nodes/0/games"), ("POST", "/api/games/1")):
        refused(client.request(method, path), 404, "--games FILE")
