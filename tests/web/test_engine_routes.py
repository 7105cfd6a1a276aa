"""What the page is told of a node: analyses, people, values, the book; by routes, and over a real socket."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Engine, Position, evaluate
from bordeaux.search.config import SEARCHES
from tests.patience import PATIENCE

from .browser.served import Served
from .conftest import Make, played, refused, text
from .test_recorded_routes import ended

NODES = 6000
Events = list[tuple[str, Any]]
OPENING = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    "RUSSIA": ["A WAR - GAL", "A MOS - UKR", "F SEV - BLA", "F STP/SC - BOT"],
    "TURKEY": ["F ANK - BLA", "A CON - BUL", "A SMY - CON"],
}


def asked(client: TestClient, study: dict[str, Any], node: str, **body: Any) -> Events:
    """All events of an analysis."""
    begun = client.post(f"/api/studies/{study['id']}/nodes/{node}/analyses", json={"nodes": NODES, **body})
    assert begun.status_code == 200, begun.text
    text = client.get(f"/api/analyses/{begun.json()['analysis']}/events").text
    blocks = (block.split("\n") for block in text.split("\n\n") if block.startswith("event"))
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def newest(events: Events) -> dict[str, Any]:
    assert events[-1] == ("end", {"reason": "limit"})
    newest_event: dict[str, Any] = [data for name, data in events if name == "analysis" and data["final"]][-1]
    return newest_event


def line_of(make: Make, *turns: dict[str, list[str]]) -> tuple[dict[str, Any], str]:
    """A study of a game of these orders, and its last node."""
    study = make(text=json.dumps(played(*turns)))
    return study, study["nodes"][-1]["id"]


def test_an_analysis_of_a_node(client: TestClient, make: Make) -> None:
    study, node = line_of(make, OPENING)
    event = newest(asked(client, study, node, powers=["FRANCE", "tur"], lines=3))
    assert set(event["answers"]) == {"FRANCE", "TURKEY"} and NODES / 2 < event["nodes"] < 1.1 * NODES
    for answer in event["answers"].values():
        assert len(answer["lines"]) <= 3 and sum(line["probability"] for line in answer["lines"]) <= 1.001
        assert all(0 <= line["solo"] <= line["value"] <= 1 for line in answer["lines"])
        assert all(line["error"] > 0 for line in answer["lines"])
        # The rule of ``bordeaux orders``: the first line is as good as the best one within the error.
        assert answer["orders"] == answer["lines"][0]["orders"] and answer["lines"][0]["level"]


def test_the_search_that_is_asked_for_searches_and_another_begins_anew(
    client: TestClient, make: Make
) -> None:
    study = make()
    body = {"powers": ["FRANCE"], "nodes": NODES}
    learnt = client.post(f"/api/studies/{study['id']}/nodes/0/analyses", json=body).json()["analysis"]
    client.get(f"/api/analyses/{learnt}/events")
    paper = newest(asked(client, study, "0", **body, search="paper", after=learnt))
    assert paper["round"] == 1
    lines = [(line["orders"], line["value"]) for line in paper["answers"]["FRANCE"]["lines"]]
    alike = {}
    for search in SEARCHES:
        with Engine(search=search) as engine:
            found = engine.search(Position.start(), "FRANCE", nodes=NODES)
        alike[search] = lines == [(list(line.orders), line.value) for line in found.lines]
    assert alike == {"learnt": False, "paper": True}


def test_what_is_given_and_agreed_is_believed(client: TestClient, make: Make) -> None:
    study = make()
    holds = ["A WAR H", "A MOS H", "F SEV H", "F STP/SC H"]
    event = newest(asked(client, study, "0", powers=["TURKEY"], given={"RUSSIA": holds}))
    (expected,) = event["answers"]["TURKEY"]["expected"]["RUSSIA"]
    assert sorted(expected["orders"]) == sorted(holds) and expected["probability"] == 1.0
    kept = [{"kind": "forbid", "parties": ["TURKEY"], "orders": ["F ANK - BLA"]}]
    event = newest(asked(client, study, "0", powers=["TURKEY"], agreements=kept))
    assert "F ANK - BLA" not in event["answers"]["TURKEY"]["orders"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"powers": ["NOWHERE"]}, "NOWHERE"),
        ({"time": -1}, "'time'"),
        ({"time": True}, "'time'"),
        ({"nodes": 1.5}, "'nodes'"),
        ({"lines": 0}, "'lines'"),
        ({"given": {"RUSSIA": ["A WAR - LON"]}}, "illegal"),
        ({"given": ["A WAR H"]}, "'given'"),
        ({"agreements": [{"kind": "love"}]}, "parties"),
        ({"agreements": {"kind": "peace"}}, "agreement"),
        ({"search": "draws"}, "'search' must be learnt or paper, not 'draws'"),
        ({"search": ["paper"]}, "'search' must be learnt or paper"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    client: TestClient, make: Make, body: dict[str, Any], message: str
) -> None:
    refused(client.post(f"/api/studies/{make()['id']}/nodes/0/analyses", json=body), 400, message)


def test_what_is_not_there_is_not_found(client: TestClient, make: Make) -> None:
    study = make()["id"]
    for method, path in [
        ("POST", f"/api/studies/{study}/nodes/77/analyses"),
        ("GET", "/api/analyses/ffff/events"),
        ("POST", "/api/analyses/ffff/stop"),
        ("GET", f"/api/studies/{study}/nodes/77/people"),
        ("GET", f"/api/studies/{study}/nodes/77/book"),
        ("GET", f"/api/studies/{study}/review.html"),
    ]:
        assert client.request(method, path).status_code == 404, path


def test_people_and_values(client: TestClient, make: Make) -> None:
    study, node = line_of(make, OPENING)
    path = f"/api/studies/{study['id']}/nodes/{node}"
    people = client.get(f"{path}/people?lines=3").json()["powers"]
    assert set(people) == set(Position.start().map.powers)
    assert all(len(sets) == 3 for sets in people.values())
    assert all(sets[0]["probability"] >= sets[1]["probability"] for sets in people.values())
    assert client.get(f"{path}/people?lines=0").status_code == 400
    assert client.get(f"{path}/people?lines=x").status_code == 400
    values = client.get(f"{path}/evaluation").json()["powers"]
    state = client.get(path).json()["state"]
    for power, evaluation in evaluate(Position.from_json(state)).items():
        assert values[power]["value"] == evaluation.value
    assert sum(value["expect"]["square"] for value in values.values()) == pytest.approx(1, abs=0.001)


def test_the_book_and_where_the_line_left_it(client: TestClient, make: Make) -> None:
    odd = {"ENGLAND": ["F LON H", "A LVP - CLY", "F EDI H"]}
    study, node = line_of(make, OPENING, {})
    book = client.get(f"/api/studies/{study['id']}/nodes/0/book").json()
    assert book["exact"] and book["left"] is None and set(book["powers"]) == set(Position.start().map.powers)
    for entries in book["powers"].values():
        assert sum(entry["weight"] for entry in entries) == pytest.approx(1, abs=0.01)
        assert entries[0]["games"] > 0 and entries[0]["score"] is not None
    there = client.get(f"/api/studies/{study['id']}/nodes/1/book").json()
    assert there["left"] is None and "TURKEY: Bulgarian Push" in there["names"]
    study, node = line_of(make, {**OPENING, **odd}, {})
    left = client.get(f"/api/studies/{study['id']}/nodes/{node}/book").json()["left"]
    assert (left["node"], left["phase"], left["power"]) == ("0", "S1901M", "ENGLAND")
    assert study["nodes"][0]["book"] is True and study["nodes"][-1]["book"] is False
    other = make(start=True, map="pure")
    assert client.get(f"/api/studies/{other['id']}/nodes/0/book").json()["powers"] == {}
    assert other["nodes"][0]["book"] is False


def hearing(server: Served, path: str) -> Callable[[], Events]:
    """Listen in a thread; what is called gives all events, when the stream has ended."""
    events: Events = []
    thread = threading.Thread(target=lambda: events.extend(server.events(path)), daemon=True)
    thread.start()

    def ended() -> Events:
        thread.join(PATIENCE)
        assert not thread.is_alive()
        return events

    return ended


def test_all_who_listen_hear_the_same_and_the_server_answers_meanwhile(tmp_path: Path) -> None:
    with Served(tmp_path, "start") as server:
        path = f"/api/studies/{server.opened[0]}/nodes/0/analyses"
        events = f"/api/analyses/{server.call('POST', path, {'powers': ['FRANCE']})['analysis']}/events"
        one, other = (hearing(server, events) for _ in range(2))
        whole = (data for name, data in server.events(events) if name == "analysis" and data["final"])
        assert next(whole)["answers"]["FRANCE"]["orders"]
        assert server.call("GET", "/api/about")["version"]
        server.call("POST", f"{events.removesuffix('events')}stop")
        heard, same = one(), other()
        late = [name for name, _ in server.events(events)]
    assert heard[-1] == same[-1] == ("end", {"reason": "stopped"}) and late == ["analysis", "end"]
    last, other_last = ([event for event in told if event[0] == "analysis"][-1] for told in (heard, same))
    assert last == other_last


@pytest.mark.slow
def test_the_course_has_the_chances_of_every_node(client: TestClient, make: Make) -> None:
    game = ended("won", "FRANCE", {"FRANCE": ["A PAR - BUR"]}, {})
    study = make(text=text(game))
    course = client.get(f"/api/studies/{study['id']}/course").json()
    assert list(course) == [node["id"] for node in study["nodes"]]
    for name in ("0", "1"):
        told = client.get(f"/api/studies/{study['id']}/nodes/{name}/evaluation").json()["powers"]
        assert course[name] == {power: round(each["expect"]["square"], 3) for power, each in told.items()}
    # A victory is a certainty.
    assert course["2"]["FRANCE"] == 1 and sum(course["2"].values()) == 1
    assert client.get("/api/studies/nothing/course").status_code == 404


# Orders that a person tries in a phase of a game, weighed beside what was played.

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
    sets = {one["name"]: one for one in answer["sets"]}
    assert answer["power"] == "FRANCE" and sets["try"]["told"] == "your try"
    assert sorted(sets["try"]["orders"]) == ["A BUR H", "A SPA H", "F MAO H"]
    # Two centres are there to be taken: who takes them may expect more than who stays.
    assert sets["played"]["expected"] > sets["try"]["expected"]
    behind = [one["behind"] for one in answer["sets"]]
    assert behind == sorted(behind) and behind[0] == 0 <= sets["try"]["doubt"]
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
    refused(tried(**body), 400, message)
