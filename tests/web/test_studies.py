"""Studies over the API: made of whatever is read, listed, named, deleted."""

from __future__ import annotations

import errno
import os
from typing import Any

import pytest
from starlette.testclient import TestClient

from bordeaux import Position
from bordeaux.board.map import Map
from bordeaux.formats.daide import position_to_daide
from bordeaux.studies import store as room
from tests.formats.hobby.small_game import ARCHIVE
from tests.review.games import letter

from .conftest import FALL, SPRING, Make, played, refused, text

START = Position.start()


def test_all_studies_are_one_file_that_is_read_again(client: TestClient, make: Make) -> None:
    first, second = make(start=True, name="One"), make(start=True, name="Two")
    saved = client.get("/api/studies.json")
    assert "bordeaux-studies.json" in saved.headers["Content-Disposition"]
    client.delete(f"/api/studies/{first['id']}")
    told = client.post("/api/studies.json", json=saved.json()).json()
    assert told == {"added": [first["id"]], "there": 1}
    for before in (first, second):
        after = client.get(f"/api/studies/{before['id']}").json()
        assert {**after, "changed": 0} == {**before, "changed": 0}


@pytest.mark.parametrize(("studies", "words"), [([], "the studies of a file"), ({"0" * 16: {}}, "a study")])
def test_a_damaged_file_of_studies_adds_none(
    client: TestClient, make: Make, studies: Any, words: str
) -> None:
    make(start=True)
    saved = client.get("/api/studies.json").json()["studies"]
    whole = {f"{1:016x}": next(iter(saved.values())), **studies} if isinstance(studies, dict) else studies
    answer = client.post("/api/studies.json", json={"studies": whole})
    assert 400 <= answer.status_code < 500 and words in answer.json()["error"]
    assert client.get("/api/studies.json").json()["studies"] == saved


@pytest.mark.parametrize("form", [text(START.to_json()), str(START), position_to_daide(START), "start"])
def test_a_position_in_any_form_is_a_study(make: Make, node: Any, form: str) -> None:
    study = make(text=form)
    assert study["map"] == "standard" and study["root"] == "0" and "games" not in study
    assert [node["id"] for node in study["nodes"]] == ["0"]
    assert Position.from_json(node(study, "0")["state"]) == START


def test_a_saved_game_is_the_main_line(make: Make, node: Any, game: dict[str, Any]) -> None:
    study = make(text=text(game))
    assert study["games"] == 1 and study["name"] == "game game-1"
    nodes = [(node["phase"], node["parent"], node["children"]) for node in study["nodes"]]
    assert nodes == [("S1901M", None, ["1"]), ("F1901M", "0", ["2"]), ("W1901A", "1", [])]
    assert all(node["recorded"] for node in study["nodes"])
    assert study["nodes"][2]["centres"]["TURKEY"] == 4 and study["nodes"][0]["centres"]["RUSSIA"] == 4
    (only,) = node(study, "0")["next"]
    assert only["orders"]["GERMANY"] == ["A MUN - BUR"] and only["note"] == ""
    assert only["results"]["A MUN"] == only["results"]["A PAR"] == ["bounce"]
    assert only["results"]["A VIE"] == [] and "A VIE" in only["reasons"]


def test_of_many_games_one_is_chosen(make: Make, client: TestClient, game: dict[str, Any]) -> None:
    other = played(SPRING, identity="game-2")
    for form in (text([game, other]), text(game) + "\n" + text(other) + "\n"):
        first = make(text=form)
        second = make(text=form, index=1)
        assert (first["games"], first["name"], second["name"]) == (2, "game game-1", "game game-2")
        refused(client.post("/api/studies", json={"text": form, "index": 2}), 400, "there are 2")


def test_where_a_record_differs_it_is_kept_and_told(make: Make, node: Any, game: dict[str, Any]) -> None:
    """The record moves an army to Burgundy that bounced there by the rules, and says that all went well."""
    units = game["phases"][1]["state"]["units"]
    units["FRANCE"] = ["A BUR" if unit == "A PAR" else unit for unit in units["FRANCE"]]
    game["phases"][0]["results"]["A PAR"] = []
    game["phases"][1]["orders"]["FRANCE"] = ["A BUR - PIC", "F BRE - MAO"]
    assert "A PIC" in game["phases"][2]["state"]["units"]["FRANCE"]
    study = make(text=text(game))
    (first,) = node(study, "0")["next"]
    assert "the record goes on otherwise" in first["note"]
    assert "A BUR expected, not got" in first["note"]
    assert first["results"]["A PAR"] == []
    assert "the record says ok, the rules bounce" in first["reasons"]["A PAR"]
    assert "A BUR" in node(study, "1")["state"]["units"]["FRANCE"]
    assert node(study, "1")["next"][0]["note"] == ""


