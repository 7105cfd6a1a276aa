"""Mixtures of candidate sets with low regret for every power (Hall and Loeb 1995, section 4.3.6).

In a guessing game every pure strategy loses to an opponent who expects it; a mixed strategy is best. After
the search for candidates the pools of the wanted powers and of the enemies near them form a game whose
payoffs are the evaluations of adjudicated joint orders. Sampled regret matching gives each power its mixture.
A best reply from outside the candidates, if there is one, joins them (double oracle). Distant powers play the
sets of their pools with fixed shares, as their effect is small.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.joint import CandidateGame
from bordeaux._ext.value.influence import Evaluator
from bordeaux.board.position import Neighbourhood, Position
from bordeaux.search.bestfirst import best_first, complete, polish
from bordeaux.search.models import LEAGUE
from bordeaux.search.paper.power_search import PowerSearch, distinct_in_effect, diverse, room_for
from bordeaux.search.paper.state import PaperState
from bordeaux.search.sets import probabilities
from bordeaux.search.task import Budget

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


class ValuedMixture(NamedTuple):
    """Sets of orders of a power (bytes of codes), those with the largest share first; the value of each
    against the others' mixtures, and that of the mixture, in points."""

    orders: tuple[bytes, ...]
    shares: tuple[float, ...]
    values: tuple[float, ...]
    value: float

    def pruned(self, floor: float = FLOOR) -> ValuedMixture:
        """Without the sets whose share is below `floor` (the largest stays), normalised to a sum of 1."""
        kept = max(1, sum(share >= floor for share in self.shares))
        total = sum(self.shares[:kept])
        shares = tuple(share / total for share in self.shares[:kept])
        values = self.values[:kept]
        value = math.fsum(share * points for share, points in zip(shares, values, strict=True))
        return ValuedMixture(self.orders[:kept], shares, values, value)


