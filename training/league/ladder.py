"""The ladder of a run: ratings of each generation and of its opponents, as table and picture.

Ratings are fitted to final shares. The expected share of a seat is the softmax of the ratings of the seven
players. The ratings maximise the likelihood of the observed shares. A difference of 1 means e times the
share. Intervals of 95 % come from resampling whole games (bootstrap).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.report.output import write_whole
from bordeaux.view.palette import GREY, PALE, SERIES
from bordeaux.view.svg import Picture, Scale, apart, ticks

DRAWN_ANEW = 60
"""Bootstrap samples."""
STEPS, RIDGE = 25, 0.05
"""Newton's steps, and the ridge, in games, which keeps ratings without games near the others."""

Floats = NDArray[np.float64]


@dataclass
class Results:
    """The games that were played: the names at each table [7], and the final shares."""

    names: list[list[str]] = field(default_factory=list)
    shares: list[list[float]] = field(default_factory=list)

    def add(self, names: Sequence[str], minds: NDArray[np.uint8], shares: NDArray[np.float32]) -> None:
        """Add games at tables with the seats of `names`, by number [G, powers]."""
        self.names += [[names[mind] for mind in row] for row in minds]
        self.shares += np.round(shares, 4).astype(float).tolist()

    def extend(self, other: Results) -> None:
        """More games."""
        self.names += other.names
        self.shares += other.shares


@dataclass(frozen=True)
class Rung:
    """The rating of a player with its interval, and the number of its games."""

    name: str
    rating: float
    low: float
    high: float
    games: int


def rated(results: Results, anchor: str) -> list[Rung]:
    """The players, best first, on a scale with `anchor` at 0."""
    names = sorted({name for row in results.names for name in row} | {anchor})
    number = {name: i for i, name in enumerate(names)}
    seats = np.array([[number[name] for name in row] for row in results.names], np.int64)
    shares = np.array(results.shares, np.float64)
    if not len(seats):
        return []
    random = np.random.default_rng(0)
    strengths = fitted(seats, shares, len(names))
    drawn = []
    for _ in range(DRAWN_ANEW):
        chosen = random.integers(len(seats), size=len(seats))
        drawn.append(fitted(seats[chosen], shares[chosen], len(names)))
    zero = number[anchor]
    spread = np.array(drawn) - np.array(drawn)[:, [zero]]
    low, high = np.percentile(spread, [2.5, 97.5], axis=0)
    games = [int((seats == i).any(1).sum()) for i in range(len(names))]
    rungs = [
        Rung(name, float(strengths[i] - strengths[zero]), float(low[i]), float(high[i]), games[i])
        for i, name in enumerate(names)
    ]
    return sorted(rungs, key=lambda rung: -rung.rating)


def fitted(seats: NDArray[np.int64], shares: Floats, count: int) -> Floats:
    """The ratings of `count` players with the highest likelihood of the shares, by Newton's method."""
    present = np.zeros((len(seats), count))
    came = np.zeros(count)
    for seat in range(seats.shape[1]):
        present[np.arange(len(seats)), seats[:, seat]] += 1
        np.add.at(came, seats[:, seat], shares[:, seat])
    ratings = np.zeros(count)
    for _ in range(STEPS):
        weights = present * np.exp(ratings)
        expected = weights / weights.sum(1, keepdims=True)
        slope = came - expected.sum(0) - RIDGE * ratings
        bend = np.diag(expected.sum(0) + RIDGE) - expected.T @ expected
        step = np.linalg.solve(bend, slope)
        ratings = ratings + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-6:
            break
    return ratings


def climbed(leads: Sequence[Mapping[str, Any]], patience: int) -> bool:
    """Whether any of the last `patience` generations gained: the interval of its lead over the best one
    before is above 0. True if there are fewer."""
    return len(leads) < patience or any(lead["low"] > 0 for lead in leads[-patience:])


