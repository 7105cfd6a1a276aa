"""RandBot: random legal orders, which every player must beat."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, decoded
from bordeaux.players.protocol import Limit

__all__ = ["RandBot"]


class RandBot(Chair):
    """RandBot (Norman): a random legal order for every unit.

    From paper 001, section 2.5.1: the moves that are available to each unit, at random. Chosen here: all
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
