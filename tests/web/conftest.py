"""A server without a socket, and games to study."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Position
from bordeaux.rules.rulesets import DATC
from bordeaux.studies.intake import study_of_position
from bordeaux.studies.store import Store
from bordeaux.studies.study import Study
from bordeaux.web.routing import ServerState
from bordeaux.web.server import application
from tests.review.games import saved

PORT = 4321
TOKEN = "t" * 43
BASE = f"http://127.0.0.1:{PORT}"
BEARER = {"Authorization": f"Bearer {TOKEN}"}

Make = Callable[..., dict[str, Any]]


@pytest.fixture
def server_state(tmp_path: Path) -> ServerState:
    return ServerState(Store(tmp_path / "studies"))


@contextmanager
def visiting(server_state: ServerState, **headers: str) -> Iterator[TestClient]:
    """A client with some headers, and its server from the beginning to the end."""
    app = application(server_state, TOKEN, PORT)
    with TestClient(app, base_url=BASE, headers=headers, raise_server_exceptions=False) as made:
        yield made


@pytest.fixture
def client(server_state: ServerState) -> Iterator[TestClient]:
    """A client that has the token."""
    with visiting(server_state, **BEARER) as made:
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


def refused(response: Any, status: int, says: str) -> None:
    """An answer has a status and these words in its line."""
    assert response.status_code == status and says in response.json()["error"], response.text


@pytest.fixture
def node(client: TestClient) -> Callable[[dict[str, Any], str], dict[str, Any]]:
    """The details of a node of a study."""

    def call(study: dict[str, Any], name: str) -> dict[str, Any]:
        response = client.get(f"/api/studies/{study['id']}/nodes/{name}")
        assert response.status_code == 200, response.text
        answer: dict[str, Any] = response.json()
        return answer

    return call


@pytest.fixture
def study() -> Study:
    """A main line of two turns, a side line that leaves it at the start, a comment and a draft."""
    made = study_of_position(Position.start(), "Mine & <yours>")
    made, first = made.adjudicated("0", {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, DATC)
    made, _ = made.adjudicated(first, {"FRANCE": ["A PAR - GAS"]}, DATC)
    made, _ = made.adjudicated("0", {"FRANCE": ["A PAR - PIC"]}, DATC)
    return made.commented("0", "Burgundy was <b>lost</b>.").changed_node("0", draft={"FRANCE": ["A PAR H"]})


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
