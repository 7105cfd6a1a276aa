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
        self._told = f"<title{ids[0]}>{escape(title)}</title>\n<desc{ids[1]}>{escape(description)}</desc>"
        self._parts: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        kind: str = "",
        *,
        anchor: str = "start",
        size: float = 12,
        **style: Value,
    ) -> None:
        """A line of text from, to or around a point on its base line."""
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
        return "".join(self._parts)

    def whole(self, height: float, scale: float = 1.0, kind: str = "") -> str:
        """The picture as an SVG element of that height, shown `scale` times as large, or as a file.

        A picture of a `kind` has a style of its own for that class, and for its sheet.
        """
        if kind:
            given, sheet = f'class="{kind}" font-family="{FONT}"', 'class="sheet" width="100%" height="100%"'
        else:
            given, sheet = f'font-family="{FONT}" fill="{INK}"', 'width="100%" height="100%" fill="white"'
        ground, end = [f"<rect {sheet}/>"], "</svg>\n"
        if self.name:
            given, ground, end = f'aria-labelledby="{self.name}-title {self.name}-told"', [], "</svg>"
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width * scale:g}" '
        head += f'height="{height * scale:g}" viewBox="0 0 {self.width:g} {height:g}" role="img" {given}>'
        return "\n".join([head, self._told, *ground, *self._parts, end])


def shown(title: str) -> str:
    """The tooltip of a shape, as an element within it."""
    return f"<title>{escape(title)}</title>" if title else ""


def listed(points: Iterable[Place]) -> str:
    """Points in SVG's notation."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def ellipse(middle: Place, across: float, down: float) -> str:
    """The path of an ellipse."""
    (x, y), arc = middle, f"a{across:g},{down:g} 0 1 0"
    return f"M{x - across:.1f},{y:.1f}{arc} {2 * across:g},0{arc} {-2 * across:g},0Z"


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
    """At most so many round (or `whole`) numbers, equally spaced, that enclose `low` and `high`."""
    span = high - low if high > low else 1.0
    raw = max(span / max(1, most - 1), 1.0 if whole else 0.0)
    magnitude = 10.0 ** math.floor(math.log10(raw))
    for step in (factor * magnitude * grade for grade in (1, 10) for factor in (1, 2, 2.5, 5)):
        first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
        if step >= raw * 0.999 and last - first + 1 <= most and not (whole and step % 1):
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
    """Places near the wanted ones, in their order, so far apart and within bounds if they all fit."""
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
    left, top, right, base = frame
    taken: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r in points]
    places: list[Place | None] = []
    for (x, y, r), (width, height) in zip(points, sizes, strict=False):
        before, behind = x - r - 1 - width, x + r + 1
        level, over, under = y + height / 2 - 2, y - r - 1, y + r + height - 2
        offers = [(behind + 2, level), (before - 2, level), (x - width / 2, over - 2)]
        offers += [
            (x - width / 2, under + 2),
            (behind, over),
            (behind, under),
            (before, over),
            (before, under),
        ]
        places.append(None)
        for place in offers:
            box = (place[0], place[1] - height + 2, place[0] + width, place[1] + 2)
            inside = left <= box[0] and top <= box[1] and box[2] <= right and box[3] <= base
            if inside and not any(meet(box, other) for other in taken):
                taken.append(box)
                places[-1] = place
                break
    return places


def meet(box: Box, other: Box) -> bool:
    """Whether two boxes overlap."""
    return box[0] < other[2] and other[0] < box[2] and box[1] < other[3] and other[1] < box[3]
