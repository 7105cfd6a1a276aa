"""Frequency against success: every set of a power's first move as a dot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bordeaux.view.svg import Picture, Scale, brief, labels, shortened, ticks, width_of

WIDTH, HEIGHT = 560.0, 340.0
LEFT, RIGHT, TOP, BASE = 44.0, 14.0, 14.0, 44.0
LARGEST = 13.0
"""Radius of the dot of the set with most games."""
NAMED = 9
"""Dots that get a label."""
SIZE = 11.0
LETTERS = 30
CAPITALS = 1.08
"""How much wider names of provinces are than other text."""


class Dot(NamedTuple):
    """A set: its name, its frequency (of 1), its games, its success, and its orders."""

    name: str
    share: float
    games: int
    success: float
    orders: str


def scatter(name: str, kind: str, dots: Sequence[Dot], title: str, success: str) -> str:
    """An SVG element: the share across on a logarithmic scale, the success upwards, the number of games as
    the size.

    `kind` is the class of the dots, `success` names the measure. A dashed line marks the mean over all games.
    "" without data.
    """
    shown = sorted((dot for dot in dots if dot.share > 0), key=lambda dot: -dot.games)
    if not shown:
        return ""
    shares, successes = [dot.share for dot in shown], [dot.success for dot in shown]
    mean = sum(dot.games * dot.success for dot in shown) / (sum(dot.games for dot in shown) or 1)
    said = [f"{dot.name or dot.orders}: played {100 * dot.share:.1f} %, " for dot in shown]
    description = f"{success}; mean {mean:.2f}. " + " ".join(
        f"{words}{dot.success:.2f}." for words, dot in zip(said, shown[:NAMED], strict=False)
    )
    picture = Picture(WIDTH, title, description, name)
    base, end = HEIGHT - BASE, WIDTH - RIGHT
    marks, rows = decades(min(shares), max(shares)), ticks(min(successes), max(successes), 6)
    across = Scale(marks[0], marks[-1], LEFT + 18, end - 30, logarithmic=True)
    up = Scale(rows[0], rows[-1], base, TOP + 6)
    for mark in rows:
        picture.line((LEFT, up.at(mark)), (end, up.at(mark)), "grid")
        picture.text(LEFT - 6, up.at(mark) + 4, brief(round(mark, 6)), "faint", anchor="end", size=SIZE)
    for mark in marks:
        picture.text(across.at(mark), base + 17, f"{100 * mark:g} %", "faint", anchor="middle", size=SIZE)
    picture.line((LEFT, base), (end, base), "axis")
    picture.line((LEFT, up.at(mean)), (end, up.at(mean)), "mean")
    picture.text((LEFT + end) / 2, HEIGHT - 8, "how often it is played", "faint", anchor="middle", size=SIZE)
    placed = [
        (across.at(dot.share), up.at(dot.success), max(2.5, LARGEST * (dot.games / shown[0].games) ** 0.5))
        for dot in shown
    ]
    for dot, words, (x, y, radius) in reversed(list(zip(shown, said, placed, strict=True))):
        note = f"{words}{dot.games} games, {dot.success:.2f} ({dot.orders})"
        picture.dot(x, y, radius, f"dot {kind}", note)
    texts = [shortened(text, LETTERS) for text in called(shown[:NAMED])]
    sizes = [(CAPITALS * width_of(text, SIZE), SIZE) for text in texts]
    frame = (LEFT, TOP - 10, WIDTH - 2, base - 2)
    for text, label in zip(texts, labels(placed, sizes, frame), strict=True):
        if label is not None:
            picture.text(*label, text, "label", size=SIZE)
    return picture.whole(HEIGHT)


def decades(low: float, high: float) -> list[float]:
    """Round shares of a logarithmic scale, from the one not above `low` to the one not below `high`."""
    grades = [grade * 10.0**power for power in range(-5, 1) for grade in (1, 2, 5)]
    first = max((number for number, grade in enumerate(grades) if grade <= low), default=0)
    last = next((number for number, grade in enumerate(grades) if grade >= min(high, 1)), len(grades) - 1)
    chosen = grades[first : max(last, first + 1) + 1]
    step = -(-len(chosen) // 9)
    return chosen if step == 1 else sorted({*chosen[::step], chosen[-1]})


def called(dots: Sequence[Dot]) -> list[str]:
    """A label for each dot: its name the first time, else its moves, as a whole family has only one name."""
    names: list[str] = []
    for dot in dots:
        names.append(dot.name if dot.name and dot.name not in names else moves(dot.orders))
    return names


def moves(orders: str) -> str:
    """A set in short, its moves without the kinds of units: ``BUD-SER VIE-GAL``."""
    parts = [order.split(" ", 1)[1].replace(" - ", "-") for order in orders.split("; ") if " - " in order]
    return " ".join(part for part in parts if " S " not in part) or "all hold"
