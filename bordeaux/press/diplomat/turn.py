"""A turn as the accounts of the diplomat need it: every unit's order as it counts, and the press."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from functools import cached_property
from typing import TypeAlias

from bordeaux.board.code import destination_of, kind_of, make_code, target_of, unit_of
from bordeaux.board.order import HELPS, Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode, submit
from bordeaux.press.language.letter import Letter

__all__ = ["Deed", "ObservedTurn", "province_of", "suits"]

_PHASES = {
    "M": (OrderKind.HOLD, OrderKind.MOVE, *HELPS),
    "R": (OrderKind.RETREAT, OrderKind.DISBAND),
    "A": (OrderKind.BUILD, OrderKind.DISBAND, OrderKind.WAIVE),
}

Deed: TypeAlias = tuple[str, Order | None]
"""A power with an order of it, or with None for what it has said, or not said."""


class ObservedTurn:
    """The orders of all powers in a position as they count: the legal ones, and holds for the other units.

    `said` are the letters of the phase that `listener` has heard or sent. `excused` are deeds that were
    agreed upon with those who could complain: no term is broken by them.
    """

    def __init__(
        self,
        before: Position,
        orders: Mapping[str, Iterable[Order]],
        said: Collection[Letter] = (),
        listener: str = "",
    ) -> None:
        self.before = before
        self.said = said
        self.listener = listener
        self.excused: Collection[Deed] = ()
        self.orders: dict[str, tuple[Order, ...]] = {}
        self._codes: dict[Deed, int] = {}
        map = before.map
        given: dict[str, list[int]] = {power: [] for power in map.powers}
        for each in submit(before, {power: list(theirs) for power, theirs in orders.items()}).orders:
            if not each.fault:
                given[each.power].append(each.code)
        for power, codes in given.items():
            if before.phase.kind == "M":
                ordered = {unit_of(code) for code in codes}
                for unit in before.units_of(power):
                    place = map.location(unit.kind, unit.location).index
                    if place not in ordered:
                        codes.append(make_code(OrderKind.HOLD, place))
            found = {decode(map, code): code for code in codes}
            self.orders[power] = tuple(found)
            self._codes |= {(power, order): code for order, code in found.items()}

    def excusing(self, deeds: Collection[Deed]) -> ObservedTurn:
        """The same turn, with other deeds excused."""
        if not deeds and not self.excused:
            return self
        other = copy(self)
        other.excused = deeds
        return other

    def code(self, power: str, order: Order) -> int:
        """The code of an order that a power has given."""
        return self._codes[power, order]

    def deeds(self, powers: Iterable[str]) -> list[tuple[str, Order]]:
        """What some powers have ordered and can be blamed for."""
        found = [(power, order) for power in powers for order in self.orders[power]]
        return [deed for deed in found if deed not in self.excused]

    def owner(self, province: str) -> str | None:
        """Who owns a centre, if it is one and is owned."""
        centres = self.before.map.centres
        return self.before.owners[centres.index(province)] if province in centres else None

    def holder(self, location: str) -> str | None:
        """Who has a unit in a place, if anybody."""
        unit = self.before.unit_at(province_of(location))
        return unit.power if unit else None

    def can(self, power: str, order: Order) -> bool:
        """Whether a power could have given an order."""
        return suits(order, self.before) and not submit(self.before, {power: [order]}).orders[0].fault

    def given(self, power: str, order: Order) -> Order | None:
        """The order of a power that does the same as another, by convoy or not, if there is one."""
        wanted = _does(submit(self.before, {power: [order]}).orders[0].code)
        return next((each for each in self.orders[power] if _does(self.code(power, each)) == wanted), None)

    def instead(self, power: str, order: Order) -> tuple[Order, ...]:
        """What a power has ordered in place of an order: that of the unit, or in Winter all that it did. Who
        gave none has disbanded a dislodged unit, or waived."""
        if self.before.phase.kind == "A":
            return self.orders[power] or (Order(OrderKind.WAIVE),)
        province = province_of(order.location)
        given = tuple(each for each in self.orders[power] if province_of(each.location) == province)
        return given or (Order(OrderKind.DISBAND, order.unit, order.location),)

    def options(self, power: str) -> Iterable[int]:
        """Codes of all orders that a power could have given."""
        units = self._legal.get(self.before.map.powers.index(power), {})
        return (code for codes in units.values() for code in codes)

    @cached_property
    def _legal(self) -> dict[int, dict[int, list[int]]]:
        return self.before.packed.legal()


def suits(order: Order, position: Position) -> bool:
    """Whether such an order is for phases like that of a position."""
    return order.kind in _PHASES.get(position.phase.kind, ())


def province_of(location: str) -> str:
    """The province of a place."""
    return location.partition("/")[0]


def _does(code: int) -> tuple[int, int, int, int]:
    """What an order does, whether it goes by convoy or not."""
    return kind_of(code), unit_of(code), target_of(code), destination_of(code)
