"""Plots of a tournament as SVG: scores with their intervals, and centres year by year."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import Interval, bootstrap
from bordeaux.arena.tables import ComparisonTable, PlayerSummary, group_of, lines, seats_of
from bordeaux.board.phase import Phase
from bordeaux.view.palette import GREY, PALE, SERIES
from bordeaux.view.svg import Picture, Scale, apart, brief, fitting, shortened, ticks, width_of, wrapped

WIDTH = 960.0
MARGIN = 24.0
ABREAST = 3
"""Panels side by side at most."""
ROW, HEAD, HEADING, GUTTER = 24.0, 29.0, 17.0, 44.0
"""Height of a row of a panel, of what stands above the rows, and of a second line there; room between
two panels."""
WIDE = 100.0
"""Ratio of two figures of a panel from which on its scale is logarithmic."""
YEARS_HEIGHT = 300.0
LETTERS = 26
ROUNDS = 500
SCORES = {"solo": "Solo", "sum_of_squares": "Sum of squares", "survived": "Survived"}

Figures = tuple[Interval | None, Interval | float | None]
"""Our figure and that of a paper."""


class Panel(NamedTuple):
    """Figures of one kind, one a row: shares of 1 as per cent if `digits` is None. `chance` is the expected
    value of a row by chance, marked with a stroke; None if there is no such number."""

    title: str
    rows: Mapping[str, Figures]
    chance: Mapping[str, float | None]
    digits: int | None = None


def plot(
    results: Iterable[Result],
    order: Sequence[str] = (),
    *,
    title: str = "",
    comparisons: Sequence[ComparisonTable] = (),
) -> str:
    """An SVG picture of a tournament.

    The upper part has one panel for each of `comparisons`, or else for solos, sums of squares and survival,
    with 95 % intervals. The lower part has the centres of a player's mean seat after every year, with the
    interval as a band. `order` is the order of the players. Without results it is a sheet that says so.
    """
    games = sorted(results, key=lambda result: result.index)
    summaries = lines(games, order)
    panels = (
        [of_comparison(comparison) for comparison in comparisons]
        if comparisons
        else of_scores(summaries, len(games[0].seats))
        if games
        else []
    )
    number = "1 game" if len(games) == 1 else f"{len(games)} games"
    heading = title or ", ".join(line.name for line in summaries) or "No games"
    picture = Picture(WIDTH, f"{heading}: {number}", description(panels, summaries))
    picture.text(MARGIN, 34, fitting(heading, 18, WIDTH - 2 * MARGIN), size=18, font_weight="bold")
    legend = "dots: mean and 95 % interval"
    if any(theirs is not None for panel in panels for _, theirs in panel.rows.values()):
        legend += "; diamonds: the paper"
    if any(value is not None for panel in panels for value in panel.chance.values()):
        legend += "; dashes: by chance"
    picture.text(MARGIN, 54, f"{number}; {legend}" if panels else number, fill=GREY)
    height = draw_panels(picture, panels, [line.name for line in summaries], 76)
    if games:
        height = draw_years(picture, games, summaries, height)
    return picture.whole(height)


def of_scores(summaries: Sequence[PlayerSummary], seats: int) -> list[Panel]:
    """The panels of a tournament without a paper to compare with, at a table of so many seats."""
    panels = []
    for score, heading in SCORES.items():
        rows: dict[str, Figures] = {line.name: (line.scores[score], None) for line in summaries}
        # The mean share if all seats are equal.
        chance = dict.fromkeys(rows, 1 / seats) if score == "sum_of_squares" else {}
        panels.append(Panel(heading, rows, chance))
    return panels


def of_comparison(comparison: ComparisonTable) -> Panel:
    """The panel of a table of a paper."""
    return Panel(
        comparison.title,
        {name: (row.ours, row.theirs) for name, row in comparison.rows.items()},
        {name: row.chance for name, row in comparison.rows.items()},
        comparison.digits,
    )


def description(panels: Sequence[Panel], summaries: Sequence[PlayerSummary]) -> str:
    """The picture in words: every figure of the panels, and the centres at the end."""
    sentences = []
    for panel in panels:
        for name, (ours, theirs) in panel.rows.items():
            figures = [f"{name} {figure(ours, panel.digits)}"] if ours is not None else []
            if theirs is not None:
                figures.append(f"{name} in the paper {figure(theirs, panel.digits)}")
            sentences += [f"{panel.title}: {phrase}." for phrase in figures]
    sentences += [f"Centres at the end: {line.name} {figure(line.centres, 1)}." for line in summaries]
    return " ".join(sentences) or "No games."


def figure(value: Interval | float, digits: int | None) -> str:
    """A figure for people."""

    def shown(number: float) -> str:
        return f"{100 * number:.0f} %" if digits is None else f"{number:.{digits}f}"

    if isinstance(value, Interval):
        return f"{shown(value.mean)} ({shown(value.low)} to {shown(value.high)})"
    return shown(value)


def draw_panels(picture: Picture, panels: Sequence[Panel], players: Sequence[str], top: float) -> float:
    """Draw panels in as many lines as needed; returns the place below them."""
    for first in range(0, len(panels), ABREAST):
        line = panels[first : first + ABREAST]
        names = list(dict.fromkeys(name for panel in line for name in panel.rows))
        labels = max(width_of(shortened(name, LETTERS), 12) for name in names) + 12
        width = (WIDTH - 1.5 * MARGIN - labels) / min(ABREAST, len(panels))
        headings = [wrapped(panel.title, 13, width - GUTTER / 2) for panel in line]
        rows = top + HEAD + HEADING * (max(map(len, headings)) - 1)
        for number, name in enumerate(names):
            y = rows + ROW * number + ROW / 2 + 4
            picture.text(MARGIN + labels - 12, y, shortened(name, LETTERS), anchor="end")
        for number, (panel, heading) in enumerate(zip(line, headings, strict=True)):
            left = MARGIN + labels + width * number
            for above, text in enumerate(reversed(heading)):
                picture.text(left, rows - 12 - HEADING * above, text, size=13, font_weight="bold")
            draw_panel(picture, panel, names, players, left, left + width - GUTTER, rows)
        top = rows + ROW * len(names) + 48
    return top


def draw_panel(
    picture: Picture,
    panel: Panel,
    names: Sequence[str],
    players: Sequence[str],
    left: float,
    right: float,
    top: float,
) -> None:
    """Draw the rows of one panel, dots with their intervals, and a scale below."""
    base = top + ROW * len(names)
    marks, logarithmic = marks_of(panel)
    scale = Scale(marks[0], marks[-1], left, right, logarithmic)
    for mark in marks:
        x = scale.at(mark)
        picture.line((x, top), (x, base), stroke=PALE)
        shown = f"{100 * mark:g}%" if panel.digits is None else brief(mark)
        picture.text(x, base + 16, shown, size=11, anchor="middle", fill=GREY)
    for number, name in enumerate(names):
        y = top + ROW * number + ROW / 2
        ours, theirs = panel.rows.get(name, (None, None))
        chance = panel.chance.get(name)
        colour = SERIES[players.index(name) % len(SERIES)] if name in players else SERIES[0]
        if chance is not None:
            x = scale.at(chance)
            picture.line((x, y - 9), (x, y + 9), stroke=GREY, stroke_dasharray="3 2", stroke_width=1.5)
        if theirs is not None:
            draw_figure(picture, scale, y + 5 if ours else y, theirs, panel.digits, GREY, paper=True)
        if ours is not None:
            draw_figure(picture, scale, y - 4 if theirs is not None else y, ours, panel.digits, colour)


def marks_of(panel: Panel) -> tuple[list[float], bool]:
    """The numbers on the scale of a panel, and whether it is logarithmic."""
    figures = [value for pair in panel.rows.values() for value in pair if value is not None]
    means = [value.mean if isinstance(value, Interval) else value for value in figures]
    highest = max([value.high if isinstance(value, Interval) else value for value in figures], default=1.0)
    if panel.digits is None:
        return ticks(
            0, min(1.0, max([highest, *(chance for chance in panel.chance.values() if chance)])), 6
        ), False
    if figures and min(means) > 0 and max(means) > WIDE * min(means):
        lowest = min(
            value.low if isinstance(value, Interval) and value.low > 0 else mean
            for value, mean in zip(figures, means, strict=True)
        )
        powers = range(math.floor(math.log10(lowest)), math.ceil(math.log10(highest)) + 1)
        return [10.0**power for power in powers], True
    return ticks(0, highest, 6), False


def draw_figure(
    picture: Picture,
    scale: Scale,
    y: float,
    value: Interval | float,
    digits: int | None,
    colour: str,
    *,
    paper: bool = False,
) -> None:
    """Draw a mean, and its interval if it has one; figures of a paper as a hollow diamond."""
    label = figure(value, digits)
    mean = value.mean if isinstance(value, Interval) else value
    if isinstance(value, Interval):
        ends = (scale.at(value.low), y), (scale.at(value.high), y)
        picture.line(*ends, stroke=colour, stroke_width=1.5 if paper else 2.5)
    if paper:
        label = f"paper: {label}"
        picture.diamond(scale.at(mean), y, 4.5, title=label, fill="white", stroke=colour, stroke_width=1.5)
    else:
        picture.dot(scale.at(mean), y, 5, title=label, fill=colour, stroke="white", stroke_width=1.5)


def draw_years(
    picture: Picture, games: Sequence[Result], summaries: Sequence[PlayerSummary], top: float
) -> float:
    """Draw the centres of every player's mean seat, year by year; returns the end of the sheet."""
    names = [shortened(line.name, LETTERS) for line in summaries]
    right = WIDTH - MARGIN - max(width_of(name, 12, bold=True) for name in names) - 16
    left, base = MARGIN + 26, top + 30 + YEARS_HEIGHT
    years = max(len(result.centres) for result in games)
    start = min(Phase.parse(result.phase).year - len(result.centres) + 1 for result in games)
    picture.text(
        MARGIN,
        top + 14,
        "Centres of a seat after each year (mean; bands: 95 % intervals)",
        size=13,
        font_weight="bold",
    )
    drawn = {line.name: by_year(games, line.name, years) for line in summaries}
    highest = max(interval.high for series in drawn.values() for interval in series)
    marks = ticks(0, highest, 7, whole=True)
    down = Scale(0, marks[-1], base, top + 30)
    across = Scale(0, max(1, years - 1), left, right)
    for mark in marks:
        picture.line((left, down.at(mark)), (right, down.at(mark)), stroke=PALE)
        picture.text(left - 8, down.at(mark) + 4, f"{mark:g}", size=11, anchor="end", fill=GREY)
    for mark in ticks(0, max(1, years - 1), 11, whole=True):
        if mark <= max(1, years - 1):
            label = f"{start + mark:.0f}"
            picture.text(across.at(mark), base + 18, label, size=11, anchor="middle", fill=GREY)
    picture.line((left, base), (right, base), stroke=GREY)
    for number, series in enumerate(drawn.values()):
        above = [(across.at(year), down.at(interval.high)) for year, interval in enumerate(series)]
        below = [(across.at(year), down.at(interval.low)) for year, interval in enumerate(series)]
        picture.area(
            above + below[::-1],
            fill=SERIES[number % len(SERIES)],
            fill_opacity=0.14 if len(drawn) < 5 else 0.08,
        )
    for number, series in enumerate(drawn.values()):
        middle = [(across.at(year), down.at(interval.mean)) for year, interval in enumerate(series)]
        picture.curve(middle, stroke=SERIES[number % len(SERIES)], stroke_width=2)
    ends = [down.at(series[-1].mean) for series in drawn.values()]
    for number, (name, y) in enumerate(zip(names, apart(ends, 15, top + 34, base), strict=True)):
        colour = SERIES[number % len(SERIES)]
        picture.line((right + 3, ends[number]), (right + 11, y), stroke=colour)
        picture.text(right + 14, y + 4, name, fill=colour, font_weight="bold")
    return base + 36


def by_year(games: Sequence[Result], name: str, years: int) -> list[Interval]:
    """The mean centres of a player's seats at the start and after every year; a finished game keeps its last
    numbers."""
    held = list(seats_of(games, name))
    groups = [group_of(result) for result, _ in held]
    top = float(max(sum(counts) for result, _ in held for counts in result.centres)) or 1.0
    intervals = []
    for year in range(years):
        counts = [result.centres[min(year, len(result.centres) - 1)][seat] for result, seat in held]
        if year == 0 and len(set(counts)) == 1:
            # The start is no matter of chance.
            intervals.append(Interval(*(float(counts[0]),) * 3))
        else:
            intervals.append(bootstrap(counts, groups=groups, bounds=(0.0, top), rounds=ROUNDS))
    return intervals
