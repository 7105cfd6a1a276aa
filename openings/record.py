"""Results of the games in which a set of orders was played: counts and means that can be merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["NOTHING", "SOURCES", "UNKNOWN", "Mean", "Record", "merged"]

SOURCES = ("human", "statistics", "selfplay")
"""Who played: people in recorded games, people in published counts, programs in the arena."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and the number of its games; 0 if unknown."""

    mean: float
    count: int

    def merged(self, other: Mean) -> Mean:
        """The mean over the games of both."""
        count = self.count + other.count
        total = self.mean * self.count + other.mean * other.count
        return Mean(total / count, count) if count else UNKNOWN


UNKNOWN = Mean(0.0, 0)


class Record(NamedTuple):
    """The games of one source in which a power played a set of orders, and the power's results.

    `centres2` and `centres4` are its centres two and four years later, in the same season, over the games
    that lasted so long or were won before. `survival` and `solo` are shares of 1: games with a centre left at
    the end, and games won alone. `score` is the mean at the end of the square of its centres over the sum of
    all squares, from 0 to 1. `final` is its mean number of centres at the end, and `wins` the share of wins
    in published counts. None means unknown.
    """

    games: int
    centres2: Mean = UNKNOWN
    centres4: Mean = UNKNOWN
    survival: float | None = None
    solo: float | None = None
    score: float | None = None
    final: float | None = None
    wins: float | None = None

    def merged(self, other: Record) -> Record:
        """The record over the games of both; values of only one are kept."""
        if not self.games or not other.games:
            return self if self.games else other
        shares = (
            _mean(mine, self.games, theirs, other.games)
            for mine, theirs in zip(self[3:], other[3:], strict=True)
        )
        return Record(
            self.games + other.games,
            self.centres2.merged(other.centres2),
            self.centres4.merged(other.centres4),
            *shares,
        )


NOTHING = Record(0)


def merged(records: Iterable[Record]) -> Record:
    """All records as one."""
    total = NOTHING
    for record in records:
        total = total.merged(record)
    return total


def _mean(mine: float | None, games: int, theirs: float | None, others: int) -> float | None:
    if mine is None or theirs is None:
        return theirs if mine is None else mine
    return (mine * games + theirs * others) / (games + others)
