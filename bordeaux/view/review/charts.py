"""Charts of a game: each power's expected result, its centres, and the loss of its orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.review import Moment, Review
from bordeaux.review.telling import percent
from bordeaux.view.board.paint import letters
from bordeaux.view.palette import number_of
from bordeaux.view.svg import Picture, Scale

WIDTH, LEFT, RIGHT = 1000.0, 46.0, 12.0
HIGH, LOW = 300.0, 150.0
"""Pixels of the curves of shares and of centres."""
LEGIBLE = 15.0
"""The height in pixels from which on a band contains its letter."""
MARK = 8.0
ROW, MOST_LOSS = 46.0, 0.2
"""Pixels of a power's row of losses, and the loss that fills it."""
TICK = 34.0
"""Pixels between two years that are named, at least."""


class Across(NamedTuple):
    """The horizontal places of phases: the moments that are drawn, and the x of each by phase number."""

    moments: tuple[Moment, ...]
    at: Mapping[int, float]


def across(review: Review) -> Across:
    """Movement phases and the end, equally spaced."""
    last = review.moments[-1]
    shown = tuple(moment for moment in review.moments if moment.phase.endswith("M") or moment is last)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(shown) - 1)
    places = {moment.number: LEFT + number * step for number, moment in enumerate(shown)}
    # Retreats and adjustments lie with the movement before them.
    for before, moment in zip(review.moments, review.moments[1:], strict=False):
        places.setdefault(moment.number, places.get(before.number, LEFT))
    return Across(shown, places)


def course(review: Review) -> str:
    """Shares of the result as a stacked curve over the phases, centres below it, and the turning points."""
    line = across(review)
    board = review.map
    description = []
    for moment in line.moments:
        shares = [f"{power.title()} {percent(share)}" for power, share in moment.shares.items() if share]
        description.append(f"{moment.phase}: {', '.join(shares)}")
    picture = Picture(WIDTH, "The course of the game", "\n".join(description), "course")
    top = 34.0
    stack(picture, line, board, Scale(0, 1, top + HIGH, top), lambda moment: moment.shares)
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = top + HIGH * (1 - share)
        picture.line((LEFT, y), (WIDTH - RIGHT, y), "grid")
        picture.text(LEFT - MARK - 3, y + 4, f"{share:.0%}", "ink", anchor="end", size=12)
    years(picture, line, top + HIGH + 18)
    low = top + HIGH + 40
    centres = len(board.centres)
    stack(picture, line, board, Scale(0, centres, low + LOW, low), lambda moment: moment.centres)
    for count in (0, centres // 2, centres):
        y = low + LOW * (1 - count / max(1, centres))
        picture.line((LEFT, y), (WIDTH - RIGHT, y), "grid")
        picture.text(LEFT - 6, y + 4, str(count), "ink", anchor="end", size=12)
    years(picture, line, low + LOW + 18)
    marks(picture, review, line, top)
    return picture.whole(low + LOW + 28)


def marks(picture: Picture, review: Review, line: Across, top: float) -> None:
    """A number for every turning point, above its phase."""
    level: dict[float, int] = {}
    for number, point in enumerate(review.turning_points, 1):
        x = line.at[point.number]
        row = level[x] = level.get(x, -1) + 1
        y = top - 14 + 2.2 * MARK * row
        picture.line((x, y), (x, top + HIGH), "marked")
        picture.dot(x, y, MARK, "mark")
        size = 11 if number < 10 else 9
        picture.text(x, y + 4, str(number), "mark-text", anchor="middle", size=size, font_weight="bold")


def stack(
    picture: Picture,
    line: Across,
    board: Map,
    scale: Scale,
    values: Callable[[Moment], Mapping[str, float]],
) -> None:
    """Bands of the powers above each other, separated by lines."""
    xs = [line.at[moment.number] for moment in line.moments]
    if len(xs) == 1:
        xs, moments = [LEFT, WIDTH - RIGHT], line.moments * 2
    else:
        moments = line.moments
    floor = [0.0] * len(xs)
    letter = letters(board)
    for power in board.powers:
        roof = [low + values(moment)[power] for low, moment in zip(floor, moments, strict=True)]
        if any(high > low for low, high in zip(floor, roof, strict=True)):
            up = [(x, scale.at(high)) for x, high in zip(xs, roof, strict=True)]
            down = [(x, scale.at(low)) for x, low in zip(xs, floor, strict=True)]
            power_number = number_of(board, power)
            picture.area([*up, *reversed(down)], f"band own power-{power_number}", power.title())
            widest = max(range(len(xs)), key=lambda k: (down[k][1] - up[k][1], -abs(k - len(xs) / 2)))
            if down[widest][1] - up[widest][1] >= LEGIBLE:
                x = min(max(xs[widest], LEFT + 10), WIDTH - RIGHT - 10)
                y = (down[widest][1] + up[widest][1]) / 2 + 5
                kind = f"on-own power-{power_number}"
                picture.text(x, y, letter[power], kind, anchor="middle", size=14, font_weight="bold")
        floor = roof


def years(picture: Picture, line: Across, y: float) -> None:
    """The years below their first phases."""
    named: dict[str, float] = {}
    for moment in line.moments:
        if moment.phase[1:5].isdigit():
            named.setdefault(moment.phase[1:5], line.at[moment.number])
    last = -TICK
    for year, x in named.items():
        if x - last >= TICK:
            # The first and the last year keep to the sheet.
            anchor = "start" if x <= LEFT else "end" if x > WIDTH - RIGHT - TICK / 2 else "middle"
            picture.text(x, y, year, "ink", anchor=anchor, size=12)
            last = x


def losses(review: Review) -> str:
    """For each power a row of bars: the loss of its orders, phase by phase, without the range of the book."""
    line = across(review)
    board = review.map
    step = (WIDTH - LEFT - RIGHT) / max(1, len(line.moments))
    parts = []
    for power, of_power in review.powers.items():
        worst = sorted((one for one in of_power.phases if not one.book), key=lambda one: -one.loss)[:3]
        shown = ", ".join(f"{one.phase} {percent(one.loss)}" for one in worst if one.loss > 0)
        parts.append(f"{power.title()}: {shown or 'nothing lost'}")
    picture = Picture(WIDTH, "What orders lost", "Worst phases. " + "; ".join(parts), "losses")
    letter = letters(board)
    for number, (power, of_power) in enumerate(review.powers.items()):
        base, kind = (number + 1) * ROW, f"power-{number_of(board, power)}"
        picture.dot(LEFT - 26, base - 16, 11, f"rim own {kind}", power.title())
        picture.text(
            LEFT - 26,
            base - 11.5,
            letter[power],
            f"on-own {kind}",
            anchor="middle",
            size=13 if len(letter[power]) == 1 else 9,
            font_weight="bold",
        )
        picture.line((LEFT, base), (WIDTH - RIGHT, base), "grid")
        for one in of_power.phases:
            if not one.phase.endswith("M") or one.book:
                continue
            x, half = line.at[one.number], min(9.0, step * 0.36)
            if not one.sent:
                picture.text(x, base - 4, "×", "ink", anchor="middle", size=13)
                continue
            tall = max(1.0, (ROW - 10) * min(1.0, one.loss / MOST_LOSS))
            bar = [(x - half, base), (x - half, base - tall), (x + half, base - tall), (x + half, base)]
            note = f"{power.title()}, {one.phase}: {percent(one.loss)}, in hindsight "
            note += percent(one.hindsight_loss)
            picture.area(bar, f"bar own {kind}", note)
    base = len(review.powers) * ROW
    years(picture, line, base + 18)
    return picture.whole(base + 28)
