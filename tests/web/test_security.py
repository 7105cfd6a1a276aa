"""Who is let in: every route is walked, so that a new one cannot be forgotten."""

import asyncio
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from bordeaux.protocols.request_guard import LARGEST_BODY
from bordeaux.web import exports, nodes, studies
from bordeaux.web.routing import ServerState
from bordeaux.web.server import POLICY, application, routes
from tests.patience import examples

from .conftest import BASE, BEARER, PORT, SPRING, TOKEN, Make, text, visiting

PARTS = {"node": "0", "analysis": "a" * 16}
# Other servers of this machine set cookies of any form.
COOKIE = {"Cookie": f'theme={{"dark": 1}}; bordeaux-{PORT}={TOKEN}'}


def every_way(study: str) -> list[tuple[str, str]]:
    """Method and path of all that the application answers to."""
    pages = []
    for route in routes():
        if isinstance(route, Mount):
            pages.append(("GET", f"{route.path}/index.html"))
            continue
        assert isinstance(route, Route), f"{route} is no route that this test can walk"
        parts = {"study": study, **PARTS}
        path = route.path
        for name in route.param_convertors:
            path = path.replace(f"{{{name}}}", parts.get(name, "0"))
        assert "{" not in path, f"{path} has a part that this test does not know"
        pages += [(method, path) for method in route.methods or ()]
    return pages


@pytest.fixture
def stranger(server_state: ServerState) -> Iterator[TestClient]:
    """A client without a token."""
    with visiting(server_state) as made:
        yield made


def refused(response: Any) -> None:
    assert response.status_code == 403 and TOKEN not in response.text
    assert response.headers["content-security-policy"] == POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in response.headers


WRONG: list[dict[str, str]] = [
    {"Origin": BASE},
    {"Origin": BASE, "Authorization": "Bearer wrong"},
    {"Origin": BASE, "Cookie": f"bordeaux-{PORT}=wrong; bordeaux-{PORT + 1}={TOKEN}"},
    # Another page.
    *(
        {"Origin": origin, **known}
        for origin in ("null", f"https://127.0.0.1:{PORT}", "http://127.0.0.1:1")
        for known in (COOKIE, BEARER)
    ),
    # A name that an attacker's DNS points at this machine.
    *(
        {"Host": host, "Origin": BASE, **COOKIE}
        for host in (f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", "", "localhost")
    ),
]
"""Headers with which nothing is answered."""


@pytest.mark.parametrize("headers", WRONG, ids=str)
def test_nothing_is_answered_to_others(make: Make, stranger: TestClient, headers: dict[str, str]) -> None:
    ways = every_way(make()["id"])
    assert len(ways) > 20 and ("GET", "/") in ways and ("GET", "/static/index.html") in ways
    assert {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} == {method for method, _ in ways}
    for method, path in ways:
        refused(stranger.request(method, path, headers=headers))


def test_a_token_in_an_address_opens_the_page_alone(make: Make, stranger: TestClient) -> None:
    for method, path in every_way(make()["id"]):
        refused(stranger.request(method, f"{path}?token=wrong", headers={"Origin": BASE}))
        if path != "/":
            refused(stranger.request(method, f"{path}?token={TOKEN}", headers={"Origin": BASE}))


def test_changes_with_a_cookie_need_an_origin(make: Make, stranger: TestClient) -> None:
    changing = [way for way in every_way(make()["id"]) if way[0] not in ("GET", "HEAD")]
    assert len(changing) >= 8
    for method, path in changing:
        answer = stranger.request(method, path, headers=COOKIE)
        refused(answer)
        assert "another page" in answer.text


def test_who_has_the_token_is_let_in_everywhere(make: Make, stranger: TestClient) -> None:
    for method, path in every_way(make()["id"]):
        if path.endswith("/events"):
            continue  # it does not end
        for headers in (COOKIE, BEARER):
            given = {"Origin": BASE, "Host": f"localhost:{PORT}", **headers}
            assert stranger.request(method, path, headers=given).status_code != 403


def test_the_address_gives_a_cookie_that_opens_all(stranger: TestClient) -> None:
    assert stranger.get("/api/about").status_code == 403
    opened = stranger.get("/", params={**dict.fromkeys(map(str, range(30)), ""), "token": TOKEN})
    assert opened.status_code == 200 and opened.headers["content-type"].startswith("text/html")
    cookie = opened.headers["set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Strict", "Path=/"))
    assert stranger.get("/api/about").status_code == 200
    again = stranger.get("/")
    assert again.status_code == 200 and "set-cookie" not in again.headers


