"""Land and sea divided into provinces whose borders coincide exactly: each is stored once, as an arc."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import LinearRing

from mapmaking.atlas import Atlas, Sheet, places

GRID = 0.1
"""Pixels; all corners lie on a grid of this width."""
SMOOTH = 1.3
"""Pixels: inlets and tongues of land narrower than about twice this are closed and cut off."""
OVER = 3.0
"""Pixels by which every border is made longer at both ends: what sticks out is cut off again."""
SLIVER = 60.0
"""Square pixels: unclaimed pieces smaller than this go to the neighbour with the longest border."""


class CutError(ValueError):
    """The lines do not divide the sheet into provinces."""


class Region(NamedTuple):
    """A piece of the sheet: the tag of its province, or "" if it is closed, and whether it is land."""

    tag: str
    land: bool
    shape: Polygon


def coastline(atlas: Atlas, sheet: Sheet, settings: Mapping[str, Any]) -> BaseGeometry:
    """All land on the sheet, without its small islands."""
    window = shapely.box(-45, 22, 75, 82)
    parts = [
        shapely.make_valid(polygon.intersection(window))
        for polygon in map(shapely.make_valid, atlas.polygons("land"))
    ]
    drawn = [shapely.make_valid(shapely.transform(part, sheet)) for part in parts if not part.is_empty]
    fills = [Polygon(sheet(dense(places(text)))) for text in settings["fill"].values()]
    land = shapely.union_all([*drawn, *fills])
    for way in (1, -2, 1):
        land = land.buffer(way * SMOOTH, quad_segs=3)
    dropped = [Point(sheet(places(text))[0]) for text in settings["drop"]["at"]]
    least = settings["drop"]["least"] * sheet.scale**2
    shown = [
        part.intersection(frame(sheet))
        for part in land.geoms
        if not any(part.contains(point) for point in dropped)
    ]
    kept = [
        Polygon(part.exterior, [hole for hole in part.interiors if Polygon(hole).area >= least / 2])
        for part in shapely.get_parts(shown)
        if part.area >= least
    ]
    return shapely.union_all(kept).simplify(0.35)


def frame(sheet: Sheet) -> Polygon:
    """The whole sheet."""
    return shapely.box(0, 0, *sheet.size)


def dense(points: np.ndarray, step: float = 0.5) -> np.ndarray:
    """A line in degrees with intermediate points, so that straight lines stay straight in degrees."""
    parts = [points[:1]]
    for begin, end in itertools.pairwise(points):
        count = max(1, int(np.abs(end - begin).max() / step))
        parts.append(begin + (end - begin) * np.linspace(0, 1, count + 1)[1:, None])
    return np.concatenate(parts)


def longer(points: np.ndarray) -> np.ndarray:
    """A line extended a little at both ends."""
    begin, end = points[0] - points[1], points[-1] - points[-2]
    first, last = points[0] + OVER * begin / np.hypot(*begin), points[-1] + OVER * end / np.hypot(*end)
    return np.concatenate([[first], points[1:-1], [last]])


def rounded(points: np.ndarray, times: int = 3) -> np.ndarray:
    """A line with its corners cut off repeatedly (Chaikin, 1974); its ends are kept."""
    for _ in range(times):
        near, far = points[:-1] * 0.75 + points[1:] * 0.25, points[:-1] * 0.25 + points[1:] * 0.75
        inner = np.stack([near, far], axis=1).reshape(-1, 2)
        points = np.concatenate([points[:1], inner[1:-1], points[-1:]])
    return points


def cut(land: BaseGeometry, countries: Atlas, sheet: Sheet, settings: Mapping[str, Any]) -> list[Region]:
    """The provinces and closed pieces of the sheet. Raises CutError if a piece has no name or two."""
    inside = [LineString(rounded(longer(sheet(places(text))))) for text in settings["land"].values()]
    for pair in settings["borders"]["of"]:
        inside += [LineString(longer(sheet(arc))) for arc in countries.border(*pair.split())]
    outside = [
        LineString(rounded(longer(sheet(dense(places(text), 2.0))))) for text in settings["sea"].values()
    ]
    sea = frame(sheet).difference(land)
    within = MultiLineString(inside).intersection(land.buffer(GRID)).simplify(0.35)
    beyond = MultiLineString(outside).intersection(sea.buffer(GRID))
    lines = shapely.union_all([within, beyond, land.boundary, frame(sheet).boundary], grid_size=GRID)
    faces = list(shapely.get_parts(shapely.polygonize([lines])))
    land = land.buffer(GRID)
    return claimed(faces, [land.contains(face.representative_point()) for face in faces], sheet, settings)


def claimed(
    faces: list[Polygon], dry: Iterable[bool], sheet: Sheet, settings: Mapping[str, Any]
) -> list[Region]:
    """The faces with their names, with slivers assigned to neighbours."""
    seeds = {tag: sheet(places(text)) for tag, text in settings["provinces"].items()}
    closed = sheet(places(", ".join((*settings["closed"]["land"], *settings["closed"]["water"]))))
    names = [(tag, Point(at)) for tag, rows in seeds.items() for at in rows] + [
        ("", Point(at)) for at in closed
    ]
    regions: list[Region] = []
    nameless: list[tuple[Polygon, bool]] = []
    for face, is_land in zip(faces, dry, strict=True):
        tags = {tag for tag, point in names if face.contains(point)}
        if len(tags) > 1:
            raise CutError(f"one piece is {', '.join(sorted(tags))}: a line between them does not reach")
        if tags:
            regions.append(Region(tags.pop(), is_land, face))
        else:
            nameless.append((face, is_land))
    nameless.sort(key=lambda pair: -pair[0].area)
    large = [
        (face.area, *face.representative_point().coords[0]) for face, _ in nameless if face.area > SLIVER
    ]
    if large:
        told_of = "; ".join(f"{area:.0f} square pixels at {x:.0f},{y:.0f}" for area, x, y in large)
        raise CutError(f"pieces without a name: {told_of}")
    for face, is_land in nameless:
        borders = [
            (
                face.boundary.intersection(region.shape.boundary).length * (1 + (region.land == is_land)),
                number,
            )
            for number, region in enumerate(regions)
        ]
        number = max(borders)[1]
        regions[number] = regions[number]._replace(shape=shapely.union(regions[number].shape, face))
    missing = set(seeds) - {region.tag for region in regions}
    if missing:
        raise CutError(f"no piece of {', '.join(sorted(missing))}")
    return regions


Corner = tuple[int, int]


def corners(ring: LinearRing) -> list[Corner]:
    """The corners of a ring on the grid, without the repeated first one."""
    return [(round(x / GRID), round(y / GRID)) for x, y in ring.coords[:-1]]


def arcs_of(regions: Sequence[Region]) -> tuple[list[list[int]], list[list[list[int]]]]:
    """The arcs, each with its first corner and then steps, in grid widths, and for every region its rings as
    numbers of arcs, ~n for arc n backwards.

    Raises ValueError if the corners of regions do not match.
    """
    rings = [[corners(ring) for ring in (r.shape.exterior, *r.shape.interiors)] for r in regions]
    sides: dict[tuple[Corner, Corner], list[int]] = {}
    for number, listed in enumerate(rings):
        for ring in listed:
            for pair in zip(ring, [*ring[1:], ring[0]], strict=True):
                sides.setdefault((min(pair), max(pair)), []).append(number)
    if any(len(side) > 2 for side in sides.values()):
        raise ValueError("three regions share an edge: their borders cross")
    known: dict[tuple[Corner, ...], int] = {}
    laid = [[arcs_in(ring, sides, known) for ring in listed] for listed in rings]
    return [steps(arc) for arc in known], laid


def arcs_in(
    ring: list[Corner], sides: dict[tuple[Corner, Corner], list[int]], known: dict[tuple[Corner, ...], int]
) -> list[int]:
    """The arcs of a ring; new ones are added to the known ones."""
    owners = [tuple(sides[min(pair), max(pair)]) for pair in zip(ring, [*ring[1:], ring[0]], strict=True)]
    starts = [n for n in range(len(ring)) if set(owners[n]) != set(owners[n - 1])]
    if not starts:
        # An island, or the hole it lies in: both have to begin at the same corner.
        starts = [ring.index(min(ring))]
    numbers = []
    for begin, end in zip(starts, [*starts[1:], starts[0] + len(ring)], strict=True):
        arc = tuple(ring[n % len(ring)] for n in range(begin, end + 1))
        if arc in known:
            numbers.append(known[arc])
        elif arc[::-1] in known:
            numbers.append(~known[arc[::-1]])
        else:
            numbers.append(known.setdefault(arc, len(known)))
    return numbers


def steps(arc: Sequence[Corner]) -> list[int]:
    """The first corner, and the steps to the following ones."""
    steps_of_arc = [*arc[0]]
    for (a, b), (c, d) in itertools.pairwise(arc):
        steps_of_arc += [c - a, d - b]
    return steps_of_arc
