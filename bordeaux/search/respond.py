"""Candidates for a best response by playing on: sets drawn from learnt policies, and the best found.

What a search of one phase values most is what hurts in the phases after it, so nothing that looks at one
phase has a say where these are compared (`bordeaux.search.decision.PlayOut`): they are mostly draws of what
is likely to be good, as plain sampling has them (`bordeaux.players.sampler`).
"""

from __future__ import annotations

from bordeaux._ext.value import Valuer
from bordeaux.board.code import codes_in
from bordeaux.board.position import Position
from bordeaux.evaluation.value_net import SCALE
from bordeaux.search.learnt_models import LEAGUE, PEOPLE
from bordeaux.search.models import MODELS
from bordeaux.search.opponent_model import FAST
from bordeaux.search.power_search import PowerSearch
from bordeaux.search.situation import Situation
from bordeaux.search.soundness import fits

__all__ = ["NOTHING", "Draw", "sure_centre"]

#: Draws of each policy, and sets of the pool, for a decision of `FOR_ALL` to `PLENTY` nodes.
DRAWN = {LEAGUE: 27, PEOPLE: 13, FAST: 4}
POOLED = 8
#: Nodes that are enough to compare all of them, and from which on there are more, by this power of the nodes:
#: more samples of the same candidates hardly pay. The most times as many, and the fewest candidates.
FOR_ALL, PLENTY = 3_000, 10_000
GROWTH, MOST_TIMES = 0.6, 12.0
FEWEST = 4
#: Part of what one more centre is worth that a centre counts for which is proved to be sure, beside what
#: rollouts say of it. A share s of the sum of squares grows by 2 s (1 - s) / c with the centre after c. The
#: largest share that counts: who has nearly all gains little, but not nothing.
SURE_PART, MOST_SHARE = 1.0, 0.9
#: The spread in points of what is thought of candidates before they are played out: nothing is.
NOTHING = 1e6


def sure_centre(position: Position, ends: Valuer, number: int) -> float:
    """Points for a centre of a power (by number) that is proved to be sure. To one that is nearly beaten a
    whole centre is worth few points: who counted as many for all lost games by it (docs/search.md)."""
    owned = position.packed.owners().count(number)
    points = max(0.0, ends.points(position.packed, number))
    return SURE_PART * 2 * points * (1 - min(MOST_SHARE, points / SCALE)) / max(1, owned)


class Draw:
    """Draws candidates of one power from policies, and takes the best of its pool."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.models = {
            model: most for model, most in DRAWN.items() if MODELS[model].idea in (None, *situation.ideas)
        }

    def sets(self, side: PowerSearch, nodes: float) -> list[bytes]:
        """Different sets (bytes of codes), the best so far first; fewer of each kind if `nodes` are few. What
        is drawn is made to fit together, and to what the power has agreed to."""
        part = min(1.0, nodes / FOR_ALL) * min(MOST_TIMES, max(1.0, nodes / PLENTY) ** GROWTH)
        pooled = (side.best, *side.heard, *side.ranked())[: max(FEWEST, round(part * POOLED))]
        drawn = dict.fromkeys(
            self.situation.sampler.policy(side.power, model)
            for model, most in self.models.items()
            for _ in range(round(part * most))
        )
        return list(dict.fromkeys((*pooled, *(self._mended(side, orders) for orders in drawn))))

    def _mended(self, side: PowerSearch, orders: bytes) -> bytes:
        """A set as it is if it fits together and breaks no word, else what the power's space makes of it:
        that knows no help for others and no convoy that it has not thought of itself."""
        here = self.situation
        word = here.bonds.own(side.power)
        if fits(here.position.map, orders) and not any(
            bond.breaks(code) for bond in word for code in codes_in(orders)
        ):
            return orders
        return side.fitted(orders)
