"""The positions of a province's marks: its unit, the unit dislodged from it, its centre and its name."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
import shapely
from shapely import Polygon
from shapely.geometry.base import BaseGeometry

SIZES = {"unit": (34.0, 28.0), "dislodged": (22.0, 18.0), "centre": (12.0, 12.0), "name": (34.0, 11.5)}
"""Width and height of the marks in pixels; the picture draws within them."""
GAP = 1.0
"""Pixels between marks, and between marks and borders."""
APART = 2.0
"""More pixels between a unit and its centre's mark, so that they are seen as two."""
SPILLS = (-GAP, 2.0, 4.0, 6.0, 9.0)
"""How far marks may reach over the border, in pixels: as little as there is room for."""
OUTSIDE = {"unit": 40.0, "name": 14.0, "centre": 40.0}
"""The cost of a mark that lies wholly outside, in pixels of distance to the border."""
STEP = 1.0
"""Pixels between tried places; more if there are many."""
MOST, FEW = 2500, 70
"""About how many places are tried in a shape, and how many of them first."""
ENOUGH = 6.0
"""The distance to the border, in pixels, from which more distance counts little."""
LITTLE, FAR = 0.1, 60.0
"""What they are worth, and how many of them."""
CENTRED, DRAWN = 0.3, 0.5
"""The cost of a pixel between the unit and the middle of its province, or a place that it is drawn to."""
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
    across, down = across + APART, down + APART
    sides = [((way * across, y), 0.5) for way in (-1, 1) for y in (0.0, slack, -slack)]
    ends = [((x, way * down), 1.0) for way in (-1, 1) for x in (0.0, lean, -lean)]
    # Beside the name, above or below the unit.
    rest = [
        ((x, way * (down - APART)), 1.0) for way in (-1, 1) for x in (-24.0, 24.0, -30.0, 30.0, -38.0, 38.0)
    ]
    return sides + ends + rest


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
    """The places of a province's unit, name and centre: within it, or as little over its border as there is
    room for, without overlap with `kept`.

    `near` attracts them to a place, else the middle of the province. Raises MarksError if there is no room.
    """
    names = ("name", *(("centre",) if centre else ()))
    for spill in SPILLS:
        free = shape.buffer(spill).difference(kept)
        if marks := place(layouts(names), free, shape, near) or scattered(names, free, shape):
            return marks
    raise MarksError("there is no room")


def scattered(names: tuple[str, ...], free: BaseGeometry, shape: Polygon) -> Marks | None:
    """Marks in any places with enough room, near each other: for provinces too narrow for a layout."""
    units = grid(free)
    units = units[shapely.covers(free, boxes("unit", units))] if len(units) else units
    best: tuple[float, Marks] | None = None
    for unit, order in itertools.product(units, itertools.permutations(names)):
        marks: Marks = {"unit": (float(unit[0]), float(unit[1]))}
        cost, left = outside("unit", unit[None], shape)[0], free
        for name in order:
            last = next(reversed(marks))
            gap = GAP + (APART if {name, last} == {"unit", "centre"} else 0.0)
            left = left.difference(shapely.box(*box(last, marks[last])).buffer(gap, join_style="mitre"))
            tried = grid(left)
            tried = tried[shapely.covers(left, boxes(name, tried))] if len(tried) else tried
            if not len(tried):
                break
            far = np.hypot(*(tried - unit).T) + outside(name, tried, shape)
            x, y = tried[int(far.argmin())]
            marks[name] = (float(x), float(y))
            cost += float(far.min())
        else:
            if best is None or cost < best[0]:
                best = cost, {name: (round(x, 1), round(y, 1)) for name, (x, y) in marks.items()}
    return None if best is None else best[1]


def outside(name: str, at: np.ndarray, shape: Polygon) -> np.ndarray:
    """The cost of the parts of a mark that lie over the border, at many places."""
    there = boxes(name, at)
    within = shapely.area(shapely.intersection(there, shape)) / shapely.area(there)
    return OUTSIDE[name] * (1 - within)


def place(
    ways: list[Layout], free: BaseGeometry, shape: Polygon, near: tuple[float, float] | None
) -> Marks | None:
    """The best layout and place in it."""
    units = grid(free)
    shapely.prepare(free)
    units = units[shapely.covers(free, boxes("unit", units))] if len(units) else units
    if not len(units):
        return None
    middle = shapely.maximum_inscribed_circle(shape, 0.5).coords[0] if near is None else near
    far = np.hypot(*(units - np.array(middle)).T)
    worth = CENTRED if near is None else DRAWN
    # Nearest to the middle the others mostly have some room too; all places are tried where that fails.
    first = np.argsort(far, kind="stable")[:FEW]
    return best_of(ways, free, shape, worth * far[first], units[first]) or best_of(
        ways, free, shape, worth * far, units
    )


def best_of(
    ways: list[Layout], free: BaseGeometry, shape: Polygon, far: np.ndarray, units: np.ndarray
) -> Marks | None:
    """The best layout with its unit in one of some places; `far` is the cost of each."""
    edge = shape.boundary
    shapely.prepare(edge)
    seen: dict[tuple[str, tuple[float, float]], tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

    def fit(name: str, off: tuple[float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if (name, off) not in seen:
            at = units + np.array(off)
            there = boxes(name, at)
            good = shapely.covers(free, there)
            clear, over = np.zeros(len(units)), np.zeros(len(units))
            clear[good] = shapely.distance(there[good], edge)
            over[good] = np.where(clear[good] > 0, 0.0, outside(name, at[good], shape))
            seen[name, off] = good, clear, over
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
        score -= np.add.reduce([part[2] for part in parts])
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
    for spill in SPILLS:
        free = shape.buffer(spill).difference(shapely.union_all(kept))
        if marks := place(layouts(()), free, shape, near):
            return marks
    raise MarksError("there is no room at the coast")


def beside(
    home: Polygon, unit: tuple[float, float], taken: BaseGeometry, sheet: BaseGeometry
) -> tuple[float, float]:
    """The place nearest to a unit where a dislodged one overlaps no mark; across the border if necessary."""
    tried = grid(shapely.Point(unit).buffer(90))
    there = boxes("dislodged", tried)
    good = ~shapely.intersects(taken, there) & shapely.covers(sheet, there)
    if not good.any():
        raise MarksError("there is no room for a dislodged unit")
    beyond = there[good]
    cost = np.hypot(*(tried[good] - np.array(unit)).T) + shapely.area(shapely.difference(beyond, home)) * 0.2
    x, y = tried[good][int(cost.argmin())]
    return round(float(x), 1), round(float(y), 1)
