"""Candidate sets compared by playing on: many short rollouts, most of them for the best (section 3.3).

Every candidate meets the same samples of what the others may play and the same chance afterwards, so
that differences count and not luck. After each round the worse half retires (sequential halving,
Karnin, Koren and Somekh 2013).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping

from bordeaux._ext.packed import Packed
from bordeaux._ext.rollout import Rollout

__all__ = ["Contest"]

Totals = Mapping[bytes, tuple[float, int]]
"""Sum and number of the samples of sets of orders."""

#: Rollouts between two looks at the clock.
AT_ONCE = 2
#: Samples after which more would tell no more.
ENOUGH = 1000
#: Samples below which nothing can be said about luck.
FEW = 8


class Contest:
    """The candidates of one power (by number) in one position, and what they have scored.

    `candidates` are bytes of order codes, best guess first; `movements` the movement phases that a
    rollout plays on. `draw` gives joint orders of the others. `tally` adds what other processes have
    played of the same candidates (`Rendezvous.tally`). `values` are the values of this process by
    candidate, one for each sample.
    """

    def __init__(
        self,
        rollout: Rollout,
        packed: Packed,
        number: int,
        candidates: list[bytes],
        movements: int,
        draw: Callable[[], bytes],
        random: random.Random,
        tally: Callable[[Totals], Totals] = dict,
    ) -> None:
        self.rollout = rollout
        self.packed = packed
        self.number = number
        self.candidates = candidates
        self.movements = movements
        self.draw = draw
        self.random = random
        self.tally = tally
        self.values: list[list[float]] = [[] for _ in candidates]
        self.alive = list(range(len(candidates)))
        self._means = [-math.inf] * len(candidates)

    def run(self, progress: Callable[[], float]) -> Iterator[int]:
        """Play until `progress` reaches 1; yields the leader's number after every round."""
        rounds = max(1, math.ceil(math.log2(len(self.candidates))))
        for k in range(rounds):
            while (
                progress() < (k + 1) / rounds and len(self.values[self.alive[0]]) < ENOUGH * (k + 1) / rounds
            ):
                if not self._sample(progress):
                    break
            self._add_up()
            self.alive.sort(key=lambda i: (-self._means[i], i))
            yield self.alive[0]
            self.alive = self.alive[: max(2, (len(self.alive) + 1) // 2)]

    def _sample(self, progress: Callable[[], float]) -> bool:
        """One sample for all that are left; False, and it counts for none, when time ran out."""
        others, seed = [self.draw()], [self.random.getrandbits(63)]
        values: list[float] = []
        for k in range(0, len(self.alive), AT_ONCE):
            some = [self.candidates[i] for i in self.alive[k : k + AT_ONCE]]
            rows = self.rollout.compare(self.packed, self.number, some, others, self.movements, seed)
            values += [row[0] for row in rows]
            if progress() >= 1 and len(values) < len(self.alive):
                return False
        for i, value in zip(self.alive, values, strict=True):
            self.values[i].append(value)
        return True

    def _add_up(self) -> None:
        own = {
            orders: (math.fsum(values), len(values))
            for orders, values in zip(self.candidates, self.values, strict=True)
            if values
        }
        everybodys = self.tally(own)
        for i, orders in enumerate(self.candidates):
            if orders in everybodys:
                total, count = everybodys[orders]
                self._means[i] = total / count

    def near(self, leader: int) -> list[int]:
        """The candidates of the last round that luck alone may have kept behind the leader: those whose
        mean difference to it, sample by sample, is below its standard error."""
        best = self.values[leader]
        if len(best) < FEW:
            return [leader]
        close = []
        for i in self.alive:
            behind = [one - other for one, other in zip(best, self.values[i], strict=True)]
            mean = math.fsum(behind) / len(behind)
            spread = math.fsum((each - mean) ** 2 for each in behind) / (len(behind) - 1)
            if i == leader or mean < math.sqrt(spread / len(behind)):
                close.append(i)
        return close

    def scores(self) -> dict[bytes, float]:
        """Values in points of the candidates that were played: means over all samples.

        Who has retired has met only the first ones, which may have been good or bad for all: it is as
        far from the leader as it was on those.
        """
        leader = self.alive[0]
        found = {}
        for i, (orders, mean) in enumerate(zip(self.candidates, self._means, strict=True)):
            both = list(zip(self.values[i], self.values[leader], strict=False))
            if i not in self.alive and both:
                mean = self._means[leader] + math.fsum(own - best for own, best in both) / len(both)
            if mean > -math.inf:
                found[orders] = mean
        return found