def test_every_answer_has_its_headers(client: TestClient, make: Make) -> None:
    paths = [
        "/",
        "/static/index.html",
        "/api/about",
        f"/api/studies/{make()['id']}",
        "/api/nothing",
        "/static/no",
    ]
    for path in paths:
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert client.get("/api/about").headers["cache-control"] == "no-store"
    assert "'unsafe" not in POLICY and "frame-ancestors 'none'" in POLICY


def test_large_requests_are_refused(client: TestClient) -> None:
    answer = client.post("/api/studies", content=b" " * (LARGEST_BODY + 1))
    assert answer.status_code == 413 and "8 MB" in answer.json()["error"]

    assert client.post("/api/studies", content=iter([b" " * (1 << 20)] * 9)).status_code == 413


def sent(server_state: ServerState, **scope: Any) -> list[Any]:
    """What the application sends for a request of this very form."""
    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    asyncio.run(application(server_state, TOKEN, PORT)(scope, receive, send))
    return messages


OURS = (b"host", f"127.0.0.1:{PORT}".encode())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ([OURS], 200),
        ([OURS, (b"host", b"evil.example")], 403),
        ([], 403),
        ([OURS, (b"content-length", b"-5")], 413),
        ([OURS, (b"content-length", b"9" * 40)], 413),
    ],
)
def test_two_names_or_odd_lengths_are_refused(
    server_state: ServerState, headers: list[tuple[bytes, bytes]], status: int
) -> None:
    bearer = (b"authorization", f"Bearer {TOKEN}".encode())
    request = {"type": "http", "method": "GET", "query_string": b"", "root_path": "", "path": "/api/about"}
    assert sent(server_state, **request, headers=[*headers, bearer])[0]["status"] == status


def test_a_web_socket_is_not_spoken_to(server_state: ServerState) -> None:
    (message,) = sent(server_state, type="websocket", path="/", headers=[])
    assert message["type"] == "websocket.close"


def test_the_log_tells_every_answer_but_no_token(server_state: ServerState) -> None:
    lines: list[str] = []
    server_state.log = lines.append
    for verbose in (False, True):
        with TestClient(application(server_state, TOKEN, PORT, verbose=verbose), base_url=BASE) as client:
            client.get("/", params={"token": TOKEN})
            client.get("/api/none")
    assert lines == ["GET / 200", "GET /api/none 404"]


# Whatever a request holds: an answer of one line, and studies that stay whole.

ODD: list[Any] = [
    *(None, True, -1, 2**70, 1e300, "", "\0", "../../etc/passwd", "<script>alert(1)</script>", "\ud800"),
    *("A PAR - BUR", "FRANCE", "PAR", "0", "danger", "x" * 5000, [], {}, ["A PAR H"] * 50, [None]),
    {"FRANCE": ["A PAR - BUR", "F PAR B", "WAIVE", "\0"]},
    {"FRANCE": "A PAR H", "\0": []},
    {"phases": [{"name": "S1901M"}]},
    {"name": "S1901M", "units": {"FRANCE": ["A PAR", "A PAR"]}, "centers": {}},
    [[[[[[]]]]]],
]
KEYS = ["text", "state", "permalink", "start", "name", "map", "index", "rules", "orders", "child", "results"]
KEYS += ["heat", "power", "FRANCE", "RUSSIA"]
WRITING = [
    (route.method, route.path)
    for room in (studies, nodes, exports)
    for route in room.ROUTES
    if route.method not in ("GET", "DELETE")
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
    for _ in range(examples(40)):
        body: Any = chance.choice(ODD)
        if chance.random() < 0.8:
            body = {chance.choice(KEYS): chance.choice(ODD) for _ in range(chance.randint(0, 3))}
        odd = {"version": chance.choice(["", "1", "-1", "9" * 30, "\u0663", "x"])}
        query = odd if chance.random() < 0.1 else {}
        content = json.dumps(body).encode()
        if chance.random() < 0.1:
            content = content[: chance.randrange(len(content) + 1)]
        place = where.replace("{node}", chance.choice("0012"))
        answer = client.request(method, place, content=content, params=query)
        statuses.add(answer.status_code)
        assert answer.status_code in (200, 400, 404, 409), answer.text
        if answer.status_code != 200:
            ((name, problem),) = answer.json().items()
            assert name == "error" and problem.isprintable() and 0 < len(problem) <= 500
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
    path = f"/api/studies/{study['id']}"
    for answer in map(client.get, (node, path, "/api/studies", f"{path}/game.json")):
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
    for answer in (
        client.post(f"{node}/picture", json={"child": "1"}),
        client.get(f"{node}/board.svg?child=1"),
        client.post(f"{node}/picture", json={"orders": SPRING}),
    ):
        assert answer.status_code == 200 and "<script" not in answer.text
    assert evil in client.get(node).json()["messages"][0]["text"]
    assert client.get(node).json()["messages"][0]["time"] is None
