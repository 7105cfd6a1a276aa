"""The geometry of a board's picture: regions, their borders, and the positions of the marks."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from bordeaux.board.map import Map
from bordeaux.view.svg import Place, ellipse

# Stress majorization (Gansner, Koren and North, 2004): distances on the sheet approximate the number of
# moves between provinces, with small distances weighted most. It starts on a circle in the order of the
# map, and so is repeatable.

ROUNDS = 300
RADIUS = 40.0
"""Pixels from the middle of a province to its edge."""
APART = 112.0
"""Pixels between the middles of provinces that have no border, at least."""
MARGIN = 50.0
LEAST_WIDTH = 760
"""Pixels that the line of powers below the board needs."""
KNEE = 14.0
"""Pixels between a province and a line that goes around it."""
FAR = 255
UNIT, DISLODGED, NAME, CENTRE = (0.0, -6.0), (16.0, 34.0), (0.0, 17.0), (-28.0, 16.0)
"""Positions of the marks of a province, from its middle."""


class SheetRegion(NamedTuple):
    """A piece of the sheet: its province's tag, "" where no unit may enter, and its outline as a path."""

    tag: str
    land: bool
    path: str


class Geometry(NamedTuple):
    """A picture's size in pixels, its regions, and the paths of its borders, each with ``land``, ``sea``,
    ``coast`` or ``edge``. `marks` has the places of every location: ``unit``, ``dislodged``, and for
    provinces ``name`` and ``centre``. `links` join neighbours without a common border, each with ``army``,
    ``fleet`` or ``both``."""

    size: tuple[float, float]
    regions: tuple[SheetRegion, ...]
    borders: tuple[tuple[str, str], ...]
    marks: Mapping[str, Mapping[str, Place]]
    links: tuple[tuple[tuple[Place, ...], str], ...] = ()

    def at(self, location: str, mark: str = "unit") -> Place:
        """The position of a location's mark; a coast without its own has that of its province."""
        marks = self.marks.get(location) or self.marks[location.partition("/")[0]]
        return marks[mark]


@functools.lru_cache(maxsize=16)
def laid_out(board: Map) -> Geometry:
    """A picture of any map: its provinces as discs, with lines between neighbours."""
    # The pairs of provinces that units can move between, with the kinds of unit that can.
    pairs: dict[tuple[int, int], set[str]] = {}
    for location in board.locations:
        for name in board.adjacent(location.kind, location.name):
            other = board.location(location.kind, name).province
            pair = min(location.province, other), max(location.province, other)
            pairs.setdefault(pair, set()).add(location.kind)
    spots = spread(stress(steps_between(len(board.provinces), list(pairs))), APART)
    spots -= spots.min(axis=0) - (MARGIN + RADIUS)
    width, height = spots.max(axis=0) + MARGIN + RADIUS
    if width < LEAST_WIDTH:
        spots[:, 0] += (LEAST_WIDTH - width) / 2
        width = LEAST_WIDTH
    regions = []
    marks: dict[str, Mapping[str, Place]] = {}
    for province, spot in zip(board.provinces, spots, strict=True):
        x, y = place(spot)
        parts = {"middle": (0.0, 0.0), "unit": UNIT, "dislodged": DISLODGED, "name": NAME, "centre": CENTRE}
        marks[province.name] = {mark: (x + a, y + b) for mark, (a, b) in parts.items()}
        regions.append(SheetRegion(province.name, province.kind != "sea", ellipse((x, y), RADIUS, RADIUS)))
        for number, coast in enumerate(province.coasts):
            # On a ring of their own within the province: its unit stands in the middle or on one of them.
            turn = 2 * math.pi * (number + 0.5) / len(province.coasts)
            unit = x + 12.0 * math.sin(turn), y - 6.0 - 7.0 * math.cos(turn)
            dislodged = marks[province.name]["dislodged"]
            marks[f"{province.name}/{coast}"] = {"unit": unit, "dislodged": dislodged}
    links = tuple(
        (way_around(a, b, spots), "both" if len(kinds) > 1 else "army" if "A" in kinds else "fleet")
        for (a, b), kinds in sorted(pairs.items())
    )
    return Geometry((round(float(width)), round(float(height))), tuple(regions), (), marks, links)


