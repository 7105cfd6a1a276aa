"""HaAI as a player: the engine that passes the phases to the unit agents (paper 001, section 3.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair
from bordeaux.players.haai.adjustments import builds, removals
from bordeaux.players.haai.planning import make_plan
from bordeaux.players.haai.values import values
from bordeaux.players.haai.weights import weights
from bordeaux.players.map_index import situation
from bordeaux.players.protocol import Limit
from bordeaux.players.routes import retreats_by_worth

__all__ = ["HaaiBerserk", "HaaiVanilla"]


class _Haai(Chair):
    """Every unit is an agent that values the places around it and proposes goals; together they decide who
    goes where with whose support. There is no search, no press and no convoy.

    From the paper are the values of locations, the weights, the plan formation, and the rules for builds,
    removals and retreats. Choices where it is silent are documented in `haai.values` (the missing figure,
    threats), `haai.agents` (wanted and required support, the chain factors), `haai.planning` (own units in
    the way) and `haai.adjustments` (the reach of armies and fleets). Ties go to the first in the map's list;
    only the retries are random.
    """

    variant: ClassVar[str]

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders for a phase; it takes a millisecond or less, whatever the limit."""
        table, now = weights(self.variant), situation(position)
        if position.phase.kind == "M":
            return make_plan(now, self.number, table, self.chance)
        worth = values(now, self.number, table)
        if position.phase.kind == "R":
            return retreats_by_worth(position, self.number, worth)
        if position.adjustments(self.seat.power) < 0:
            return removals(position, self.number, worth)
        return builds(position, self.number, worth)


class HaaiVanilla(_Haai):
    """HaAI with the weights of table 3.1 that treat attack and defence almost equally."""

    variant = "vanilla"


class HaaiBerserk(_Haai):
    """HaAI with the weights of table 3.1 that prefer other powers' centres, in particular their homes, and
    attempt riskier moves."""

    variant = "berserk"
