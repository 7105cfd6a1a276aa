"""Boards as SVG: well formed, told in words, and every kind of order drawn."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
import xml.etree.ElementTree as ElementTree
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

from bordeaux import BordeauxError, Engine, Map, Position, adjudicate, legal_orders
from bordeaux.board.errors import MapError
from bordeaux.board.map import parse_map
from bordeaux.board.order import Unit
from bordeaux.view.board import NOTEBOOK, svg
from bordeaux.view.board.geometry import APART, SIZES, geometry_of, laid_out, unfolded
from bordeaux.view.board.heat import heat_of, leaders_of
from bordeaux.view.board.paint import SLANTS
from bordeaux.view.board.units import CRESTS
from bordeaux.view.palette import POWERS, THEMES, contrast, root_css
from bordeaux.view.svg import labels
from random_boards import faults
from tests.patience import examples
from tests.players.playing import standard

from .reader import SVG

START = Position.start()
BOUNCE = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}


def notes(picture: str) -> list[str]:
    """What is shown to who points at the orders."""
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    return [group.findtext(f"{SVG}title", "") for group in groups if group.get("class") == "order"]


def crosses(picture: str) -> int:
    return picture.count('class="mark bad cross"')


def test_a_picture_tells_what_it_shows() -> None:
    root = ElementTree.fromstring(svg(START))
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "Diplomacy, Spring 1901, movement"
    description = root.findtext(f"{SVG}desc") or ""
    assert "Russia: units A MOS, F SEV, F STP/SC, A WAR; 4 centres MOS SEV STP WAR." in description


def test_orders_and_results_are_told_and_failed_moves_crossed() -> None:
    results = adjudicate(START, BOUNCE).results
    plain, judged = svg(START, BOUNCE), svg(START, BOUNCE, results)
    assert notes(plain) == ["France: A PAR - BUR", "Germany: A MUN - BUR"] and crosses(plain) == 0
    assert notes(judged) == ["France: A PAR - BUR (bounce)", "Germany: A MUN - BUR (bounce)"]
    assert crosses(judged) == 2


def test_a_convoyed_move_goes_by_its_fleets() -> None:
    position = standard("S1902M", {"ENGLAND": ["A LON", "F NTH", "F SKA"]})
    move, first, second = "A LON - SWE VIA", "F NTH C A LON - SWE", "F SKA C A LON - SWE"
    by_sea = svg(position, {"ENGLAND": [move, first, second]})
    straight = svg(position, {"ENGLAND": ["A LON - SWE VIA"]})
    shape = geometry_of(position.map)

    def misses(picture: str, sea: str) -> float:
        """Pixels between the fleet's place and the nearest corner of an arrow."""
        lines = [line.get("points", "") for line in ElementTree.fromstring(picture).iter(f"{SVG}polyline")]
        corners = [tuple(map(float, corner.split(","))) for line in lines for corner in line.split()]
        return min(math.dist(shape.at(sea), corner) for corner in corners)

    assert max(misses(by_sea, "NTH"), misses(by_sea, "SKA")) < 3
    assert min(misses(straight, "NTH"), misses(straight, "SKA")) > 8


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"style": "pink"}, "unknown style"),
        ({"theme": "pink"}, "unknown theme"),
        ({"size": 5}, "size"),
        ({"highlight": ["XYZ"]}, "unknown province"),
    ],
)
def test_what_cannot_be_drawn_is_refused(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(BordeauxError, match=words):
        svg(START, **asked)


@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_any_map_is_laid_out_without_collisions(name: str) -> None:
    board = Map.load(name)
    layout = laid_out(board)
    assert [region.land for region in layout.regions] == [place.kind != "sea" for place in board.provinces]
    middles = [np.array(layout.marks[province.name]["middle"]) for province in board.provinces]
    nearest = min(float(np.hypot(*(a - b))) for a, b in itertools.combinations(middles, 2))
    assert nearest >= APART * 0.98
    position = Position.start(board)
    orders = {
        power: [choices[0] for choices in legal_orders(position, power).values()] for power in board.powers
    }
    assert len(notes(svg(position, orders))) == len(position.units)


EVIL = """
name = "evil"
title = "<script>alert(0)</script>"
phase = "S1901M"
[powers.FRANCE]
tag = "FRA"
homes = "ONE"
units = ["A ONE"]
[provinces.ONE]
name = %s
kind = "inland"
centre = true
army = "TWO"
[provinces.TWO]
name = "Two"
kind = "inland"
army = "ONE"
"""


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", 'x" onload="alert(1)', "&lt;"])
def test_hostile_names_stay_text(name: str) -> None:
    position = Position.start(parse_map(EVIL % json.dumps(name)))
    root = ElementTree.fromstring(svg(position, {"FRANCE": ["A ONE - TWO"]}, heat={"ONE": 1.0}))
    assert f"{name}: France" in {element.text for element in root.iter(f"{SVG}title")}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        *("svg", "title", "desc", "rect", "style", "defs", "pattern", "path", "g", "text"),
        *("line", "polyline", "polygon", "circle", "radialGradient", "stop"),
    }
    for element in root.iter():
        assert not any(key.startswith("on") or "alert" in value for key, value in element.attrib.items())


