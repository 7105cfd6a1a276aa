"""Candidate sets tested on the possible orders of the others: the same sampled joint orders for all.

One phase, adjudicated and evaluated, costs one node; a rollout costs 65 (1, and 32 for each of two movement
phases). So many samples are possible. All candidates are tested on the same ones, which reduces the variance
of differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from bordeaux._ext.expand import Expander
from bordeaux.board.code import as_bytes, codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.search.sets import worst_quarter

__all__ = ["Trial"]

#: Samples between two checks of the clock, and the maximum number of samples.
AT_ONCE, ENOUGH = 8, 96
#: Samples after which the worse half of the candidates is dropped.
HALVED = 24
#: The weight of the worst quarter in a score.
TAILED = 0.5
#: The number of passes over all units that look for another order: a change of one may free another.
PASSES = 4
SUPPORTS = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE)
#: Differences in points within a sample that count as zero.
SAME = 1e-3


class Trial:
    """The values of one power's sets against sampled orders of the others.

    `space` is the power's search space, `draw` gives joint orders of the others. `scores` are points over the
    samples of a set, which are `samples` or the first of them. A score is half the mean and half the mean of
    the worst quarter, since few samples contain the most harmful orders.
    """

    def __init__(self, space: Expander, draw: Callable[[], bytes]) -> None:
        self.space = space
        self.draw = draw
        self.samples: list[bytes] = []
        self.values: dict[bytes, list[float]] = {}
        self.scores: dict[bytes, float] = {}

    def run(self, candidates: Sequence[bytes], progress: Callable[[], float]) -> None:
        """Test sets (bytes of codes) until `progress` reaches 1, at least once each."""
        space = self.space
        alive = list(candidates)
        self.values = {orders: [] for orders in alive}
        while len(self.samples) < ENOUGH and (not self.samples or progress() < 1):
            samples = [self.draw() for _ in range(AT_ONCE)]
            rows = space.compare([space.node_of(orders) for orders in alive], samples)
            for orders, row in zip(alive, rows, strict=True):
                self.values[orders] += row
            self.samples += samples
            self._score(alive)
            if len(self.samples) == HALVED:
                alive = self.ranked()[: (len(alive) + 1) // 2]

    def sampled(self, count: int) -> list[bytes]:
        """A number of joint orders of the others, reusing those drawn before."""
        while len(self.samples) < count:
            self.samples.append(self.draw())
        return self.samples[:count]

    def _score(self, alive: Sequence[bytes]) -> None:
        """Means over all samples; a set that was dropped keeps its distance to the best on the samples that
        it has."""
        for orders in alive:
            values = self.values[orders]
            mean = math.fsum(values) / len(values)
            self.scores[orders] = mean + TAILED * (worst_quarter(values) - mean)
        leader = max(alive, key=lambda orders: (self.scores[orders], orders))
        for orders, values in self.values.items():
            if len(values) < len(self.samples):
                behind = [own - best for own, best in zip(values, self.values[leader], strict=False)]
                self.scores[orders] = self.scores[leader] + math.fsum(behind) / len(behind)

    def ranked(self) -> list[bytes]:
        """The tested sets, best first."""
        return sorted(self.scores, key=lambda orders: (-self.scores[orders], orders))

    def without_idlers(self, orders: bytes) -> bytes:
        """A set in which units that hold, or support in vain, are given another order if possible. This is a
        move with at least the same value in every sample and a higher value in some, or a support of another
        unit. A support is preferred to a hold even without a gain in a sample. It is also preferred if its
        losses and gains in samples balance, because a support always harms in one of many samples. Of such
        orders the one with the highest value is taken."""
        for _ in range(PASSES):
            better = self._one_pass(orders)
            if better == orders:
                break
            orders = better
        return orders

    def _one_pass(self, orders: bytes) -> bytes:
        space = self.space
        best = codes_in(orders)
        value = space.compare([space.node_of(orders)], self.samples)[0]
        for unit in range(len(best)):
            rivals = []
            for code in self._instead(unit, best):
                changed = as_bytes((*best[:unit], code, *best[unit + 1 :]))
                node = space.node_of(changed)
                if space.orders(space.completed(node)) == changed:
                    rivals.append((changed, node))
            # A few samples sort out most of them.
            rows = space.compare([node for _, node in rivals], self.samples[:AT_ONCE])
            gains = [_gain(row, value) for row in rows]
            ranked = sorted(range(len(rivals)), key=lambda index: (-sum(gains[index]), rivals[index][0]))
            for index in ranked:
                changed, node = rivals[index]
                was_idle = kind_of(best[unit]) == OrderKind.HOLD
                helps = was_idle and kind_of(codes_in(changed)[unit]) in SUPPORTS
                if not helps and min(gains[index]) < -SAME:
                    continue
                row = space.compare([node], self.samples)[0]
                gain = _gain(row, value)
                loses_nothing = min(gain) >= -SAME and max(gain) > SAME
                if loses_nothing or (helps and math.fsum(gain) >= -SAME * len(gain)):
                    best, value = codes_in(changed), row
                    break
        return as_bytes(best)

    def _instead(self, unit: int, codes: Sequence[int]) -> list[int]:
        """The possible orders of an idle unit: support others of the set, or move."""
        kind = kind_of(codes[unit])
        if kind not in (OrderKind.HOLD, *SUPPORTS):
            return []
        moves = {unit_of(code): target_of(code) for code in codes if kind_of(code) == OrderKind.MOVE}
        standing = {unit_of(code) for code in codes if kind_of(code) != OrderKind.MOVE}
        instead = []
        for code in self.space.choices(unit):
            target = target_of(code)
            if kind_of(code) == OrderKind.SUPPORT_MOVE and moves.get(target) == destination_of(code):
                instead.append(code)
            if kind_of(code) == OrderKind.SUPPORT_HOLD and target in standing:
                instead.append(code)
            if kind_of(code) == OrderKind.MOVE and kind == OrderKind.HOLD and not is_via(code):
                instead.append(code)
        return [code for code in instead if code != codes[unit]]


def _gain(row: Sequence[float], before: Sequence[float]) -> list[float]:
    return [new - old for new, old in zip(row, before, strict=False)]
