"""The page's routes without a server: the same answers, faults and events as over HTTP."""

import json
from pathlib import Path
from typing import Any

import pytest

from bordeaux.web.rooms import ROUTES
from bordeaux.web.worker import PageHost

from .conftest import SPRING


@pytest.fixture
def host(tmp_path: Path) -> PageHost:
    return PageHost(tmp_path / "studies")


def told(host: PageHost, method: str, address: str, **body: Any) -> tuple[int, Any]:
    """Status and content of an answer."""
    reply = host.answer(method, address, json.dumps(body) if body else None)
    content = str(reply.content) if isinstance(reply.content, str) else reply.content.decode()
    return reply.status, json.loads(content) if "json" in reply.media_type else content


def test_a_study_is_made_played_and_exported(host: PageHost) -> None:
    status, study = told(host, "POST", "/api/studies", start=True, name="An é")
    assert (status, study["name"]) == (200, "An é")
    path = f"/api/studies/{study['id']}"
    status, reached = told(host, "POST", f"{path}/nodes/{study['root']}/adjudicate", orders=SPRING)
    assert (status, reached["study"]["version"]) == (200, 2)
    status, svg = told(host, "POST", f"{path}/nodes/{study['root']}/picture", orders=SPRING)
    assert status == 200 and svg.startswith("<svg")
    reply = host.answer("GET", f"{path}/game.json?node={reached['node']}")
    assert "attachment" in reply.headers["Content-Disposition"]
    assert len(json.loads(reply.content)["phases"]) == 2
    assert told(host, "GET", f"{path}/nodes/%30/evaluation")[0] == 200, "parts of a path are unquoted"


@pytest.mark.parametrize(
    ("method", "address", "status", "words"),
    [
        ("GET", "/api/nothing", 404, "there is nothing at /api/nothing"),
        ("PUT", "/api/about", 405, "takes no PUT"),
        ("GET", "/api/studies/0000000000000000", 404, "there is no study"),
        ("GET", "/api/studies/x/events", 404, "there is no study"),
        ("POST", "/api/studies", 400, "this request has 0 of them"),
    ],
)
def test_what_cannot_be_answered_is_one_line(
    host: PageHost, method: str, address: str, status: int, words: str
) -> None:
    answer = told(host, method, address)
    assert answer[0] == status and words in answer[1]["error"] and "\n" not in answer[1]["error"]


def test_events_are_heard_until_one_leaves(host: PageHost) -> None:
    _, study = told(host, "POST", "/api/studies", start=True)
    path, heard = f"/api/studies/{study['id']}", list[tuple[str, Any]]()
    host.listen("a", f"{path}/events", lambda name, data: heard.append((name, json.loads(data))))
    told(host, "PATCH", path, name="Other")
    assert heard == [("changed", {"version": 1}), ("changed", {"version": 2})]
    host.leave("a")
    told(host, "DELETE", path)
    assert len(heard) == 2
    gone = host.listen("b", f"{path}/events", lambda name, data: None)
    assert gone is not None and gone.status == 404
    assert told(host, "GET", f"{path}/events")[0] == 404


def test_every_route_is_found_by_its_own_path(host: PageHost) -> None:
    for route in ROUTES:
        assert host._found(route.method, route.path.replace("{", "").replace("}", ""))[0] == route
