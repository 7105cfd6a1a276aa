"""The geometry of a board's picture: regions, their borders, and the positions of the marks."""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.view.board.laid import laid_out
from bordeaux.view.svg import Place

__all__ = ["SIZES", "Border", "Geometry", "SheetRegion", "geometry_of"]

SIZES = {"unit": (26.0, 20.0), "dislodged": (20.0, 15.5), "centre": (11.0, 11.0), "name": (34.0, 11.5)}
"""Width and height of the room that each kind of mark has around its place, in pixels."""
DRAWN = ("standard",)
"""The maps that have a picture of their own, made by tools/make_map.py."""


class SheetRegion(NamedTuple):
    """A piece of the sheet: the tag of its province, "" where no unit may enter, and its outline as a
    path."""

    tag: str
    land: bool
    path: str


class Border(NamedTuple):
    """A border between two regions, or a region and the edge of the sheet: ``land``, ``sea``, ``coast`` or
    ``edge``."""

    kind: str
    path: str


class Geometry(NamedTuple):
    """A picture's size in pixels, its regions and borders, and the marks of every location: ``unit``,
    ``dislodged``, and for provinces ``name`` and ``centre``. `links` join neighbours without a common
    border."""

    size: tuple[float, float]
    regions: tuple[SheetRegion, ...]
    borders: tuple[Border, ...]
    marks: Mapping[str, Mapping[str, Place]]
    links: tuple[tuple[tuple[Place, ...], str], ...] = ()

    def at(self, location: str, mark: str = "unit") -> Place:
        """The position of a location's mark; a coast without its own has that of its province."""
        marks = self.marks.get(location) or self.marks[location.partition("/")[0]]
        return marks[mark]


def geometry_of(board: Map) -> Geometry:
    """The picture of a map: the bundled one if there is one, else laid out from its borders."""
    if board.name in DRAWN and Map.load(board.name) is board:
        return drawn(board.name)
    return made(board)


@functools.cache
def drawn(name: str) -> Geometry:
    """The picture of a bundled map, from its file."""
    shape = json.loads(files("bordeaux.view").joinpath("data", f"{name}.json").read_text(encoding="utf-8"))
    grid = shape["grid"]
    arcs = [unfolded(arc, grid) for arc in shape["arcs"]]
    regions = []
    sides: dict[int, list[bool]] = {}
    for tag, land, rings in shape["regions"]:
        outline = ""
        for ring in rings:
            points = [point for n in ring for point in (arcs[n] if n >= 0 else arcs[~n][::-1])[:-1]]
            outline += path(points) + "Z"
            for n in ring:
                sides.setdefault(n if n >= 0 else ~n, []).append(land)
        regions.append(SheetRegion(tag, land, outline))
    borders = [Border(border_kind(sides[number]), path(arc)) for number, arc in enumerate(arcs)]
    marks = {
        place: {mark: (x, y) for mark, (x, y) in marks.items()} for place, marks in shape["marks"].items()
    }
    width, height = shape["size"]
    return Geometry((width, height), tuple(regions), tuple(borders), marks)


@functools.lru_cache(maxsize=16)
def made(board: Map) -> Geometry:
    """A picture of any map: its provinces as discs, with lines between neighbours."""
    layout = laid_out(board)
    regions = tuple(
        SheetRegion(p.name, p.kind != "sea", disc(*layout.marks[p.name]["middle"], layout.radius))
        for p in board.provinces
    )
    return Geometry(layout.size, regions, (), layout.marks, layout.links)


def disc(x: float, y: float, radius: float) -> str:
    """The path of a circle."""
    arc = f"a{radius:g},{radius:g} 0 1 0"
    return f"M{x - radius:.1f},{y:.1f}{arc} {2 * radius:g},0{arc} {-2 * radius:g},0Z"


def border_kind(land: list[bool]) -> str:
    """The kind of a border, from whether its regions are land."""
    if len(land) < 2:
        return "edge"
    return "coast" if land[0] != land[1] else "land" if land[0] else "sea"


def unfolded(arc: list[int], grid: float) -> list[Place]:
    """The corners of an arc in pixels, from its first corner and the following steps."""
    x, y = arc[:2]
    points = [(x * grid, y * grid)]
    for number in range(2, len(arc), 2):
        x, y = x + arc[number], y + arc[number + 1]
        points.append((x * grid, y * grid))
    return points


def path(points: list[Place]) -> str:
    """A path through points: the first one, then the steps to the next, in tenths of a pixel."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in points]
    path = f"M{short(tenths[0][0])},{short(tenths[0][1])}l"
    path += " ".join(f"{short(c - a)},{short(d - b)}" for (a, b), (c, d) in itertools.pairwise(tenths))
    return path


def short(tenths: int) -> str:
    """Tenths as the shortest decimal number."""
    return f"{tenths / 10:g}".replace("0.", ".", 1) if abs(tenths) < 10 else f"{tenths / 10:g}"
