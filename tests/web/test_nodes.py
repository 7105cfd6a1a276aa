"""Nodes over the API: details, drafts, adjudication, the tree."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Position, adjudicate, legal_orders

from .conftest import FALL, SPRING, Make, refused, text


@pytest.fixture
def act(client: TestClient) -> Any:
    """Call a node: ``act(study, "0", "adjudicate", orders={...})``."""

    def call(
        study: dict[str, Any], name: str, what: str, method: str = "POST", status: int = 200, **body: Any
    ) -> Any:
        path = f"/api/studies/{study['id']}/nodes/{name}" + (f"/{what}" if what else "")
        response = client.request(method, path, json=body)
        assert response.status_code == status, response.text
        return response.json()

    return call


def test_a_node_tells_all_of_its_position(make: Make, node: Any) -> None:
    start = Position.start()
    details = node(make(), "0")
    assert details["phase"] == "S1901M" and "France" in details["told"]
    assert details["state"] == start.to_json() and details["legal"] == legal_orders(start)
    assert len(details["units"]) == 22
    (fleet,) = [unit for unit in details["units"] if unit["location"] == "STP/SC"]
    where = {"power": "RUSSIA", "kind": "F", "location": "STP/SC", "province": "STP"}
    assert fleet == {**where, "dislodged": False, "retreats": []}
    owners = details["owners"]
    assert (owners["PAR"], owners["BEL"], len(owners)) == ("FRANCE", None, 34)
    assert details["due"]["RUSSIA"] == {"kind": "M", "count": 4} and len(details["due"]) == 7
    assert details["draft"] == {} and details["next"] == [] and details["messages"] == []


def test_retreats_builds_and_disbands_are_due(make: Make, node: Any, act: Any) -> None:
    state = {
        "name": "F1901M",
        "units": {"FRANCE": ["A PAR", "A MAR", "A GAS"], "GERMANY": ["A BUR"], "ITALY": ["A ROM", "F TYS"]},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"], "GERMANY": ["MUN"], "ITALY": ["ROM"]},
    }
    study = make(state=state)
    orders = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "A GAS H"]}
    retreat = act(study, "0", "adjudicate", orders=orders)["node"]
    details = node(study, retreat)
    assert details["phase"] == "F1901R" and details["due"] == {"GERMANY": {"kind": "R", "count": 1}}
    (driven,) = [unit for unit in details["units"] if unit["dislodged"]]
    assert driven["location"] == "BUR" and "MUN" in driven["retreats"] and "PAR" not in driven["retreats"]
    assert set(details["legal"]) == {"BUR"} and "A BUR R MUN" in details["legal"]["BUR"]
    # A unit without an order is disbanded.
    gone = [act(study, retreat, "adjudicate", orders=orders)["node"] for orders in ({}, {"GER": ["A BUR D"]})]
    assert gone[0] == gone[1]
    winter = act(study, retreat, "adjudicate", orders={"GERMANY": ["A BUR R MUN"]})["node"]
    details = node(study, winter)
    build, disband = {"kind": "build", "count": 2}, {"kind": "disband", "count": 1}
    assert details["phase"] == "W1901A" and details["due"] == {"FRANCE": build, "ITALY": disband}
    assert "A PAR B" in details["legal"]["PAR"] and "WAIVE" in details["legal"]["PAR"]
    built = ["A PAR B", "F BRE B", "F MAR B"]
    answer = act(study, winter, "draft", "PUT", FRANCE=built, ITALY=["A ROM D", "A ROM D", "F TYS D"])
    assert answer["draft"] == {"FRANCE": ["A PAR B", "F BRE B"], "ITALY": ["A ROM D"]}
    faults = [(fault["power"], fault["order"]) for fault in answer["faults"]]
    assert faults == [("FRANCE", "F MAR B"), ("ITALY", "A ROM D"), ("ITALY", "F TYS D")]
    answer = act(study, winter, "draft", "PUT", FRANCE=["WAIVE", "WAIVE"])
    assert answer["draft"] == {"FRANCE": ["WAIVE", "WAIVE"]} and answer["faults"] == []


def test_what_the_others_can_attack(make: Make, client: TestClient) -> None:
    path = f"/api/studies/{make()['id']}/nodes/0/threats"
    attacks = [{"power": "ITALY", "strength": 1, "origins": ["VEN"]}]
    threat = {"province": "TRI", "defence": 3, "attacks": attacks}
    told = client.get(path, params={"power": "aus"}).json()
    assert told == {"power": "AUSTRIA", "threats": [threat]}
    for power in ("", "SPAIN"):
        refused(client.get(path, params={"power": power}), 400, "unknown power")


def test_a_draft_is_kept_and_what_is_illegal_is_told(make: Make, node: Any, act: Any) -> None:
    study = make()
    answer = act(study, "0", "draft", "PUT", fra=["a par-bur", "A MAR - MOS", "rubbish"], GERMANY=None)
    assert answer["draft"] == node(study, "0")["draft"] == {"FRANCE": ["A PAR - BUR"]}
    faults = [(fault["power"], fault["order"]) for fault in answer["faults"]]
    assert faults == [("FRANCE", "rubbish"), ("FRANCE", "A MAR - MOS")]
    assert all(fault["why"] for fault in answer["faults"])
    answer = act(study, "0", "draft", "PUT", FRANCE=["A PAR H", "A PAR - BUR"])
    assert answer["draft"] == {"FRANCE": ["A PAR H"]} and "first one counts" in answer["faults"][0]["why"]
    assert act(study, "0", "draft", "PUT", RUSSIA=["A WAR - GAL"])["draft"] == {"RUSSIA": ["A WAR - GAL"]}


def test_orders_lead_to_the_position_of_the_rules(make: Make, node: Any, act: Any) -> None:
    study = make()
    answer = act(study, "0", "adjudicate", orders=SPRING)
    resolution = adjudicate(Position.start(), SPRING)
    assert node(study, answer["node"])["state"] == resolution.after.to_json()
    (only,) = node(study, "0")["next"]
    assert only["id"] == answer["node"] and only["orders"] == SPRING
    assert only["results"] == resolution.results and only["reasons"] == resolution.reasons
    assert answer["study"]["nodes"][1]["parent"] == "0" and not answer["study"]["nodes"][1]["recorded"]


def test_illegal_orders_are_void_and_unreadable_ones_refused(make: Make, node: Any, act: Any) -> None:
    study = make()
    act(study, "0", "adjudicate", orders={"FRANCE": ["A PAR - MOS"]})
    (only,) = node(study, "0")["next"]
    assert only["results"]["A PAR"] == ["void"] and "cannot go to MOS" in only["reasons"]["A PAR"]
    many = {"FRANCE": ["A PAR H"] * 301}
    orders: Any
    for orders in ({"FRANCE": ["rubbish"]}, {"ATLANTIS": []}, {"FRANCE": "A PAR H"}, many, [1], "x", 5):
        assert "error" in act(study, "0", "adjudicate", orders=orders, status=400)


def test_phases_in_which_nobody_owes_anything_are_passed_over(make: Make, node: Any, act: Any) -> None:
    study = make()
    fall = act(study, "0", "adjudicate", orders=SPRING)["node"]
    after = act(study, fall, "adjudicate", orders={})["node"]
    assert node(study, after)["phase"] == "S1902M"
    other = act(study, fall, "adjudicate", orders=FALL)["node"]
    assert node(study, other)["phase"] == "W1901A"


def test_a_line_is_promoted_from_the_root_on(make: Make, act: Any, game: dict[str, Any]) -> None:
    study = make(text=text(game))
    first = act(study, "0", "adjudicate", orders={})["node"]
    second = act(study, first, "adjudicate", orders={})["node"]
    answer = act(study, second, "promote")
    nodes = {node["id"]: node for node in answer["nodes"]}
    assert nodes["0"]["children"] == [first, "1"] and nodes[first]["children"] == [second]
    back = act(study, "2", "promote")
    assert next(node for node in back["nodes"] if node["id"] == "0")["children"] == ["1", first]
    assert act(study, "0", "promote")["version"] == back["version"] + 1


def test_half_a_character_does_no_harm(make: Make, client: TestClient, node: Any) -> None:
    study = make()
    body = b'{"text": "\\ud800"}'
    assert client.put(f"/api/studies/{study['id']}/nodes/0/comment", content=body).status_code == 200
    assert node(study, "0")["comment"] == "\ud800"


WAYS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("PUT", "draft", {"FRANCE": []}),
    ("POST", "adjudicate", {}),
    ("POST", "promote", {}),
    ("PUT", "comment", {"text": ""}),
    ("DELETE", "", {}),
)
"""How a node is changed."""


@pytest.mark.parametrize("name", ["1", "00", "%00", "9" * 4000])
def test_a_node_that_is_not_there(make: Make, act: Any, name: str) -> None:
    study = make()
    read = [
        ("GET", what, dict[str, Any]()) for what in ("", "board.svg", "board.png", "state.json", "permalink")
    ]
    for method, what, body in (*WAYS, *read, ("POST", "picture", {})):
        assert "\n" not in act(study, name, what, method, 404, **body)["error"]


def test_drafts_of_the_wrong_form_are_refused(make: Make, client: TestClient) -> None:
    path = f"/api/studies/{make()['id']}/nodes/0/draft"
    many = {"FRANCE": ["A PAR H"] * 301}
    body: Any
    for body in ([], "x", {"FRANCE": "A PAR H"}, {"FRANCE": [1]}, {"ATLANTIS": []}, many):
        answer = client.put(path, json=body)
        assert answer.status_code == 400 and set(answer.json()) == {"error"}


def test_a_stale_change_is_refused(make: Make, client: TestClient) -> None:
    study = make()
    path, version = f"/api/studies/{study['id']}", study["version"]
    comment = f"{path}/nodes/0/comment?version="
    assert client.put(f"{comment}{version}", json={"text": "a"}).status_code == 200
    refused(client.put(f"{comment}{version}", json={"text": "b"}), 409, "load it again")
    for method, what, body in WAYS:
        address = f"{path}/nodes/0/{what}".rstrip("/")
        assert client.request(method, f"{address}?version={version}", json=body).status_code == 409
    assert client.patch(f"{path}?version={version}", json={"name": "x"}).status_code == 409
    assert client.put(f"{comment}x", json={"text": "b"}).status_code == 400
    assert client.get(path).json()["nodes"][0]["comment"] == "a"


@pytest.mark.parametrize(
    ("typed", "order", "power", "why"),
    [
        ("a par-bur", "A PAR - BUR", "FRANCE", None),
        ("A PAR - MOS", "A PAR - MOS", "FRANCE", "A PAR cannot go to MOS"),
        ("F STP - MOS", "F STP/SC - MOS", "RUSSIA", "MOS"),
        ("A BUR - PAR", "A BUR - PAR", None, "no unit in BUR"),
        ("A PAR - XYZ", None, None, "unknown province 'XYZ'"),
        ("gibberish", None, None, "gibberish"),
        ("waive", "WAIVE", None, "use Waive"),
        ("mar spain", "A MAR - SPA", "FRANCE", None),
    ],
)
def test_a_typed_order_is_told_why_it_is_none(
    act: Any, make: Make, typed: str, order: str | None, power: str | None, why: str | None
) -> None:
    reading = act(make(), "0", "read", text=typed)
    assert (reading["order"], reading["power"]) == (order, power)
    assert reading["why"] is None if why is None else why in reading["why"]


def test_a_text_of_orders_is_read_by_power(act: Any, make: Make) -> None:
    study = make()
    told = "Spring 1901 Movement\n\nFrance:\nA PAR - BUR  (bounce)\nF BRE H\n"
    assert act(study, "0", "sheet", text=told) == {"FRANCE": ["A PAR - BUR", "F BRE H"]}
    assert act(study, "0", "sheet", text="A MUN - BUR") == {"GERMANY": ["A MUN - BUR"]}
    for other in ("hello world", told.replace("Spring", "Fall"), "A PAR H\n" * 1000):
        assert "error" in act(study, "0", "sheet", "POST", 400, text=other)


# Positions set up by hand, and the words by which side lines are told apart.


def test_a_state_is_completed_and_drawn_and_nothing_is_kept(client: TestClient, make: Make) -> None:
    study = make()
    units, centres = {"TURKEY": ["A SER"], "RUSSIA": ["*A SER"]}, {"TURKEY": ["SER"]}
    state = {"name": "F1907R", "units": units, "centers": centres}
    answer = client.post(f"/api/studies/{study['id']}/position", json={"state": state})
    assert answer.status_code == 200
    node = answer.json()
    # Where it may retreat to follows from the map and the units that stand.
    assert node["state"]["retreats"]["RUSSIA"] == {"A SER": ["ALB", "BUD", "BUL", "GRE", "RUM", "TRI"]}
    assert [unit["power"] for unit in node["units"] if unit["dislodged"]] == ["RUSSIA"]
    nowhere = client.post(
        f"/api/studies/{study['id']}/position",
        json={"state": {**state, "retreats": {"RUSSIA": {"A SER": []}}}},
    )
    assert [unit["dislodged"] for unit in nowhere.json()["units"]] == [False, True]
    assert node["owners"]["SER"] == "TURKEY" and node["owners"]["BUL"] is None
    assert node["svg"].startswith("<svg") and "Fall 1907" in node["svg"]
    assert client.get(f"/api/studies/{study['id']}").json()["version"] == study["version"]


@pytest.mark.parametrize(
    ("state", "why"),
    [
        ({"name": "S1901M", "units": {"TURKEY": ["A BLA"]}, "centers": {}}, "Black Sea"),
        ({"name": "S1901M", "units": {"TURKEY": ["*A SER"]}, "centers": {}}, "retreat phase"),
        ([], "a position"),
        (None, "a position"),
    ],
)
def test_a_state_that_cannot_be_is_one_line(client: TestClient, make: Make, state: Any, why: str) -> None:
    answer = client.post(f"/api/studies/{make()['id']}/position", json={"state": state})
    assert answer.status_code == 400
    assert why in answer.json()["error"] and "\n" not in answer.json()["error"]


def test_side_lines_tell_what_differs(make: Make, act: Any) -> None:
    study = make()
    for move in ("A PAR - BUR", "A PAR - PIC"):
        orders = {"FRANCE": [move, "F BRE - MAO"]}
        made = act(study, "0", "adjudicate", orders=orders)["study"]
    assert [node["differs"] for node in made["nodes"]] == [[], [], ["A PAR - PIC"]]
    # The main line needs no telling, whichever it is.
    made = act(study, made["nodes"][2]["id"], "promote")
    assert [node["differs"] for node in made["nodes"]] == [[], ["A PAR - BUR"], []]
