"""A power's first move as a sunburst: one ring for each unit, every piece a share of the games."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

from bordeaux.view.svg import Picture, around, width_of

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
    sets: dict[tuple[str, ...], float] = {}
    for orders, share in played.items():
        turned = tuple(orders[place] for place in order)
        sets[turned] = sets.get(turned, 0.0) + share / total
    description = " ".join(f"{'; '.join(orders)}: {100 * share:.1f} %." for orders, share in most(sets)[:8])
    picture = Picture(WIDTH, title, description, name)
    width = (OUTER - HOLE) / len(order)
    draw(picture, sets, (), 0.0, width, kind)
    picture.text(WIDTH / 2, HEIGHT / 2 + 4, middle, "label strong", anchor="middle", size=13)
    return picture.whole(HEIGHT)


def rings(played: Mapping[tuple[str, ...], float]) -> list[int]:
    """The indices of the units in a set, the one whose orders vary least first."""
    counts: list[dict[str, float]] = [{} for _ in next(iter(played))]
    for orders, share in played.items():
        for count, order in zip(counts, orders, strict=True):
            count[order] = count.get(order, 0.0) + share

    def spread(count: dict[str, float]) -> float:
        whole = sum(count.values())
        return -sum(share / whole * math.log(share / whole) for share in count.values() if share)

    return sorted(range(len(counts)), key=lambda place: (spread(counts[place]), place))


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
    following: dict[str, float] = {}
    for orders, share in sets.items():
        if orders[:depth] == before and len(orders) > depth:
            following[orders[depth]] = following.get(orders[depth], 0.0) + share
    centre = (WIDTH / 2, HEIGHT / 2)
    inner = HOLE + width * depth
    rest = 0.0
    for number, (order, share) in enumerate(most(following)):
        if share < SMALL:
            rest += share
        else:
            shown = "; ".join((*before, order))
            picture.ring(
                centre,
                (inner, inner + width - 1),
                (begin, begin + share),
                f"piece {kind}",
                f"{shown}: {100 * share:.1f} %",
                fill_opacity=max(0.25, 0.85 - 0.13 * number),
            )
            write(picture, centre, inner + width / 2, width, begin + share / 2, share, short(order))
            draw(picture, sets, (*before, order), begin, width, kind)
            begin += share
    if rest:
        shown = "; ".join((*before, "rarer orders"))
        picture.ring(
            centre,
            (inner, inner + width - 1),
            (begin, begin + rest),
            f"piece {kind}",
            f"{shown}: {100 * rest:.1f} %",
            fill_opacity=0.12,
        )


def write(
    picture: Picture,
    centre: tuple[float, float],
    radius: float,
    width: float,
    turn: float,
    share: float,
    text: str,
) -> None:
    """Write into a piece of a ring, along it or across it, wherever there is more room."""
    room = 2 * math.pi * radius * share
    long = width_of(text, SIZE)
    x, y = around(centre, radius, turn)
    if long <= min(room, 2 * radius * 0.9) - 4 and width > SIZE and share < 0.75:
        angle = 360 * turn
        upright = angle if angle <= 90 or angle >= 270 else angle - 180
        picture.text(x, y + 3.5, text, "inside", anchor="middle", size=SIZE, turn=upright)
    elif share >= 0.75:
        picture.text(x, y + 3.5, text, "inside", anchor="middle", size=SIZE)
    elif long <= width - 2 and room >= SIZE + 1:
        angle = 360 * turn - 90
        upright = angle if -90 <= angle <= 90 else angle - 180
        picture.text(x, y + 3.5, text, "inside", anchor="middle", size=SIZE, turn=upright)


def most(shares: Mapping[Key, float]) -> list[tuple[Key, float]]:
    """A sort key: the largest share first."""
    return sorted(shares.items(), key=lambda pair: -pair[1])


def short(order: str) -> str:
    """An order without the kind of its unit: ``BUD-SER``, ``MUN H``, ``MAR S PAR-BUR``."""
    words = [word for word in order.split() if word not in ("A", "F", "VIA")]
    return " ".join(words).replace(" - ", "-")
