"""Orders as DAIDE messages: complete, with convoy routes through the fleets that are ordered to convoy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bordeaux.board.convoys import convoy_route
from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import translate
from bordeaux.daide.client.thinking import fallback

__all__ = ["spare_orders", "with_route", "worded"]


def worded(
    position: Position, power: str, orders: Iterable[Order | str]
) -> tuple[tuple[d.Order, ...], list[str]]:
    """One order for everything that a power must order, in DAIDE's words, and the errors.

    Orders that cannot be read or expressed in DAIDE are left out and reported. Units without an order then
    hold or disband, and remaining builds are waived, so nothing is missing.
    """
    complaints: list[str] = []
    given: list[Order] = []
    for given_order in orders:
        try:
            given.append(
                given_order
                if isinstance(given_order, Order)
                else parse_order(given_order, position.map, position)
            )
        except BordeauxError as error:
            complaints.append(str(error))
    said: dict[str, d.Order] = {}
    waived = 0
    for order in given:
        if order.kind == OrderKind.WAIVE:
            waived += 1
            continue
        try:
            value = translate.value_of(with_route(order, given, position), power, position)
        except (BordeauxError, KeyError) as error:
            complaints.append(str(error))
        else:
            said.setdefault(_province(order), value)
    complete = [*said.values(), *_left_over(position, power, set(said), waived)]
    owed = abs(translate.adjustments_owed(position, power)) if position.phase.kind == "A" else len(complete)
    return tuple(complete[:owed]), complaints


def spare_orders(position: Position, power: str) -> tuple[d.Order, ...]:
    """Orders that can replace refused ones: in Winter waived builds or removals of every unit, in the order
    of the rules for civil disorder; else hold or disband for each unit."""
    plain = fallback(position, power)
    if position.phase.kind == "A" and translate.adjustments_owed(position, power) < 0:
        plain += [
            Order(OrderKind.DISBAND, unit.kind, unit.location)
            for unit in position.units_of(power)
            if all(unit.location != order.location for order in plain)
        ]
    return tuple(translate.value_of(order, power, position) for order in plain)


def _left_over(position: Position, power: str, ordered: set[str], waived: int) -> list[d.Order]:
    """Default orders for the rest: waived builds, then removals or units not among `ordered`."""
    plain = fallback(position, power)
    if position.phase.kind == "A" and translate.adjustments_owed(position, power) > 0:
        plain = plain[: max(waived, len(plain) - len(ordered))]
    return [
        translate.value_of(order, power, position)
        for order in plain
        if order.kind == OrderKind.WAIVE or _province(order) not in ordered
    ]


def _province(order: Order) -> str:
    return order.location.partition("/")[0]


def with_route(order: Order, given: Sequence[Order], position: Position) -> Order:
    """A convoyed move with a route of fleets that are ordered to convoy it, if they form one."""
    if order.kind != OrderKind.MOVE or order.unit != "A" or order.route:
        return order
    goal = order.destination.partition("/")[0]
    convoying = {
        _province(convoy)
        for convoy in given
        if convoy.kind == OrderKind.CONVOY
        and convoy.target.partition("/")[0] == _province(order)
        and convoy.destination.partition("/")[0] == goal
    }
    if not convoying:
        return order
    fleets = [unit for unit in position.units if unit.province in convoying]
    alone = Position(position.map, position.phase, fleets, {})
    route = convoy_route(alone, order.location, goal)
    return order._replace(route=route) if route else order
