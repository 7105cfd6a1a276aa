"""Limits of players that search: the table's and a player's own, and a clock for both."""

from __future__ import annotations

import math
import time

from bordeaux.board.errors import BordeauxError
from bordeaux.players.protocol import Limit

__all__ = ["Clock", "checked", "tightest"]

#: The share of the time that is used, because a player needs some time after its last check of the clock.
USED = 0.85


def checked(limit: Limit) -> Limit:
    """The limit. Raises BordeauxError unless its time (seconds) and nodes are positive numbers or None."""
    for name, value in zip(limit._fields, limit, strict=True):
        if value is not None and not 0 < value < math.inf:
            raise BordeauxError(f"{name} must be a positive number, not {value}")
    return limit


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
