"""What leaves the page: pictures, saved games, states, links."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

from bordeaux import Map, Position
from bordeaux.board.errors import FormatError
from bordeaux.cli import main
from bordeaux.formats.games import game_from_json
from bordeaux.studies import saved
from bordeaux.studies.intake import read_any
from bordeaux.studies.saved import (
    PREFIX,
    SHARED,
    fragment_in,
    fragment_of,
    position_of_fragment,
    shared_fragment,
    study_of_shared,
    study_to_json,
)
from bordeaux.studies.study import Study
from bordeaux.view.board import svg
from bordeaux.web import exports
from bordeaux.web.standalone import carried, reader_page, study_page
from tests.review.games import letter

from .conftest import SPRING, Make, played, refused, text

Draw = Callable[..., str]


@pytest.fixture
def draw(client: TestClient) -> Draw:
    """The picture of a node, whose XML is sound."""

    def call(study: dict[str, Any], name: str = "0", status: int = 200, **body: Any) -> str:
        answer = client.post(f"/api/studies/{study['id']}/nodes/{name}/picture", json=body)
        assert answer.status_code == status, answer.text
        if status != 200:
            return str(answer.json()["error"])
        assert answer.headers["content-type"].startswith("image/svg+xml")
        ElementTree.fromstring(answer.text)
        return answer.text

    return call


def test_a_picture_shows_what_is_asked_for(make: Make, draw: Draw, game: dict[str, Any]) -> None:
    start, study = Position.start(), make(text=text(game))
    results = game["phases"][0]["results"]
    full = {power: SPRING.get(power, []) for power in start.map.powers}
    for asked, expected in (
        ({}, svg(start, style="bare")),
        ({"orders": SPRING}, svg(start, SPRING, style="bare")),
        ({"child": "1"}, svg(start, full, results, style="bare")),
    ):
        assert draw(study, **asked) == expected
    hot = draw(study, heat="danger", power="FRA")
    assert hot != draw(study, heat="altitude", power="FRA") != draw(study)
    assert " style=" not in hot and "<style" not in hot


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"child": "2"}, 404, "no child"),
        ({"child": 1}, 400, "text"),
        ({"orders": {"FRANCE": ["x"]}}, 400, "X"),
        ({"heat": "love"}, 400, "altitude"),
        ({"heat": ["danger"]}, 400, "text"),
        ({"heat": "danger", "power": "ATLANTIS"}, 400, "ATLANTIS"),
    ],
)
def test_what_cannot_be_drawn(
    make: Make, draw: Draw, game: dict[str, Any], body: Any, status: int, says: str
) -> None:
    assert says in draw(make(text=text(game)), status=status, **body)


@pytest.mark.slow
def test_a_line_as_a_moving_picture_and_as_text(make: Make, client: TestClient, game: dict[str, Any]) -> None:
    study = make(text=text(game))
    path = f"/api/studies/{study['id']}"
    images = pytest.importorskip("PIL.Image")
    for query, frames in (("", 3), ("?node=1", 2)):
        moving = client.get(f"{path}/game.gif{query}")
        assert moving.headers["content-type"] == "image/gif"
        assert "attachment" in moving.headers["content-disposition"]
        with images.open(io.BytesIO(moving.content)) as picture:
            assert picture.n_frames == frames
    assert client.get(f"{path}/game.gif?node=99").status_code == 404
    with exports._drawing:
        refused(client.get(f"{path}/game.gif"), 503, "another moving picture")
    judged = client.get(f"{path}/game.json?form=judge").headers["content-disposition"]
    written = client.get(f"{path}/game.json?form=text")
    assert judged != written.headers["content-disposition"]
    assert written.headers["content-type"].startswith("text/plain")
    lines = written.text.splitlines()
    assert lines[:2] == ["Spring 1901 Movement", ""] and "A PAR - BUR  (bounce)" in lines
    assert lines[-1] == "Winter 1901 Adjustments"
    again = client.get(f"/api/studies/{make(text=written.text)['id']}/game.json").json()
    assert [phase["state"] for phase in again["phases"]] == [phase["state"] for phase in game["phases"]]
    played = client.get(f"{path}/nodes/0/orders.txt?child=1").text.splitlines()
    assert played == lines[: lines.index("Fall 1901 Movement") - 1]
    assert client.get(f"{path}/nodes/0/orders.txt?child=9").status_code == 404
    client.put(f"{path}/nodes/0/draft", json={"FRANCE": ["A PAR - PIC"]})
    drafted = client.get(f"{path}/nodes/0/orders.txt").text
    assert "France:\nA PAR - PIC\nF BRE H\nA MAR H\n" in drafted


def test_a_short_link_leads_to_the_study(make: Make, client: TestClient, game: dict[str, Any]) -> None:
    study = make(text=text(game))["id"]
    for query, node in (("", "0"), ("?node=1", "1")):
        answer = client.get(f"/s/{study}{query}", follow_redirects=False)
        assert answer.status_code == 303 and answer.headers["location"] == f"/#study={study}&node={node}"
    for path in (f"/s/{study}?node=99", "/s/0123456789abcdef", "/s/..%2Ftoken", "/s/x%0d%0aSet-Cookie:a=b"):
        assert client.get(path, follow_redirects=False).status_code == 404


def test_without_the_library_a_png_is_refused_in_one_line(
    make: Make, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    refused(client.get(f"/api/studies/{make()['id']}/nodes/0/board.png"), 400, "bordeaux-diplomacy[png]")


def test_states_and_games_come_back_as_they_went(
    make: Make, client: TestClient, game: dict[str, Any]
) -> None:
    game["phases"][0]["messages"] = [letter("FRANCE", "ITALY", "hello")]
    study = make(text=text(game))
    path = f"/api/studies/{study['id']}"
    saved = client.get(f"{path}/game.json")
    assert saved.json() == game_from_json(game).to_json()
    again = make(text=saved.text)
    assert client.get(f"/api/studies/{again['id']}/game.json").json() == saved.json()
    state = client.get(f"{path}/nodes/1/state.json").json()
    assert state == game["phases"][1]["state"]


def test_a_link_holds_the_position(make: Make, client: TestClient, node: Any) -> None:
    study = make(start=True, map="gulfs")
    fragment = client.get(f"/api/studies/{study['id']}/nodes/0/permalink").json()["fragment"]
    assert fragment.startswith("position=") and len(fragment) < 1500
    bare = fragment.removeprefix("position=")
    for link in (fragment, f"http://127.0.0.1:1/#{fragment}", bare, f" {fragment}&x=1"):
        other = make(permalink=link)
        assert node(other, "0")["state"] == Position.start(Map.load("gulfs")).to_json()


def test_shapes_lie_where_the_picture_has_them(make: Make, client: TestClient) -> None:
    shapes = client.get(f"/api/studies/{make()['id']}/geometry").json()
    board, drawn = Map.standard(), svg(Position.start(), style="bare")
    assert {region["tag"] for region in shapes["regions"]} == {p.name for p in board.provinces}
    paris = next(region for region in shapes["regions"] if region["tag"] == "PAR")
    assert (paris["name"], paris["kind"], paris["centre"]) == ("Paris", "inland", True)
    assert paris["path"] in drawn
    places = shapes["places"]
    assert set(places) >= {location.name for location in board.locations}
    width, height = shapes["size"]
    assert f'viewBox="0 0 {width:g} {height:g}"' in drawn
    assert all(0 < at["unit"][0] < width and 0 < at["dislodged"][1] < height for at in places.values())
    assert places["STP/NC"]["unit"] != places["STP/SC"]["unit"]
    gulfs = client.get(f"/api/studies/{make(start=True, map='gulfs')['id']}/geometry").json()
    assert {region["tag"] for region in gulfs["regions"]} == {p.name for p in Map.load("gulfs").provinces}


def test_a_game_over_the_api_is_json_to_its_last_character(make: Make, client: TestClient) -> None:
    study = make(name="</script>\u2028\ud7ff")
    raw = client.get(f"/api/studies/{study['id']}").content
    assert raw.isascii() and json.loads(raw)["name"].startswith("</script>")


# Links with a whole study in them: what they hold, what they leave out, and what is refused.


def inside(fragment: str) -> Any:
    """What a link has in it."""
    packed = fragment.removeprefix(SHARED)
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))))


def test_a_study_comes_out_of_its_link_and_its_page_as_it_went_in(study: Study) -> None:
    expected = study_to_json(study.changed_node("0", draft={}))
    linked = study_of_shared(f"https://somewhere.example/reader.html#{shared_fragment(study)}&node=1")
    assert study_to_json(linked) == expected
    assert study_to_json(read_any(study_page(study).encode(), name="g17").study) == expected


def test_talks_drafts_and_a_game_that_is_played_stay_behind(make: Make, client: TestClient) -> None:
    game = played({"FRANCE": ["A PAR - BUR"]})
    game["phases"][0]["messages"] = [letter("FRANCE", "ITALY", "secret")]
    made = make(text=json.dumps(game))
    given = client.get(f"/api/studies/{made['id']}/link?node=1").json()
    document = json.dumps(inside(given["fragment"].partition("&")[0]))
    assert "secret" not in document and '"play"' not in document and "draft" not in document
    assert given["fragment"].endswith("&node=1")
    assert given["link"].startswith("data:text/html,") and given["link"].endswith("#" + given["fragment"])
    other = make(permalink=given["link"])
    assert [node["phase"] for node in other["nodes"]] == [node["phase"] for node in made["nodes"]]
    assert client.get(f"/api/studies/{made['id']}/link?node=77").status_code == 404


@pytest.mark.parametrize(("mark", "read"), [(PREFIX, position_of_fragment), (SHARED, study_of_shared)])
def test_a_link_that_unpacks_without_end_or_is_cut_is_refused(
    study: Study, mark: str, read: Callable[[str], object]
) -> None:
    bomb = mark + base64.urlsafe_b64encode(zlib.compress(b" " * (64 << 20), 9)).decode()
    with pytest.raises(FormatError, match="too large"):
        read(bomb)
    whole = fragment_of(Position.start().to_json()) if mark == PREFIX else shared_fragment(study)
    read(whole)
    for end in range(len(mark), len(whole) - 4, 80):
        with pytest.raises(FormatError, match="link"):
            read(whole[:end])


def test_a_study_that_no_link_holds_is_refused(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_game_does_not_go_on_after_its_end(game: dict[str, Any]) -> None:
    game["phases"][0]["name"] = game["phases"][0]["state"]["name"] = "COMPLETED"
    with pytest.raises(FormatError, match="goes on after its end"):
        read_any(json.dumps(game).encode())


def test_the_command_prints_a_link_and_opens_it(tmp_path: Path) -> None:
    run = CliRunner().invoke
    words = ["analyse", "start", "--link", "--no-engine"]
    made = run(main, words)
    assert made.exit_code == 0 and made.stdout.startswith("data:text/html,") and made.stdout.count("\n") == 1
    assert read_any(made.stdout.encode()).study.position("0") == Position.start()
    out = tmp_path / "reader.html"
    written = run(main, [*words, "--out", str(out), "--json"])
    link = json.loads(written.stdout)["link"]
    assert link.startswith(f"{out.resolve().as_uri()}#{SHARED}")
    assert out.read_text(encoding="utf-8") == reader_page(Map.standard())
    # A link is a POSITION, as an argument and from standard input.
    for given, typed in ((link, None), ("-", made.stdout)):
        again = run(main, ["analyse", given, "--link", "--no-engine"], input=typed)
        assert again.exit_code == 0 and inside(again.stdout.strip().rpartition("#")[2])["nodes"]


def test_the_address_that_is_a_page_has_nothing_that_an_address_may_not_have() -> None:
    address = carried(reader_page(Map.load("gulfs")))
    assert address.isascii() and not set('#<> "\n') & set(address)
