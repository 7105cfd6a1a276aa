"""Direct evidence in the orders of two powers for peace or war between them.

A search is needed only for ambiguous orders; an attack and a support for the other are clear evidence.
Paper 002, section 5: "any conflict between Italian and Turkish units would contradict a general promise of
peace".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.code import codes_in, destination_of, kind_of, target_of, unit_of
from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.rules.rulesets import DATC
from bordeaux.search.agreements import Agreement, Bond
from bordeaux.search.sets import from_orders

__all__ = ["ATTACK", "CLASH", "HELP", "Signs"]

ATTACK = "attack"
"""A unit moves to a place where the other has a unit or a centre, or helps such a move to a place that is not
the other's own."""
CLASH = "clash"
"""Both move to a province that neither owns, which may be arranged."""
HELP = "help"
"""A unit supports or convoys one of the other."""


class Signs:
    """The orders of a movement phase by pairs of powers. Illegal orders are no evidence."""

    def __init__(self, position: Position, orders: Mapping[str, Iterable[str | Order]]) -> None:
        self.position = position
        self._codes = {
            power: codes_in(from_orders(position, power, given)) for power, given in orders.items()
        }
        map = position.map
        self._standing = {map.province(unit.province).index: unit.power for unit in position.units}
        self._owners = {
            map.province(centre).index: owner
            for centre, owner in zip(map.centres, position.owners, strict=True)
        }
        #: Provinces that units leave, if nobody stops them.
        self._left = {
            self._province(unit_of(code))
            for codes in self._codes.values()
            for code in codes
            if kind_of(code) == OrderKind.MOVE
        }

    def of(self, power: str, other: str) -> str:
        """The evidence in a power's orders about its relation to another; empty for none."""
        codes = self._codes.get(power, ())
        bond = Bond(self.position, power, Agreement("peace", (power, other)), DATC)
        if any(bond.breaks(code) and not self._follows(code, other) for code in codes):
            return ATTACK
        if any(self._helps(code, other) for code in codes):
            return HELP
        goals = self._goals(codes) & self._goals(self._codes.get(other, ()))
        return CLASH if goals else ""

    def _province(self, location: int) -> int:
        return self.position.map.locations[location].province

    def _goals(self, codes: Sequence[int]) -> set[int]:
        return {self._province(target_of(code)) for code in codes if kind_of(code) == OrderKind.MOVE}

    def _follows(self, code: int, other: str) -> bool:
        """Whether an order moves, or supports a move, into a province that a unit of the other is about to
        leave, without gaining a centre: friends do this."""
        goal = self._province(target_of(code) if kind_of(code) == OrderKind.MOVE else destination_of(code))
        return goal in self._left and self._owners.get(goal) != other

    def _helps(self, code: int, other: str) -> bool:
        return kind_of(code) in HELPS and self._standing.get(self._province(target_of(code))) == other
