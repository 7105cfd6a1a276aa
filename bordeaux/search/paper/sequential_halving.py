"""Candidate sets compared by rollouts: many short ones, most of them for the best (section 3.3).

Every candidate is evaluated on the same samples of the others' orders and with the same random numbers
afterwards, which reduces the variance of differences. After each round the worse half retires (sequential
halving, Karnin, Koren and Somekh 2013).

Rollouts are evidence that is combined with the prior values of the candidates. With few rollouts the prior
dominates, with many they do. Both are differences to the candidate with the best prior. The prior of a
difference is normal with a standard deviation of `doubt` points. The mean over n samples with deviation s has
the standard error s / sqrt(n). The two are weighted by their precision (Bayes' rule).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence

from bordeaux._ext.rules.packed import Packed
from bordeaux._ext.search.rollout import Rollout

#: Rollouts between two checks of the clock.
AT_ONCE = 2
#: The maximum number of samples, beyond which more give no information.
ENOUGH = 1000
#: The minimum number of samples for an estimate of the variance.
FEW = 8
#: The prior standard deviation, in points, of differences between samples, and the number of samples that it
#: counts for.
SCATTER, GUESSED = 120.0, 4


class SequentialHalving:
    """The candidates of one power (by number) in one position, and their scores.

    `candidates` are bytes of order codes, the best prior first, `prior` are their prior values in points, and
    `doubt` the standard deviation of these. `movements` are the movement phases of a rollout. `draw` gives
    joint orders of the others. `sure` are proved points, which rollouts do not change. `values` are the
    values by candidate, one for each sample.
    """

    def __init__(
        self,
        rollout: Rollout,
        packed: Packed,
        number: int,
        candidates: list[bytes],
        prior: Sequence[float],
        doubt: float,
        movements: int,
        draw: Callable[[], bytes],
        random: random.Random,
        sure: Sequence[float] = (),
    ) -> None:
        self.rollout = rollout
        self.packed = packed
        self.number = number
        self.candidates = candidates
        self.movements = movements
        self.draw = draw
        self.random = random
        self.prior = list(prior)
        self.doubt = doubt
        self.sure = list(sure) or [0.0] * len(candidates)
        self.values: list[list[float]] = [[] for _ in candidates]
        self.alive = list(range(len(candidates)))

    def run(self, progress: Callable[[], float]) -> Iterator[int]:
        """Play until `progress` reaches 1; yields the leader's number after every round."""
        rounds = max(1, math.ceil(math.log2(len(self.candidates))))
        for k in range(rounds):
            while (
                progress() < (k + 1) / rounds and len(self.values[self.alive[0]]) < ENOUGH * (k + 1) / rounds
            ):
                if not self._sample(progress):
                    break
            worth = self.worth()
            self.alive.sort(key=lambda i: (-worth[i], i))
            yield self.alive[0]
            # The first stays, to be measured against.
            best = self.alive[: max(2, (len(self.alive) + 1) // 2)]
            self.alive = best if 0 in best else [*best, 0]

    def _sample(self, progress: Callable[[], float]) -> bool:
        """One sample for all remaining candidates; returns False, and discards it, if time ran out."""
        others, seed = self.draw(), self.random.getrandbits(63)
        values: list[float] = []
        for k in range(0, len(self.alive), AT_ONCE):
            some = [self.candidates[i] for i in self.alive[k : k + AT_ONCE]]
            rows = self.rollout.compare(self.packed, self.number, some, [others], self.movements, [seed])
            values += [row[0] for row in rows]
            if progress() >= 1 and len(values) < len(self.alive):
                return False
        for i, value in zip(self.alive, values, strict=True):
            self.values[i].append(value)
        return True

    def _behind(self, i: int) -> list[float]:
        """The difference of a candidate to the first, sample by sample."""
        return [own - first for own, first in zip(self.values[i], self.values[0], strict=False)]

    def worth(self) -> list[float]:
        """The present value of each candidate, in points: prior and rollouts, weighted by precision."""
        values = []
        for i in range(len(self.candidates)):
            thought = self.prior[i] - self.prior[0]
            behind = self._behind(i)
            count = len(behind)
            if i == 0 or not count:
                values.append(self.prior[i] + self.sure[i])
                continue
            mean = math.fsum(behind) / count
            # A few samples say little about how much they scatter; a guess counts for some of them.
            squares = math.fsum((difference - mean) ** 2 for difference in behind) + GUESSED * SCATTER**2
            sure = count * (count + GUESSED) / squares
            known = 1 / self.doubt**2
            weighed = (thought * known + mean * sure) / (known + sure)
            values.append(self.prior[0] + weighed + self.sure[i])
        return values

    def near(self, leader: int) -> list[int]:
        """The candidates of the last round that are not significantly worse than the leader: those whose mean
        difference to it, sample by sample, is below its standard error."""
        best = self.values[leader]
        if len(best) < FEW:
            return [leader]
        close = []
        for i in self.alive:
            behind = [one - other for one, other in zip(best, self.values[i], strict=True)]
            mean = math.fsum(behind) / len(behind)
            spread = math.fsum((difference - mean) ** 2 for difference in behind) / (len(behind) - 1)
            if i == leader or mean < math.sqrt(spread / len(behind)):
                close.append(i)
        return close

    def scores(self) -> dict[bytes, float]:
        """Values in points of the candidates: see `worth`."""
        return dict(zip(self.candidates, self.worth(), strict=True))
