"""A player that never moves: the weakest opponent, equal to a lasting civil disorder."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair
from bordeaux.players.protocol import Limit

__all__ = ["Hold"]


class Hold(Chair):
    """Orders every unit to hold, disbands dislodged units and waives every build.

    It is not from a paper. Removals follow the rules for civil disorder, which remove the units farthest from
    home.
    """

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Holds in a movement phase, disbandments in a retreat phase, waived builds in Winter."""
        power = self.seat.power
        if position.phase.kind == "M":
            return [Order(OrderKind.HOLD, unit.kind, unit.location) for unit in position.units_of(power)]
        if position.phase.kind == "R":
            return [
                Order(OrderKind.DISBAND, dislodged.unit.kind, dislodged.unit.location)
                for dislodged in position.dislodged
                if dislodged.unit.power == power
            ]
        return [Order(OrderKind.WAIVE)] * max(0, position.adjustments(power))
