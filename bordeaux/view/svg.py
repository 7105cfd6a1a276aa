"""Pictures as SVG or PNG: shapes, text with its width and place, and scales of plots; for a page with a
style or as a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bordeaux.board.cleaning import html_text as escape
from bordeaux.board.errors import BordeauxError
from bordeaux.view.palette import INK

Place = tuple[float, float]
Value = str | float
FULL = 0.999
"""Part of a turn from which a piece is a whole ring."""
FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"


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


def png(picture: str) -> bytes:
    """An SVG picture as a PNG file of its size. Raises BordeauxError if the library is missing."""
    try:
        import resvg_py
    except ImportError:
        raise BordeauxError(
            "pictures as PNG need resvg: pip install 'bordeaux-diplomacy[png]', or write .svg"
        ) from None
    # Where none of FONT is installed, on bare Linux, letters would be missing.
    return bytes(resvg_py.svg_to_bytes(svg_string=picture, sans_serif_family="DejaVu Sans"))


def ticks(low: float, high: float, most: int, whole: bool = False) -> list[float]:
    """At most so many round numbers from `low` on, equally spaced, the last one not below `high`; `whole`
    uses whole numbers only."""
    span = high - low if high > low else 1.0
    raw = max(span / max(1, most - 1), 1.0 if whole else 0.0)
    magnitude = 10.0 ** math.floor(math.log10(raw))
    steps = [factor * magnitude * grade for grade in (1, 10) for factor in (1, 2, 2.5, 5)]
    for step in steps:
        if whole and step != round(step):
            continue
        first = math.floor(low / step + 1e-9)
        last = math.ceil(high / step - 1e-9)
        if step >= raw * 0.999 and last - first + 1 <= most:
            return [number * step for number in range(first, max(last, first + 1) + 1)]
    return [low, low + span]


def brief(value: float) -> str:
    """A number for a scale: 0.25, 10, 250k, 1M."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:g}{letter}"
    return f"{value:g}"


class Scale(NamedTuple):
    """Values from `low` to `high`, mapped to `begin` to `end` on the sheet; with `logarithmic`, equal ratios
    have equal distances."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """The place of a value; values beyond the ends are clamped."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)


NARROW = frozenset("fijklrtI.,:;'|!()[]-/ ")
WIDE = frozenset("mwMW@%")

Box = tuple[float, float, float, float]


def width_of(text: str, size: float, bold: bool = False) -> float:
    """An upper estimate of a text's width; programs that show SVG have fonts of their own."""
    ems = sum(0.36 if char in NARROW else 0.95 if char in WIDE else 0.63 for char in text)
    return size * ems * (1.1 if bold else 1.0)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """A bold text in one line of some width, or else in two of similar lengths, shortened if necessary."""
    if width_of(text, size, bold=True) <= room or " " not in text:
        return [fitting(text, size, room)]
    words = text.split()
    breaks = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
    halves = min(breaks, key=lambda pair: max(width_of(half, size, bold=True) for half in pair))
    return [fitting(half, size, room) for half in halves]


def fitting(text: str, size: float, room: float) -> str:
    """As much of a bold text as fits into some width."""
    most = len(text)
    while most > 1 and width_of(shortened(text, most), size, bold=True) > room:
        most -= 1
    return shortened(text, most)


def shortened(text: str, most: int) -> str:
    """A text of at most so many letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def apart(wanted: Sequence[float], least: float, top: float, base: float) -> list[float]:
    """Places near the wanted ones, in their order, at least so far apart and within bounds if they all
    fit."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    placed = [0.0] * len(wanted)
    last = top - least
    for number in order:
        last = placed[number] = max(wanted[number], last + least)
    limit = base
    for number in reversed(order):
        placed[number] = min(placed[number], limit)
        limit = placed[number] - least
    return placed


def labels(
    points: Sequence[tuple[float, float, float]], sizes: Sequence[tuple[float, float]], frame: Box
) -> list[Place | None]:
    """The places of the labels of dots, each its lower left corner; None if there is no room.

    `points` are places and radii, the most important first, `sizes` widths and heights of the labels; there
    may be fewer labels than dots. A label does not overlap the frame (left, top, right, bottom), the dots, or
    earlier labels.
    """
    taken: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r in points]
    places: list[Place | None] = []
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
                places.append(place)
                break
        else:
            places.append(None)
    return places


def within(box: Box, frame: Box) -> bool:
    """Whether a box lies in a frame."""
    return box[0] >= frame[0] and box[1] >= frame[1] and box[2] <= frame[2] and box[3] <= frame[3]


def meet(box: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
