"""The contents of a book: sets of orders with their weights, at positions and in the views of powers.

A `Record` has the results of the games in which a set was played: counts and means that can be merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.order import Unit
from bordeaux.board.position import Position

SOURCES = ("human", "statistics", "selfplay")
"""Who played: people in recorded games, people in published counts, programs in the arena."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and the number of its games; 0 if unknown."""

    mean: float
    count: int

    @property
    def known(self) -> float | None:
        """The mean, None if it is unknown."""
        return self.mean if self.count else None

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


Orders = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One set of orders of one power, in canonical form.

    `weight` is the share of the time, from 0 to 1, that the book plays it. `records` give by source how often
    it was played, with the results. `value` is the engine's expected share of the result, and `probability`
    the set's share in its answer, from 0 to 1; None if it was not searched.
    """

    orders: Orders
    weight: float
    records: Mapping[str, Record] = field(default_factory=dict)
    value: float | None = None
    probability: float | None = None

    @property
    def games(self) -> int:
        """Games in which it was played, of all sources."""
        return sum(record.games for record in self.records.values())

    @property
    def record(self) -> Record:
        """The merged records of games that were followed to their end; published counts have less data and
        are used only without others."""
        followed = [record for source, record in self.records.items() if source != "statistics"]
        return merged(followed or self.records.values())


def by_weight(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Entries with the largest weight first; equal ones by games, and then by their orders."""
    return tuple(sorted(entries, key=lambda entry: (-entry.weight, -entry.games, entry.orders)))


class Came(NamedTuple):
    """One way to a position: the key of the position before, the number of games that took it (0: none, the
    builder added it), and the orders of all powers there."""

    parent: str
    games: int
    orders: Mapping[str, Orders]


@dataclass(frozen=True)
class Node:
    """A position of a book. `games` counts by source those that reached it, `came` has the ways; only the
    root has none. `powers` gives the entries of every power that must give orders, by weight, and `sent` by
    power and source the games in which it gave orders here, whether these entries or others."""

    key: str
    position: Position
    games: Mapping[str, int]
    came: tuple[Came, ...]
    powers: Mapping[str, tuple[Entry, ...]]
    sent: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    @property
    def phase(self) -> str:
        """The phase, such as ``F1901M``."""
        return str(self.position.phase)

    @property
    def played(self) -> int:
        """Games that reached it, of all sources."""
        return sum(self.games.values())


@dataclass(frozen=True)
class View:
    """A phase from the view of one power: its own units, and in Winter its centres, for any positions of
    others.

    Exact positions hardly repeat after the first phase; views do. `games` counts by source those in which the
    power was in this view and sent orders.
    """

    key: str
    map: Map
    power: str
    phase: str
    units: Orders
    centres: Orders
    games: Mapping[str, int]
    entries: tuple[Entry, ...]

    @property
    def played(self) -> int:
        """Games with this view, of all sources."""
        return sum(self.games.values())

    @cached_property
    def position(self) -> Position:
        """A position with only the contents of the view."""
        units = [Unit(self.power, *text.split(" ", 1)) for text in self.units]
        return Position(self.map, self.phase, units, {self.power: self.centres})
