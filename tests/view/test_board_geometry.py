"""The picture of the standard map tells the truth: its shapes meet as the map says, no marks collide."""

import itertools
import json
from importlib.resources import files
from typing import Any

import pytest
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

from bordeaux import Map
from bordeaux.view.board import NAME
from bordeaux.view.board.geometry import SIZES, geometry_of, unfolded
from bordeaux.view.svg import width_of

LEAST_BORDER = 6.0
"""Pixels of 1200: a shorter common border could be overlooked."""
LEAST_APART = 1.5
"""Pixels between provinces that have no border."""
MAP = Map.standard()


def tag(location: str) -> str:
    return location.partition("/")[0]


@pytest.fixture(scope="module")
def drawing() -> dict[str, Any]:
    drawing_read: dict[str, Any] = json.loads(
        files("bordeaux.view").joinpath("data", "standard.json").read_text()
    )
    return drawing_read


@pytest.fixture(scope="module")
def pieces(drawing: dict[str, Any]) -> list[tuple[str, bool, Polygon]]:
    arcs = [unfolded(arc, drawing["grid"]) for arc in drawing["arcs"]]

    def ring(numbers: list[int]) -> list[tuple[float, float]]:
        return [p for n in numbers for p in (arcs[n] if n >= 0 else arcs[~n][::-1])[:-1]]

    return [
        (name, land, Polygon(ring(rings[0]), [ring(r) for r in rings[1:]]))
        for name, land, rings in drawing["regions"]
    ]


@pytest.fixture(scope="module")
def shapes(pieces: list[tuple[str, bool, Polygon]]) -> dict[str, BaseGeometry]:
    by_tag: dict[str, list[Polygon]] = {}
    for name, _, shape in pieces:
        by_tag.setdefault(name, []).append(shape)
    return {name: shapely.union_all(parts) for name, parts in by_tag.items()}


def adjacent_pairs() -> set[frozenset[str]]:
    return {
        frozenset((tag(location.name), tag(other)))
        for location in MAP.locations
        for other in MAP.adjacent(location.kind, location.name)
    }


def boxes(mark: str) -> dict[str, Polygon]:
    wide, high = SIZES[mark]
    marks = geometry_of(MAP).marks
    return {
        place: shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        for place, (x, y) in ((place, there[mark]) for place, there in marks.items() if mark in there)
    }


def test_the_pieces_tile_the_sheet(drawing: dict[str, Any], pieces: list[tuple[str, bool, Polygon]]) -> None:
    assert all(shape.is_valid for _, _, shape in pieces)
    width, height = drawing["size"]
    assert sum(shape.area for _, _, shape in pieces) == pytest.approx(width * height, abs=1)
    assert shapely.union_all([shape for _, _, shape in pieces]).area == pytest.approx(width * height, abs=1)


def test_every_province_is_drawn_as_land_or_sea(pieces: list[tuple[str, bool, Polygon]]) -> None:
    assert {name for name, _, _ in pieces} == {province.name for province in MAP.provinces} | {""}
    for name, land, _ in pieces:
        assert not name or land == (MAP.province(name).kind != "sea"), name


def test_two_provinces_touch_exactly_if_they_are_adjacent(shapes: dict[str, BaseGeometry]) -> None:
    adjacent, faults = adjacent_pairs(), []
    for one, other in itertools.combinations(sorted(province.name for province in MAP.provinces), 2):
        if frozenset((one, other)) in adjacent:
            if shapes[one].intersection(shapes[other]).length < LEAST_BORDER:
                faults.append(f"{one} and {other} are adjacent, but do not touch")
        elif shapes[one].distance(shapes[other]) < LEAST_APART:
            faults.append(f"{one} and {other} are not adjacent, but touch")
    assert not faults


def test_a_coast_lies_on_the_seas_that_its_fleets_reach(shapes: dict[str, BaseGeometry]) -> None:
    marks = geometry_of(MAP).marks
    for province in (province for province in MAP.provinces if province.coasts):
        reached: dict[str, set[str]] = {coast: set() for coast in province.coasts}
        for sea in (p for p in MAP.provinces if p.kind == "sea"):
            shore = shapely.line_merge(shapes[province.name].intersection(shapes[sea.name]))
            for part in shapely.get_parts(shore):
                if part.length >= LEAST_BORDER:
                    near = min(
                        province.coasts,
                        key=lambda coast: part.distance(Point(marks[f"{province.name}/{coast}"]["unit"])),
                    )
                    reached[near].add(sea.name)
        for coast in province.coasts:
            seas = {
                name
                for name in MAP.adjacent("F", f"{province.name}/{coast}")
                if MAP.province(name).kind == "sea"
            }
            assert reached[coast] == seas, f"{province.name}/{coast}"


@pytest.mark.parametrize("mark", ["unit", "name", "centre"])
def test_marks_lie_within_their_provinces(mark: str, shapes: dict[str, BaseGeometry]) -> None:
    mark_boxes = boxes(mark)
    assert all(shapes[tag(place)].covers(box) for place, box in mark_boxes.items())
    wanted = {"unit": {tag(p) for p in mark_boxes}, "name": set(mark_boxes), "centre": set(mark_boxes)}[mark]
    assert wanted == (set(MAP.centres) if mark == "centre" else {p.name for p in MAP.provinces})


def test_every_location_has_a_unit_and_a_place_for_one_that_is_dislodged() -> None:
    shape = geometry_of(MAP)
    for location in MAP.locations:
        assert shape.at(location.name) and shape.at(location.name, "dislodged")


def test_dislodged_units_stand_in_their_provinces(shapes: dict[str, BaseGeometry]) -> None:
    """But for three that are too narrow; docs/board.md names them."""
    beside = {tag(place) for place, box in boxes("dislodged").items() if not shapes[tag(place)].covers(box)}
    assert beside == {"LON", "LVP", "TYR"}


def test_no_two_marks_collide_for_any_set_of_units() -> None:
    """One unit stands in a province, on any coast, and one dislodged beside it, in all provinces at once."""
    placed = [(mark, place, box) for mark in SIZES for place, box in boxes(mark).items()]
    for (kind, place, one), (other_kind, other_place, other) in itertools.combinations(placed, 2):
        if kind == other_kind and tag(place) == tag(other_place):
            continue  # never both: a province has one unit, one dislodged unit, one name
        # Boxes are what the marks keep to; those that only meet do not overlap.
        assert one.intersection(other).area < 1e-6, f"{kind} of {place} and {other_kind} of {other_place}"


def test_marks_stay_on_the_sheet(drawing: dict[str, Any]) -> None:
    sheet = shapely.box(0, 0, *drawing["size"])
    assert all(sheet.covers(box) for mark in SIZES for box in boxes(mark).values())


def test_names_keep_to_their_boxes() -> None:
    assert all(width_of(province.name, NAME, bold=True) <= SIZES["name"][0] for province in MAP.provinces)


def test_the_file_names_its_source(drawing: dict[str, Any]) -> None:
    assert "Natural Earth" in drawing["source"] and "public domain" in drawing["source"]
