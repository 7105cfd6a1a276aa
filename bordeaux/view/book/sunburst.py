"""A power's first move as a sunburst: one ring for each unit, every piece a share of the games."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import TypeVar

from bordeaux.view.svg import Picture, Place, width_of

Key = TypeVar("Key")

WIDTH, HEIGHT = 390.0, 340.0
HOLE, OUTER = 42.0, 162.0
SMALL = 0.004
"""Pieces of fewer turns are drawn as one."""
SIZE = 10.0


def sunburst(name: str, kind: str, played: Mapping[tuple[str, ...], float], title: str, middle: str) -> str:
    """An SVG element. `played` gives the share of every set; a unit's order has the same index in all.

    The innermost ring is the unit with the least variable order. `middle` is the text in the centre, `kind`
    is the class of the pieces. "" without data.
    """
    if not any(played.values()):
        return ""
    # Shares that are not all there leave a gap; a turn and a rounding is a turn.
    total = max(1.0, sum(played.values()))
    order = rings(played)
    sets: dict[tuple[str, ...], float] = defaultdict(float)
    for orders, share in played.items():
        sets[tuple(orders[place] for place in order)] += share / total
    description = " ".join(f"{'; '.join(orders)}: {100 * share:.1f} %." for orders, share in most(sets)[:8])
    picture = Picture(WIDTH, title, description, name)
    draw(picture, sets, (), 0.0, (OUTER - HOLE) / len(order), kind)
    picture.text(WIDTH / 2, HEIGHT / 2 + 4, middle, "label strong", anchor="middle", size=13)
    return picture.whole(HEIGHT)


def rings(played: Mapping[tuple[str, ...], float]) -> list[int]:
    """The indices of the units in a set, the one whose orders vary least first."""

    def spread(place: int) -> float:
        count: dict[str, float] = defaultdict(float)
        for orders, share in played.items():
            count[orders[place]] += share
        whole = sum(count.values())
        return -sum(share / whole * math.log(share / whole) for share in count.values() if share)

    return sorted(range(len(next(iter(played)))), key=spread)


def draw(
    picture: Picture,
    sets: Mapping[tuple[str, ...], float],
    before: tuple[str, ...],
    begin: float,
    width: float,
    kind: str,
) -> None:
    """Draw the continuations of the orders `before`, from a part of a turn on."""
    depth = len(before)
    inner = HOLE + width * depth
    following: dict[str, float] = defaultdict(float)
    for orders, share in sets.items():
        if orders[:depth] == before and len(orders) > depth:
            following[orders[depth]] += share

    def piece(order: str, share: float, opacity: float) -> None:
        note = f"{'; '.join((*before, order))}: {100 * share:.1f} %"
        path = ring((inner, inner + width - 1), begin, share)
        picture.path(path, f"piece {kind}", note, fill_opacity=opacity)

    for number, (order, share) in enumerate(most(following)):
        if share >= SMALL:
            piece(order, share, max(0.25, 0.85 - 0.13 * number))
            write(picture, inner + width / 2, width, begin + share / 2, share, short(order))
            draw(picture, sets, (*before, order), begin, width, kind)
            begin += share
    if rest := sum(share for share in following.values() if share < SMALL):
        piece("rarer orders", rest, 0.12)


def ring(radii: tuple[float, float], begin: float, share: float) -> str:
    """The path of a piece of a ring; a whole one is two halves, as an arc to its beginning is empty."""
    if share > 0.999:
        return ring(radii, begin, 0.5) + ring(radii, begin + 0.5, 0.5)
    inner, outer = radii
    (a, b), (c, d) = around(outer, begin), around(outer, begin + share)
    (e, f), (g, h) = around(inner, begin + share), around(inner, begin)
    large = int(share > 0.5)
    return (
        f"M{a:.1f},{b:.1f}A{outer:g},{outer:g} 0 {large} 1 {c:.1f},{d:.1f}"
        f"L{e:.1f},{f:.1f}A{inner:g},{inner:g} 0 {large} 0 {g:.1f},{h:.1f}Z"
    )


def around(radius: float, turn: float) -> Place:
    """A point on a circle around the middle, a part of a turn clockwise from its top."""
    angle = 2 * math.pi * turn
    return WIDTH / 2 + radius * math.sin(angle), HEIGHT / 2 - radius * math.cos(angle)


def write(picture: Picture, radius: float, width: float, turn: float, share: float, text: str) -> None:
    """Write into a piece of a ring, along it or across it, wherever there is more room."""
    room, long = 2 * math.pi * radius * share, width_of(text, SIZE)
    if share >= 0.75:
        angle = 0.0
    elif long <= min(room, 2 * radius * 0.9) - 4 and width > SIZE:
        angle = 360 * turn
    elif long <= width - 2 and room >= SIZE + 1:
        angle = 360 * turn - 90
    else:
        return
    x, y = around(radius, turn)
    upright = (angle + 90) % 180 - 90
    style = {"transform": f"rotate({upright:.1f} {x:.1f} {y + 3.5:.1f})"} if upright else {}
    picture.text(x, y + 3.5, text, "inside", anchor="middle", size=SIZE, **style)


def most(shares: Mapping[Key, float]) -> list[tuple[Key, float]]:
    """Keys with their shares, the largest first."""
    return sorted(shares.items(), key=lambda pair: -pair[1])


def short(order: str) -> str:
    """An order without the kind of its unit: ``BUD-SER``, ``MUN H``, ``MAR S PAR-BUR``."""
    words = [word for word in order.split() if word not in ("A", "F", "VIA")]
    return " ".join(words).replace(" - ", "-")
