"""Positions set up by hand, and the words by which side lines are told apart."""

from collections.abc import Callable
from typing import Any

from starlette.testclient import TestClient

from .conftest import Make


def test_a_state_is_completed_and_drawn_and_nothing_is_kept(client: TestClient, make: Make) -> None:
    study = make()
    state = {
        "name": "F1907R",
        "units": {"TURKEY": ["A SER"], "RUSSIA": ["*A SER"]},
        "centers": {"TURKEY": ["SER"]},
    }
    answer = client.post(f"/api/studies/{study['id']}/position", json={"state": state})
    assert answer.status_code == 200
    node = answer.json()
    # Where it may retreat to follows from the map and the units that stand.
    assert node["state"]["retreats"]["RUSSIA"] == {"A SER": ["ALB", "BUD", "BUL", "GRE", "RUM", "TRI"]}
    assert [unit["power"] for unit in node["units"] if unit["dislodged"]] == ["RUSSIA"]
    assert node["owners"]["SER"] == "TURKEY" and node["owners"]["BUL"] is None
    assert node["svg"].startswith("<svg") and "Fall 1907" in node["svg"]
    assert client.get(f"/api/studies/{study['id']}").json()["version"] == study["version"]


def test_a_state_that_cannot_be_is_one_line(client: TestClient, make: Make) -> None:
    path = f"/api/studies/{make()['id']}/position"
    for state, why in [
        ({"name": "S1901M", "units": {"TURKEY": ["A BLA"]}, "centers": {}}, "Black Sea"),
        ({"name": "S1901M", "units": {"TURKEY": ["*A SER"]}, "centers": {}}, "retreat phase"),
        ([], "a position"),
        (None, "a position"),
    ]:
        answer = client.post(path, json={"state": state})
        assert answer.status_code == 400
        assert why in answer.json()["error"] and "\n" not in answer.json()["error"]
    assert client.post("/api/studies/none/position", json={"state": {}}).status_code == 404


def test_side_lines_tell_what_differs(
    client: TestClient, make: Make, node: Callable[[dict[str, Any], str], dict[str, Any]]
) -> None:
    study = make()
    path = f"/api/studies/{study['id']}/nodes/0/adjudicate"
    for orders in ({"FRANCE": ["A PAR - BUR", "F BRE - MAO"]}, {"FRANCE": ["A PAR - PIC", "F BRE - MAO"]}):
        study = client.post(path, json={"orders": orders}).json()["study"]
    differs = {node["id"]: node["differs"] for node in study["nodes"]}
    assert list(differs.values()) == [[], [], ["A PAR - PIC"]]
    # The main line needs no telling, whichever it is.
    side = study["nodes"][2]["id"]
    study = client.post(f"/api/studies/{study['id']}/nodes/{side}/promote").json()
    differs = {node["id"]: node["differs"] for node in study["nodes"]}
    assert differs[side] == [] and ["A PAR - BUR"] in differs.values()
