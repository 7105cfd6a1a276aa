"""Tests of complete sets: on sampled orders of the others, and on the best replies of nearby enemies.

One phase, adjudicated and evaluated, costs one node; a rollout costs 65 (1, and 32 for each of two movement
phases). So many samples are possible. All candidates are tested on the same ones, which reduces the variance
of differences. Replies are those of Hall and Loeb (1995), sections 3.3 and 4.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from bordeaux._ext.search.expand import Expander
from bordeaux.board.code import as_bytes, codes_in, destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.sets import worst_quarter

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


#: Sets from which an enemy chooses its reply.
REPLIES = 6


class SetScore(NamedTuple):
    """A set's value against the expected orders, and against each tested reply, in points.

    `caution`, from 0 to 1, is the weight of the worst reply (Hall and Loeb 1995, section 3.3: the average
    over alternative orders of the enemies, or the paranoid view).
    """

    expected: float
    against_replies: tuple[float, ...]
    caution: float

    @property
    def score(self) -> float:
        """The mean of two values: that against the expected orders, and that against replies, with some
        weight on the worst. Without a differing reply it is the value against the expected orders."""
        if not self.against_replies:
            return self.expected
        mean = sum(self.against_replies) / len(self.against_replies)
        replies = (1 - self.caution) * mean + self.caution * min(self.against_replies)
        return (self.expected + replies) / 2

    def with_another(self, other: SetScore) -> SetScore:
        """The same set judged again in other circumstances: the later judgement has double weight."""
        return SetScore(
            (self.expected + 2 * other.expected) / 3,
            other.against_replies or self.against_replies,
            self.caution,
        )


def value_against_replies(
    side: PowerSearch,
    orders: bytes,
    current: Mapping[str, bytes],
    foes: Iterable[PowerSearch],
    caution: float,
) -> SetScore:
    """Judge a set by its value against the backgrounds of the search and against replies to it.

    `current` are the expected orders of all others. Each of the `foes` replies in its own interest: with the
    set of its pool that is best for itself when it sees ours. The set is then played against each reply
    alone, and against all together. `caution` is the weight of the worst of them, from 0 to 1.
    """
    node = side.space.node_of(orders)
    expected = side.space.value(node)
    replies: dict[str, bytes] = {}
    for foe in foes:
        around = b"".join(best for name, best in current.items() if name != foe.power) + orders
        pool = foe.ranked()[:REPLIES]
        values = [foe.space.values(foe.space.node_of(answer), [around])[0] for answer in pool]
        reply = max(zip(values, pool, strict=True))[1]
        if reply != current[foe.power]:
            replies[foe.power] = reply
    backgrounds = [_joined({**current, power: reply}) for power, reply in replies.items()]
    if len(replies) > 1:
        backgrounds.append(_joined({**current, **replies}))
    return SetScore(expected, tuple(side.space.values(node, backgrounds)), caution)


def _joined(sets: Mapping[str, bytes]) -> bytes:
    return b"".join(sets.values())
