"""Armies, fleets and centres as shapes, with the crest of each power; and a text description of the whole
picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted
from bordeaux.view.svg import Picture, Place, ellipse

WHEEL, RADIUS = (-3.2, 4.2), 9.0
"""The middle and the radius of a cannon's wheel, which carries the crest."""
BARREL = ((-13.8, -2.4), (-10.4, -7.8), (14.8, -13.2), (16.3, -7.8), (-8.8, 1.8))
TRAIL = ((-8.0, 1.2), (-4.5, 4.6), (-14.0, 13.2), (-16.4, 11.0))
HULL = ((-16.2, -1.0), (16.2, -1.0), (14.2, 6.4), (10.0, 13.2), (-10.0, 13.2), (-14.2, 6.4))
SAIL = ((1.2, -13.4), (1.2, -2.6), (13.4, -2.6))
JIB = ((-1.2, -11.4), (-1.2, -2.6), (-11.0, -2.6))
DECK = (0.0, 5.9)
"""The position of a fleet's crest, on its hull."""
CREST = {"A": 5.7, "F": 4.9}
"""How far a crest reaches from its middle."""
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
    power: int,
    title: str,
    scale: float = 1.0,
    opacity: float = 1.0,
    **marks: str,
) -> None:
    """A cannon for an army, a ship for a fleet, in the colour of a power, given by its number, with its crest
    and a soft shadow. `marks` are attributes by which a page finds the unit."""
    x, y = at
    shown = {"opacity": opacity} if opacity < 1 else {}
    picture.begin("unit" if marks else "", title, **shown, **marks)
    picture.path(ellipse((x, y + 12.6 * scale), 16.5 * scale, 4.6 * scale), fill="url(#bordeaux-shade)")

    def area(corners: Iterable[Place], fill: str, width: float = 1.4) -> None:
        points = [(x + a * scale, y + b * scale) for a, b in corners]
        picture.area(points, f"rim {fill}", stroke_width=width * scale)

    if kind == "A":
        area(TRAIL, f"p{power}")
        area(BARREL, f"p{power}")
        middle = (x + WHEEL[0] * scale, y + WHEEL[1] * scale)
        picture.dot(*middle, RADIUS * scale, f"rim p{power}", stroke_width=1.5 * scale)
    else:
        area(SAIL, "sail", 1.1)
        area(JIB, "sail", 1.1)
        area(HULL, f"p{power}")
        middle = (x + DECK[0] * scale, y + DECK[1] * scale)
    reach = CREST[kind] * scale
    for corners in CRESTS[power % len(CRESTS)]:
        picture.area([(middle[0] + a * reach, middle[1] + b * reach) for a, b in corners], f"c{power}")
    picture.end()


def draw_centre(picture: Picture, at: Place, power: int | None, title: str) -> None:
    """A ring, with a dot in the colour of the centre's owner."""
    x, y = at
    picture.begin("mark", title)
    picture.dot(x, y, 5.0, "centre")
    if power is None:
        picture.dot(x, y, 1.8, "ink")
    else:
        picture.dot(x, y, 3.2, f"rim p{power}", stroke_width=0.7)
    picture.end()


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
    lines = [f"{heading(position.phase)}."]
    for power in position.map.powers:
        units = ", ".join(map(str, position.units_of(power)))
        driven = ", ".join(str(unit) for unit, _ in position.dislodged if unit.power == power)
        centres = position.centres.get(power, ())
        if units or centres or driven:
            parts = [f"units {units}" if units else "no units"]
            parts += [f"dislodged {driven}"] if driven else []
            parts.append(f"{len(centres)} centres {' '.join(centres)}" if centres else "no centres")
            parts += [f"orders {', '.join(given[power])}"] if power in given else []
            lines.append(f"{power.title()}: {'; '.join(parts)}.")
    return "\n".join(lines)


def outcome(text: str, results: Mapping[str, list[str]]) -> list[str]:
    """The words of `bordeaux.rules.Resolution.results` for an order, by its province."""

    def province(order: str) -> str:
        return f"{order} ".split(" ")[1].partition("/")[0]

    keys = [key for key in results if province(key) == province(text)]
    key = next((key for key in keys if text.startswith(key)), keys[0] if keys else "")
    return results.get(key, [])
