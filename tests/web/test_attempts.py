"""Orders that a person tries in a phase of a game, weighed beside what was played."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from .conftest import Make, played

SPRING = {"FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE - MAO"]}
FALL = {"FRANCE": ["A SPA H", "F MAO - POR", "A BUR - BEL"]}


@pytest.fixture
def tried(client: TestClient, make: Make) -> Any:
    study = make(text=json.dumps(played(SPRING, FALL)))["id"]

    def call(node: str = "1", **body: Any) -> Any:
        return client.post(f"/api/studies/{study}/nodes/{node}/try", json={"nodes": 500, **body})

    return call


def test_a_try_is_weighed_beside_what_was_played(tried: Any) -> None:
    answer = tried(power="France", **{"try": ["A SPA H"]}, played=FALL["FRANCE"]).json()
    assert answer["power"] == "FRANCE"
    sets = {tried["name"]: tried for tried in answer["sets"]}
    assert sets["try"]["told"] == "your try" and sorted(sets["try"]["orders"]) == [
        "A BUR H",
        "A SPA H",
        "F MAO H",
    ]
    # Two centres are there to be taken: who takes them may expect more than who stays.
    assert sets["played"]["expected"] > sets["try"]["expected"]
    assert [tried["behind"] for tried in answer["sets"]] == sorted(
        tried["behind"] for tried in answer["sets"]
    )
    assert answer["sets"][0]["behind"] == 0 <= sets["try"]["doubt"]
    # The same question has the same answer.
    assert answer == tried(power="FRANCE", **{"try": ["A SPA H"]}, played=FALL["FRANCE"]).json()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"power": "FRANCE"}, "'try' has the orders"),
        ({"power": "FRANCE", "try": ["A BUR - MOS"]}, "A BUR - MOS is illegal in F1901M"),
        ({"power": "FRANCE", "try": ["nonsense"]}, "nonsense"),
        ({"power": "FRANCE", "try": "A BUR H"}, "'try'"),
        ({"power": "NOBODY", "try": []}, "NOBODY"),
        ({"power": "FRANCE", "try": [], "time": 1000}, "at most 30 seconds"),
    ],
)
def test_what_cannot_be_weighed_is_told(tried: Any, body: dict[str, Any], message: str) -> None:
    response = tried(**body)
    assert response.status_code == 400 and message in response.json()["error"]
