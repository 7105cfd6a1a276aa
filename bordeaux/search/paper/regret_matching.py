"""Mixtures of candidate sets with low regret for every power (paper 002, section 4.3.6).

In a guessing game every pure strategy loses to an opponent who expects it; a mixed strategy is best. The
candidate sets of the powers form a game whose payoffs are the evaluations of adjudicated joint orders.
Sampled regret matching gives each power its mixture. A best reply from outside the candidates, if there is
one, joins them (double oracle). Powers may be held near a policy, for example that of people (piKL: Jacob and
others 2022).
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bordeaux._ext.expand import Expander
from bordeaux._ext.influence import Evaluator
from bordeaux._ext.joint import CandidateGame
from bordeaux.board.position import Position
from bordeaux.search.bestfirst import best_first, polish

__all__ = ["Anchor", "Mixture", "RegretMatching"]

#: Shares below this are not played; most of them are left from the first iterations.
FLOOR = 0.05
#: Draws of the others' joint orders over which values are averaged.
SAMPLES = 200
#: Backgrounds against which a best reply is searched for, and others on which it is tested.
SEARCHED, TRIED = 8, 32
#: Points that a reply must gain over the mixture to become an action.
GAIN = 3.0
#: Expansions without an improvement after which the search for a reply ends.
PATIENCE = 4
#: The factor on the weight of the iterations before a round of replies.
FADED = 0.2
#: The maximum number of sets of a power.
ROOM = 96
#: The lowest log probability of a set under a policy.
LEAST = -30.0


class Anchor(NamedTuple):
    """A policy near which learning powers are held: the log of its share of a set of a power, and the cost of
    divergence from it in points per nat."""

    log_probability: Callable[[str, bytes], float]
    points: float


class Mixture(NamedTuple):
    """Sets of orders of a power (bytes of codes), those with the largest share first; the value of each
    against the others' mixtures, and that of the mixture, in points."""

    orders: tuple[bytes, ...]
    shares: tuple[float, ...]
    values: tuple[float, ...]
    value: float

    @property
    def regret(self) -> float:
        """The points that the best of the sets would gain over the mixture."""
        return max(self.values) - self.value

    def pruned(self, floor: float = FLOOR) -> Mixture:
        """Without the sets whose share is below `floor` (the largest stays), normalised to a sum of 1."""
        kept = max(1, sum(share >= floor for share in self.shares))
        total = sum(self.shares[:kept])
        shares = tuple(share / total for share in self.shares[:kept])
        values = self.values[:kept]
        value = math.fsum(share * points for share, points in zip(shares, values, strict=True))
        return Mixture(self.orders[:kept], shares, values, value)

    def draw(self, chance: random.Random, floor: float = FLOOR) -> bytes:
        """One of the sets at random, by its share in the pruned mixture."""
        mixture = self.pruned(floor)
        return chance.choices(mixture.orders, mixture.shares)[0]


class RegretMatching:
    """The game of the candidate sets of the powers in one movement position.

    `sets` are each power's candidates (bytes of order codes). The powers in `fixed` do not learn but play
    their sets with these weights; the others are held near the `anchor`, if there is one. `background` are
    orders of powers that have no sets. The same seed gives the same result. Raises ValueError for sets that
    are not of the power's units.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        sets: Mapping[str, Sequence[bytes]],
        *,
        seed: int = 0,
        fixed: Mapping[str, Sequence[float]] | None = None,
        background: bytes = b"",
        anchor: Anchor | None = None,
    ) -> None:
        powers = position.map.powers
        self.numbers = {power: powers.index(power) for power in powers if sets.get(power)}
        self.sets = {power: list(dict.fromkeys(sets[power])) for power in self.numbers}
        self.background = background
        self.random = random.Random(seed)
        by_number = {self.numbers[power]: listed for power, listed in self.sets.items()}
        room = max([ROOM, *map(len, self.sets.values())])
        self.game = CandidateGame(position.packed, evaluator, by_number, background, room=room, seed=seed)
        for power, weights in (fixed or {}).items():
            self.game.start(self.numbers[power], list(weights), learns=False)
        self.anchor = anchor
        for power in self.sets.keys() - (fixed or {}).keys():
            self._hold(power)

    def _hold(self, power: str) -> None:
        """Hold a power near the anchor with all its sets."""
        if self.anchor is not None:
            logs = [max(LEAST, self.anchor.log_probability(power, orders)) for orders in self.sets[power]]
            self.game.anchor(self.numbers[power], logs, self.anchor.points)

    @property
    def nodes(self) -> int:
        """The adjudications with evaluation of the game."""
        return self.game.nodes

    def run(self, iterations: int, stop: Callable[[], bool] | None = None) -> int:
        """Learn for some iterations, or until `stop` returns true; returns their number."""
        return self.game.run(iterations, stop)

    def mixture(self, power: str, samples: int = SAMPLES) -> Mixture:
        """The mixture of a power: the mean of its strategies, with values over a number of draws of the
        others."""
        number = self.numbers[power]
        values, value = self.game.against(number, samples)
        rows = zip(self.sets[power], self.game.average(number), values, strict=True)
        ranked = sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))
        orders, shares, worth = zip(*ranked, strict=True)
        return Mixture(orders, shares, worth, value)

    def backgrounds(self, power: str, count: int) -> tuple[list[bytes], list[float]]:
        """Joint orders of the others drawn from their mixtures, with weights (at most `count` of them)."""
        averages = {
            other: self.game.average(number) for other, number in self.numbers.items() if other != power
        }
        drawn = Counter(
            self.background
            + b"".join(self.random.choices(self.sets[other], shares)[0] for other, shares in averages.items())
            for _ in range(count)
        )
        return list(drawn), [float(times) for times in drawn.values()]

    def add_reply(self, power: str, space: Expander, stop: Callable[[], bool] = lambda: False) -> float:
        """Look for a set that is better against the others' mixtures than the power's own mixture.

        `space` is the power's search space in the position. The search starts from the set with the largest
        share. Its result is tested on new draws of the others; if it gains more than a few points there, it
        becomes an action. Returns the points gained, 0 if nothing was added.
        """
        number = self.numbers[power]
        sets = self.sets[power]
        if len(sets) >= self.game.room:
            return 0.0
        shares = self.game.average(number)
        space.set_backgrounds(*self.backgrounds(power, SEARCHED))
        choices = space.node_of(sets[shares.index(max(shares))])
        for node in best_first(space, choices, stop, PATIENCE):
            choices = node.choices
        if not stop():
            choices = polish(space, choices).choices
        reply: bytes = space.orders(choices)
        if reply in sets or stop():
            return 0.0
        space.set_backgrounds(*self.backgrounds(power, TRIED))
        own = math.fsum(
            share * space.value(space.node_of(orders))
            for orders, share in zip(sets, shares, strict=True)
            if share > 0
        )
        if space.value(choices) - own < GAIN:
            return 0.0
        action = self.game.add(number, reply)
        sets.append(reply)
        values, value = self.game.against(number, SAMPLES)
        gain = float(values[action] - value)
        self.game.credit(number, action, gain)
        self._hold(power)
        return gain

    def fade(self, share: float = FADED) -> None:
        """Reduce the weight of what was learnt: after replies have joined, the game is a different one."""
        self.game.fade(share)