def way_around(a: int, b: int, spots: np.ndarray) -> tuple[Place, ...]:
    """A line from one province to another: straight, or with a bend if a third lies in its way."""
    begin, along = spots[a], spots[b] - spots[a]
    far = float(np.hypot(*along))
    across = np.array([-along[1], along[0]]) / far
    off = spots - begin
    beside, ahead = off @ across, off @ along / far
    blocked = (np.abs(beside) < RADIUS + 3) & (ahead > 0) & (ahead < far)
    blocked[[a, b]] = False
    if not blocked.any():
        return place(begin), place(spots[b])
    first = int(np.argmax(blocked))
    # On the side of the line that the third lies less on.
    side = -1.0 if beside[first] > 0 else 1.0
    return place(begin), place(spots[first] + across * side * (RADIUS + KNEE)), place(spots[b])


def place(spot: np.ndarray) -> Place:
    """A row of numbers as a place."""
    return float(spot[0]), float(spot[1])


def steps_between(count: int, pairs: list[tuple[int, int]]) -> np.ndarray:
    """Moves between all provinces, whatever the unit (Floyd and Warshall)."""
    moves = np.full((count, count), float(FAR))
    np.fill_diagonal(moves, 0)
    for a, b in pairs:
        moves[a, b] = moves[b, a] = 1
    for k in range(count):
        moves = np.minimum(moves, moves[:, k, None] + moves[None, k])
    # Parts of a map that nothing joins stand beside each other.
    most = moves[moves < FAR].max(initial=1)
    return np.where(moves >= FAR, most + 1, moves)


def stress(moves: np.ndarray) -> np.ndarray:
    """Places whose distances approximate `moves` on a sheet; a move is 1."""
    count = len(moves)
    turn = 2 * np.pi * np.arange(count) / max(1, count)
    spots = np.stack([np.cos(turn), np.sin(turn)], axis=1) * moves.max() / 2
    if count < 3:
        return spots
    weight = np.where(moves > 0, 1 / np.maximum(moves, 1) ** 2, 0)
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    for _ in range(ROUNDS):
        _, far = between(spots)
        ratio = np.where(far > 1e-9, weight * moves / np.maximum(far, 1e-9), 0)
        spots = inverse @ (ratio.sum(axis=1)[:, None] * spots - ratio @ spots)
    return spots


def between(spots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The way from every place to every other, and its length, which is infinite from a place to itself."""
    off = spots[:, None] - spots[None]
    far = np.hypot(off[..., 0], off[..., 1])
    np.fill_diagonal(far, np.inf)
    return off, far


def spread(spots: np.ndarray, least: float) -> np.ndarray:
    """The places in pixels: as small as possible with the nearest neighbours at their usual distance; places
    that are closer than `least` are then pushed apart."""
    usual = float(np.median(between(spots)[1].min(axis=1))) if len(spots) > 1 else 1.0
    spots = spots * (least * 1.15 / max(usual, 1e-9))
    for _ in range(ROUNDS):
        off, far = between(spots)
        lack = np.maximum(0, least - far) / 2
        if not lack.any():
            break
        # Two in one place part along a direction that their numbers give.
        turn = np.sign(np.arange(len(spots))[:, None] - np.arange(len(spots))[None])
        way = np.where((far < 1e-6)[..., None], turn[..., None], off / np.maximum(far, 1e-6)[..., None])
        spots = spots + (lack[..., None] * way).sum(axis=1) * 0.9
    return spots


SIZES = {"unit": (34.0, 28.0), "dislodged": (22.0, 18.0), "centre": (12.0, 12.0), "name": (34.0, 11.5)}
"""Width and height of the room that each kind of mark has around its place, in pixels."""
DRAWN = ("standard",)
"""The maps that have a picture of their own (docs/formats.md)."""


def geometry_of(board: Map) -> Geometry:
    """The picture of a map: the bundled one if there is one, else laid out from its borders."""
    name = drawing_of(board)
    return laid_out(board) if name is None else drawn(name)


@functools.lru_cache(maxsize=16)
def drawing_of(board: Map) -> str | None:
    """The bundled map whose drawings show a board, because units stand in the same places there."""

    def stands(map: Map) -> set[tuple[str, str]]:
        return {(location.kind, location.name) for location in map.locations}

    return next((name for name in DRAWN if stands(Map.load(name)) == stands(board)), None)


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
    borders = tuple((border_kind(sides[number]), path(arc)) for number, arc in enumerate(arcs))
    marks = {
        place: {mark: (x, y) for mark, (x, y) in marks.items()} for place, marks in shape["marks"].items()
    }
    width, height = shape["size"]
    return Geometry((width, height), tuple(regions), borders, marks)


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
