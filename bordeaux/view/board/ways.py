"""Paths over the board as lists of points: bent, smoothed, shortened, and the marks that they cover."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from bordeaux.board.position import Position
from bordeaux.view.board.geometry import SIZES, Geometry
from bordeaux.view.svg import Place

__all__ = ["Obstacles", "arrow_head", "bent", "cut_short", "length", "middle", "shortened", "smooth"]

WIDE = 5.4
"""Pixels from the middle of an arrow's head to its corners."""
COVERED = {"unit": 3.0, "name": 1.0, "centre": 0.5}
"""The cost of covering a mark, for each STRIDE."""
FRAME = 10.0
"""The cost of coming near the frame, for each STRIDE."""
STRIDE = 4.0


class Obstacles:
    """The visible marks on a board, which a line should not cover."""

    def __init__(self, shape: Geometry, position: Position) -> None:
        seen = [(shape.at(unit.location), "unit") for unit in position.units]
        for province in position.map.provinces:
            seen.append((shape.at(province.name, "name"), "name"))
            if province.centre:
                seen.append((shape.at(province.name, "centre"), "centre"))
        self.size = np.array(shape.size)
        self.middles = np.array([at for at, _ in seen])
        self.halves = np.array([SIZES[mark] for _, mark in seen]) / 2
        self.worth = np.array([COVERED[mark] for _, mark in seen])

    def covered(self, way: Sequence[Place]) -> float:
        """How much of the marks, except units at its own ends, and of the frame a line covers."""
        own = [np.abs(self.middles - np.array(end)).max(axis=1) < 1 for end in (way[0], way[-1])]
        points = along(way, STRIDE)
        outside = ((points < WIDE) | (points > self.size - WIDE)).any(axis=1)
        inside = (np.abs(points[:, None] - self.middles) < self.halves).all(axis=2)
        return float((inside * np.where(own[0] | own[1], 0.0, self.worth)).sum() + FRAME * outside.sum())


def along(way: Sequence[Place], stride: float) -> np.ndarray:
    """Places on a line, about so many pixels apart, as rows."""
    points = np.array(way)
    far = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    steps = np.linspace(0, far[-1], max(2, int(far[-1] / stride)))
    return np.stack([np.interp(steps, far, points[:, 0]), np.interp(steps, far, points[:, 1])], axis=1)


def bent(begin: Place, end: Place, bend: float) -> list[Place]:
    """A line that bends to its left by a part of its length."""
    if not bend:
        return [begin, end]
    (a, b), (c, d) = begin, end
    return smooth([begin, ((a + c) / 2 - (d - b) * bend, (b + d) / 2 + (c - a) * bend), end])


def shortened(begin: Place, end: Place, by: float) -> Place:
    """The end of a line that stops so far before it, but not before its middle."""
    far = math.dist(begin, end)
    part = 1 - min(by / far, 0.5) if far else 1.0
    return begin[0] + (end[0] - begin[0]) * part, begin[1] + (end[1] - begin[1]) * part


def length(track: Sequence[Place]) -> float:
    """The length of a line."""
    return sum(math.dist(a, b) for a, b in itertools.pairwise(track))


def middle(track: Sequence[Place], part: float) -> Place:
    """The point of a line after a part of its length."""
    left = length(track) * part
    for a, b in itertools.pairwise(track):
        far = math.dist(a, b)
        if left <= far and far:
            return a[0] + (b[0] - a[0]) * left / far, a[1] + (b[1] - a[1]) * left / far
        left -= far
    return track[-1]


def cut_short(track: list[Place], first: float, last: float) -> list[Place]:
    """A line without a part of its beginning and of its end, if it is long enough."""
    far = max(length(track), 1e-6)
    begin, end = middle(track, min(first / far, 0.3)), middle(track, 1 - min(last / far, 0.3))
    inner = [p for p in track[1:-1] if math.dist(p, track[0]) > first and math.dist(p, track[-1]) > last]
    return [begin, *inner, end]


def smooth(points: list[Place], steps: int = 12) -> list[Place]:
    """A curve through points (Catmull and Rom, 1974)."""
    ends = [points[0], *points, points[-1]]
    smoothed = [points[0]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for n in range(1, steps + 1):
            t = n / steps
            smoothed.append(
                tuple(  # type: ignore[arg-type]
                    0.5
                    * (
                        2 * q
                        + (r - p) * t
                        + (2 * p - 5 * q + 4 * r - s) * t**2
                        + (3 * q - p - 3 * r + s) * t**3
                    )
                    for p, q, r, s in zip(a, b, c, d, strict=True)
                )
            )
    return smoothed


def arrow_head(before: Place, tip: Place) -> list[Place]:
    """The three corners of an arrow's head."""
    far = max(math.dist(before, tip), 1e-6)
    across = (tip[1] - before[1]) / far * WIDE, -(tip[0] - before[0]) / far * WIDE
    return [
        (before[0] + across[0], before[1] + across[1]),
        tip,
        (before[0] - across[0], before[1] - across[1]),
    ]
