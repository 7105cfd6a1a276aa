"""The tool that makes the picture of the standard map: its projection, its borders, its marks."""

import sys
from pathlib import Path

import numpy as np
import pytest
from shapely import Polygon, box

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from mapmaking import marks, shapes
from mapmaking.atlas import Sheet

from bordeaux.view.board.geometry import SIZES, unfolded

FLAT = {"middle": [10.0, 50.0], "parallels": [40.0, 60.0], "box": [-1000, -500, 1000, 500], "width": 800}


def test_a_conic_projection_keeps_its_middle_and_its_scale() -> None:
    sheet = Sheet(FLAT, {})
    assert sheet.size == (800, 400)
    middle, north, east = sheet(np.array([[10.0, 50.0], [10.0, 51.0], [11.0, 50.0]]))
    assert middle == pytest.approx([400, 200])
    assert north[0] == pytest.approx(400) and east[1] == pytest.approx(200, abs=0.5)
    # A degree of latitude is 111 km; between the parallels a conformal map of this kind is a little small.
    assert 0.97 < (200 - north[1]) / (111.2 * 0.4) < 1.0
    assert (east[0] - 400) / (200 - north[1]) == pytest.approx(np.cos(np.radians(50)), rel=0.02)


def test_neighbours_share_their_arcs() -> None:
    squares = [shapes.Region("A", True, box(0, 0, 10, 10)), shapes.Region("B", True, box(10, 0, 20, 10))]
    all_arcs, rings = shapes.arcs_of(squares)
    shared = {n if n >= 0 else ~n for n in rings[0][0]} & {n if n >= 0 else ~n for n in rings[1][0]}
    (border,) = shared
    assert sorted(unfolded(all_arcs[border], shapes.GRID)) == [(10.0, 0.0), (10.0, 10.0)]


def test_an_island_and_the_hole_it_lies_in_share_their_arc() -> None:
    island = box(4, 4, 6, 6)
    sea = Polygon(box(0, 0, 10, 10).exterior, [island.exterior])
    all_arcs, rings = shapes.arcs_of([shapes.Region("A", True, island), shapes.Region("B", False, sea)])
    assert len(all_arcs) == 2
    assert {n if n >= 0 else ~n for n in rings[1][1]} == {n if n >= 0 else ~n for n in rings[0][0]}


def test_marks_are_placed_in_a_province_and_refused_where_there_is_no_room() -> None:
    placed = marks.province_marks(box(0, 0, 120, 90), True, None, box(500, 500, 501, 501))
    assert set(placed) == {"unit", "name", "centre"}
    # The unit stands in the middle; its centre's mark is apart from it.
    assert placed["unit"] == pytest.approx((60, 45), abs=15)
    one, other = (box(*marks.box(mark, placed[mark])) for mark in ("unit", "centre"))
    assert one.distance(other) >= marks.APART
    with pytest.raises(marks.MarksError):
        marks.province_marks(box(0, 0, 24, 24), True, None, box(500, 500, 501, 501))


def test_the_tool_and_the_picture_agree_on_the_size_of_marks() -> None:
    assert marks.SIZES == SIZES
