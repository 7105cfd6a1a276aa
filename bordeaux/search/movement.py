"""The search of a movement phase: every power against the others' current best, in turn.

Paper 002, section 3.3, in one process: each power's search has the other powers' best sets as its
background. They take turns; when a background changes, a search goes on from its own last set as
seed. A complete set must stand up to the best replies of nearby enemies before it becomes best.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping

from bordeaux._ext.influence import Evaluator
from bordeaux.board.position import Position
from bordeaux.search.agenda import Node
from bordeaux.search.bestfirst import best_first, dive, polish
from bordeaux.search.budget import Budget
from bordeaux.search.candidates import search_space
from bordeaux.search.lines import Judged, distinct, probabilities
from bordeaux.search.maxims import Maxims
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.replies import Neighbourhood, stand_up
from bordeaux.search.seeds import shaken
from bordeaux.search.side import Side

__all__ = ["MovementSearch"]

#: Backgrounds drawn beside the others' current best, and their weight next to its 1.
VARIANTS = 3
VARIANT_WEIGHT = 0.5
#: Expansions without an improvement after which a seed is given up.
PATIENCE = 6
#: Sets of a slice that are tested against replies.
TESTED = 4
#: Sets of other processes that are tested even when the time is over: together some two milliseconds.
OFFERED = 3


class MovementSearch:
    """The searches of all powers in one movement position.

    `seeds` are sets of orders (bytes of codes) to start powers from beside all hold; `rendezvous` is
    where this search meets those of other processes.
    """

    def __init__(
        self,
        position: Position,
        evaluator: Evaluator,
        *,
        maxims: Maxims,
        seed: int = 0,
        seeds: Mapping[str, list[bytes]] | None = None,
        rendezvous: Rendezvous | None = None,
    ) -> None:
        self.position = position
        self.random = random.Random(seed)
        self.seeds = seeds or {}
        self.rendezvous = rendezvous or Rendezvous()
        map = position.map
        self.sides: dict[str, Side] = {}
        for number, power in enumerate(map.powers):
            if position.units_of(power):
                self.sides[power] = Side(power, number, search_space(position, power, evaluator, maxims))
        self.neighbourhood = Neighbourhood(position)
        self.judged: dict[str, dict[bytes, Judged]] = {power: {} for power in self.sides}

    @property
    def nodes(self) -> int:
        """Adjudications with evaluation that all sides have spent, in all processes."""
        return self.rendezvous.count(sum(side.space.nodes for side in self.sides.values()))

    def run(self, powers: list[str], budget: Budget) -> Iterator[str]:
        """Search until the budget is spent; yields a power whenever its best set has changed.

        `powers` are those whose orders are wanted; the others are searched as their background.
        """
        for power in self.sides:
            self._open(power)
            yield power
        wanted = [power for power in powers if power in self.sides]
        turn = 0
        while wanted and not self._spent(budget):
            for power in self.rendezvous.share(self._turns(wanted, turn)):
                if self._improve(power, budget):
                    yield power
                yield from self.rendezvous.exchange(self, power)
                if self._spent(budget):
                    break
            turn += 1
        yield from self.rendezvous.exchange(self)
        # What other processes hold for the best of a power that is searched here as well.
        for power, side in self.sides.items():
            if side.offered and self._choose(side, budget):
                yield power

    def _turns(self, wanted: list[str], turn: int) -> list[str]:
        """Whose turn it is in a round: the wanted powers always, their neighbours every other time."""
        if turn % 2:
            return wanted
        near = {enemy for power in wanted for enemy in self.neighbourhood.enemies(power)}
        return [power for power in self.sides if power in near and power not in wanted] + wanted

    def _spent(self, budget: Budget) -> bool:
        budget.used = self.nodes
        return budget.over()

    def _open(self, power: str) -> None:
        """The first complete set: a dive from all hold, and from each seed that was given."""
        side = self.sides[power]
        space = side.space
        space.set_backgrounds([self._others(power)], [1.0])
        for orders in (b"", *self.seeds.get(power, ())):
            space.set_seed(space.completed(space.node_of(orders)))
            node = dive(space)
            kept = side.keep(node)
            if side.pool[kept] >= side.pool.get(side.best, -math.inf):
                side.best = kept

    def _others(self, power: str, drawn: bool = False) -> bytes:
        """Orders of everybody else: their best sets, or for each a set drawn from its pool."""
        return b"".join(
            self._draw(side) if drawn else side.best for name, side in self.sides.items() if name != power
        )

    def _draw(self, side: Side) -> bytes:
        pool = side.ranked()
        return self.random.choices(pool, probabilities([side.pool[orders] for orders in pool]))[0]

    def _improve(self, power: str, budget: Budget) -> bool:
        """One turn of one power; says whether its best set has changed."""
        side = self.sides[power]
        space = side.space
        backgrounds = [self._others(power)] + [self._others(power, drawn=True) for _ in range(VARIANTS)]
        space.set_backgrounds(backgrounds, [1.0] + [VARIANT_WEIGHT] * VARIANTS)
        for orders in list(side.pool):
            side.pool[orders] = space.value(space.node_of(orders))
        self._search(side, budget)
        return self._choose(side, budget)

    def _search(self, side: Side, budget: Budget) -> None:
        space = side.space
        start = space.node_of(side.best)
        for seed in (start, shaken(space, start, self.random), space.node_of(b"")):
            found: Node | None = None
            for found in best_first(space, seed, lambda: self._spent(budget), PATIENCE + space.n_units):
                side.keep(found)
            if found is not None and not self._spent(budget):
                side.keep(polish(space, found.choices))
            if self._spent(budget):
                return

    def _choose(self, side: Side, budget: Budget) -> bool:
        """Test the best sets against replies; the best of those tested becomes current."""
        known = self.judged[side.power]
        ranked = side.ranked()
        by_judgement = sorted((each for each in ranked if each in known), key=lambda each: known[each].score)
        offered = sorted({*side.offered} & side.pool.keys(), key=lambda each: (-side.pool[each], each))
        side.offered.clear()
        tested = dict.fromkeys((side.best, *offered, *by_judgement[-2:], *ranked[:TESTED]))
        for number, orders in enumerate(tested):
            judged = stand_up(self.sides, self.neighbourhood, side, orders)
            known[orders] = known[orders].with_another(judged) if orders in known else judged
            # What other processes hold for the best is judged in any case.
            if number >= min(len(offered), OFFERED) and budget.over():
                break
        before = side.best
        side.best = max(
            (each for each in side.pool if each in known), key=lambda each: (known[each].score, each)
        )
        # What fell out of the pool is forgotten, so that long searches need no more memory.
        self.judged[side.power] = {each: known[each] for each in side.pool if each in known}
        return side.best != before

    def lines(self, power: str, count: int = 5) -> list[tuple[bytes, float]]:
        """The best few distinct sets of a power with their values, best first; the current best is
        the first."""
        side = self.sides[power]
        known = self.judged[power]
        scores = {orders: known[orders].score for orders in side.pool if orders in known} or dict(side.pool)
        if side.best in side.pool:
            # It may come from another process, with that one's judgement.
            scores.setdefault(side.best, side.pool[side.best])
        return distinct(scores, side.best, count)
