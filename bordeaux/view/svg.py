"""Pictures as SVG: shapes and text, for a page with a style or as a file."""

from __future__ import annotations

import math
from collections.abc import Iterable

from bordeaux.board.cleaning import html_text as escape

__all__ = ["Picture", "Place", "around"]

Place = tuple[float, float]
Value = str | float
FULL = 0.999
"""Part of a turn from which a piece is a whole ring."""
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
INK = "#1f2933"


class Picture:
    """Shapes in the order in which they are drawn; lengths are pixels from the upper left corner.

    With a `name`, unique on its page, it is a part of a page, whose style gives font and colours. Without one
    it is a file on a white sheet. `title` and `description` are for screen readers. Every shape takes classes
    of the page's style (`kind`) and attributes of SVG (``stroke_width=2``); a shape's `title` is its tooltip.
    """

    def __init__(self, width: float, title: str, description: str, name: str = "") -> None:
        self.width, self.name = width, escape(name)
        ids = (f' id="{self.name}-title"', f' id="{self.name}-told"') if name else ("", "")
        self._parts = [
            f"<title{ids[0]}>{escape(title)}</title>",
            f"<desc{ids[1]}>{escape(description)}</desc>",
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
        **style: Value,
    ) -> None:
        """A line of text from, to or around a point on its base line, rotated by so many degrees."""
        if turn is not None:
            style["transform"] = f"rotate({turn:.1f} {x:.1f} {y:.1f})"
        self._add("text", escape(text), kind, x=x, y=y, font_size=size, text_anchor=anchor, **style)

    def line(self, begin: Place, end: Place, kind: str = "", **style: Value) -> None:
        """A straight line."""
        (x1, y1), (x2, y2) = begin, end
        self._add("line", "", kind, x1=x1, y1=y1, x2=x2, y2=y2, **style)

    def curve(self, points: Iterable[Place], kind: str = "", **style: Value) -> None:
        """A line through points."""
        style = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round", **style}
        self._add("polyline", "", kind, points=listed(points), **style)

    def area(self, points: Iterable[Place], kind: str = "", title: str = "", **style: Value) -> None:
        """An area within points."""
        self._add("polygon", shown(title), kind, points=listed(points), **style)

    def dot(self, x: float, y: float, radius: float, kind: str = "", title: str = "", **style: Value) -> None:
        """A circle."""
        self._add("circle", shown(title), kind, cx=x, cy=y, r=radius, **style)

    def diamond(
        self, x: float, y: float, radius: float, kind: str = "", title: str = "", **style: Value
    ) -> None:
        """A square on its tip."""
        corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
        self.area(corners, kind, title, **style)

    def ring(
        self,
        middle: Place,
        radii: tuple[float, float],
        turns: tuple[float, float],
        kind: str = "",
        title: str = "",
        **style: Value,
    ) -> None:
        """A piece of a ring between two radii and two parts of a turn, 0 to 1, clockwise from the top."""
        path = (
            whole_ring(middle, *radii) if turns[1] - turns[0] > FULL else part_of_ring(middle, radii, turns)
        )
        self._add("path", shown(title), kind, d=path, **style)

    def path(self, d: str, kind: str = "", title: str = "", **style: Value) -> None:
        """A shape in the language of SVG's paths."""
        self._add("path", shown(title), kind, d=d, **style)

    def begin(self, kind: str = "", title: str = "", **style: Value) -> None:
        """Begin a group of shapes; `title` is its tooltip."""
        self._add("g", shown(title) or " ", kind, **style)
        self._parts[-1] = self._parts[-1].removesuffix("</g>").rstrip()

    def end(self) -> None:
        """End the group begun last."""
        self._parts.append("</g>")

    def raw(self, element: str) -> None:
        """An existing SVG element: a style, patterns."""
        self._parts.append(element)

    def _add(self, tag: str, inside: str, kind: str, /, **given: Value) -> None:
        """An element with its classes and attributes; numbers are rounded to a hundredth."""
        attributes = f' class="{escape(kind)}"' if kind else ""
        for name, value in given.items():
            text = escape(value) if isinstance(value, str) else f"{round(value, 2):g}"
            attributes += f' {name.replace("_", "-")}="{text}"'
        self._parts.append(f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes}/>")

    def inside(self) -> str:
        """The shapes alone, for a picture that has a frame already."""
        return "".join(self._parts[2:])

    def whole(self, height: float, scale: float = 1.0, kind: str = "") -> str:
        """The picture as an SVG element of that height, shown `scale` times as large, or as a file.

        A picture of a `kind` has a style of its own for that class, and for its sheet.
        """
        shown_size = f'width="{self.width * scale:g}" height="{height * scale:g}"'
        size = f'{shown_size} viewBox="0 0 {self.width:g} {height:g}"'
        if self.name:
            given, sheet, end = f'aria-labelledby="{self.name}-title {self.name}-told"', [], "</svg>"
        else:
            given, end = f'font-family="{FONT}" fill="{INK}"', "</svg>\n"
            sheet = ['<rect width="100%" height="100%" fill="white"/>']
        if kind:
            given = f'class="{kind}" font-family="{FONT}"'
            sheet = ['<rect class="sheet" width="100%" height="100%"/>']
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" {given}>'
        return "\n".join([head, *self._parts[:2], *sheet, *self._parts[2:], end])


def shown(title: str) -> str:
    """The tooltip of a shape, as an element within it."""
    return f"<title>{escape(title)}</title>" if title else ""


def listed(points: Iterable[Place]) -> str:
    """Points in SVG's notation."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


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
    """The path of a closed ring: an arc from a point to itself would be empty."""
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