def test_messages_stand_beside_their_phase(make: Make, node: Any, game: dict[str, Any]) -> None:
    game["phases"][0]["messages"] = [
        letter("FRANCE", "GERMANY", "<script>alert(1)</script>\x1b[2J"),
        letter("GERMANY", "FRANCE", "PRP (PCE (FRA GER))", 2),
        letter("GERMANY", "ITALY", "PRP (PCE (FRA GER))", 3),
        letter("ITALY", "GLOBAL", "PRP (so we say", 1e308),
        "no message",
    ]
    study = make(text=text(game).replace("1e+308", "1e999"))
    assert [node["messages"] for node in study["nodes"]] == [3, 0, 0]
    first, second, third = node(study, "0")["messages"]
    assert (first["sender"], first["recipients"], first["time"]) == ("FRANCE", ["GERMANY"], 1)
    assert first["text"] == "<script>alert(1)</script>\\x1b[2J"
    assert second["recipients"] == ["FRANCE", "ITALY"]
    assert second["text"] == "Germany proposes peace between France and Germany."
    assert len(third["recipients"]) == 6 and third["text"] == "PRP (so we say" and third["time"] is None
    assert node(study, "1")["messages"] == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "one of"),
        ({"text": "start", "start": True}, "2 of them"),
        ({"text": 5}, "must be text"),
        ({"text": "Dear Sir"}, "no position"),
        ({"text": "{"}, "cut short"),
        ({"text": "[" * 100_000}, "deep"),
        ({"text": "[]"}, "object"),
        ({"text": '{"id": "x", "phases": []}'}, "no phases"),
        ({"text": '{"id": "x", "phases": [{"name": "S1901M", "state": {}}]}'}, "S1901M"),
        ({"text": "start", "index": -1}, "index"),
        ({"state": {"name": "S1901M", "units": {"FRANCE": ["A XYZ"]}, "centers": {}}}, "XYZ"),
        ({"permalink": "position=AAAA"}, "link"),
        ({"permalink": "position=é"}, "link"),
        ({"start": True, "map": "../../etc/passwd"}, "unknown map"),
        ({"start": True, "name": ["x"]}, "must be text"),
        ([1, 2], "object"),
    ],
)
def test_rubbish_gets_one_line(client: TestClient, body: Any, says: str) -> None:
    answer = client.post("/api/studies", json=body)
    assert answer.status_code == 400
    message = answer.json()["error"]
    assert says in message and "\n" not in message and len(message) <= 500 and "Traceback" not in message
    assert client.get("/api/studies").json() == []


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"text": NaN}', b'{"text": ' + b"9" * 9999])
def test_broken_json_gets_one_line(client: TestClient, content: bytes) -> None:
    answer = client.post("/api/studies", content=content)
    assert answer.status_code == 400 and set(answer.json()) == {"error"}


@pytest.mark.parametrize(
    "identity", ["..", "%2e%2e%2f%2e%2e%2fetc", "a" * 16 + "%00", "token", "A" * 16, "x" * 5000]
)
def test_ids_lead_nowhere_else(client: TestClient, identity: str) -> None:
    ways = [("GET", rest) for rest in ("", "/nodes/0", "/game.json", "/events")]
    for method, rest in [*ways, ("DELETE", "")]:
        answer = client.request(method, f"/api/studies/{identity}{rest}")
        assert answer.status_code in (404, 405) and "\n" not in answer.json()["error"]


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        ({"name": "COMPLETED"}, True),
        ({"centers": {"FRANCE": list(Map.standard().centres[:18])}}, True),
        ({"name": "S1903M"}, False),
        ({"name": "S1904M"}, True),
        ({}, False),
    ],
)
def test_a_finished_game_is_told(make: Make, last: dict[str, Any], ended: bool) -> None:
    game = played(SPRING, FALL)
    game["phases"][-1]["state"].update(last)
    game["phases"][-1]["name"] = game["phases"][-1]["state"]["name"]
    assert make(text=text(game))["ended"] is ended
    # A position without a game before it has nothing to tell.
    assert make(state=game["phases"][-1]["state"])["ended"] is False


def test_html_and_text_of_a_site_become_studies(make: Make) -> None:
    copied = "Spring, 1901\nFrance:\nThe army at Paris move to Burgundy.\nThe fleet at Brest hold.\n"
    listed = "Spring 1901\nFRANCE: A PAR - BUR\nFall 1901\nFRANCE: A BUR - BEL\n"
    for pasted in (ARCHIVE, listed):
        nodes = make(text=pasted)["nodes"]
        assert (nodes[0]["phase"], nodes[-1]["phase"]) == ("S1901M", "W1901A")
    assert make(text=copied)["nodes"][-1]["phase"] == "F1901M"


def test_a_full_disk_is_told_in_one_line(
    client: TestClient, make: Make, server_state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make()
    lines: list[str] = []
    server_state.log = lines.append
    for number in (errno.ENOSPC, errno.EROFS, errno.EACCES):

        def fails(*args: Any, number: int = number, **options: Any) -> None:
            raise OSError(number, os.strerror(number), "/a/secret/place")

        monkeypatch.setattr(room, "write_document", fails)
        for answer in (
            client.put(f"/api/studies/{study['id']}/nodes/0/comment", json={"text": "x"}),
            client.post("/api/studies", json={"start": True}),
        ):
            assert answer.status_code == 500
            assert os.strerror(number) in answer.json()["error"] and "\n" not in answer.json()["error"]
    assert len(lines) == 6
    monkeypatch.undo()
    assert client.get(f"/api/studies/{study['id']}").json() == study
    assert len(client.get("/api/studies").json()) == 1


def test_an_inner_fault_is_one_line_without_its_whereabouts(
    client: TestClient, make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = make()
    monkeypatch.setattr("bordeaux.web.nodes.node_details", lambda *args: 1 // 0)
    answer = client.get(f"/api/studies/{study['id']}/nodes/0")
    assert answer.status_code == 500 and answer.json()["error"].startswith("internal error")
    assert "Traceback" not in answer.text and ".py" not in answer.text
