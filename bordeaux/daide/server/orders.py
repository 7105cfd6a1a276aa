"""The orders that the powers have submitted in one turn, and those still due. LANGUAGE.md, section 6.

Powers are named by their tokens. A movement or retreat order replaces the one before for the same unit.
Builds, removals and waives add up until they are withdrawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server.order_notes import TAKEN, DaideBoard, note_on
from bordeaux.daide.translate import order_of

__all__ = ["AcceptedOrder", "Orders"]


class AcceptedOrder(NamedTuple):
    """A valid order, and its note: MBV, except if any order is accepted (AOA)."""

    order: d.Order
    note: str


class Orders:
    """The orders of one turn. With `any_order` (AOA), any order for an own unit is valid, and its note is
    replaced by the results."""

    def __init__(self, position: Position, any_order: bool = False) -> None:
        self.position = position
        self.board = DaideBoard(position)
        self.any_order = any_order
        self._given: dict[str, list[AcceptedOrder]] = {power: [] for power in self.board.names.powers}

    def of(self, power: str) -> tuple[AcceptedOrder, ...]:
        """The valid orders of a power, in the order of arrival."""
        return tuple(self._given[power])

    def submit(self, power: str, order: d.Order) -> str:
        """Judge an order and accept it if possible; returns the note for ``THX``."""
        given = self._given[power]
        note = note_on(order, power, self.board, [accepted.order for accepted in given])
        taken = self._has_place(power, order) if self.any_order else note == TAKEN
        if not taken:
            return note
        replaced = [accepted for accepted in given if self._replaces(order, accepted.order)]
        self._given[power] = [accepted for accepted in given if accepted not in replaced] + [
            AcceptedOrder(order, note)
        ]
        return TAKEN

    def _has_place(self, power: str, order: d.Order) -> bool:
        """Whether an order, legal or not, is for something of the power's own that can be ordered."""
        board = self.board
        kind = self.position.phase.kind
        owner = order.power if isinstance(order, d.WVE) else order.unit.power
        if owner != power:
            return False
        if kind == "A":
            left = abs(board.owed[power]) - len(self._given[power])
            if isinstance(order, d.REM):
                return board.owed[power] < 0 and left > 0 and order.unit in board.standing
            return isinstance(order, d.BLD | d.WVE) and board.owed[power] > 0 and left > 0
        if isinstance(order, d.WVE):
            return False
        return order.unit in (board.standing if kind == "M" else board.dislodged)

    def _replaces(self, order: d.Order, before: d.Order) -> bool:
        """Whether an order replaces an earlier one."""
        if self.position.phase.kind == "A":
            return isinstance(order, d.REM) and order == before
        return not isinstance(order, d.WVE) and not isinstance(before, d.WVE) and order.unit == before.unit

    def withdraw(self, power: str, order: d.Order) -> bool:
        """Withdraw an order; False if it is not among the valid ones."""
        given = self._given[power]
        accepted = next((candidate for candidate in reversed(given) if candidate.order == order), None)
        if accepted is not None:
            given.remove(accepted)
        return accepted is not None

    def clear(self, power: str) -> None:
        """Take back all orders of a power."""
        self._given[power].clear()

    def missing(self, power: str) -> d.MIS:
        """The missing orders of a power; bare if none."""
        kind = self.position.phase.kind
        if kind == "A":
            owed = self.board.owed[power]
            left = abs(owed) - len(self._given[power])
            return d.MIS(None, (left if owed < 0 else -left) or None)
        ordered = {
            accepted.order.unit for accepted in self._given[power] if not isinstance(accepted.order, d.WVE)
        }
        place = self.board.names.place
        if kind == "M":
            units = [d.UnitAt(unit, None) for unit in self.board.standing]
        else:
            units = [
                d.UnitAt(unit, tuple(place(retreat) for retreat in dislodged.retreats))
                for unit, dislodged in self.board.dislodged.items()
            ]
        owing = tuple(
            standing for standing in units if standing.unit.power == power and standing.unit not in ordered
        )
        return d.MIS(owing or None, None)

    def complete(self, power: str) -> bool:
        """Whether the turn need not wait for a power.

        It does not wait for waives of builds without an open home, as many programs do not count them;
        `missing` does.
        """
        missing = self.missing(power)
        if missing.number is not None and missing.number < 0:
            usable = self.position.adjustments(self.board.names.powers[power])
            return len(self._given[power]) >= usable
        return missing.units is None and missing.number is None

    def owing(self) -> tuple[str, ...]:
        """The powers that the turn waits for, in the order of the map."""
        return tuple(power for power in self._given if not self.complete(power))

    def counting(self) -> dict[str, list[Order]]:
        """Legal orders by the name of the power, as `bordeaux.rules.adjudicate` takes them.

        In Winter builds come before waives, and there are no more waives than open homes. DAIDE waives the
        other builds as well; in our rules they do not exist.
        """
        chosen_orders: dict[str, list[Order]] = {}
        for token, given in self._given.items():
            power = self.board.names.powers[token]
            legal = [
                order_of(accepted.order, self.position.map)[1] for accepted in given if accepted.note == TAKEN
            ]
            chosen = [order for order in legal if order.kind != OrderKind.WAIVE]
            waives = [order for order in legal if order.kind == OrderKind.WAIVE]
            if waives:
                chosen += waives[: max(0, self.position.adjustments(power) - len(chosen))]
            if chosen:
                chosen_orders[power] = chosen
        return chosen_orders

    def to_json(self) -> dict[str, list[str]]:
        """The orders as DAIDE text, by power, in the form of the saved game."""
        return {
            power: [d.text(accepted.order) for accepted in given]
            for power, given in self._given.items()
            if given
        }

    def restore(self, orders: Mapping[str, Iterable[d.Order]]) -> None:
        """Submit the orders of a saved game again."""
        for power, listed in orders.items():
            for order in listed:
                self.submit(power, order)
