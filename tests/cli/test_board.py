"""``bordeaux board``: files, standard output and what it says of bad input."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bordeaux import Map, Position

from ..review.games import saved
from .conftest import Run, Save

ORDERS = {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}


@pytest.fixture
def orders(save: Save) -> str:
    return save("orders.json", ORDERS)


def test_a_picture_goes_to_a_file_or_to_standard_output(run: Run, tmp_path: Path, orders: str) -> None:
    out = tmp_path / "board.svg"
    answer = run.told("board", "start", "--orders", orders, "--results", "--out", str(out))
    text = out.read_text(encoding="utf-8")
    assert answer == {"file": str(out), "format": "svg", "phase": "S1901M", "bytes": len(text.encode())}
    assert run("board", "start", "--orders", orders, "--results", "--out", "-").stdout == text
    assert "Germany: A MUN - BUR (bounce)" in text
    assert ElementTree.fromstring(text).attrib["width"] == "1200"


def test_png_has_the_size_and_the_style_that_were_asked_for(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    out = tmp_path / "board.png"
    made = []
    for style in ("dark", "light", "auto"):
        run("board", "start", "--out", str(out), "--size", "400", "--style", style)
        made.append(out.read_bytes())
    assert made[0].startswith(b"\x89PNG") and int.from_bytes(made[0][16:20]) == 400
    assert made[0] != made[1] == made[2]


def test_a_gif_shows_a_game_phase_by_phase(run: Run, save: Save, tmp_path: Path) -> None:
    images = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    turns = {"FRANCE": ["A PAR - BUR"]}, {"FRANCE": ["A BUR - BEL"]}
    game, out = save("game.json", saved(Position.start(), *turns)), tmp_path / "game.gif"
    run("board", game, "--out", str(out), "--size", "200")
    with images.open(out) as picture:
        assert picture.n_frames == 3 and picture.width == 200
        shown = []
        for frame in range(3):
            picture.seek(frame)
            shown.append((picture.info["duration"], picture.convert("RGB").tobytes()))
    assert len({pixels for _, pixels in shown}) == 3
    # Moves are longer to look at than builds, and the end is the longest.
    assert shown[0][0] < shown[-1][0]
    run("board", game, "--phase", "F1901M", "--out", str(out), "--size", "200")
    with images.open(out) as picture:
        assert picture.n_frames == 2


@pytest.mark.parametrize("heat", ["altitude", "danger"])
def test_heat_colours_provinces(run: Run, heat: str) -> None:
    plain = run("board", "start", "--out", "-").stdout
    warm = run("board", "start", "--heat", heat, "--power", "FRANCE", "--out", "-").stdout
    assert 'heat7"' in warm and 'heat7"' not in plain


def test_results_without_a_file_are_those_of_the_saved_game(run: Run, save: Save) -> None:
    state = Position.start().to_json()
    game = save(
        "game.json",
        {"id": "one", "phases": [{"name": "S1901M", "state": state, "orders": ORDERS, "results": {}}]},
    )
    assert "Germany: A MUN - BUR (bounce)" in run("board", game, "--results", "--out", "-").stdout
    assert "MUN - BUR" not in run("board", game, "--out", "-").stdout


POWERS = Map.standard().powers


def test_json_has_every_search_and_power(run: Run) -> None:
    answer = run.told("graph")
    assert list(answer) == ["breadth-first", "greedy", "a-star"]
    for numbers in answer.values():
        assert list(numbers) == [*POWERS, "total"]
        assert numbers["total"] == sum(numbers[power] for power in POWERS)
    assert answer["breadth-first"]["GERMANY"] == 33


def test_a_goal_that_a_power_cannot_reach(run: Run) -> None:
    result = run("graph", "--goal", "30", "--json")
    assert result.exit_code == 1
    queued = json.loads(result.stdout)["greedy"]
    assert queued["ENGLAND"] is None
    assert queued["total"] is None
    assert queued["FRANCE"] > 30
    shown = run("graph", "--goal", "30")
    assert shown.exit_code == 1
    assert "only 27 centres" in shown.stdout


def test_another_map(run: Run) -> None:
    gulfs = Map.load("gulfs")
    answer = run.told("graph", "--map", "gulfs")
    assert list(answer["greedy"]) == [*gulfs.powers, "total"]
    assert f"to {gulfs.majority} centres" in run("graph", "--map", "gulfs").stdout
