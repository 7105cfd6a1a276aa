"""Links with a whole study in them: what they hold, what they leave out, and what is refused."""

from __future__ import annotations

import base64
import json
import zlib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from bordeaux import Map, Position
from bordeaux.board.errors import FormatError
from bordeaux.board.map import parse_map
from bordeaux.cli import main
from bordeaux.rules.rulesets import DATC
from bordeaux.studies import saved
from bordeaux.studies.intake import read_any, study_of_position
from bordeaux.studies.saved import (
    SHARED,
    fragment_in,
    shared_fragment,
    study_from_json,
    study_of_shared,
    study_to_json,
)
from bordeaux.studies.study import Study
from bordeaux.web.standalone import carried, reader_page

from .conftest import Make, played


@pytest.fixture
def study() -> Study:
    """A main line, a side line, a comment and a draft."""
    made = study_of_position(Position.start(), "Mine")
    made, first = made.adjudicated("0", {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, DATC)
    made, _ = made.adjudicated(first, {"FRANCE": ["A PAR - GAS"]}, DATC)
    made, _ = made.adjudicated("0", {"FRANCE": ["A PAR - PIC"]}, DATC)
    return made.commented("0", "Burgundy.").changed_node("0", draft={"FRANCE": ["A PAR H"]})


def inside(fragment: str) -> Any:
    """What a link has in it."""
    packed = fragment.removeprefix(SHARED)
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))


def test_a_study_comes_out_of_its_link_as_it_went_in(study: Study) -> None:
    again = study_of_shared(f"https://somewhere.example/reader.html#{shared_fragment(study)}&node=1")
    expected = study_to_json(study.changed_node("0", draft={}))
    assert study_to_json(again) == expected


def test_a_link_has_what_came_of_orders_and_the_engine_s_lines(study: Study) -> None:
    lines = {"0": {"FRANCE": [[["A PAR - BUR"], 12, 0.2, 0.1]]}}
    nodes = {node["id"]: node for node in inside(shared_fragment(study, lines, "searched"))["nodes"]}
    assert nodes["1"]["results"] == {"A PAR": ["bounce"], "A MUN": ["bounce"]}
    assert nodes["0"]["lines"] == lines["0"] and "lines" not in nodes["1"]


def test_talks_drafts_and_a_game_that_is_played_stay_behind(make: Make, client: TestClient) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]})
    game["phases"][0]["messages"] = [
        {"sender": "FRANCE", "recipient": "ITALY", "phase": "S1901M", "message": "secret", "time_sent": 1}
    ]
    made = make(text=json.dumps(game))
    given = client.get(f"/api/studies/{made['id']}/link?node=1").json()
    document = json.dumps(inside(given["fragment"].partition("&")[0]))
    assert "secret" not in document and '"play"' not in document and "draft" not in document
    assert given["fragment"].endswith("&node=1")
    assert given["link"].startswith("data:text/html,") and given["link"].endswith("#" + given["fragment"])
    other = make(permalink=given["link"])
    assert [node["phase"] for node in other["nodes"]] == [node["phase"] for node in made["nodes"]]
    assert client.get(f"/api/studies/{made['id']}/link?node=77").status_code == 404


def test_what_is_too_large_is_refused_on_both_sides(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = SHARED + base64.urlsafe_b64encode(zlib.compress(b" " * (64 << 20), 9)).decode()
    with pytest.raises(FormatError, match="too large"):
        study_of_shared(bomb)
    whole = shared_fragment(study)
    for end in range(len(SHARED), len(whole) - 4, 100):
        with pytest.raises(FormatError, match="link"):
            study_of_shared(whole[:end])
    monkeypatch.setattr(saved, "MOST_LINK", 100)
    with pytest.raises(FormatError, match="too large for a link"):
        shared_fragment(study)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("https://a.example/#position=AbC-_9", "position=AbC-_9"),
        ("data:text/html,x#shared=AbC&node=3", "shared=AbC"),
        (" shared=AbC ", "shared=AbC"),
        ("position=AbC is what I saw", ""),
        ("https://a.example/?shared=AbC", ""),
        ("é#shared=AbC", ""),
        ("https://a.example/#node=3&shared=AbC", "shared=AbC"),
        ("https://a.example/# shared=AbC", ""),
    ],
)
def test_links_are_known_by_what_they_end_with(text: str, fragment: str) -> None:
    assert fragment_in(text.encode()) == fragment


def test_a_game_does_not_go_on_after_its_end(study: Study, game: dict[str, Any]) -> None:
    data = study_to_json(study)
    data["nodes"][0]["state"]["name"] = "COMPLETED"
    with pytest.raises(FormatError, match="the game is over at node 0"):
        study_from_json("", data)
    game["phases"][0]["name"] = game["phases"][0]["state"]["name"] = "COMPLETED"
    with pytest.raises(FormatError, match="goes on after its end"):
        read_any(json.dumps(game).encode())


def test_a_study_on_a_map_of_one_s_own_brings_its_map() -> None:
    text = files("bordeaux.board").joinpath("data", "gulfs.toml").read_text("utf-8")
    made = study_of_position(Position.start(parse_map(text, "mine")), "Gulfs", text)
    again = study_of_shared(shared_fragment(made))
    assert again.map_text == text and again.map.name == made.map.name
    assert again.node("0").state == made.node("0").state


def test_the_command_prints_a_link_and_opens_it(tmp_path: Path) -> None:
    run = CliRunner().invoke
    words = ["analyse", "start", "--link", "--no-engine"]
    made = run(main, words)
    assert made.exit_code == 0 and made.stdout.startswith("data:text/html,") and made.stdout.count("\n") == 1
    assert read_any(made.stdout.encode()).study.position("0") == Position.start()
    out = tmp_path / "reader.html"
    written = run(main, [*words, "--out", str(out), "--json"])
    assert json.loads(written.stdout)["link"].startswith(f"{out.resolve().as_uri()}#{SHARED}")
    assert out.read_text(encoding="utf-8") == reader_page(Map.standard())
    there = run(main, [*words, "--reader", "https://a.example/r.html#old"])
    assert there.stdout.startswith(f"https://a.example/r.html#{SHARED}")
    # A link is a POSITION, as an argument and from standard input.
    link = there.stdout.strip()
    for given, typed in ((link, None), ("-", made.stdout)):
        again = run(main, ["analyse", given, "--link", "--no-engine", "--reader", "x"], input=typed)
        assert again.exit_code == 0 and inside(again.stdout.strip().removeprefix("x#"))["nodes"]


def test_the_address_that_is_a_page_has_nothing_that_an_address_may_not_have() -> None:
    address = carried(reader_page(Map.load("gulfs")))
    assert address.isascii() and not set('#<> "\n%') & set(address.replace("%3C", "").replace("%3E", "")) - {
        "%"
    }
