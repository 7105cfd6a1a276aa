"""Routes to places of high weight, sorted and assigned to units, the best first.

This is DiploBot's route analyser after its description (paper 001, section 2.5.2). Our Man'chi uses it as
well, with other weights.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.map_index import MapSituation, map_index
from bordeaux.players.plan import OrderPlan, Way

__all__ = ["movement_by_routes", "retreats_by_worth"]

#: Factor on routes into a province with a priority flag.
PRIORITY = 1.5


class Route(NamedTuple):
    """A first step of a unit, or staying, and its value in points."""

    value: float
    unit: int
    location: int
    province: int


def movement_by_routes(
    now: MapSituation, power: int, worth: Sequence[float], flagged: Collection[int], chance: Random
) -> list[Order]:
    """Orders for every unit of a power in a movement phase, by province.

    `worth` is the value of each location, in points; `flagged` are the provinces with a priority flag. The
    value of a route is that of its first location, times `PRIORITY` if flagged. If threats prevail it is
    multiplied by (2 + supports) / (2 + threats), where threats is the largest number of units of one power
    that could be there, one fewer for a unit that stays. Down the list (ties in random order), each unit gets
    its best route without a conflict with ours. It gets as many of the supports that would make it safe from
    any one power as are left, first those from units whose own best routes have the least value. Holds are
    turned into supports at the end.
    """
    plan = OrderPlan(now, power)
    routes = [route for unit in plan.free for route in _routes(now, power, unit, worth, flagged)]
    chance.shuffle(routes)
    routes.sort(key=lambda route: -route.value)
    best = {route.unit: route.value for route in reversed(routes)}
    assigned = True
    while assigned:
        assigned = False
        waiting = []
        for route in routes:
            if route.unit not in plan.free:
                continue
            way = plan.way(route.unit, route.province)
            if way is Way.WAITS:
                waiting.append(route)
            elif way is Way.OPEN:
                supporters = plan.supporters(route.unit, route.province)
                supporters.sort(key=lambda unit: best[unit])
                needed = _threats(now, power, route.unit, route.location)
                plan.commit(route.unit, route.location, supporters[:needed])
                assigned = True
        routes = waiting
    plan.rally()
    return plan.orders()


def _threats(now: MapSituation, power: int, unit: int, location: int) -> int:
    """The number of supports that make a unit safe from any one power at its destination or in its place."""
    province = now.ground.province[location]
    if location == now.location[unit]:
        return max(0, now.attackers(province, power)[1] - 1)
    return now.threats(province, power)[1]


def _routes(
    now: MapSituation, power: int, unit: int, worth: Sequence[float], flagged: Collection[int]
) -> list[Route]:
    """All routes of a unit."""
    home = now.location[unit]
    routes = []
    for location in (home, *now.ground.neighbours[home]):
        province = now.ground.province[location]
        supports = sum(
            now.power[supporter] == power and supporter != unit for supporter in now.near[province]
        )
        ratio = min(1.0, (2 + supports) / (2 + _threats(now, power, unit, location)))
        priority = PRIORITY if province in flagged else 1.0
        routes.append(Route(worth[location] * ratio * priority, unit, location, province))
    return routes


def retreats_by_worth(position: Position, power: int, worth: Sequence[float]) -> list[Order]:
    """Every dislodged unit goes to the best place open to it that no other takes; else it disbands.

    `worth` is by location. The unit with the best retreat chooses first; ties go to the first in the
    position's list.
    """
    ground = map_index(position.map)
    units = [
        dislodged for dislodged in position.dislodged if dislodged.unit.power == position.map.powers[power]
    ]
    wishes = [
        (worth[ground.number[dislodged.unit.kind, retreat]], number, retreat)
        for number, dislodged in enumerate(units)
        for retreat in dislodged.retreats
    ]
    chosen: dict[int, str] = {}
    taken: set[str] = set()
    for _, number, retreat in sorted(wishes, key=lambda wish: -wish[0]):
        province = retreat.partition("/")[0]
        if number not in chosen and province not in taken:
            chosen[number] = retreat
            taken.add(province)
    return [
        Order(OrderKind.RETREAT, dislodged.unit.kind, dislodged.unit.location, destination=chosen[number])
        if number in chosen
        else Order(OrderKind.DISBAND, dislodged.unit.kind, dislodged.unit.location)
        for number, dislodged in enumerate(units)
    ]
