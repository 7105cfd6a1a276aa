"""A rating list as a picture: every player's rating with its interval, and its mean share."""

from __future__ import annotations

from collections.abc import Mapping

from strengths import Strength

from bordeaux.view.palette import GREY, PALE, SERIES
from bordeaux.view.svg import Picture, Scale, fitting, shortened, ticks, width_of

WIDTH, MARGIN, ROW = 960.0, 24.0, 26.0
HEAD, FOOT = 92.0, 44.0
LETTERS = 44
FIGURES = (("rating", 78.0), ("games", 66.0), ("share", 66.0))
"""Columns on the right, and how wide each is."""


def draw_ratings(rated: Mapping[str, Strength], title: str, *, note: str = "") -> str:
    """The SVG of a list, best first, from `strengths.strengths`; `note` is a line below the
    title. A list without players gives a sheet that says so."""
    picture = Picture(WIDTH, title, description(rated))
    picture.text(MARGIN, 34, fitting(title, 18, WIDTH - 2 * MARGIN), size=18, font_weight="bold")
    picture.text(
        MARGIN, 56, fitting(note or "Dots: rating; lines: 95 % interval", 12, WIDTH - 2 * MARGIN), fill=GREY
    )
    if not rated:
        picture.text(MARGIN, HEAD, "No games yet.")
        return picture.whole(HEAD + MARGIN)
    names = [shortened(name, LETTERS) for name in rated]
    left = MARGIN + max(width_of(name, 12) for name in names) + 14
    right = WIDTH - MARGIN - sum(width for _, width in FIGURES)
    marks = ticks(
        min(strength.rating.low for strength in rated.values()),
        max(strength.rating.high for strength in rated.values()),
        8,
    )
    scale = Scale(marks[0], marks[-1], left, right)
    base = HEAD + ROW * len(names)
    for mark in marks:
        picture.line((scale.at(mark), HEAD), (scale.at(mark), base), stroke=PALE)
        picture.text(scale.at(mark), base + 18, f"{mark:g}", size=11, anchor="middle", fill=GREY)
    edge = right
    for head, width in FIGURES:
        edge += width
        picture.text(edge, HEAD - 10, head, size=11, anchor="end", fill=GREY)
    for number, (name, strength) in enumerate(zip(names, rated.values(), strict=True)):
        y = HEAD + ROW * (number + 0.5)
        low, mean, high = (
            scale.at(value) for value in (strength.rating.low, strength.rating.mean, strength.rating.high)
        )
        picture.text(left - 14, y + 4, name, anchor="end")
        picture.line((low, y), (high, y), stroke=SERIES[0], stroke_width=2.5)
        for end in (low, high):
            picture.line((end, y - 4), (end, y + 4), stroke=SERIES[0], stroke_width=2.5)
        picture.dot(mean, y, 5, title=told(strength), fill=SERIES[0], stroke="white", stroke_width=1.5)
        edge = right
        figures = (
            f"{strength.rating.mean:.0f}",
            f"{strength.games}",
            f"{strength.share:.3f}" if strength.seats else "",
        )
        for figure, (_, width) in zip(figures, FIGURES, strict=True):
            edge += width
            picture.text(edge, y + 4, figure, anchor="end")
    return picture.whole(base + FOOT)


def told(strength: Strength) -> str:
    """A player's rating in words."""
    low, high = strength.rating.low, strength.rating.high
    return f"{strength.rating.mean:.0f} ({low:.0f} to {high:.0f}) after {strength.games} games"


def description(rated: Mapping[str, Strength]) -> str:
    """The picture in words."""
    return " ".join(f"{name}: {told(strength)}." for name, strength in rated.items()) or "No games yet."
