"""The picture of a rating list: every figure is told, and all of it lies on the sheet."""

from xml.etree import ElementTree

import pytest

from bordeaux.arena.ratings import Strength
from bordeaux.arena.statistics import Interval
from bordeaux.view.ratings import draw_ratings

SVG = "{http://www.w3.org/2000/svg}"
LIST = {
    "bordeaux": Strength(Interval(1210.0, 1150.0, 1270.0), 70, 70, 0.31, 0.1),
    "program:./a <very> long command line & its options --depth 9 --wide": Strength(
        Interval(1000.0, 900.0, 1100.0), 20, 22, 0.14, 0.0
    ),
    "new": Strength(Interval(950.0, 300.0, 1600.0), 0, 0, 0.0, 0.0),
}


def test_ratings_stand_where_the_scale_says() -> None:
    root = ElementTree.fromstring(draw_ratings(LIST, "Rating list: 3 players"))
    dots = [float(dot.attrib["cx"]) for dot in root.iter(f"{SVG}circle")]
    rows = [line for line in root.iter(f"{SVG}line") if line.attrib["y1"] == line.attrib["y2"]]
    assert dots[0] > dots[1] > dots[2] and len(rows) == 3
    for dot, row, strength in zip(dots, rows, LIST.values(), strict=True):
        part = (dot - float(row.attrib["x1"])) / (float(row.attrib["x2"]) - float(row.attrib["x1"]))
        assert part == pytest.approx((strength.rating.mean - strength.rating.low) / strength.width, abs=0.01)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for element in root.iter():
        for name, most in (
            ("x", width),
            ("x1", width),
            ("x2", width),
            ("cx", width),
            ("y", height),
            ("cy", height),
        ):
            assert 0 <= float(element.attrib.get(name, 0)) <= most
    texts = [text.text or "" for text in root.iter(f"{SVG}text")]
    assert {"1210", "70", "0.310"} <= {*texts}
    assert any(text.startswith("program:./a <very> long") and text.endswith("…") for text in texts)


def test_it_is_told_in_words_too() -> None:
    description = ElementTree.fromstring(draw_ratings(LIST, "List")).find(f"{SVG}desc")
    assert description is not None and "bordeaux: 1210 (1150 to 1270) after 70 games." in (
        description.text or ""
    )


def test_a_list_without_players_says_so() -> None:
    assert "No games yet." in draw_ratings({}, "List")