def table(generations: Sequence[Mapping[str, Any]], rungs: Sequence[Rung]) -> str:
    """The ladder as Markdown."""
    rivals = list(dict.fromkeys(name for generation in generations for name in generation["centres"]))
    lines = [
        "# Ladder",
        "",
        "Ratings fitted to the shares in which games ended; a difference of 1 is e times the share."
        " 95 % intervals.",
        "",
        "| Player | Rating | Interval | Games |",
        "|---|---:|---|---:|",
    ]
    lines += [f"| {r.name} | {r.rating:+.2f} | {r.low:+.2f} to {r.high:+.2f} | {r.games} |" for r in rungs]
    lines += ["", "Centres of a seat beyond those of a seat of the rival, tables of three and four:", ""]
    lines += [f"| Generation | Games | {' | '.join(rivals)} |", f"|---:|---:|{'---|' * len(rivals)}"]
    for generation in generations:
        cells = [mean_text(generation["centres"].get(name)) for name in rivals]
        lines.append(f"| {generation['number']} | {generation['games']} | {' | '.join(cells)} |")
    strangers = list(
        dict.fromkeys(name for generation in generations for name in generation.get("alone", {}))
    )
    lines += ["", "One seat against six, share of the sum of squares (par .143):", ""]
    lines += [f"| Generation | {' | '.join(strangers)} |", f"|---:|{'---|' * len(strangers)}"]
    for generation in generations:
        cells = [mean_text(generation.get("alone", {}).get(name), "") for name in strangers]
        lines.append(f"| {generation['number']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def mean_text(interval: Mapping[str, float] | None, sign: str = "+") -> str:
    """A mean with half of its interval."""
    if interval is None:
        return ""
    return f"{interval['mean']:{sign}.2f} ± {interval['high'] - interval['mean']:.2f}"


WIDTH, TOP, BASE, LEFT, RIGHT = 720.0, 24.0, 320.0, 60.0, 600.0


def picture(rungs: Sequence[Rung]) -> str:
    """Ratings over generations as SVG: a point with its interval for each, a dashed line for each other
    player."""
    prefix = "generation "
    points = sorted((int(r.name.removeprefix(prefix)), r) for r in rungs if r.name.startswith(prefix))
    others = [r for r in rungs if not r.name.startswith(prefix)]
    marks = ticks(min([0.0, *(r.low for r in rungs)]), max([1.0, *(r.high for r in rungs)]), 9)
    up = Scale(marks[0], marks[-1], BASE, TOP)
    across = Scale(0, max([1, *(number for number, _ in points)]), LEFT, RIGHT)
    drawn = Picture(WIDTH, "Ratings over generations", "Bars: 95 % intervals; dashes: other players.")
    for mark in marks:
        drawn.line((LEFT, up.at(mark)), (RIGHT, up.at(mark)), stroke=PALE)
        drawn.text(LEFT - 8, up.at(mark) + 4, f"{mark:g}", anchor="end", fill=GREY)
    for mark in ticks(0, across.high, 11, whole=True):
        if mark <= across.high:
            drawn.text(across.at(mark), BASE + 20, f"{mark:g}", anchor="middle", fill=GREY)
    drawn.text((LEFT + RIGHT) / 2, BASE + 37, "generation", anchor="middle", fill=GREY)
    colour, dashed = SERIES[:2]
    levels = [up.at(rung.rating) for rung in others]
    for rung, level, y in zip(others, levels, apart(levels, 14, TOP, BASE), strict=True):
        drawn.line((LEFT, level), (RIGHT, level), stroke=dashed, stroke_dasharray="5 4")
        drawn.text(RIGHT + 8, y + 4, rung.name, fill=dashed)
    drawn.curve(((across.at(n), up.at(rung.rating)) for n, rung in points), stroke=colour, stroke_width=2)
    for number, rung in points:
        x = across.at(number)
        drawn.line((x, up.at(rung.low)), (x, up.at(rung.high)), stroke=colour)
        drawn.dot(x, up.at(rung.rating), 3.5, fill=colour)
    return drawn.whole(BASE + 40)


def write_json(path: Path, content: Any) -> None:
    """Write a file of JSON atomically. Raises OSError."""
    write_whole(path, json.dumps(content, indent=1) + "\n")


def settle(note: Path, chosen: dict[str, Any], what: str, other: str) -> None:
    """Store the chosen settings of `what`, or compare them with the stored ones. Raises BordeauxError, with
    the advice to name another `other`, if they differ."""
    if not note.exists():
        write_json(note, chosen)
    before = json.loads(note.read_text("utf-8"))
    if changed := [name for name in chosen if before.get(name) != chosen[name]]:
        raise BordeauxError(
            f"{note.parent} holds {what} with another {changed[0]} ({before.get(changed[0])});"
            f" repeat its command, or name another {other}"
        )
