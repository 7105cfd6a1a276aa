"""Regions as rings of arcs: every border is stored once, so neighbours share it exactly."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from shapely.geometry.polygon import LinearRing

from mapmaking.shapes import GRID, Region

__all__ = ["arcs_of"]

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
