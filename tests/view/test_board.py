"""Boards as SVG: well formed, told in words, and every kind of order drawn."""

import itertools
import json
import math
import random
import re
import sys
import xml.etree.ElementTree as ElementTree
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from shapely import Point, Polygon
from shapely.geometry.base import BaseGeometry

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from random_boards import boards, crosses_of, faults, hidden, marks_of

from bordeaux import BordeauxError, Engine, Map, Position, adjudicate, legal_orders
from bordeaux.board.errors import MapError
from bordeaux.board.map import parse_map
from bordeaux.board.order import Dislodged, Unit
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.formats.text import position_from_text
from bordeaux.view.board import NAME, NOTEBOOK, STYLES, svg
from bordeaux.view.board.geometry import APART, SIZES, geometry_of, laid_out, unfolded
from bordeaux.view.board.heat import HEATS, heat_of, leaders_of
from bordeaux.view.board.orders import Drawing, Obstacles
from bordeaux.view.board.paint import SLANTS, page_css
from bordeaux.view.board.units import CRESTS
from bordeaux.view.palette import POWERS, THEMES
from bordeaux.view.svg import Picture, width_of

SVG = "{http://www.w3.org/2000/svg}"
START = Position.start()
BOUNCE_OF_GERMANY = {"GERMANY": ["A MUN - BUR"]}
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


@pytest.mark.parametrize(
    ("orders", "failed"),
    [
        (["A PAR H"], 0),
        (["A MAR S A PAR - BUR", "A PAR - BUR"], 0),
        (["A PAR S F BRE", "F BRE H"], 0),
        (["A MAR S A PAR - BUR", "A PAR - PIC"], 1),
        (["A PAR - MOS"], 1),
    ],
)
def test_holds_supports_and_what_is_void(orders: list[str], failed: int) -> None:
    given = {"FRANCE": orders}
    picture = svg(START, given, adjudicate(START, given).results)
    assert len(notes(picture)) == len(orders) and crosses(picture) == failed


def test_a_convoyed_move_goes_by_its_fleets() -> None:
    units = [Unit("ENGLAND", "A", "LON"), Unit("ENGLAND", "F", "NTH"), Unit("ENGLAND", "F", "SKA")]
    position = Position(START.map, "S1902M", units, {})
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


def test_retreats_disbands_and_builds() -> None:
    out = Dislodged(Unit("FRANCE", "A", "BUR"), ("PAR", "GAS"))
    lost = Position(START.map, "F1901R", [Unit("GERMANY", "A", "BUR")], {}, [out])
    assert "France: A BUR, dislodged; to PAR GAS" in svg(
        lost
    ) or "France: A BUR, dislodged; to GAS PAR" in svg(lost)
    assert notes(svg(lost, {"FRANCE": ["A BUR R PAR"]})) == ["France: A BUR R PAR"]
    assert crosses(svg(lost, {"FRANCE": ["A BUR D"]})) == 1
    winter = Position(START.map, "W1901A", [], {"RUSSIA": ["STP", "MOS"]})
    picture = svg(winter, {"RUSSIA": ["F STP/NC B", "WAIVE"]})
    assert notes(picture) == ["Russia: F STP/NC B"] and "WAIVE" in picture


@pytest.mark.parametrize("style", STYLES)
def test_styles(style: str) -> None:
    picture = svg(START, style=style, size=600)
    assert ("<style>" in picture) == (style != "bare")
    assert ("prefers-color-scheme" in picture) == (style == "auto")
    root = ElementTree.fromstring(picture)
    assert root.get("width") == "600" and (root.get("viewBox") or "").startswith("0 0 1200 ")


def test_bad_sizes_and_styles_are_refused() -> None:
    with pytest.raises(BordeauxError, match="unknown style"):
        svg(START, style="pink")
    with pytest.raises(BordeauxError, match="unknown theme"):
        svg(START, theme="pink")
    with pytest.raises(BordeauxError, match="size"):
        svg(START, size=5)
    with pytest.raises(BordeauxError, match="unknown province"):
        svg(START, highlight=["XYZ"])


def test_highlighted_provinces_are_framed() -> None:
    assert svg(START, highlight=["Paris", "MAO"]).count('stroke-width="3.2"') == 2


@pytest.mark.parametrize("name", ["gulfs", "pure", "capitals"])
def test_any_map_is_laid_out_without_collisions(name: str) -> None:
    board = Map.load(name)
    layout = laid_out(board)
    middles = [np.array(layout.marks[province.name]["middle"]) for province in board.provinces]
    nearest = min(float(np.hypot(*(a - b))) for a, b in itertools.combinations(middles, 2))
    assert nearest >= APART * 0.98
    assert layout == laid_out(board)
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


@pytest.mark.parametrize(
    "name",
    [
        "<script>alert(1)</script>",
        "x' onload='alert(1)",
        'x" onload="alert(1)',
        "]]><script>alert(1)",
        "&lt;",
    ],
)
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
    for _ in range(25):
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


