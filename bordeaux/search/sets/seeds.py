"""Seeds: the full sets of orders that a search starts from (paper 002, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bordeaux.board.code import as_bytes, codes_in, make_code, unit_of
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.rules.rulesets import DATC, RuleSet

__all__ = ["by_owner", "from_orders", "in_full", "repeated"]


def from_orders(
    position: Position, power: str, orders: Iterable[str | Order], rules: RuleSet = DATC
) -> bytes:
    """The codes of suggested, promised or threatened orders; those that `rules` make illegal are left out."""
    submission = submit(position, {power: orders}, given_routes=rules.given_routes)
    return as_bytes([code for _, code in submission.codes()])


def in_full(position: Position, power: str, orders: bytes) -> dict[int, int]:
    """The codes of a power's orders in a movement phase by the location of the unit, in the order of the
    locations, with a hold for every unit without one."""
    units = position.units_of(power)
    locations = sorted(position.map.location(unit.kind, unit.location).index for unit in units)
    held = {location: make_code(OrderKind.HOLD, location) for location in locations}
    return held | {unit_of(code): code for code in codes_in(orders)}


def by_owner(
    position: Position, sets: Iterable[Iterable[str | Order]], rules: RuleSet = DATC
) -> dict[str, list[bytes]]:
    """Sets of orders as seeds for the powers whose units they order, each set one seed for each of them.

    A neighbour's promise is a seed for the neighbour. Orders for missing units are left out, like illegal
    ones. Raises OrderError for unreadable orders.
    """
    seeds: dict[str, list[bytes]] = {}
    for orders in sets:
        owned: dict[str, list[Order]] = {}
        for given in orders:
            order = given if isinstance(given, Order) else parse_order(given, position.map, position)
            unit = position.unit_at(order.location.partition("/")[0])
            if unit is not None:
                owned.setdefault(unit.power, []).append(order)
        for power, theirs in owned.items():
            seeds.setdefault(power, []).append(from_orders(position, power, theirs, rules))
    return seeds


def repeated(
    position: Position, previous: Mapping[str, Iterable[str | Order]], rules: RuleSet = DATC
) -> dict[str, bytes]:
    """For every power the last orders of the units that are still in the same place.

    `previous` are the orders of the movement phase before.
    """
    seeds = {}
    for power, orders in previous.items():
        name = position.map.power(power)
        again = [
            order
            for order in submit(position, {name: orders}, given_routes=rules.given_routes).orders
            if not order.fault and order.order.kind != OrderKind.CONVOY
        ]
        seeds[name] = as_bytes([order.code for order in again])
    return seeds
