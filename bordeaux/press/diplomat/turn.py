"""A turn in the form that the diplomat's accounts need: the valid order of every unit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from functools import cached_property
from typing import TypeAlias

from bordeaux.board.code import effect_of, make_code, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import decode, submit
from bordeaux.press.language.terms import slot

Deed: TypeAlias = tuple[str, Order]
"""A power with one of its orders."""


class ObservedTurn:
    """The valid orders of all powers in a position: the legal ones, and holds for the other units.

    `excused` are orders agreed upon with the powers concerned: they break no term.
    """

    def __init__(self, before: Position, orders: Mapping[str, Iterable[Order]]) -> None:
        self.before = before
        self.excused: Collection[Deed] = ()
        self.orders: dict[str, tuple[Order, ...]] = {}
        self._codes: dict[Deed, int] = {}
        map = before.map
        given: dict[str, list[int]] = {power: [] for power in map.powers}
        for submitted in submit(before, {power: list(theirs) for power, theirs in orders.items()}).orders:
            if not submitted.fault:
                given[submitted.power].append(submitted.code)
        for power, codes in given.items():
            if before.phase.kind == "M":
                ordered = {unit_of(code) for code in codes}
                for unit in before.units_of(power):
                    place = map.location(unit.kind, unit.location).index
                    if place not in ordered:
                        codes.append(make_code(OrderKind.HOLD, place))
            by_order = {decode(map, code): code for code in codes}
            self.orders[power] = tuple(by_order)
            self._codes |= {(power, order): code for order, code in by_order.items()}

    def excusing(self, deeds: Collection[Deed]) -> ObservedTurn:
        """The same turn, with other deeds excused."""
        if not deeds and not self.excused:
            return self
        other = copy(self)
        other.excused = deeds
        return other

    def code(self, power: str, order: Order) -> int:
        """The code of an order of a power."""
        return self._codes[power, order]

    def deeds(self, powers: Iterable[str]) -> list[Deed]:
        """The orders of some powers that are not excused."""
        deeds = [(power, order) for power in powers for order in self.orders[power]]
        return [deed for deed in deeds if deed not in self.excused]

    def given(self, power: str, order: Order) -> Order | None:
        """The order of a power with the same effect as another, by convoy or not, if there is one."""
        wanted = effect_of(submit(self.before, {power: [order]}).orders[0].code)
        mine = self.orders[power]
        return next((order for order in mine if effect_of(self.code(power, order)) == wanted), None)

    def instead(self, power: str, order: Order) -> tuple[Order, ...]:
        """The orders of a power in place of an order: that of the unit, or in Winter all orders. A dislodged
        unit without an order is disbanded, and a missing build is a waive."""
        if self.before.phase.kind == "A":
            return self.orders[power] or (Order(OrderKind.WAIVE),)
        province = province_of(order.location)
        given = tuple(order for order in self.orders[power] if province_of(order.location) == province)
        return given or (Order(OrderKind.DISBAND, order.unit, order.location),)

    def options(self, power: str) -> Iterable[int]:
        """Codes of all orders that a power could have given."""
        units = self._legal.get(self.before.map.powers.index(power), {})
        return (code for codes in units.values() for code in codes)

    @cached_property
    def _legal(self) -> dict[int, dict[int, list[int]]]:
        return self.before.packed.legal()


def suits(order: Order, position: Position) -> bool:
    """Whether an order is of the kind of a position's phase."""
    return slot(order.kind, position.phase) == position.phase


def can_give(position: Position, power: str, order: Order) -> bool:
    """Whether an order is legal for a power in a position, and of the kind of its phase."""
    return suits(order, position) and not submit(position, {power: [order]}).orders[0].fault


def province_of(location: str) -> str:
    """The province of a place."""
    return location.partition("/")[0]
