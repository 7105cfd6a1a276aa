"""Limits of players that search, a clock for them, and levels of strength, each with a name for users."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.players.base import Limit


class Level(NamedTuple):
    """A level: its number, from 1, its name, and a description of one line. With a `temperature` it draws its
    orders from the net of people, without a search: far above 1 it makes more mistakes than people do, and
    below 1 fewer. Without a temperature the engine searches, with at most `nodes` nodes a phase if given."""

    number: int
    name: str
    line: str
    temperature: float | None = None
    nodes: int | None = None

    def capped(self, nodes: int | None) -> int | None:
        """The lower of a limit in nodes and the level's own; None without either."""
        return min((limit for limit in (nodes, self.nodes) if limit is not None), default=None)


LEVELS = (
    Level(1, "Beginner", "errs far more often than people in recorded games", temperature=2.0),
    Level(2, "Novice", "errs more often than people in recorded games", temperature=1.4),
    Level(3, "Casual", "orders what people order, as often as they do", temperature=1.0),
    Level(4, "Regular", "orders what people order, with fewer errors", temperature=0.6),
    Level(5, "Club", "orders what people are likeliest to order", temperature=0.2),
    Level(6, "Expert", "the engine, with 150 nodes a phase", nodes=150),
    Level(7, "Master", "the engine, with 2,000 nodes a phase", nodes=2_000),
    Level(8, "Engine", "the engine, with all the time that it is given"),
)
"""All levels, the weakest first."""
FULL = LEVELS[-1].number
NAMES = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
"""The levels in words, for a line of help."""


def level(number: int) -> Level:
    """The level of a number. Raises BordeauxError for an unknown one."""
    if not 1 <= number <= FULL:
        raise BordeauxError(f"level must be a number from 1 ({LEVELS[0].name}) to {FULL}, not {number}")
    return LEVELS[number - 1]


#: The share of the time that is used, because a player needs some time after its last check of the clock.
USED = 0.85


def tightest(first: Limit, second: Limit) -> Limit:
    """The lower time and the lower number of nodes of two limits."""
    times = [limits.time for limits in (first, second) if limits.time is not None]
    nodes = [limits.nodes for limits in (first, second) if limits.nodes is not None]
    return Limit(min(times, default=None), min(nodes, default=None))


class Clock:
    """Runs from its creation to the limit. Its owner adds to `nodes`."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._begun = time.monotonic()
        self.nodes = 0

    def progress(self) -> float:
        """The used share of the limit, of time or of nodes, whichever is larger; 0 without a limit."""
        spent = 0.0
        if self._limit.time is not None:
            spent = (time.monotonic() - self._begun) / (USED * self._limit.time)
        if self._limit.nodes is not None:
            spent = max(spent, self.nodes / self._limit.nodes)
        return spent

    def seconds_left(self) -> float:
        """Seconds until the time is used, infinite without a limit in time, never below 0."""
        if self._limit.time is None:
            return math.inf
        return max(0.0, self._begun + USED * self._limit.time - time.monotonic())

    def affords(self, nodes: int) -> bool:
        """Whether a number of further nodes is within the limit, as an estimate."""
        if self._limit.nodes is not None and self.nodes + nodes > self._limit.nodes:
            return False
        return self.progress() < 1