def test_who_was_dislodged_is_crossed() -> None:
    units = [Unit("FRANCE", "A", "BUR"), Unit("FRANCE", "A", "PIC"), Unit("GERMANY", "A", "BEL")]
    position = Position(START.map, "S1902M", units, {})
    orders = {"FRANCE": ["A BUR - BEL", "A PIC S A BUR - BEL"]}
    root = ElementTree.fromstring(svg(position, orders, adjudicate(position, orders).results))
    beaten = [
        group.findtext(f"{SVG}title") for group in root.iter(f"{SVG}g") if group.get("class") == "beaten"
    ]
    assert beaten == ["Germany: A BEL, dislodged"]


def test_better_orders_are_drawn_over_those_that_were_played() -> None:
    played, better = ["A PAR - GAS", "A MAR - SPA"], ["A PAR - BUR", "A MAR - SPA"]
    root = ElementTree.fromstring(
        svg(START, {"FRANCE": played, **BOUNCE_OF_GERMANY}, better={"FRANCE": better})
    )
    drawn = {
        str(group.get("class")): group.findtext(f"{SVG}title")
        for group in root.iter(f"{SVG}g")
        if str(group.get("class")).startswith("order")
    }
    # Orders that both have stay in the colour of their power; those of others are not drawn.
    assert drawn == {
        "order": "France: A MAR - SPA",
        "order played": "France: A PAR - GAS",
        "order better": "France: A PAR - BUR",
    }


def test_heat_takes_the_place_of_owners() -> None:
    assert 'class="t2"' in svg(START)
    warm = svg(START, heat={"PAR": 2.0, "BUR": 1.0})
    assert 'class="t' not in warm
    assert warm.count('class="heat7"') == 1 and warm.count('class="heat4"') == 1


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
    # The more there is, the stronger is the tint.
    assert float(tinted["Paris"].get("fill-opacity", 0)) > float(tinted["Burgundy"].get("fill-opacity", 0))


@pytest.mark.parametrize("theme", THEMES)
def test_themes_and_patterns(theme: str) -> None:
    plain, patterned = svg(START, theme=theme), svg(START, theme=theme, patterns=True)
    assert (
        f".t2,.bordeaux-auto .g2{{fill:{THEMES[theme].light['tint2']}}}" in plain and "<pattern" not in plain
    )
    assert patterned.count("<pattern") == 7 and ".t2{fill:url(#bordeaux-auto-power2)}" in patterned
    # Each rule is limited to its own picture.
    style = plain.partition("<style>")[2].partition("</style>")[0]
    selectors = re.findall(r"([^{}\n]+)\{[^{}]*\}", style)
    assert all(part.startswith(".bordeaux-auto ") for rule in selectors for part in rule.split(","))


def test_a_page_can_choose_theme_and_patterns_without_new_pictures() -> None:
    css = page_css()
    assert "fill:var(--tint-2)" in css and "calc(5px*var(--thin,1))" in css
    assert {f"[data-board={theme}]{{" in css for theme in THEMES} == {True}
    assert ":root[data-patterns] .bordeaux-bare .t2{fill:url(#bordeaux-bare-power2)}" in css
    assert 'id="bordeaux-bare-power2"' in svg(START, style="bare")


def test_arrows_pass_by_names_and_units() -> None:
    """Every move of the units of the start, each alone on the board, against the straight way."""
    drawing = Drawing(Picture(1200, "", ""), geometry_of(START.map), START, (), None)
    marks = Obstacles(geometry_of(START.map), START)
    straight = bent = 0.0
    for unit in START.units:
        begin = drawing.at(unit.location)
        for name in START.map.adjacent(unit.kind, unit.location):
            end = drawing.at(name)
            straight += marks.covered([begin, end])
            bent += marks.covered(drawing.clear(begin, end))
            assert marks.covered(drawing.clear(begin, end)) <= marks.covered([begin, end])
    assert 0 < bent < straight * 0.6


def test_opposite_arrows_part() -> None:
    drawing = Drawing(Picture(1200, "", ""), geometry_of(START.map), START, (), None)
    one, other = drawing.at("PAR"), drawing.at("BUR")
    ways = drawing.clear(one, other, True), drawing.clear(other, one, True)
    assert math.dist(ways[0][12], ways[1][12]) > 0.2 * math.dist(one, other)


@pytest.mark.parametrize("kind", sorted(set(HEATS) - {"people"}))
def test_heat_is_of_provinces_and_not_below_zero(kind: str) -> None:
    heat = heat_of(START, kind, "FRANCE")
    assert heat and all(value >= 0 for value in heat.values())
    assert {START.map.province(name).name for name in heat} == set(heat)
    picture = svg(START, heat=heat)
    assert 'class="heat7"' in picture or max(heat.values()) == 0


def test_danger_counts_who_can_come() -> None:
    units = [Unit("FRANCE", "A", "PAR"), Unit("GERMANY", "A", "BUR"), Unit("GERMANY", "A", "PIC")]
    position = Position(START.map, "S1902M", units, {"FRANCE": ["PAR", "MAR"]})
    assert heat_of(position, "danger", "FRANCE") == {"PAR": 1.0, "MAR": 1.0}


