"""Pictures within a page: shapes as SVG whose colours come from the page's style, light or dark."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from bordeaux.board.cleaning import html_text as escape

__all__ = ["Picture", "Place", "labels"]

Place = tuple[float, float]
FULL = 0.999
"""Part of a turn from which a piece is a whole ring."""


class Picture:
    """Shapes in the order in which they are drawn; lengths are pixels from the upper left corner.

    `kind` is a class of the page's style, or several; colours stand there only. `name` is unique on
    the page; `title` and `told` are what programs read aloud.
    """

    def __init__(self, name: str, width: float, height: float, title: str, told: str) -> None:
        self.name, self.width, self.height = name, width, height
        self._parts = [
            f'<title id="{escape(name)}-title">{escape(title)}</title>',
            f'<desc id="{escape(name)}-told">{escape(told)}</desc>',
        ]

    def text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str = "",
        *,
        anchor: str = "start",
        size: float = 12,
        turn: float | None = None,
    ) -> None:
        """A line of text from, to or around a point on its base line, turned by so many degrees."""
        turned = "" if turn is None else f' transform="rotate({turn:.1f} {x:.1f} {y:.1f})"'
        self._parts.append(
            f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size:g}"'
            f"{turned}>{escape(text)}</text>"
        )

    def line(self, begin: Place, end: Place, kind: str) -> None:
        """A straight line."""
        (x1, y1), (x2, y2) = begin, end
        self._parts.append(f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')

    def curve(self, points: Iterable[Place], kind: str) -> None:
        """A line through points."""
        listed = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(f'<polyline class="curve {kind}" points="{listed}"/>')

    def dot(self, x: float, y: float, radius: float, kind: str, told: str = "") -> None:
        """A circle; `told` is shown to who points at it."""
        inside = f"<title>{escape(told)}</title>" if told else ""
        self._parts.append(
            f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}">{inside}</circle>'
        )

    def ring(
        self,
        middle: Place,
        radii: tuple[float, float],
        turns: tuple[float, float],
        kind: str,
        told: str = "",
        opacity: float = 1,
    ) -> None:
        """A piece of a ring between two radii and two parts of a turn, 0 to 1, clockwise from the top."""
        path = (
            whole_ring(middle, *radii) if turns[1] - turns[0] > FULL else part_of_ring(middle, radii, turns)
        )
        inside = f"<title>{escape(told)}</title>" if told else ""
        self._parts.append(f'<path class="{kind}" d="{path}" fill-opacity="{opacity:.2f}">{inside}</path>')

    def whole(self) -> str:
        """The picture as an SVG element."""
        name = escape(self.name)
        return "\n".join(
            [
                f'<svg role="img" aria-labelledby="{name}-title {name}-told"'
                f' xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {self.height:g}"'
                f' width="{self.width:g}" height="{self.height:g}">',
                *self._parts,
                "</svg>",
            ]
        )


def part_of_ring(middle: Place, radii: tuple[float, float], turns: tuple[float, float]) -> str:
    """The path of a piece of a ring."""
    (inner, outer), (begin, end) = radii, turns
    large = int(end - begin > 0.5)
    (a, b), (c, d), (e, f), (g, h) = (
        around(middle, radius, turn)
        for radius, turn in ((outer, begin), (outer, end), (inner, end), (inner, begin))
    )
    return (
        f"M{a:.1f},{b:.1f}A{outer:g},{outer:g} 0 {large} 1 {c:.1f},{d:.1f}"
        f"L{e:.1f},{f:.1f}A{inner:g},{inner:g} 0 {large} 0 {g:.1f},{h:.1f}Z"
    )


def whole_ring(middle: Place, inner: float, outer: float) -> str:
    """The path of a ring that is closed: an arc from a point to itself would be nothing."""
    x, y = middle
    return "".join(
        f"M{x:.1f},{y - r:.1f}A{r:g},{r:g} 0 1 {way} {x:.1f},{y + r:.1f}"
        f"A{r:g},{r:g} 0 1 {way} {x:.1f},{y - r:.1f}Z"
        for r, way in ((outer, 1), (inner, 0))
    )


def around(middle: Place, radius: float, turn: float) -> Place:
    """A point on a circle, a part of a turn clockwise from its top."""
    angle = 2 * math.pi * turn
    return middle[0] + radius * math.sin(angle), middle[1] - radius * math.cos(angle)


Box = tuple[float, float, float, float]


def labels(
    points: Sequence[tuple[float, float, float]], sizes: Sequence[tuple[float, float]], frame: Box
) -> list[Place | None]:
    """Where the labels of dots go, each its lower left corner; None where there is no room.

    `points` are places and radii, the most important first, `sizes` widths and heights of the labels;
    there may be fewer labels than dots. A label keeps clear of the frame (left, top, right, bottom),
    of all dots and of the labels before it.
    """
    taken: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r in points]
    found: list[Place | None] = []
    for (x, y, r), (width, height) in zip(points, sizes, strict=False):
        offers = [
            (x + r + 3, y + height / 2 - 2),
            (x - r - 3 - width, y + height / 2 - 2),
            (x - width / 2, y - r - 3),
            (x - width / 2, y + r + height),
            (x + r + 1, y - r - 1),
            (x + r + 1, y + r + height - 2),
            (x - r - 1 - width, y - r - 1),
            (x - r - 1 - width, y + r + height - 2),
        ]
        for place in offers:
            box = (place[0], place[1] - height + 2, place[0] + width, place[1] + 2)
            if within(box, frame) and not any(meet(box, other) for other in taken):
                taken.append(box)
                found.append(place)
                break
        else:
            found.append(None)
    return found


def within(box: Box, frame: Box) -> bool:
    """Whether a box lies in a frame."""
    return box[0] >= frame[0] and box[1] >= frame[1] and box[2] <= frame[2] and box[3] <= frame[3]


def meet(box: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
