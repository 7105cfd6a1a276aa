"""A little SVG: shapes and text on a white sheet, scales with round ticks, text of a known width."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bordeaux.board.cleaning import html_text as escape

__all__ = ["Drawing", "Scale", "brief", "fitting", "shortened", "ticks", "width_of", "wrapped"]

FONT = "'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif"
INK = "#1f2933"
NARROW = frozenset("fijklrtI.,:;'|!()[]-/ ")
WIDE = frozenset("mwMW@%")


def width_of(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is at most; programs that show SVG have fonts of their own."""
    ems = sum(0.36 if char in NARROW else 0.95 if char in WIDE else 0.63 for char in text)
    return size * ems * (1.1 if bold else 1.0)


def wrapped(text: str, size: float, room: float) -> list[str]:
    """A bold text in one line of some width, or else in two of like lengths, cut off if need be."""
    if width_of(text, size, bold=True) <= room or " " not in text:
        return [fitting(text, size, room)]
    words = text.split()
    breaks = [(" ".join(words[:place]), " ".join(words[place:])) for place in range(1, len(words))]
    halves = min(breaks, key=lambda pair: max(width_of(half, size, bold=True) for half in pair))
    return [fitting(half, size, room) for half in halves]


def fitting(text: str, size: float, room: float) -> str:
    """As much of a bold text as goes into some width."""
    most = len(text)
    while most > 1 and width_of(shortened(text, most), size, bold=True) > room:
        most -= 1
    return shortened(text, most)


def shortened(text: str, most: int) -> str:
    """A text of at most so many letters."""
    return text if len(text) <= most else text[: most - 1] + "…"


def ticks(low: float, high: float, most: int, whole: bool = False) -> list[float]:
    """At most so many round numbers from `low` on, equally far apart, the last one not below `high`;
    `whole` keeps to whole numbers."""
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
    """Values from `low` to `high`, laid out from `begin` to `end` on the sheet; with `logarithmic`, equal
    ratios are equally far apart."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """Where a value lies; values beyond the ends are drawn there."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)


class Drawing:
    """Shapes in the order in which they are drawn; lengths are pixels from the upper left corner.

    `title` and `description` are what programs read aloud.
    """

    def __init__(self, width: float, title: str, description: str) -> None:
        self.width = width
        self._head = f"<title>{escape(title)}</title>\n<desc>{escape(description)}</desc>"
        self._shapes: list[str] = []

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 12,
        anchor: str = "start",
        fill: str = INK,
        bold: bool = False,
    ) -> None:
        """A line of text whose base line begins, ends or has its middle at a point."""
        weight = ' font-weight="bold"' if bold else ""
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size:g}" text-anchor="{anchor}" fill="{fill}"'
            f"{weight}>{escape(text)}</text>"
        )

    def line(
        self, x1: float, y1: float, x2: float, y2: float, *, stroke: str, width: float = 1, dash: str = ""
    ) -> None:
        """A straight line; `dash` like ``4 3``."""
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self._shapes.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}"'
            f' stroke-width="{width:g}"{dashed}/>'
        )

    def curve(self, points: Iterable[tuple[float, float]], *, stroke: str, width: float = 2) -> None:
        """A line through points."""
        self._shapes.append(
            f'<polyline points="{listed(points)}" fill="none" stroke="{stroke}" stroke-width="{width:g}"'
            ' stroke-linejoin="round" stroke-linecap="round"/>'
        )

    def area(self, points: Sequence[tuple[float, float]], *, fill: str, opacity: float = 1) -> None:
        """An area within points."""
        self._shapes.append(f'<polygon points="{listed(points)}" fill="{fill}" fill-opacity="{opacity:g}"/>')

    def dot(self, x: float, y: float, radius: float, *, fill: str, stroke: str, told: str = "") -> None:
        """A circle; `told` is shown to who points at it."""
        inside = f"<title>{escape(told)}</title>" if told else ""
        self._shapes.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:g}" fill="{fill}" stroke="{stroke}"'
            f' stroke-width="1.5">{inside}</circle>'
        )

    def diamond(self, x: float, y: float, radius: float, *, fill: str, stroke: str, told: str = "") -> None:
        """A square on its tip."""
        corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
        inside = f"<title>{escape(told)}</title>" if told else ""
        self._shapes.append(
            f'<polygon points="{listed(corners)}" fill="{fill}" stroke="{stroke}" stroke-width="1.5">'
            f"{inside}</polygon>"
        )

    def whole(self, height: float) -> str:
        """The drawing as the text of an SVG file, on a sheet of that height."""
        size = f'width="{self.width:g}" height="{height:g}" viewBox="0 0 {self.width:g} {height:g}"'
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}">',
                self._head,
                '<rect width="100%" height="100%" fill="white"/>',
                *self._shapes,
                "</svg>\n",
            ]
        )


def listed(points: Iterable[tuple[float, float]]) -> str:
    """Points as SVG lists them."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