def test_hostile_names_of_powers_are_refused() -> None:
    for old, new in ((".FRANCE", '."<SCRIPT>"'), ('"FRA"', '"<a>"')):
        with pytest.raises(MapError):
            parse_map((EVIL % '"One"').replace(old, new))


def test_random_phases_are_well_formed() -> None:
    rng, position = random.Random(0), START
    for _ in range(examples(12)):
        orders = {
            power: [rng.choice(choices) for choices in legal_orders(position, power).values()]
            for power in position.map.powers
        }
        resolution = adjudicate(position, orders)
        picture = svg(position, orders, resolution.results)
        given = sum(order != "WAIVE" for listed in orders.values() for order in listed)
        assert len(notes(picture)) == given
        position = resolution.after if resolution.after.phase.kind != "-" else START


def test_units_show_what_they_are_and_whose() -> None:
    """A wheel is an army's alone, sails a fleet's; each power has a crest, and no unit bears a letter."""
    assert len({str(crest) for crest in CRESTS}) == len(CRESTS) == len(set(SLANTS)) == POWERS
    coasts = [p.name for p in START.map.provinces if p.kind == "coastal" and not p.coasts]
    units = [Unit(power, "AF"[n % 2], coasts[n]) for n, power in enumerate(START.map.powers)]
    root = ElementTree.fromstring(svg(Position(START.map, "S1902M", units, {})))
    groups = [group for group in root.iter(f"{SVG}g") if group.get("class") == "unit"]
    assert len(groups) == len(units)
    for unit, group in zip(units, groups, strict=True):
        assert group.get("data-stands") == unit.location
        assert len(group.findall(f"{SVG}circle")) == (unit.kind == "A")
        assert not group.findall(f"{SVG}text")
        power = START.map.powers.index(unit.power)
        kinds = [shape.get("class") for shape in group]
        assert kinds.count(f"c{power}") == len(CRESTS[power]) and f"rim p{power}" in kinds


def test_better_orders_are_drawn_over_those_that_were_played() -> None:
    played, better = ["A PAR - GAS", "A MAR - SPA"], ["A PAR - BUR", "A MAR - SPA"]
    picture = svg(START, {**BOUNCE, "FRANCE": played}, better={"FRANCE": better})
    groups = ElementTree.fromstring(picture).iter(f"{SVG}g")
    drawn = {str(group.get("class")): group.findtext(f"{SVG}title") for group in groups}
    # Orders that both have stay in the colour of their power; those of others are not drawn.
    assert {kind: note for kind, note in drawn.items() if kind.startswith("order")} == {
        "order": "France: A MAR - SPA",
        "order played": "France: A PAR - GAS",
        "order better": "France: A PAR - BUR",
    }


def test_influence_for_all_has_the_tint_of_who_leads() -> None:
    heat, leaders = heat_of(START, "influence"), leaders_of(START, "influence")
    assert leaders is not None and leaders["PAR"] == "FRANCE" and leaders["MOS"] == "RUSSIA"
    assert leaders_of(START, "influence", "FRANCE") is None and leaders_of(START, "danger") is None
    root = ElementTree.fromstring(svg(START, heat=heat, leaders=leaders))
    tinted = {
        shape.findtext(f"{SVG}title", "").partition(" (")[0]: shape
        for shape in root.iter(f"{SVG}path")
        if shape.get("fill-opacity")
    }
    assert tinted["Paris"].get("class") == "t2" and tinted["Moscow"].get("class") == "t5"
    assert any((text.text or "").endswith("Influence, all powers") for text in root.iter(f"{SVG}text"))
    # The more there is, the stronger is the tint.
    assert float(tinted["Paris"].get("fill-opacity", 0)) > float(tinted["Burgundy"].get("fill-opacity", 0))


def test_danger_counts_who_can_come() -> None:
    units = {"FRANCE": ["A PAR"], "GERMANY": ["A BUR", "A PIC"]}
    position = standard("S1902M", units, {"FRANCE": ["PAR", "MAR"]})
    assert heat_of(position, "danger", "FRANCE") == {"PAR": 1.0, "MAR": 1.0}


