"""Value by depth: the engine's value of every power's game, phase by phase of a book."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux.view.svg import Picture, Scale, brief, ticks

WIDTH, HEIGHT = 860.0, 340.0
LEFT, RIGHT, TOP, BASE = 56.0, 110.0, 16.0, 40.0
APART = 15.0
SIZE = 11.0

Series = Mapping[str, Sequence[float | None]]


def depth(name: str, phases: Sequence[str], series: Series, places: Sequence[int], title: str) -> str:
    """An SVG element: a line for each power in `series`, its values in percent by phase (None: unknown).

    `places` gives the number of positions for each phase. "" without data.
    """
    known = [value for values in series.values() for value in values if value is not None]
    if not known or not phases:
        return ""
    description = " ".join(
        f"{power.title()}: "
        + ", ".join(
            f"{phase} {value:.0f} %" for phase, value in zip(phases, values, strict=True) if value is not None
        )
        + "."
        for power, values in series.items()
    )
    picture = Picture(WIDTH, title, description, name)
    marks = ticks(min(known), max(known), 6)
    up = Scale(marks[0], marks[-1], HEIGHT - BASE, TOP)
    across = Scale(0, max(1, len(phases) - 1), LEFT + 12, WIDTH - RIGHT)
    for mark in marks:
        picture.line((LEFT, up.at(mark)), (WIDTH - RIGHT, up.at(mark)), "grid")
        picture.text(LEFT - 8, up.at(mark) + 4, brief(mark), "faint", anchor="end", size=SIZE)
    for number, (phase, count) in enumerate(zip(phases, places, strict=True)):
        picture.text(across.at(number), HEIGHT - BASE + 17, phase, "faint", anchor="middle", size=SIZE)
        picture.text(
            across.at(number),
            HEIGHT - BASE + 31,
            f"{count} position{'s' if count != 1 else ''}",
            "faint",
            anchor="middle",
            size=9,
        )
    ends = []
    for power, values in series.items():
        points = [
            (across.at(number), up.at(value)) for number, value in enumerate(values) if value is not None
        ]
        if not points:
            continue
        picture.curve(points, f"curve line {power.lower()}")
        for x, y in points:
            picture.dot(x, y, 3, f"dot {power.lower()}")
        ends.append((points[-1], power))
    last = -APART
    for (x, y), power in sorted(ends, key=lambda end: end[0][1]):
        last = max(y + 4, last + APART)
        picture.line((x + 4, y), (x + 12, last - 4), "axis")
        picture.text(x + 15, last, power.title(), f"name {power.lower()}", size=12)
    return picture.whole(HEIGHT)
