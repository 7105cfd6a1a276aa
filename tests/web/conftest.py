"""A server without a socket, and games to study."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Position
from bordeaux.studies.store import Store
from bordeaux.web.routing import ServerState
from bordeaux.web.server import application
from tests.review.games import saved

PORT = 4321
TOKEN = "t" * 43
BASE = f"http://127.0.0.1:{PORT}"

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def server_state(tmp_path: Path) -> ServerState:
    return ServerState(Store(tmp_path / "studies"))


@pytest.fixture
def client(server_state: ServerState) -> Iterator[TestClient]:
    """A client that has the token."""
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(
        application(server_state, TOKEN, PORT), base_url=BASE, headers=headers, raise_server_exceptions=False
    ) as made:
        yield made


@pytest.fixture
def make(client: TestClient) -> Make:
    """A new study: ``make(text=...)``; of the start position without words."""

    def call(**body: Any) -> dict[str, Any]:
        response = client.post("/api/studies", json=body if set(body) - {"name"} else {"start": True, **body})
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    return call


@pytest.fixture
def node(client: TestClient) -> Callable[[dict[str, Any], str], dict[str, Any]]:
    """The details of a node of a study."""

    def call(study: dict[str, Any], name: str) -> dict[str, Any]:
        response = client.get(f"/api/studies/{study['id']}/nodes/{name}")
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    return call


def played(*turns: dict[str, list[str]], identity: str = "game-1") -> dict[str, Any]:
    """A saved game of these orders from the start on, by the rules, and the position that it comes to."""
    return {**saved(Position.start(), *turns), "id": identity}


SPRING = {"FRANCE": ["A PAR - BUR", "A MAR H"], "GERMANY": ["A MUN - BUR"], "AUSTRIA": ["A VIE - GAL"]}
FALL = {"FRANCE": ["A PAR - PIC", "F BRE - MAO"], "AUSTRIA": ["A GAL - WAR"], "TURKEY": ["A CON - BUL"]}


@pytest.fixture
def game() -> dict[str, Any]:
    """A saved game of a year up to the winter, with a bounce in it."""
    return played(SPRING, FALL)


def text(value: Any) -> str:
    return json.dumps(value)
