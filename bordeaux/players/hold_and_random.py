"""The two weakest players: one draws random legal orders, one never moves."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit, decoded


class RandBot(Chair):
    """RandBot (Norman): a random legal order for every unit.

    From Håård (2004), section 2.5.1: the moves that are available to each unit, at random. Chosen here: all
    legal orders are equally probable, supports and convoys included. Removals are a random set of units.
    Builds are a random set of open homes with a random kind and coast each, none waived.
    """

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """One random legal order for each unit, or for each build or removal that is due."""
        legal = position.packed.legal().get(self.number, {})
        if position.phase.kind != "A":
            return decoded(position.map, [self.chance.choice(codes) for codes in legal.values()])
        by_province: dict[int, list[int]] = {}
        for location, codes in legal.items():
            by_province.setdefault(position.map.locations[location].province, []).extend(codes)
        due = abs(position.adjustments(self.seat.power))
        provinces = self.chance.sample(list(by_province.values()), due)
        return decoded(position.map, [self.chance.choice(codes) for codes in provinces])


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