def test_notebooks_show_positions_resolutions_and_what_was_found() -> None:
    assert START._repr_svg_() == svg(START, size=NOTEBOOK)
    resolution = adjudicate(START, BOUNCE)
    assert resolution._repr_svg_() == svg(START, BOUNCE, resolution.results, size=NOTEBOOK)
    with Engine(seed=0) as engine:
        answer = engine.search(START, "FRANCE", nodes=200)
    assert answer._repr_svg_() == svg(START, {"FRANCE": answer.orders}, size=NOTEBOOK)


LEAST_BORDER = 6.0
"""Pixels of 1200: a shorter common border could be overlooked."""
LEAST_APART = 1.5
"""Pixels between provinces that have no border."""
MAP = Map.standard()
WITHIN = {"unit": 0.8, "name": 0.6, "centre": 0.8}
"""How much of a mark lies in its province, at least."""


def tag(location: str) -> str:
    return location.partition("/")[0]


DRAWING = json.loads(files("bordeaux.view").joinpath("data", "standard.json").read_text())


def ring(numbers: list[int]) -> list[tuple[float, float]]:
    arcs = [unfolded(arc, DRAWING["grid"]) for arc in DRAWING["arcs"]]
    return [point for n in numbers for point in (arcs[n] if n >= 0 else arcs[~n][::-1])[:-1]]


@pytest.fixture(scope="module")
def pieces() -> list[tuple[str, Polygon]]:
    return [
        (name, Polygon(ring(rings[0]), [ring(hole) for hole in rings[1:]]))
        for name, _, rings in DRAWING["regions"]
    ]


@pytest.fixture(scope="module")
def shapes(pieces: list[tuple[str, Polygon]]) -> dict[str, BaseGeometry]:
    by_tag: dict[str, list[Polygon]] = {}
    for name, shape in pieces:
        by_tag.setdefault(name, []).append(shape)
    return {name: shapely.union_all(parts) for name, parts in by_tag.items()}


def boxes(mark: str) -> dict[str, Polygon]:
    wide, high = SIZES[mark]
    marks = geometry_of(MAP).marks
    return {
        place: shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
        for place, (x, y) in ((place, there[mark]) for place, there in marks.items() if mark in there)
    }


def test_the_pieces_tile_the_sheet(pieces: list[tuple[str, Polygon]]) -> None:
    assert all(shape.is_valid for _, shape in pieces)
    sheet = pytest.approx(math.prod(DRAWING["size"]), abs=1)
    assert sum(shape.area for _, shape in pieces) == sheet
    assert shapely.union_all([shape for _, shape in pieces]).area == sheet


def test_two_provinces_touch_exactly_if_they_are_adjacent(shapes: dict[str, BaseGeometry]) -> None:
    adjacent = {
        frozenset((tag(location.name), tag(other)))
        for location in MAP.locations
        for other in MAP.adjacent(location.kind, location.name)
    }
    for one, other in itertools.combinations(sorted(province.name for province in MAP.provinces), 2):
        if frozenset((one, other)) in adjacent:
            assert shapes[one].intersection(shapes[other]).length >= LEAST_BORDER, (one, other)
        else:
            assert shapes[one].distance(shapes[other]) >= LEAST_APART, (one, other)


@pytest.mark.parametrize("mark", ["unit", "name", "centre"])
def test_marks_lie_within_their_provinces(mark: str, shapes: dict[str, BaseGeometry]) -> None:
    """The middle of each does, and most of it, in provinces that are too narrow for all of it."""
    mark_boxes = boxes(mark)
    for place, box in mark_boxes.items():
        shape = shapes[tag(place)]
        assert shape.covers(box.centroid) and shape.intersection(box).area > WITHIN[mark] * box.area, place
    wanted = {"unit": {tag(p) for p in mark_boxes}, "name": set(mark_boxes), "centre": set(mark_boxes)}[mark]
    assert wanted == (set(MAP.centres) if mark == "centre" else {p.name for p in MAP.provinces})


def test_no_two_marks_collide_for_any_set_of_units() -> None:
    """One unit stands in a province, on any coast, and one dislodged beside it, in all provinces at once."""
    placed = [(mark, place, box) for mark in SIZES for place, box in boxes(mark).items()]
    for (kind, place, one), (other_kind, other_place, other) in itertools.combinations(placed, 2):
        if kind == other_kind and tag(place) == tag(other_place):
            continue  # never both: a province has one unit, one dislodged unit, one name
        # Boxes are what the marks keep to; those that only meet do not overlap.
        assert one.intersection(other).area < 1e-6, f"{kind} of {place} and {other_kind} of {other_place}"


@pytest.mark.parametrize(
    ("drawn", "words"),
    [
        ('<circle cx="1199" cy="5" r="3"/></svg>', "circle  lies outside"),
        ('<line x1="-1" y1="5" x2="20" y2="5"/></svg>', "line  lies outside"),
        ('<polyline points="5,5 5,1300"/></svg>', "polyline  lies outside"),
        ('<text x="1190" y="20" font-size="12">Moscow</text></svg>', "text Moscow lies outside"),
    ],
)
def test_what_lies_outside_is_found(drawn: str, words: str) -> None:
    (fault,) = faults(svg(START).replace("</svg>", drawn))
    assert words in fault


