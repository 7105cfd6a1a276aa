"""Text in pictures: its width, fitting to a width, and placing labels without overlap."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.view.svg import Place

__all__ = ["apart", "fitting", "labels", "shortened", "width_of", "wrapped"]

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
