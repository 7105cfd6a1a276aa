"""The positions of a province's marks: its unit, the unit dislodged from it, its centre and its name."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

__all__ = ["SIZES", "Marks", "coast_marks", "province_marks"]

SIZES = {"unit": (26.0, 20.0), "dislodged": (20.0, 15.5), "centre": (11.0, 11.0), "name": (34.0, 11.5)}
"""Width and height of the marks in pixels; the picture draws within them."""
GAP = 1.0
"""Pixels between marks, and between marks and borders."""
STEP = 1.0
"""Pixels between tried places; more if there are many."""
MOST, FEW = 2500, 70
"""About how many places are tried in a shape, and how many of them first."""
ENOUGH = 9.0
"""The distance to the border, in pixels, from which more distance counts little."""
LITTLE, FAR = 0.3, 60.0
"""What they are worth, and how many of them."""
Marks = dict[str, tuple[float, float]]


class MarksError(ValueError):
    """A province has no room."""


class Layout(NamedTuple):
    """The place of each mark relative to the unit, and the cost of the layout, in pixels of distance to the
    border."""

    marks: Marks
    cost: float


def layouts(names: tuple[str, ...]) -> list[Layout]:
    """All arrangements of the other marks around a unit, with gaps of GAP."""
    possible = []
    ways = {name: list(around(name)) for name in names}
    for chosen in itertools.product(*ways.values()):
        marks = {"unit": (0.0, 0.0)} | {name: at for name, (at, _) in zip(names, chosen, strict=True)}
        boxes = {name: box(name, at) for name, at in marks.items()}
        if all(not meet(boxes[a], boxes[b]) for a, b in itertools.combinations(marks, 2)):
            possible.append(Layout(marks, sum(cost for _, cost in chosen)))
    return sorted(possible, key=lambda layout: layout.cost)


def around(name: str) -> list[tuple[tuple[float, float], float]]:
    """Places for a mark beside a unit, with their costs."""
    (width, height), (wide, high) = SIZES["unit"], SIZES[name]
    across, down = (width + wide) / 2 + GAP, (height + high) / 2 + GAP
    lean, slack = (width - wide) / 2, (height - high) / 2
    if name == "name":
        return [((0.0, down), 0.0), ((0.0, -down), 0.5), ((across, 0.0), 2.0), ((-across, 0.0), 2.0)] + [
            ((x, y), 2.5) for x in (-7.0, 7.0, -14.0, 14.0, -24.0, 24.0) for y in (down, -down)
        ]
    if name == "centre":
        sides = [((way * across, y), 0.5) for way in (-1, 1) for y in (0.0, slack, -slack)]
        ends = [((x, way * down), 1.0) for way in (-1, 1) for x in (0.0, lean, -lean)]
        # Beside the name, above or below the unit.
        rest = [
            ((x, way * (down + 0.5)), 1.0)
            for way in (-1, 1)
            for x in (-23.5, 23.5, -30.5, 30.5, -37.5, 37.5, -9.5, 9.5)
        ]
        return sides + ends + rest
    sides = [((way * across, y), 0.5) for way in (1, -1) for y in (0.0, -8.0, 8.0, -16.0, 16.0)]
    ends = [((x, way * down), 1.0) for way in (-1, 1) for x in (0.0, -10.0, 10.0, -20.0, 20.0)]
    return sides + ends + [((x, way * (down + 13)), 1.5) for way in (-1, 1) for x in (0.0, -12.0, 12.0)]


def box(name: str, at: tuple[float, float]) -> tuple[float, float, float, float]:
    """The box of a mark: left, top, right, base."""
    (wide, high), (x, y) = SIZES[name.partition(" ")[0]], at
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


def meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two boxes overlap."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def grid(shape: BaseGeometry) -> np.ndarray:
    """The candidate places in a shape."""
    left, top, right, base = shape.bounds
    step = max(STEP, (shape.area / MOST) ** 0.5)
    across, down = np.meshgrid(np.arange(left, right, step), np.arange(top, base, step))
    points = np.stack([across.ravel(), down.ravel()], axis=1)
    return points[shapely.contains_xy(shape, points[:, 0], points[:, 1])]


def boxes(name: str, at: np.ndarray) -> np.ndarray:
    """The boxes of a mark at many places, as shapes."""
    wide, high = SIZES[name]
    x, y = at.T
    return shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def province_marks(
    shape: Polygon, centre: bool, near: tuple[float, float] | None, kept: BaseGeometry
) -> Marks:
    """The places of a province's marks: all within it, or the dislodged unit beside it, without overlap with
    `kept`.

    `near` attracts them to a place. Raises MarksError if there is no room.
    """
    room = shape.buffer(-GAP)
    free = room.difference(kept)
    names = ("name", *(("centre",) if centre else ()), "dislodged")
    for wanted in (names, names[:-1]):
        if marks := place(layouts(wanted), free, shape, near) or scattered(wanted, free, shape):
            return marks
    raise MarksError("there is no room")


def scattered(names: tuple[str, ...], free: BaseGeometry, shape: Polygon) -> Marks | None:
    """Marks in any places with enough room, near each other: for provinces too narrow for a layout."""
    units = grid(free)
    units = units[shapely.covers(free, boxes("unit", units))] if len(units) else units
    best: tuple[float, Marks] | None = None
    for unit, order in itertools.product(units, itertools.permutations(names)):
        marks: Marks = {"unit": (float(unit[0]), float(unit[1]))}
        cost, left = 0.0, free
        for name in order:
            last = next(reversed(marks))
            left = left.difference(shapely.box(*box(last, marks[last])).buffer(GAP, join_style="mitre"))
            tried = grid(left)
            tried = tried[shapely.covers(left, boxes(name, tried))] if len(tried) else tried
            if not len(tried):
                break
            far = np.hypot(*(tried - unit).T)
            x, y = tried[int(far.argmin())]
            marks[name] = (float(x), float(y))
            cost += float(far.min())
        else:
            if best is None or cost < best[0]:
                best = cost, {name: (round(x, 1), round(y, 1)) for name, (x, y) in marks.items()}
    return None if best is None else best[1]


def place(
    ways: list[Layout], free: BaseGeometry, shape: Polygon, near: tuple[float, float] | None
) -> Marks | None:
    """The best layout and place in it."""
    units = grid(free)
    shapely.prepare(free)
    units = units[shapely.covers(free, boxes("unit", units))] if len(units) else units
    if not len(units):
        return None
    # Where the unit has most room the others mostly have some too; all places are tried where that fails.
    room = shapely.distance(shapely.points(units), shape.boundary)
    worst = -room if near is None else np.hypot(*(units - np.array(near)).T)
    first = units[np.argsort(worst, kind="stable")[:FEW]]
    return best_of(ways, free, shape, near, first) or best_of(ways, free, shape, near, units)


def best_of(
    ways: list[Layout],
    free: BaseGeometry,
    shape: Polygon,
    near: tuple[float, float] | None,
    units: np.ndarray,
) -> Marks | None:
    """The best layout with its unit in one of some places."""
    far = np.zeros(len(units)) if near is None else np.hypot(*(units - np.array(near)).T) * 0.5
    edge = shape.boundary
    shapely.prepare(edge)
    seen: dict[tuple[str, tuple[float, float]], tuple[np.ndarray, np.ndarray]] = {}

    def fit(name: str, off: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
        if (name, off) not in seen:
            there = boxes(name, units + np.array(off))
            good = shapely.covers(free, there)
            clear = np.zeros(len(units))
            clear[good] = shapely.distance(there[good], edge)
            seen[name, off] = good, clear
        return seen[name, off]

    best: tuple[float, Marks] | None = None
    for marks, cost in ways:
        if best is not None and best[0] >= ENOUGH + LITTLE * FAR - cost:
            break
        parts = [fit(name, off) for name, off in marks.items()]
        good = np.logical_and.reduce([part[0] for part in parts])
        if not good.any():
            continue
        clear = np.minimum.reduce([part[1] for part in parts])
        score = np.minimum(clear, ENOUGH) + LITTLE * np.clip(clear - ENOUGH, 0, FAR) - cost - far
        score[~good] = -np.inf
        number = int(score.argmax())
        if best is None or score[number] > best[0]:
            x, y = units[number]
            best = (
                float(score[number]),
                {n: (round(x + a, 1), round(y + b, 1)) for n, (a, b) in marks.items()},
            )
    return None if best is None else best[1]


def coast_marks(shape: Polygon, near: tuple[float, float], others: Marks) -> Marks:
    """The place of a fleet on one coast: near a place, without overlap with the other marks of its
    province."""
    kept = [shapely.box(*box(name, at)).buffer(GAP, join_style="mitre") for name, at in others.items()]
    marks = place(layouts(()), shape.buffer(-GAP).difference(shapely.union_all(kept)), shape, near)
    if marks is None:
        raise MarksError("there is no room at the coast")
    return marks


def beside(
    home: Polygon, unit: tuple[float, float], taken: BaseGeometry, sheet: BaseGeometry
) -> tuple[float, float]:
    """The place nearest to a unit where a dislodged one overlaps no mark; across the border if necessary."""
    tried = grid(shapely.Point(unit).buffer(60))
    there = boxes("dislodged", tried)
    good = ~shapely.intersects(taken, there) & shapely.covers(sheet, there)
    if not good.any():
        raise MarksError("there is no room for a dislodged unit")
    outside = there[good]
    cost = (
        np.hypot(*(tried[good] - np.array(unit)).T) + shapely.area(shapely.difference(outside, home)) * 0.03
    )
    x, y = tried[good][int(cost.argmin())]
    return round(float(x), 1), round(float(y), 1)
