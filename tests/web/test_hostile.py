"""Whatever a request holds: an answer of one line, and studies that stay whole."""

import json
import random
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux.web import exports, nodes, studies
from bordeaux.web.routing import ServerState

from .conftest import SPRING, Make, text

ODD: list[Any] = [
    None,
    True,
    -1,
    2**70,
    1e300,
    "",
    "\0",
    "../../etc/passwd",
    "<script>alert(1)</script>",
    "\ud800",
    "A PAR - BUR",
    "FRANCE",
    "PAR",
    "0",
    "danger",
    "x" * 5000,
    [],
    {},
    ["A PAR H"] * 50,
    [None],
    {"FRANCE": ["A PAR - BUR", "F PAR B", "WAIVE", "\0"]},
    {"FRANCE": "A PAR H", "\0": []},
    {"phases": [{"name": "S1901M"}]},
    {"name": "S1901M", "units": {"FRANCE": ["A PAR", "A PAR"]}, "centers": {}},
    [[[[[[]]]]]],
]
KEYS = ["text", "state", "permalink", "start", "name", "map", "index", "rules", "orders", "child", "results"]
KEYS += ["heat", "power", "highlight", "FRANCE", "RUSSIA"]
WRITING = [
    (method, route.path)
    for room in (studies, nodes, exports)
    for route in room.ROUTES
    for method in sorted(route.methods)
    if method not in ("GET", "HEAD", "DELETE")
]


@pytest.mark.parametrize(("method", "path"), WRITING)
def test_no_request_finds_an_inner_fault(
    client: TestClient, make: Make, server_state: ServerState, game: dict[str, Any], method: str, path: str
) -> None:
    chance = random.Random(f"{method} {path}")
    study = make(text=text(game))
    where = path.replace("{study}", study["id"])
    lines: list[str] = []
    server_state.log = lines.append
    statuses = set()
    for _ in range(40):
        body: Any = chance.choice(ODD)
        if chance.random() < 0.8:
            body = {chance.choice(KEYS): chance.choice(ODD) for _ in range(chance.randint(0, 3))}
        query = (
            {"version": chance.choice(["", "1", "-1", "9" * 30, "\u0663", "x"])}
            if chance.random() < 0.1
            else {}
        )
        content = json.dumps(body).encode()
        if chance.random() < 0.1:
            content = content[: chance.randrange(len(content) + 1)]
        answer = client.request(
            method, where.replace("{node}", chance.choice("0012")), content=content, params=query
        )
        statuses.add(answer.status_code)
        assert answer.status_code in (200, 400, 404, 409), answer.text
        if answer.status_code != 200:
            problem = answer.json()
            assert (
                set(problem) == {"error"}
                and problem["error"].isprintable()
                and 0 < len(problem["error"]) <= 500
            )
    assert 400 in statuses or "promote" in path
    assert lines == []
    assert client.get(f"/api/studies/{study['id']}").status_code == 200
    saved = client.get(f"/api/studies/{study['id']}/game.json").json()
    assert saved["phases"][0]["name"] == "S1901M"


def test_hostile_names_stay_texts(client: TestClient, make: Make, game: dict[str, Any]) -> None:
    """A game whose texts are all code: what is drawn, saved and told has none of it as code."""
    evil = "</title><script>alert(1)</script>\"'&"
    game["id"] = evil
    game["phases"][0]["results"][evil] = [evil]
    game["phases"][0]["messages"] = [{"sender": evil, "recipient": evil, "message": evil, "time_sent": evil}]
    game["phases"][0]["orders"][evil] = [evil]
    study = make(text=text(game))
    assert study["name"].startswith("game </title>")
    node = f"/api/studies/{study['id']}/nodes/0"
    for answer in (
        client.get(node),
        client.get(f"/api/studies/{study['id']}"),
        client.get("/api/studies"),
        client.get(f"/api/studies/{study['id']}/game.json"),
    ):
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    for answer in (
        client.post(f"{node}/picture", json={"child": "1"}),
        client.get(f"{node}/board.svg?child=1"),
        client.post(f"{node}/picture", json={"orders": SPRING, "highlight": []}),
    ):
        assert answer.status_code == 200 and "<script" not in answer.text
    assert evil in client.get(node).json()["messages"][0]["text"]
    assert client.get(node).json()["messages"][0]["time"] is None
