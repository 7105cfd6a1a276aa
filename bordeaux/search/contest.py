"""Candidate sets compared by playing on: many short rollouts, most of them for the best (section 3.3).

Every candidate meets the same samples of what the others may play and the same chance afterwards, so
that differences count and not luck. After each round the worse half retires (sequential halving,
Karnin, Koren and Somekh 2013).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

from bordeaux._ext.packed import Packed
from bordeaux._ext.rollout import Rollout

__all__ = ["Contest"]

#: Rollouts between two looks at the clock.
AT_ONCE = 2
#: Samples after which more would tell no more.
ENOUGH = 400


class Contest:
    """The candidates of one power (by number) in one position, and what they have scored.

    `candidates` are bytes of order codes, best guess first; `movements` the movement phases that a
    rollout plays on. `draw` gives joint orders of the others.
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
    ) -> None:
        self.rollout = rollout
        self.packed = packed
        self.number = number
        self.candidates = candidates
        self.movements = movements
        self.draw = draw
        self.random = random
        self.sums = [0.0] * len(candidates)
        self.counts = [0] * len(candidates)
        self.alive = list(range(len(candidates)))

    def run(self, progress: Callable[[], float]) -> Iterator[int]:
        """Play until `progress` reaches 1; yields the leader's number after every round."""
        rounds = max(1, math.ceil(math.log2(len(self.candidates))))
        for k in range(rounds):
            while progress() < (k + 1) / rounds and self.counts[self.alive[0]] < ENOUGH * (k + 1) / rounds:
                if not self._sample(progress):
                    break
            self.alive.sort(key=lambda i: -self.mean(i))
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
            self.sums[i] += value
            self.counts[i] += 1
        return True

    def mean(self, i: int) -> float:
        """Mean value of a candidate in points; minus infinity before it was played."""
        return self.sums[i] / self.counts[i] if self.counts[i] else -math.inf

    def scores(self) -> dict[bytes, float]:
        """Mean values in points of the candidates that were played."""
        return {orders: self.mean(i) for i, orders in enumerate(self.candidates) if self.counts[i]}
