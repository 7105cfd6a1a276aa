"""Compares sets of orders by the power's expected share of the final result after them.

All sets are evaluated on the same sampled orders of the others and the same random numbers. The policies of
the search's rollouts continue each joint set, and the learnt prospect gives the power's share. Some samples
choose the best set, and the others measure it, which avoids selection bias.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.evaluation.prospect import prospect_value
from bordeaux.search.analysis import Analysis

__all__ = ["Compared", "Comparison", "Lead"]

CHOOSING, MEASURING = 32, 64
"""Samples for choosing the best set, and separate samples for measuring its lead."""


class Compared(NamedTuple):
    """The index of the best candidate, the expected share after it, and its difference to the last candidate
    with the standard error; 0 if the last is the best."""

    best: int
    expected: float
    loss: float
    doubt: float


class Lead(NamedTuple):
    """The expected share after a set, and its difference to another set with the standard error."""

    expected: float
    mean: float
    doubt: float


class Comparison:
    """Compares candidates of one power in a position of any kind.

    The final `analysis` of a search draws the orders of the others, and says how all powers play on.
    `movements` is the number of movement phases of a rollout. `seed` determines all random choices except
    these draws.
    """

    def __init__(self, position: Position, power: str, analysis: Analysis, movements: int, seed: str) -> None:
        self.position = position
        self.number = position.map.powers.index(power)
        self.movements = movements
        self._rollout = analysis.rollouts(prospect_value(position.map, scale=1.0))
        chance = random.Random(seed)
        self.samples = [analysis.others(power) for _ in range(CHOOSING + MEASURING)]
        self.seeds = [chance.getrandbits(63) for _ in self.samples]

    def shares(
        self, candidates: Sequence[bytes], begin: int = 0, end: int | None = CHOOSING
    ) -> list[list[float]]:
        """For each candidate (bytes of codes) the power's expected share, from 0 to 1, after each of the
        samples of a range."""
        samples = self.samples[begin:end]
        return self._rollout.compare(
            self.position.packed,
            self.number,
            candidates,
            samples,
            self.movements,
            self.seeds[begin:end],
        )

    def run(self, candidates: Sequence[bytes]) -> Compared:
        """The best of the candidates, and the distance of the last one to it."""
        means = [fmean(row) for row in self.shares(candidates)] if len(candidates) > 1 else [0.0]
        chosen = max(range(len(means)), key=lambda index: (means[index], -index))
        last = len(candidates) - 1
        lead = self.lead(candidates[chosen], candidates[last])
        if chosen == last or lead.mean <= 0:
            return Compared(last, lead.expected - lead.mean, 0.0, 0.0)
        return Compared(chosen, lead.expected, lead.mean, lead.doubt)

    def best(self, candidates: Sequence[bytes]) -> bytes:
        """The best of some candidates, on the samples for choosing."""
        rows = self.shares(candidates)
        return candidates[max(range(len(rows)), key=lambda index: (fmean(rows[index]), -index))]

    def lead(self, one: bytes, other: bytes) -> Lead:
        """The difference of one set to another, on the samples for measuring."""
        mine, theirs = self.shares([one, other], CHOOSING, None)
        ahead = [own - than for own, than in zip(mine, theirs, strict=True)]
        return Lead(fmean(mine), fmean(ahead), stdev(ahead) / math.sqrt(len(ahead)))
