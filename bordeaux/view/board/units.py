"""Armies, fleets and centres as shapes, with the crest of each power; and a text description of the whole
picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted
from bordeaux.view.board.paint import letter_on
from bordeaux.view.svg import Picture, Place

__all__ = ["CRESTS", "draw_centre", "draw_unit", "heading", "told"]

WHEEL, RADIUS = (-2.6, 2.9), 6.6
"""The middle and the radius of a cannon's wheel, which carries the crest."""
BARREL = ((-10.4, -1.6), (-7.8, -5.6), (11.2, -9.6), (12.4, -5.6), (-6.6, 1.4))
TRAIL = ((-6.0, 1.0), (-3.4, 3.4), (-10.6, 9.4), (-12.4, 7.8))
HULL = ((-12.2, -0.6), (12.2, -0.6), (8.4, 9.4), (-8.4, 9.4))
SAIL = ((0.9, -9.6), (0.9, -1.6), (10.2, -1.6))
JIB = ((-0.9, -8.2), (-0.9, -1.6), (-8.4, -1.6))
DECK = (0.0, 4.3)
"""The position of a fleet's crest, on its hull."""
ROUND = 14
"""Corners of round parts of a crest."""


def turned(
    radius: float, begin: float = 0.0, end: float = 2 * math.pi, off: Place = (0.0, 0.0)
) -> list[Place]:
    """Corners of a circle, or of a part of it."""
    steps = [begin + (end - begin) * n / ROUND for n in range(ROUND + 1)]
    return [(off[0] + radius * math.cos(turn), off[1] + radius * math.sin(turn)) for turn in steps]


def bar(turn: float) -> list[Place]:
    """A bar from rim to rim, turned by so many degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    box = ((-1.0, -0.3), (1.0, -0.3), (1.0, 0.3), (-1.0, 0.3))
    return [(x * cos - y * sin, x * sin + y * cos) for x, y in box]


# The rim of one disc, and back along that of another one beside it.
MOON = [*turned(1.0, 0.55, 2 * math.pi - 0.55), *turned(0.74, 2 * math.pi - 0.75, 0.75, (0.3, 0.0))]

CRESTS: tuple[tuple[list[Place], ...], ...] = (
    (bar(0),),
    (bar(0), bar(90)),
    (bar(90),),
    ([(0, -1), (1, 0), (0, 1), (-1, 0)],),
    ([(0, -1), (0.95, 0.75), (-0.95, 0.75)],),
    (bar(45), bar(-45)),
    (MOON,),
    (turned(0.6),),
    ([(-0.7, -0.7), (0.7, -0.7), (0.7, 0.7), (-0.7, 0.7)],),
    (bar(45),),
)
"""What tells the powers apart beside colour, as areas within a circle of radius 1: in the order of the
standard map Austria's bar, England's cross, France's pale, Germany's diamond, Italy's triangle, Russia's
saltire, Turkey's crescent. Maps of more powers begin again, as the colours do."""


def draw_unit(
    picture: Picture,
    kind: str,
    at: Place,
    power: tuple[int, str],
    title: str,
    scale: float = 1.0,
    opacity: float = 1.0,
    **marks: str,
) -> None:
    """A cannon for an army, a ship for a fleet, in the colour of a power and with its crest: `power` is the
    result of `kind_of_power`. `marks` are attributes by which a page finds the unit."""
    x, y = at
    number, colour = power
    picture.begin("unit" if marks else "", title, opacity=opacity, **marks)

    def area(corners: tuple[Place, ...], fill: str, width: float) -> None:
        points = [(x + a * scale, y + b * scale) for a, b in corners]
        picture.area(points, "rim", fill=fill, stroke_width=width, stroke_linejoin="round")

    if kind == "A":
        area(TRAIL, colour, 1.1)
        area(BARREL, colour, 1.2)
        middle, reach = (x + WHEEL[0] * scale, y + WHEEL[1] * scale), 4.2
        picture.dot(*middle, RADIUS * scale, "rim", fill=colour, stroke_width=1.3)
    else:
        area(SAIL, "#ffffff", 0.9)
        area(JIB, "#ffffff", 0.9)
        area(HULL, colour, 1.2)
        middle, reach = (x + DECK[0] * scale, y + DECK[1] * scale), 3.6
    for corners in CRESTS[number % len(CRESTS)]:
        points = [(middle[0] + a * reach * scale, middle[1] + b * reach * scale) for a, b in corners]
        picture.area(points, fill=letter_on(colour))
    picture.end()


def draw_centre(picture: Picture, at: Place, colour: str | None, title: str) -> None:
    """A ring, filled in the colour of the centre's owner."""
    x, y = at
    picture.dot(x, y, 4.6, "centre", title, stroke_width=1.1)
    if colour is None:
        picture.dot(x, y, 2.2, "ink")
    else:
        picture.dot(x, y, 2.8, fill=colour, stroke="#111", stroke_width=0.5)


SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
KINDS = {"M": "movement", "R": "retreats", "A": "adjustments"}


def heading(phase: Phase) -> str:
    """A phase in words: Spring 1901, movement."""
    if phase.kind == "-":
        return "Game over"
    return f"{SEASONS[phase.season]} {phase.year}, {KINDS[phase.kind]}"


def told(position: Position, orders: Iterable[Submitted], results: Mapping[str, list[str]] | None) -> str:
    """Units and centres of every power, then its orders and their results, one sentence each."""
    given: dict[str, list[str]] = {}
    for submitted in orders:
        text = str(submitted.order)
        if results is not None:
            words = ["void"] if submitted.fault else outcome(text, results)
            text += f" ({', '.join(words) or 'ok'})"
        given.setdefault(submitted.power, []).append(text)
    lines = [heading(position.phase) + "."]
    for power in position.map.powers:
        units = ", ".join(str(unit) for unit in position.units_of(power))
        centres = position.centres.get(power, ())
        driven = ", ".join(
            str(dislodged.unit) for dislodged in position.dislodged if dislodged.unit.power == power
        )
        if not (units or centres or driven):
            continue
        parts = [f"units {units}" if units else "no units"]
        parts += [f"dislodged {driven}"] if driven else []
        parts.append(f"{len(centres)} centres {' '.join(centres)}" if centres else "no centres")
        parts += [f"orders {', '.join(given[power])}"] if power in given else []
        lines.append(f"{power.title()}: {'; '.join(parts)}.")
    return "\n".join(lines)


def outcome(text: str, results: Mapping[str, list[str]]) -> list[str]:
    """The words of `bordeaux.rules.Resolution.results` for an order, by its province."""
    words = text.split()
    if len(words) < 2:
        return results.get(text, [])
    province = words[1].partition("/")[0]
    keys = [key for key in results if len(key.split()) > 1 and key.split()[1].partition("/")[0] == province]
    key = next((key for key in keys if text.startswith(key)), keys[0] if keys else "")
    return results.get(key, [])
