"""Plots of a tournament as SVG: scores with their intervals, and centres year by year."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bordeaux.arena.job import Result
from bordeaux.arena.statistics import Interval, bootstrap
from bordeaux.arena.tables import PlayerSummary, group_of, lines, seats_of
from bordeaux.board.phase import Phase
from bordeaux.view.palette import GREY, PALE, SERIES
from bordeaux.view.svg import Picture, Scale, apart, fitting, shortened, ticks, width_of

WIDTH = 960.0
MARGIN = 24.0
ROW, TOP, GUTTER = 24.0, 105.0, 44.0
"""Height of a row of a panel, the place of the first one, and room between two panels."""
YEARS_HEIGHT = 300.0
LETTERS = 26
ROUNDS = 500
SCORES = {"solo": "Solo", "sum_of_squares": "Sum of squares", "survived": "Survived"}
"""The scores that have a panel, with their headings."""


def plot(results: Iterable[Result], order: Sequence[str] = (), *, title: str = "") -> str:
    """An SVG picture of a tournament.

    The upper part has solos, sums of squares and survival, with 95 % intervals. The lower part has the
    centres of a player's mean seat after every year, with the interval as a band. `order` is the order of the
    players. Without results it is a sheet that says so.
    """
    games = sorted(results, key=lambda result: result.index)
    summaries = lines(games, order)
    number = "1 game" if len(games) == 1 else f"{len(games)} games"
    heading = title or ", ".join(line.name for line in summaries) or "No games"
    picture = Picture(WIDTH, f"{heading}: {number}", description(summaries))
    picture.text(MARGIN, 34, fitting(heading, 18, WIDTH - 2 * MARGIN), size=18, font_weight="bold")
    legend = "; dots: mean and 95 % interval; dashes: by chance" if games else ""
    picture.text(MARGIN, 54, number + legend, fill=GREY)
    if not games:
        return picture.whole(76)
    return picture.whole(draw_years(picture, games, summaries, draw_scores(picture, games, summaries)))


def description(summaries: Sequence[PlayerSummary]) -> str:
    """The picture in words: every score, and the centres at the end."""
    sentences = [
        f"{heading}: {line.name} {percent(line.scores[score])}."
        for score, heading in SCORES.items()
        for line in summaries
    ]
    for line in summaries:
        mean, low, high = line.centres
        sentences.append(f"Centres at the end: {line.name} {mean:.1f} ({low:.1f} to {high:.1f}).")
    return " ".join(sentences) or "No games."


def percent(score: Interval) -> str:
    """A share of 1 with its interval, for people."""
    return f"{100 * score.mean:.0f} % ({100 * score.low:.0f} % to {100 * score.high:.0f} %)"


def draw_scores(picture: Picture, games: Sequence[Result], summaries: Sequence[PlayerSummary]) -> float:
    """Draw a panel for each score, its scale below; returns the place below them."""
    names = [shortened(line.name, LETTERS) for line in summaries]
    labels = max(width_of(name, 12) for name in names) + 12
    width = (WIDTH - 1.5 * MARGIN - labels) / len(SCORES)
    base = TOP + ROW * len(names)
    rows = [TOP + ROW * number + ROW / 2 for number in range(len(names))]
    for name, y in zip(names, rows, strict=True):
        picture.text(MARGIN + labels - 12, y + 4, name, anchor="end")
    for panel, (kind, heading) in enumerate(SCORES.items()):
        left = MARGIN + labels + width * panel
        picture.text(left, TOP - 12, heading, size=13, font_weight="bold")
        scores = [line.scores[kind] for line in summaries]
        # The mean share if all seats are equal.
        chance = 1 / len(games[0].seats) if kind == "sum_of_squares" else 0.0
        marks = ticks(0, min(1.0, max(chance, *(score.high for score in scores))), 6)
        scale = Scale(marks[0], marks[-1], left, left + width - GUTTER)
        for mark in marks:
            picture.line((scale.at(mark), TOP), (scale.at(mark), base), stroke=PALE)
            share = f"{100 * mark:g}%"
            picture.text(scale.at(mark), base + 16, share, size=11, anchor="middle", fill=GREY)
        for number, (score, y) in enumerate(zip(scores, rows, strict=True)):
            colour = SERIES[number % len(SERIES)]
            if chance:
                ends = (scale.at(chance), y - 9), (scale.at(chance), y + 9)
                picture.line(*ends, stroke=GREY, stroke_dasharray="3 2", stroke_width=1.5)
            picture.line((scale.at(score.low), y), (scale.at(score.high), y), stroke=colour, stroke_width=2.5)
            x, note = scale.at(score.mean), percent(score)
            picture.dot(x, y, 5, title=note, fill=colour, stroke="white", stroke_width=1.5)
    return base + 48


def draw_years(
    picture: Picture, games: Sequence[Result], summaries: Sequence[PlayerSummary], top: float
) -> float:
    """Draw the centres of every player's mean seat, year by year; returns the end of the sheet."""
    names = [shortened(line.name, LETTERS) for line in summaries]
    right = WIDTH - MARGIN - max(width_of(name, 12, bold=True) for name in names) - 16
    left, base = MARGIN + 26, top + 30 + YEARS_HEIGHT
    years = max(len(result.centres) for result in games)
    start = min(Phase.parse(result.phase).year - len(result.centres) + 1 for result in games)
    heading = "Centres of a seat after each year (mean; bands: 95 % intervals)"
    picture.text(MARGIN, top + 14, heading, size=13, font_weight="bold")
    drawn = [by_year(games, line.name, years) for line in summaries]
    colours = [SERIES[number % len(SERIES)] for number in range(len(drawn))]
    marks = ticks(0, max(year.high for series in drawn for year in series), 7, whole=True)
    down, across = Scale(0, marks[-1], base, top + 30), Scale(0, max(1, years - 1), left, right)
    for mark in marks:
        picture.line((left, down.at(mark)), (right, down.at(mark)), stroke=PALE)
        picture.text(left - 8, down.at(mark) + 4, f"{mark:g}", size=11, anchor="end", fill=GREY)
    for mark in ticks(0, across.high, 11, whole=True):
        if mark <= across.high:
            label = f"{start + mark:.0f}"
            picture.text(across.at(mark), base + 18, label, size=11, anchor="middle", fill=GREY)
    picture.line((left, base), (right, base), stroke=GREY)
    for series, colour in zip(drawn, colours, strict=True):
        above = [(across.at(year), down.at(interval.high)) for year, interval in enumerate(series)]
        below = [(across.at(year), down.at(interval.low)) for year, interval in enumerate(series)]
        picture.area(above + below[::-1], fill=colour, fill_opacity=0.14 if len(drawn) < 5 else 0.08)
    for series, colour in zip(drawn, colours, strict=True):
        middle = [(across.at(year), down.at(interval.mean)) for year, interval in enumerate(series)]
        picture.curve(middle, stroke=colour, stroke_width=2)
    ends = [down.at(series[-1].mean) for series in drawn]
    places = apart(ends, 15, top + 34, base)
    for name, colour, end, y in zip(names, colours, ends, places, strict=True):
        picture.line((right + 3, end), (right + 11, y), stroke=colour)
        picture.text(right + 14, y + 4, name, fill=colour, font_weight="bold")
    return base + 36


def by_year(games: Sequence[Result], name: str, years: int) -> list[Interval]:
    """The mean centres of a player's seats after every year; a finished game keeps its last numbers."""
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
