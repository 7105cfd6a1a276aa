"""The state of a search as a value: the answers, and at the end a read-only handle on what the search knows.

Answers (`Found`) are texts for people. The handle is for press, reviews and programs that need more. Its sets
of orders are bytes of codes (`bordeaux.board.code`). A search calculates in a unit of its own; both tell its
values in points.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from bordeaux._ext.rollout import Rollout
from bordeaux._ext.value import Valuer
from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position
from bordeaux.search.beliefs import OpponentSampler
from bordeaux.search.request import LINES
from bordeaux.search.result import Found
from bordeaux.search.sets import Candidates

__all__ = ["Analysis", "FinishedSearch", "in_points"]

#: Samples of the others' orders for the values of sets.
SAMPLES = 32


class FinishedSearch(Protocol):
    """What an analysis asks of a search of any kind."""

    @property
    def position(self) -> Position:
        """The position that was searched."""

    @property
    def sampler(self) -> OpponentSampler:
        """Draws the orders of the others."""

    @property
    def points(self) -> float:
        """The points of one unit of its values."""

    @property
    def ends(self) -> Valuer:
        """Values the ends of rollouts, in points."""

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation."""

    def lines(self, power: str, count: int) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first."""

    def candidates(self, power: str) -> Candidates:
        """The sets of a power that were compared, best first."""

    def depth(self, power: str) -> int:
        """The phases looked ahead for a power."""

    def forecast(self, power: str) -> list[tuple[bytes, float]]:
        """The possible sets of a power, with probabilities, the most probable first."""

    def joint(self, power: str) -> bytes:
        """Orders of all powers but one, as they are expected."""


def in_points(search: FinishedSearch, power: str, count: int) -> list[tuple[bytes, float]]:
    """The best few distinct sets of a power with their points, best first."""
    return [(orders, value * search.points) for orders, value in search.lines(power, count)]


@dataclass(frozen=True)
class Analysis:
    """The state of a search: an answer for every wanted power, and the powers whose best set has changed
    since the analysis before. The last of a stream is `final`. The same request to an engine of the same seed
    has the same final analysis, whether or not earlier ones are read.

    The final analysis also tells what the search knows, by the methods below. They raise BordeauxError for an
    earlier analysis, and where nothing was searched: in a finished game, and where all orders are a book's.
    They raise MapError for an unknown power.
    """

    answers: Mapping[str, Found]
    changed: tuple[str, ...] = ()
    final: bool = False
    searched: FinishedSearch | None = field(default=None, repr=False, compare=False)

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation, in all processes."""
        return self._search.nodes

    def depth(self, power: str) -> int:
        """The phases looked ahead for a power: this one, and the movement phases of rollouts."""
        return self._search.depth(self._power(power))

    def lines(self, power: str, count: int = LINES) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a wanted power with their points, best first; none for another."""
        return in_points(self._search, self._power(power), count)

    def candidates(self, power: str) -> Candidates:
        """All sets of a wanted power that were compared, best first: who proposed each, how often it was
        drawn, and its scores in points, whose sum is its value. None if the limit left no time for it."""
        pool, size = self._search.candidates(self._power(power)), self._search.points
        return tuple(candidate.in_units(size) for candidate in pool)

    def expected(self, power: str) -> list[tuple[bytes, float]]:
        """The sets that the search expects of a power, with probabilities, the most probable first."""
        return self._search.forecast(self._power(power))

    def others(self, power: str) -> bytes:
        """Orders of all powers but one, drawn from what the search expects of them."""
        return self._search.joint(self._power(power))

    def rollouts(self, value: Valuer | None = None) -> Rollout:
        """Rollouts in which all powers play on as in the search. `value` evaluates their ends, by default
        that of the search."""
        return Rollout(value or self._search.ends, self._search.sampler.chooser())

    def values(
        self, power: str, sets: Sequence[bytes], samples: int = SAMPLES, seed: int = 0
    ) -> list[list[float]]:
        """The points of any sets of a power in each of some samples of the others' orders, a row for each
        set. All are played on over the same samples, with the same random numbers, as far as the search
        does. Each call draws samples anew; `seed` is for the rest of the play. Raises ValueError for what is
        no set."""
        position, chance = self._search.position, random.Random(seed)
        joint = [self.others(power) for _ in range(samples)]
        seeds = [chance.getrandbits(63) for _ in joint]
        number, phases = position.map.powers.index(self._power(power)), self._search.sampler.horizon
        return self.rollouts().compare(position.packed, number, sets, joint, phases, seeds)

    def _power(self, power: str) -> str:
        """The name of a power."""
        return self._search.position.map.power(power)

    @property
    def _search(self) -> FinishedSearch:
        if self.searched is None and self.final:
            raise BordeauxError("nothing was searched: the game is over, or all orders are a book's")
        if self.searched is None:
            raise BordeauxError("only the last analysis of a search tells what the search knows")
        return self.searched
