"""Orders as DAIDE writes them: ``(TUR FLT ANK) MTO BLA``, and back.

DAIDE names the power of every unit, tells retreats from moves and removals from disbands, and
lists the fleets of a convoy, so writing an order takes the position that it is for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from bordeaux.board.daide_syntax import Tree, parse_daide, show
from bordeaux.board.errors import OrderError, PositionError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.unit import Unit
from bordeaux.formats.daide_names import (
    place_from_daide,
    place_to_daide,
    power_from_daide,
    power_to_daide,
    province_from_daide,
    province_to_daide,
    unit_from_daide,
    unit_to_daide,
)

__all__ = ["convoy_route", "order_from_daide", "order_to_daide"]

_PLAIN = {"HLD": OrderKind.HOLD, "DSB": OrderKind.DISBAND, "REM": OrderKind.DISBAND, "BLD": OrderKind.BUILD}


def order_to_daide(order: Order, power: str, position: Position, route: Sequence[str] = ()) -> str:
    """Write an order of `power` in a position.

    `route` lists the seas of a convoyed move in the order of travel; without it a shortest chain of
    fleets in the position is named. Raises OrderError when there is none, or no such unit.
    """
    map = position.map
    if order.kind == OrderKind.WAIVE:
        return show((power_to_daide(power, map), "WVE"))
    unit = unit_to_daide(Unit(power, order.unit, order.location), map)
    goal = order.destination
    match order.kind:
        case OrderKind.HOLD:
            tree: Tree = (unit, "HLD")
        case OrderKind.MOVE if _by_convoy(order, map):
            fleets = tuple(route) or order.route or convoy_route(position, order.location, goal)
            if not fleets:
                raise OrderError(f"order {quote(str(order))}: DAIDE must name fleets that can convoy it")
            seas = tuple(province_to_daide(sea, map) for sea in fleets)
            tree = (unit, "CTO", province_to_daide(goal, map), "VIA", seas)
        case OrderKind.MOVE:
            tree = (unit, "MTO", place_to_daide(goal, map))
        case OrderKind.SUPPORT_HOLD:
            tree = (unit, "SUP", _other(order, position))
        case OrderKind.SUPPORT_MOVE:
            tree = (unit, "SUP", _other(order, position), "MTO", province_to_daide(goal, map))
        case OrderKind.CONVOY:
            tree = (unit, "CVY", _other(order, position), "CTO", province_to_daide(goal, map))
        case OrderKind.RETREAT:
            tree = (unit, "RTO", place_to_daide(goal, map))
        case OrderKind.DISBAND:
            tree = (unit, "REM" if position.phase.kind == "A" else "DSB")
        case _:
            tree = (unit, "BLD")
    return show(tree)


def _other(order: Order, position: Position) -> Tree:
    """The supported or convoyed unit, whose power only the position knows."""
    unit = position.unit_at(order.target.partition("/")[0])
    if unit is None:
        raise OrderError(f"order {quote(str(order))}: no unit in {order.target} for DAIDE to name")
    return unit_to_daide(unit, position.map)


def _by_convoy(order: Order, map: Map) -> bool:
    return order.via or (order.unit == "A" and order.destination not in map.adjacent("A", order.location))


def convoy_route(position: Position, origin: str, goal: str) -> tuple[str, ...]:
    """Seas of a shortest chain of fleets that could convoy an army; empty if there is none."""
    map = position.map
    fleets = {unit.location for unit in position.units if map.province(unit.province).kind == "sea"}
    starts = [place for each in map.locations_in("F", origin) for place in map.adjacent("F", each.name)]
    ends = {place for each in map.locations_in("F", goal) for place in map.adjacent("F", each.name)}
    came_from: dict[str, str] = {}
    queue: deque[str] = deque()
    for sea in starts:
        if sea in fleets and sea not in came_from:
            came_from[sea] = ""
            queue.append(sea)
    while queue:
        sea = queue.popleft()
        if sea in ends:
            route = [sea]
            while came_from[route[-1]]:
                route.append(came_from[route[-1]])
            return tuple(reversed(route))
        for neighbour in map.adjacent("F", sea):
            if neighbour in fleets and neighbour not in came_from:
                came_from[neighbour] = sea
                queue.append(neighbour)
    return ()


def order_from_daide(text: str, map: Map) -> tuple[str, Order]:
    """Read one order, within brackets or not: the power that gives it, and the order.

    Raises FormatError for what is not DAIDE and OrderError for what is no order.
    """
    tree = parse_daide(text)
    if len(tree) == 1 and isinstance(tree[0], tuple):
        tree = tree[0]
    try:
        return _order(tree, map)
    except PositionError as error:
        raise OrderError(f"order {quote(text.strip())}: {error}") from None


def _order(tree: Tree, map: Map) -> tuple[str, Order]:
    if len(tree) == 2 and tree[1] == "WVE":
        return power_from_daide(tree[0], map), Order(OrderKind.WAIVE)
    if len(tree) < 2 or not isinstance(tree[1], str):
        raise PositionError("expected a unit and what it does, like '(TUR FLT ANK) MTO BLA'")
    power, unit, location = unit_from_daide(tree[0], map)
    match tree[1:]:
        case (("HLD" | "DSB" | "REM" | "BLD") as verb,):
            return power, Order(_PLAIN[verb], unit, location)
        case ("MTO", place):
            return power, Order(OrderKind.MOVE, unit, location, destination=_goal(place, map))
        case ("RTO", place):
            return power, Order(OrderKind.RETREAT, unit, location, destination=_goal(place, map))
        case ("CTO", place, "VIA", tuple(seas)) if seas:
            route = tuple(province_from_daide(sea, map) for sea in seas)
            goal = province_from_daide(place, map)
            return power, Order(OrderKind.MOVE, unit, location, destination=goal, via=True, route=route)
        case ("SUP", other):
            target = unit_from_daide(other, map)
            return power, Order(OrderKind.SUPPORT_HOLD, unit, location, target.kind, target.location)
        case ("SUP", other, "MTO", place):
            kind = OrderKind.SUPPORT_MOVE
        case ("CVY", other, "CTO", place):
            kind = OrderKind.CONVOY
        case _:
            raise PositionError(f"cannot read {quote(show(tree[1:]))}")
    target = unit_from_daide(other, map)
    goal = province_from_daide(place, map)
    return power, Order(kind, unit, location, target.kind, target.location, goal)


def _goal(tree: object, map: Map) -> str:
    return place_from_daide(tree, map)
