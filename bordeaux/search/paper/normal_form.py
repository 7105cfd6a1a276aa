"""After the search for candidates: the pools of all sides form a game, whose solution is a mixture for each.

The powers whose orders are wanted learn, and so do the enemies near them. Distant powers play the sets of
their pools with fixed shares, as their effect is small. While there is time, best replies to the mixtures
join the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from bordeaux._ext.expand import Expander
from bordeaux._ext.influence import Evaluator
from bordeaux.board.neighbours import Neighbourhood
from bordeaux.board.position import Position
from bordeaux.search.bestfirst import complete
from bordeaux.search.paper.diversity import distinct_in_effect, diverse, room_for
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.regret_matching import Anchor, Mixture, RegretMatching
from bordeaux.search.sets import probabilities

__all__ = ["NormalForm", "widened"]

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
    some hundred nodes a power. `proposed` gives further sets of a power that learns. Learning powers are held
    near the `anchor`, if there is one. The same pools, seed and limit in nodes give the same mixtures.
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
        anchor: Anchor | None = None,
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
        self.equilibrium = RegretMatching(position, evaluator, sets, seed=seed, fixed=shares, anchor=anchor)
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

    def mixtures(self) -> dict[str, Mixture]:
        """The mixture of each wanted power."""
        return {power: self.equilibrium.mixture(power) for power in self.wanted}