# Parts of all pictures.


def test_a_label_takes_the_first_of_eight_places_where_it_meets_nothing() -> None:
    dot, size, frame = (100.0, 100.0, 5.0), (30.0, 10.0), (0.0, 0.0, 200.0, 200.0)
    places = [(108, 103), (62, 103), (85, 92), (85, 115), (106, 94), (106, 113), (64, 94), (64, 113)]
    # A small dot in each of them, and in no other.
    inside = [(137, 100), (63, 100), (100, 85), (100, 116), (135, 90), (135, 110), (65, 90), (65, 110)]
    for taken, place in enumerate([*places, None]):
        dots = [dot, *((float(x), float(y), 0.5) for x, y in inside[:taken])]
        assert labels(dots, [size], frame) == [place]


# The palette: contrasts by WCAG, distances as the colour-blind see them, and nothing beside it.

SIGHT = {
    # Machado, Oliveira and Fernandes (2009), severity 1.0.
    "common": "1 0 0 0 1 0 0 0 1",
    "protan": "0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216 -0.003882 -0.048116 1.051998",
    "deutan": "0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413 -0.011820 0.042940 0.968881",
    "tritan": "1.255528 -0.076749 -0.178779 -0.078411 0.930809 0.147602 0.004733 0.691367 0.303900",
}
SCHEMES = {
    f"{name}-{kind}": getattr(theme, kind) for name, theme in THEMES.items() for kind in ("light", "dark")
}
TEXT = 4.5
"""The least contrast of a text by WCAG."""
SEVEN, ALL = range(7), range(POWERS)
ROOT = Path(__file__).resolve().parents[2]

Scheme = dict[str, str]


def seen(colour: str, kind: str) -> np.ndarray:
    """A colour in CIELAB (D65) as it is seen."""
    channels = np.array([int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)])
    light = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    light = np.clip(np.array(SIGHT[kind].split(), float).reshape(3, 3) @ light, 0, 1)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.maximum(np.array(to_xyz) @ light / (0.9505, 1, 1.089), 1e-4))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: str, other: str, kind: str) -> float:
    """The CIE76 difference of two colours; about 2 can just be seen."""
    return float(np.linalg.norm(seen(one, kind) - seen(other, kind)))


def grounds(scheme: Scheme) -> list[str]:
    """What marks stand on."""
    return [scheme["sea"], scheme["land"], scheme["closed"], *(scheme[f"tint{n}"] for n in ALL)]


@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_text_can_be_read(scheme: Scheme) -> None:
    for ground in grounds(scheme)[1:]:
        assert contrast(scheme["name"], ground) >= TEXT, ground
    assert contrast(scheme["waters"], scheme["sea"]) >= TEXT
    assert contrast(scheme["ink"], scheme["sheet"]) >= TEXT
    for n in ALL:
        assert contrast(scheme[f"on{n}"], scheme[f"power{n}"]) >= TEXT, n
        assert contrast(scheme[f"text{n}"], scheme["sheet"]) >= TEXT, n


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("scheme", SCHEMES.values(), ids=SCHEMES)
def test_the_seven_can_be_told_apart(scheme: Scheme, sight: str) -> None:
    marks, tints = ([scheme[f"{kind}{n}"] for n in SEVEN] for kind in ("power", "tint"))
    assert min(apart(a, b, sight) for a, b in itertools.combinations(marks, 2)) > 12
    tints += [scheme["land"], scheme["sea"]]
    assert min(apart(a, b, sight) for a, b in itertools.combinations(tints[:8], 2)) > 10
    assert min(apart(a, scheme["sea"], sight) for a in tints[:7]) > 9


def test_schemes_have_the_same_names_and_become_variables() -> None:
    names = {frozenset(scheme) for scheme in SCHEMES.values()}
    assert len(names) == 1
    css = root_css("calm")
    assert css.count("--power-0:") == 2 and "--map-sea:#dfe9ef;" in css
    # A printed map is light wherever it lies.
    assert root_css("paper").count("--power-0:") == 1


def test_no_style_sheet_or_script_has_a_colour_of_a_power_of_its_own() -> None:
    colours = {scheme[f"{kind}{n}"] for scheme in SCHEMES.values() for kind in ("power", "tint") for n in ALL}
    for path in (ROOT / "bordeaux").rglob("*.*"):
        if path.suffix in (".py", ".css", ".js") and path.name != "palette.py":
            found = colours & set(re.findall(r"#[0-9a-f]{6}\b", path.read_text("utf-8")))
            assert not found, (path, found)
