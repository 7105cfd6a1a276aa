"""Chooses the next games of a rating list: rounds of one table whose seats rotate through the powers.

The player with the widest interval after all earlier rounds is seated first. The others are chosen so that
their games narrow the intervals most; a game that one player wins outright narrows them little. In a round
every seat has each power once. A round depends only on earlier rounds, not on the number of processes. So an
interrupted list continues without a difference.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from bordeaux.arena.job import Job, Result
from bordeaux.arena.plan import Seating, derived
from bordeaux.arena.tournament import Log, Play
from bordeaux.players.base import Limit
from bordeaux.press.language.levels import NO_PRESS
from strengths import Fit, fit, strengths

DIGITS = 9
"""Digits that count in comparisons of players; processors differ beyond them."""


@dataclass(frozen=True)
class GameConditions:
    """The conditions that all games of a list share: as in a `Job`, with `seats` for those of the map."""

    seats: int
    seed: int
    limit: Limit
    until: int
    map: str = "standard"
    stale_years: int | None = 5
    level: int = NO_PRESS

    def setup(self) -> dict[str, Any]:
        """The conditions as plain JSON values, by the names of the command's options."""
        return {
            "rating list": 1,
            "seed": self.seed,
            "time": self.limit.time,
            "nodes": self.limit.nodes,
            "until": self.until,
            "stale": self.stale_years,
            "map": self.map,
            "level": self.level,
        }

    def job(self, index: int, seating: Seating) -> Job:
        """The game of a number."""
        return Job(
            index,
            seating,
            derived(self.seed, index),
            self.limit,
            self.until,
            self.map,
            self.stale_years,
            level=self.level,
        )


def table_of(known: Fit, players: Sequence[str], seats: int, chance: random.Random) -> list[str]:
    """The players of the next table: the one with the widest interval, then one by one those that narrow the
    intervals most, in particular the widest. If there are fewer players than seats, each has one before any
    has another."""
    listed = list(players)
    chance.shuffle(listed)
    spread = dict(zip(known.names, known.spread(), strict=True))
    table = [max(listed, key=lambda name: round(float(spread[name]), DIGITS))]
    while len(table) < seats:
        held = min(table.count(name) for name in listed)
        free = [name for name in listed if table.count(name) == held]
        table.append(min(free, key=lambda name: left_open(known.after([*table, name], seats))))
    chance.shuffle(table)
    return table


def left_open(known: Fit) -> float:
    """The total uncertainty: the sum of the squares of all intervals."""
    return round(float((known.spread() ** 2).sum()), DIGITS)


def seatings(table: Sequence[str]) -> list[Seating]:
    """All rotations of a table through the powers."""
    return [
        tuple(table[(seat + turn) % len(table)] for seat in range(len(table))) for turn in range(len(table))
    ]


def play_rounds(
    conditions: GameConditions,
    players: Iterable[str],
    total: int,
    play: Play,
    log: Log,
    *,
    width: float | None = None,
) -> Generator[Result, None, None]:
    """Play until the log holds `total` games in whole rounds, or no interval of `players` is wider than
    `width` points. Yields each new result after it is written.

    Incomplete rounds are finished, except those of other players; their existing games count. Raises what the
    runner raises; closing this iterator ends the runner.
    """
    named = tuple(dict.fromkeys(players))
    size = conditions.seats
    number = 0
    while True:
        before = [result for index, result in log.results.items() if index < number * size]
        begun = {
            index: log.results[index]
            for index in range(number * size, (number + 1) * size)
            if index in log.results
        }
        if len(begun) == size:
            number += 1
            continue
        if len(before) >= total or (not begun and enough(before, named, width)):
            return
        chance = random.Random(f"table {conditions.seed} {number}")
        jobs = [
            conditions.job(number * size + turn, seating)
            for turn, seating in enumerate(seatings(table_of(fit(before, named), named, size, chance)))
        ]
        if all(begun[job.index].seats == job.seats for job in jobs if job.index in begun):
            with closing(play(iter([job for job in jobs if job.index not in begun]))) as results:
                for result in results:
                    kept = replace(result, game=None)
                    log.append(kept)
                    yield kept
        number += 1


def enough(results: Iterable[Result], players: Sequence[str], width: float | None) -> bool:
    """Whether no player's interval is wider than `width` after some games; always false without a width."""
    if width is None:
        return False
    rated = strengths(results, players)
    return all(rated[name].width <= width for name in players)