def test_what_people_send_somewhere_is_no_more_than_they_have() -> None:
    heat = heat_of(START, "people", "FRANCE")
    assert sum(heat.values()) <= 3.001 and max(heat, key=heat.__getitem__) in {"BUR", "MAO", "SPA", "PIC"}


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
    """The middle of each does, and most of it, in provinces that are too narrow for all of it."""
    mark_boxes = boxes(mark)
    for place, box in mark_boxes.items():
        shape = shapes[tag(place)]
        assert shape.covers(box.centroid) and shape.intersection(box).area > WITHIN[mark] * box.area, place
    wanted = {"unit": {tag(p) for p in mark_boxes}, "name": set(mark_boxes), "centre": set(mark_boxes)}[mark]
    assert wanted == (set(MAP.centres) if mark == "centre" else {p.name for p in MAP.provinces})


def test_units_stand_in_the_middle_of_their_provinces(shapes: dict[str, BaseGeometry]) -> None:
    """A few pixels from the place with most room around it, half of them."""
    geometry = geometry_of(MAP)
    off = {}
    for province in MAP.provinces:
        largest = max(shapely.get_parts(shapes[province.name]), key=lambda part: part.area)
        middle = shapely.maximum_inscribed_circle(largest, 0.5).coords[0]
        off[province.name] = math.dist(middle, geometry.at(province.name))
    assert float(np.median([*off.values()])) < 10


def test_every_location_has_a_unit_and_a_place_for_one_that_is_dislodged() -> None:
    shape = geometry_of(MAP)
    for location in MAP.locations:
        assert shape.at(location.name) and shape.at(location.name, "dislodged")


def test_dislodged_units_stand_in_their_provinces(shapes: dict[str, BaseGeometry]) -> None:
    """Most of each does, but for two that are too small; docs/board.md names them."""
    beside = {
        tag(place)
        for place, box in boxes("dislodged").items()
        if shapes[tag(place)].intersection(box).area < 0.65 * box.area
    }
    assert beside == {"PAR", "PIC"}


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


PICTURE = svg(Position.start())


@pytest.mark.slow
def test_random_boards_have_no_faults() -> None:
    kinds, maps = set(), set()
    for position, orders in itertools.islice(boards(seed=1), 60):
        picture = svg(position, orders, adjudicate(position, orders).results)
        assert faults(picture) == []
        board, units = position.map, len(position.units) + len(position.dislodged)
        marks = [text for text, _ in marks_of(ElementTree.fromstring(picture))]
        coasts = sum(mark in ("nc", "sc", "ec", "wc") for mark in marks)
        legend = len(marks) - coasts - units - len(board.provinces) - len(board.centres)
        assert legend in (0, len(board.powers))
        kinds.add(position.phase.kind)
        maps.add(board.name)
    assert kinds == {"M", "R", "A"} and maps == {"standard", "gulfs", "pure", "capitals"}


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
    (fault,) = faults(PICTURE.replace("</svg>", drawn))
    assert words in fault


def test_what_overlaps_is_found() -> None:
    (paris,) = [(x, y) for name, (x, _, _, y) in marks_of(ElementTree.fromstring(PICTURE)) if name == "PAR"]
    unit = f'<g><title>France: A XYZ</title><circle cx="{paris[0]}" cy="{paris[1]}" r="3"/></g></svg>'
    assert faults(PICTURE.replace("</svg>", unit)) == ["PAR overlaps France: A XYZ"]


def test_the_cross_of_a_failed_convoyed_move_is_clear_of_the_fleet() -> None:
    centres = (
        "ENGLAND: A LON, F NTH; centres LON\nGERMANY: A NWY, F SKA; centres KIE\nRUSSIA: F SWE; centres SWE"
    )
    position = position_from_text(f"S1904M\n{centres}\n")
    given = (
        "ENGLAND: A LON - NWY; F NTH C A LON - NWY\nGERMANY: A NWY H; F SKA - NTH\nRUSSIA: F SWE S A NWY\n"
    )
    orders = orders_from_text(given, position)
    picture = svg(position, orders, adjudicate(position, orders).results)
    crosses = dict(crosses_of(ElementTree.fromstring(picture)))
    assert [title for title in crosses if "A LON - NWY" in title and " C " not in title] != []
    assert hidden(picture) == []
    fleet = next(box for title, box in marks_of(ElementTree.fromstring(picture)) if title == "England: F NTH")
    x, y = (fleet[0] + fleet[2]) / 2, (fleet[1] + fleet[3]) / 2
    stroke = f'<path class="mark bad cross" d="M{x - 4},{y - 4}l8,8m-8,0l8,-8"/>'
    picture = picture.replace("</svg>", f'<g class="order"><title>A - B</title>{stroke}</g></svg>')
    assert hidden(picture) == ["England: F NTH covers the cross of A - B"]
