"""Armies, fleets and centres as shapes."""

from __future__ import annotations

from bordeaux.view.board.paint import letter_on
from bordeaux.view.svg import Picture, Place

__all__ = ["draw_centre", "draw_unit"]

ARMY = 8.7
"""Radius of an army."""
HULL = ((-11.8, -1.6), (11.8, -1.6), (8.0, 8.6), (-8.0, 8.6))
SAIL = ((0.8, -9.2), (0.8, -2.6), (9.6, -2.6))
JIB = ((-0.8, -8.0), (-0.8, -2.6), (-8.0, -2.6))


def draw_unit(
    picture: Picture,
    kind: str,
    at: Place,
    colour: str,
    letter: str,
    told: str,
    scale: float = 1.0,
    opacity: float = 1.0,
) -> None:
    """A disc for an army, a ship for a fleet, with the letter of its power."""
    x, y = at
    picture.begin(told=told, opacity=opacity)
    if kind == "A":
        picture.dot(x, y, ARMY * scale, "rim", fill=colour, stroke_width=1.4)
        base = y + 4.1 * scale
    else:
        for part in (SAIL, JIB, HULL):
            points = [(x + a * scale, y + b * scale) for a, b in part]
            fill, width = (colour, 1.2) if part is HULL else ("#ffffff", 0.9)
            picture.area(points, "rim", fill=fill, stroke_width=width, stroke_linejoin="round")
        base = y + 7.3 * scale
    size = (
        (11.5 if kind == "A" else 9.8)
        * scale
        * (1.0 if len(letter) == 1 else 0.72 if len(letter) == 2 else 0.55)
    )
    picture.text(x, base, letter, anchor="middle", size=size, font_weight="bold", fill=letter_on(colour))
    picture.end()


def draw_centre(picture: Picture, at: Place, colour: str | None, told: str) -> None:
    """A ring, filled in the colour of who owns the centre."""
    x, y = at
    picture.dot(x, y, 4.6, "centre", told, stroke_width=1.1)
    if colour is None:
        picture.dot(x, y, 2.2, "ink")
    else:
        picture.dot(x, y, 2.8, fill=colour, stroke="#111", stroke_width=0.5)