class RegretMatching:
    """The game of the candidate sets of the powers in one movement position.

    `sets` are each power's candidates (bytes of order codes). The powers in `fixed` do not learn but play
    their sets with these weights. `background` are orders of powers that have no sets. The same seed gives
    the same result. Raises ValueError for sets that are not of the power's units.
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

    @property
    def nodes(self) -> int:
        """The adjudications with evaluation of the game."""
        return self.game.nodes

    def run(self, iterations: int, stop: Callable[[], bool] | None = None) -> int:
        """Learn for some iterations, or until `stop` returns true; returns their number."""
        return self.game.run(iterations, stop)

    def mixture(self, power: str, samples: int = SAMPLES) -> ValuedMixture:
        """The mixture of a power: the mean of its strategies, with values over a number of draws of the
        others."""
        number = self.numbers[power]
        values, value = self.game.against(number, samples)
        rows = zip(self.sets[power], self.game.average(number), values, strict=True)
        ranked = sorted(rows, key=lambda row: (-row[1], -row[2], row[0]))
        orders, shares, worth = zip(*ranked, strict=True)
        return ValuedMixture(orders, shares, worth, value)

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
        return gain

    def fade(self, share: float = FADED) -> None:
        """Reduce the weight of what was learnt: after replies have joined, the game is a different one."""
        self.game.fade(share)


#: Iterations, the batches in which they are run, and the number of those after which replies are searched
#: for.
ITERATIONS = 1_000
STRETCHES, ROUNDS = 10, 6
#: The progress after which no more replies are added, since they could not be learnt any more.
LAST_REPLIES = 0.6
#: Joint orders of the others on which the effects of sets are compared.
TRIALS = 6
#: The number of sets of distant powers.
FAR_SETS = 4
#: Expansions that widen a pool, sets taken from each, and their maximum distance in points to the best.
EXPANSIONS = 3
NEIGHBOURS = 48
WITHIN = 100.0


def widened(space: Expander, pool: Mapping[bytes, float], best: bytes) -> dict[bytes, float]:
    """A pool with the sets around its best one: with one unit's orders changed, and then another's.

    A search yields only improvements, often one or two sets. Nearly best sets are needed to surprise an enemy
    who expects the best.
    """
    wider = dict(pool)
    space.set_seed(space.node_of(best))
    nodes = [space.root_node()]
    for k in range(EXPANSIONS):
        if k == len(nodes):
            break
        successors = [node for _, node in space.expand(nodes[k], NEIGHBOURS)]
        nodes += successors[: EXPANSIONS - len(nodes)]
        for node in successors:
            full = complete(space, node)
            wider.setdefault(space.orders(full.choices), full.value)
    floor = max(wider.values()) - WITHIN
    return {orders: value for orders, value in wider.items() if value >= floor or orders in pool}


class NormalForm:
    """The equilibrium over the pools of the `sides` of a movement position.

    `wanted` are the powers whose mixtures are needed; those without units are left out. `fixed` are powers
    that do not learn, with their sets and shares. With `widen`, thin pools are widened first, which takes
    some hundred nodes a power. `proposed` gives further sets of a power that learns. The same pools, seed and
    limit in nodes give the same mixtures.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        sides: Mapping[str, PowerSearch],
        wanted: Sequence[str],
        *,
        seed: int = 0,
        neighbourhood: Neighbourhood | None = None,
        fixed: Mapping[str, Sequence[tuple[bytes, float]]] | None = None,
        widen: bool = True,
        proposed: Callable[[str], Sequence[bytes]] | None = None,
    ) -> None:
        self.sides = sides
        self._proposed = proposed
        near = neighbourhood or Neighbourhood(position)
        self.wanted = [power for power in wanted if power in sides]
        enemies = {enemy for power in self.wanted for enemy in near.enemies(power)}
        foretold = {power: given for power, given in (fixed or {}).items() if power not in self.wanted}
        others = [power for power in sides if power in enemies and power not in (*self.wanted, *foretold)]
        self.learners = [*self.wanted, *others]
        sets = {
            power: [orders for orders, _ in foretold[power]]
            if power in foretold
            else self._sets(position, power, widen)
            for power in (*sides, *(other for other in foretold if other not in sides))
        }
        shares = {
            power: [share for _, share in foretold[power]]
            if power in foretold
            else probabilities([sides[power].pool.get(orders, 0.0) for orders in sets[power]])
            for power in sets
            if power not in self.learners
        }
        self.equilibrium = RegretMatching(position, evaluator, sets, seed=seed, fixed=shares)
        #: Replies that have joined the candidates.
        self.replies = 0

    @property
    def nodes(self) -> int:
        """Adjudications of the game itself; the search for replies is counted by the sides' spaces."""
        return self.equilibrium.nodes

    def _sets(self, position: Position, power: str, widen: bool) -> list[bytes]:
        """The diverse sets of a side that differ in effect, its current best among them."""
        side = self.sides[power]
        pool = side.pool or {side.best: 0.0}
        if power not in self.learners:
            return sorted(pool, key=lambda orders: (pool[orders], orders), reverse=True)[:FAR_SETS]
        others = [other for name, other in self.sides.items() if name != power]
        ranked = [other.ranked() or [other.best] for other in others]
        trials = [b"".join(other.best for other in others)]
        trials += [b"".join(sets[k % len(sets)] for sets in ranked) for k in range(TRIALS - 1)]
        room = room_for(side.space.n_units)
        scores = self._effective(position, pool, trials)
        if widen and len(scores) < room:
            scores = self._effective(position, widened(side.space, pool, side.best), trials)
        kept = [*diverse(scores, room), side.best]
        if self._proposed is not None:
            # Of sets that come to the same those stay that are there already.
            ranks = dict.fromkeys(self._proposed(power), 0.0) | dict.fromkeys(kept, 1.0)
            kept += distinct_in_effect(position, ranks, trials)
        return list(dict.fromkeys(kept))

    @staticmethod
    def _effective(
        position: Position, pool: Mapping[bytes, float], trials: Sequence[bytes]
    ) -> dict[bytes, float]:
        return {orders: pool[orders] for orders in distinct_in_effect(position, pool, trials)}

    def run(self, progress: Callable[[], float], iterations: int = ITERATIONS, replies: bool = True) -> None:
        """Learn until `progress` reaches 1, or for a number of iterations.

        Replies join at intervals in the first part; the second part only learns. With `replies` off nothing
        joins the candidates.
        """

        def stop() -> bool:
            return progress() >= 1

        def late() -> bool:
            return progress() >= LAST_REPLIES

        done = 0
        for stretch in range(STRETCHES):
            if stop():
                return
            done += self.equilibrium.run(iterations // STRETCHES, stop)
            if not replies or stretch >= ROUNDS or late():
                continue
            # Nothing stops a dive before it is down, so replies end well before the budget does.
            added = [
                self.equilibrium.add_reply(power, self.sides[power].space, late) > 0
                for power in self.learners
                if not late()
            ]
            if any(added):
                self.replies += sum(added)
                self.equilibrium.fade()
        self.equilibrium.run(iterations - done, stop)

    def mixtures(self) -> dict[str, ValuedMixture]:
        """The mixture of each wanted power."""
        return {power: self.equilibrium.mixture(power) for power in self.wanted}


#: A power learns a mixture if the probability that it searches is at least this; else it plays one of so many
#: predicted sets.
SEARCHES = 0.5
FORETOLD = 12
#: Sets of the net of self-play that are added to the game of a power that learns.
JOINING = 4
#: Draws over which the values of mixtures are averaged.
VALUED = 50


class Mix:
    """Makes a game of the sets of the wanted powers and of searching enemies, and computes mixtures."""

    def __init__(self, state: PaperState) -> None:
        self.state = state

    def run(self, wanted: list[str], progress: Callable[[], float], budget: Budget, until: float) -> None:
        """Compute the mixtures of the powers that learn, for the state to use. Nodes are counted as they are
        used, since the progress depends on them."""
        state, situation = self.state, self.state.situation
        foes = {foe for power in wanted for foe in state.foes(power)} - set(wanted)
        begin = progress()
        if not (foes or len(wanted) > 1) or begin >= until:
            return
        fixed = {
            power: state.sampler.forecast(power)[:FORETOLD]
            for power in situation.present
            if power not in wanted
            and (power not in state.sides or state.sampler.share(power) < SEARCHES or state.bonds.of(power))
        }
        normal_form = NormalForm(
            situation.position,
            situation.evaluator,
            state.sides,
            wanted,
            seed=state.random.getrandbits(32),
            neighbourhood=situation.neighbourhood,
            fixed=fixed,
            widen=budget.roomy,
            proposed=self._proposed if "people" in situation.ideas else None,
        )
        counted = 0

        def part() -> float:
            nonlocal counted
            state.spend(normal_form.nodes - counted)
            counted = normal_form.nodes
            return (progress() - begin) / (until - begin)

        normal_form.run(part)
        for power in normal_form.learners:
            mixture = normal_form.equilibrium.mixture(power, VALUED).pruned()
            state.mixes(power, zip(mixture.orders, mixture.shares, mixture.values, strict=True))
        part()

    def _proposed(self, power: str) -> list[bytes]:
        """Sets of a power from the net of self-play, which join its pool."""
        side = self.state.sides[power]
        nodes = self.state.drawn(power, LEAGUE, JOINING)
        return [side.bound(side.space.orders(node)) for node in nodes]
