"""What leaves the page: pictures, saved games, states, links."""

import io
import json
import zlib
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from bordeaux import Map, Position
from bordeaux.formats.games import game_from_json
from bordeaux.studies.saved import PREFIX, fragment_of, position_of_fragment
from bordeaux.view.board import svg
from bordeaux.web import exports

from .conftest import SPRING, Make, text

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
    assert draw(study) == svg(start, style="bare")
    assert draw(study, orders=SPRING) == svg(start, SPRING, style="bare")
    results = game["phases"][0]["results"]
    judged = svg(start, SPRING, results, style="bare")
    assert draw(study, orders=SPRING, results=True) == judged
    full = {power: SPRING.get(power, []) for power in start.map.powers}
    assert draw(study, child="1") == svg(start, full, results, style="bare")
    assert draw(study, highlight=["par", "Munich"]) == svg(start, highlight=["PAR", "MUN"], style="bare")
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
        ({"highlight": ["XYZ"]}, 400, "XYZ"),
        ({"highlight": "PAR"}, 400, "list"),
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
        assert (
            moving.headers["content-type"] == "image/gif"
            and "attachment" in moving.headers["content-disposition"]
        )
        with images.open(io.BytesIO(moving.content)) as picture:
            assert picture.n_frames == frames
    assert client.get(f"{path}/game.gif?node=99").status_code == 404
    with exports._drawing:
        busy = client.get(f"{path}/game.gif")
        assert busy.status_code == 503 and "another moving picture" in busy.json()["error"]
    written = client.get(f"{path}/game.json?form=text")
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
    answer = client.get(f"/api/studies/{make()['id']}/nodes/0/board.png")
    assert answer.status_code == 400 and "bordeaux-diplomacy[png]" in answer.json()["error"]


def test_states_and_games_come_back_as_they_went(
    make: Make, client: TestClient, game: dict[str, Any]
) -> None:
    game["phases"][0]["messages"] = [
        {"sender": "FRANCE", "recipient": "ITALY", "phase": "S1901M", "message": "hello", "time_sent": 1}
    ]
    study = make(text=text(game))
    path = f"/api/studies/{study['id']}"
    saved = client.get(f"{path}/game.json")
    assert saved.json() == game_from_json(game).to_json()
    again = make(text=saved.text)
    assert client.get(f"/api/studies/{again['id']}/game.json").json() == saved.json()
    state = client.get(f"{path}/nodes/1/state.json").json()
    assert state == game["phases"][1]["state"]
    assert client.get(f"{path}/nodes/0/state.json?child=1").json() == state
    assert client.get(f"{path}/nodes/0/state.json?child=99").status_code == 404


def test_a_link_holds_the_position(make: Make, client: TestClient, node: Any) -> None:
    study = make(start=True, map="gulfs")
    fragment = client.get(f"/api/studies/{study['id']}/nodes/0/permalink").json()["fragment"]
    assert fragment.startswith("position=") and len(fragment) < 1500
    for link in (
        fragment,
        f"http://127.0.0.1:1/#{fragment}",
        fragment.removeprefix("position="),
        f" {fragment}&x=1",
    ):
        other = make(permalink=link)
        assert node(other, "0")["state"] == Position.start(Map.load("gulfs")).to_json()


def test_a_link_that_unpacks_without_end_is_refused() -> None:
    bomb = PREFIX + urlsafe_b64encode(zlib.compress(b" " * (64 << 20), 9)).decode()
    with pytest.raises(ValueError, match="too large"):
        position_of_fragment(bomb)
    whole = fragment_of(Position.start().to_json())
    assert position_of_fragment(whole) == Position.start()
    for end in range(len(PREFIX), len(whole) - 4, 50):
        with pytest.raises(ValueError, match="link"):
            position_of_fragment(whole[:end])


def test_shapes_lie_where_the_picture_has_them(make: Make, client: TestClient) -> None:
    standard = client.get("/api/maps/standard/geometry").json()
    board = Map.standard()
    assert {region["tag"] for region in standard["regions"]} == {p.name for p in board.provinces}
    paris = next(region for region in standard["regions"] if region["tag"] == "PAR")
    assert paris["name"] == "Paris" and paris["kind"] == "inland" and paris["centre"] is True
    drawn = svg(Position.start(), style="bare")
    assert paris["path"] in drawn
    assert set(standard["places"]) >= {location.name for location in board.locations}
    width, height = standard["size"]
    assert f'viewBox="0 0 {width:g} {height:g}"' in drawn
    for place in standard["places"].values():
        assert 0 < place["unit"][0] < width and 0 < place["dislodged"][1] < height
    assert standard["places"]["STP/NC"]["unit"] != standard["places"]["STP/SC"]["unit"]
    study = make(start=True, map="gulfs")
    gulfs = client.get("/api/maps/gulfs/geometry").json()
    assert client.get(f"/api/studies/{study['id']}/geometry").json() == gulfs
    assert client.get("/api/maps/atlantis/geometry").status_code == 404
    assert client.get("/api/maps/..%2fx/geometry").status_code == 404


def test_a_game_over_the_api_is_json_to_its_last_character(make: Make, client: TestClient) -> None:
    study = make(name="</script>\u2028\ud7ff")
    raw = client.get(f"/api/studies/{study['id']}").content
    assert raw.isascii() and json.loads(raw)["name"].startswith("</script>")
