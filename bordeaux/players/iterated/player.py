"""The player: values with trust and a preferred opening, the rounds, and their limit."""

from __future__ import annotations

import time as clocks
from collections.abc import Sequence

import numpy as np

from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluator
from bordeaux.players.base import Chair, decoded
from bordeaux.players.iterated.adjustments import adjusted, retreated
from bordeaux.players.iterated.rounds import IteratedRounds
from bordeaux.players.iterated.trust import Trust, neighbours
from bordeaux.players.iterated.worth import Worth
from bordeaux.players.limits import Clock, checked, tightest
from bordeaux.players.protocol import Limit, Seat, Turn
from bordeaux.policy.dumbbot import DUMBBOT

__all__ = ["Iterated"]

#: The name of this player's own evaluation.
OWN = "own"
#: Nodes for a phase without a limit.
NODES = 20_000
#: Adjudications in a second before any measurement, and the number needed for a measurement.
RATE = 50_000.0
TIMED = 500
#: The number of nearest powers, one of which is a friend at the start of a game.
FRIENDS = 3
#: The standard deviation of the logarithm of a power's weight for another; and the years in which these
#: weights fade.
LIKING = 0.2
YEARS = 4


class Iterated(Chair):
    """Optimises every power's sets of orders in turn against the mixtures of all others, in rounds.

    Modelled on what is known of Albert (van Hal, 2007 to 2011). Every power has a pool of sets, built from
    good orders of single units with supports (also of foreign units) and stand-offs, without dominated
    orders. In up to 15 rounds a pool is valued by adjudication against joint orders from the others'
    mixtures, weighted by its values, and renewed. Sizes of powers count overpowered centres. Alliances follow
    from orders. There is more caution, and no alliance, if somebody is about to win. Each game has a
    predisposition from the seat's seed: a first friend and preferences. Details that are not described were
    chosen here: the weights of values, the shares of the limit, how sets are drawn, and how trust grows from
    one first friend. Builds and retreats follow the values of places only.

    `alliances` can be switched off. `evaluation` names one of Bordeaux's, which then decides between the best
    sets of the rounds, in place of its own values (`own`). `time` (seconds) and `nodes` (one is one
    adjudication) are limits for every phase. The lower of them and the table's applies; without any limit it
    is `NODES` nodes. With a limit in nodes only, the same seat and turns give the same orders. Raises
    BordeauxError for invalid values.
    """

    def __init__(
        self,
        seat: Seat,
        *,
        alliances: bool = True,
        evaluation: str = OWN,
        time: float | None = None,
        nodes: int | None = None,
    ) -> None:
        super().__init__(seat)
        self._own = checked(Limit(time, nodes))
        self._trust = Trust(seat.map) if alliances else None
        friends = neighbours(seat.map, self.number, FRIENDS)
        friend = self.chance.choice(friends) if friends else None
        if self._trust is not None and friend is not None:
            self._trust.begin(self.number, friend)
        powers = len(seat.map.powers)
        draws = np.random.default_rng(self.chance.getrandbits(64))
        self._liking = np.exp(LIKING * draws.standard_normal((powers, powers + 1)))
        self._rate = RATE
        self._rollout = (
            None if evaluation == OWN else Rollout(evaluator(seat.map, evaluation), DUMBBOT.chooser(seat.map))
        )

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The orders from the rounds; retreats and adjustments by the values of places."""
        allowed = tightest(limit, self._own)
        if allowed == Limit():
            allowed = Limit(nodes=NODES)
        clock = Clock(allowed)
        worth = self._worth(position)
        if position.phase.kind == "R":
            return decoded(position.map, retreated(position, self.number, worth))
        if position.phase.kind == "A":
            return decoded(position.map, adjusted(position, self.number, worth))

        rounds = IteratedRounds(position, self.number, worth, self.chance, clock, self._rollout)
        begun = clocks.monotonic()

        def nodes() -> float:
            nodes = float("inf") if allowed.nodes is None else float(allowed.nodes - clock.nodes)
            if allowed.time is not None:
                spent = clocks.monotonic() - begun
                if clock.nodes > TIMED:
                    self._rate = clock.nodes / spent
                nodes = min(nodes, self._rate * clock.seconds_left())
            return nodes

        return decoded(position.map, rounds.run(nodes))

    def _worth(self, position: Position) -> Worth:
        powers = len(position.map.powers)
        trust = np.zeros((powers, powers)) if self._trust is None else self._trust.shares()
        years = position.phase.year - position.map.start_phase.year
        liking = self._liking ** max(0.0, 1 - years / YEARS)
        return Worth(position, trust, liking)

    def observe(self, turn: Turn) -> None:
        """Update the trust from a movement phase."""
        if self._trust is not None and turn.before.phase.kind == "M":
            self._trust.observe(turn)
