"""Armies that move by land when their convoy is missing, as in some programs that keep records.

In DATC (6.G.8) an army with VIA and without a convoy stays. The PyPI package ``diplomacy``, dipcc and godip's
site move it by land if its destination is adjacent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import submit

__all__ = ["by_land", "walkers"]

Orders = Mapping[str, Iterable[str | Order]]
Move = tuple[str, str]


def by_land(position: Position, orders: Orders) -> dict[str, list[Order]]:
    """The orders with VIA on exactly those moves of armies to a neighbour that a complete chain of fleets was
    ordered to convoy, and that intend the convoy.

    It is intended if the order says VIA or a fleet of the same power convoys (DATC 4.A.3). Only legal convoys
    count. Raises OrderError or MapError for unreadable text.
    """
    submitted = submit(position, orders).orders
    convoys: dict[Move, dict[str, str]] = {}
    for convoy in submitted:
        order = convoy.order
        if order.kind == OrderKind.CONVOY and not convoy.fault:
            convoys.setdefault((order.target, order.destination), {})[convoy.province] = convoy.power
    rewritten: dict[str, list[Order]] = {}
    for moving in submitted:
        order, move = moving.order, (moving.order.location, moving.order.destination)
        if _may_walk(position, order):
            fleets = convoys.get(move, {})
            meant = order.via or moving.power in fleets.values()
            order = order._replace(via=meant and _chain(position.map, move, fleets))
        rewritten.setdefault(moving.power, []).append(order)
    return rewritten


def walkers(position: Position, orders: Orders) -> list[Order]:
    """The moves from which `by_land` removes VIA."""
    before = [checked.order for checked in submit(position, orders).orders]
    after = [order for given in by_land(position, orders).values() for order in given]
    return [one for one, other in zip(before, after, strict=True) if one.via and not other.via]


def _may_walk(position: Position, order: Order) -> bool:
    """Whether this is the move of an army to an adjacent province."""
    if position.phase.kind != "M" or order.kind != OrderKind.MOVE or order.unit != "A":
        return False
    unit = position.unit_at(order.location)
    return (
        unit is not None
        and unit.kind == "A"
        and order.destination in position.map.adjacent("A", unit.location)
    )


def _chain(map: Map, move: Move, fleets: Iterable[str]) -> bool:
    """Whether fleets in these provinces connect both ends of a move."""
    origin, goal = move
    left = set(fleets)
    reached = [place for coast in map.locations_in("F", origin) for place in map.adjacent("F", coast.name)]
    ends = {place for coast in map.locations_in("F", goal) for place in map.adjacent("F", coast.name)}
    for sea in reached:
        if sea in left:
            left.remove(sea)
            if sea in ends:
                return True
            reached += map.adjacent("F", sea)
    return False
