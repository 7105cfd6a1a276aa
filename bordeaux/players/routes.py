"""The orders of one power's units, fixed unit by unit so that they are consistent; and their routes to
places of weight."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random
from typing import NamedTuple, TypeVar

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.players.map_index import MapSituation, map_index, situation

W = TypeVar("W")


class OrderPlan:
    """Orders of a power for a movement phase. `free` are its units without an order yet, in order of
    province. No two of them go to one province, and none goes to a province where another stays. A unit may
    follow another only when that one's order is known, so no two units exchange places."""

    def __init__(self, situation: MapSituation, power: int) -> None:
        self.situation = situation
        self.power = power
        self.free = dict.fromkeys(situation.units_of(power))
        self._orders: dict[int, Order] = {}
        self._goals: dict[int, int] = {}
        self._supports: Counter[int] = Counter()
        self._taken: set[int] = set()

    def assign(
        self, wishes: Iterable[W], goal: Callable[[W], tuple[int, int]], examine: Callable[[W], bool]
    ) -> None:
        """Examine wishes in turn, which may commit a unit to a province, its `goal`. Those for provinces
        where one of ours stays or goes are left out. If a unit of ours without an order is there they wait,
        and come again as long as a unit commits."""
        committed, left = True, list(wishes)
        while committed:
            committed, waiting = False, []
            for wish in left:
                unit, province = goal(wish)
                there = self.situation.at.get(province)
                if unit not in self.free or province in self._taken:
                    continue
                if there in self.free and there != unit:
                    waiting.append(wish)
                else:
                    committed = examine(wish) or committed
            left = waiting

    def supporters(self, unit: int, province: int) -> list[int]:
        """Free units that could support another to go to a province or to stay there."""
        return [
            neighbour
            for neighbour in self.situation.near[province]
            if neighbour in self.free and neighbour != unit
        ]

    def commit(self, unit: int, location: int, drafted: Iterable[int] = ()) -> None:
        """Send a unit to an adjacent location, the way to which must be open, or let it stay; each of the
        drafted units supports it."""
        ground = self.situation.ground
        order = Order(OrderKind.HOLD, *self._name(unit))
        if location != self.situation.location[unit]:
            order = order._replace(kind=OrderKind.MOVE, destination=ground.name[location])
        self._goals[unit] = location
        self._settle(unit, order, ground.province[location])
        for other in drafted:
            self._support(other, unit, location)

    def _support(self, unit: int, other: int, location: int) -> None:
        """Let a unit support another to go to a location, or to stay there."""
        order = Order(OrderKind.SUPPORT_HOLD, *self._name(unit), *self._name(other))
        if location != self.situation.location[other]:
            goal = self.situation.ground.name[location]
            order = order._replace(kind=OrderKind.SUPPORT_MOVE, destination=goal)
        self._settle(unit, order, self.situation.province[unit])
        self._supports[other] += 1

    def _settle(self, unit: int, order: Order, province: int) -> None:
        self._taken.add(province)
        self._orders[unit] = order
        self.free.pop(unit, None)

    def rally(self) -> None:
        """Let each unit that is free, or holds, support an adjacent own unit that lacks supports: the one
        that lacks most."""
        for unit in self.situation.units_of(self.power):
            if unit not in self.free and self._orders[unit].kind != OrderKind.HOLD:
                continue
            wishes = [
                (self._lacking(other, location), -other, location)
                for other, location in self._goals.items()
                if other != unit and unit in self.situation.near[self.situation.ground.province[location]]
            ]
            lacking, other, location = max(wishes, default=(0, 0, 0))
            if lacking > 0:
                self._support(unit, -other, location)

    def _lacking(self, unit: int, location: int) -> int:
        """The number of supports that a unit lacks to be safe at its destination or in its place."""
        province = self.situation.ground.province[location]
        count = self.situation.threats(province, self.power)[0]
        stays = location == self.situation.location[unit]
        return count - stays - self._supports[unit]

    def orders(self) -> list[Order]:
        """The orders, by province; units that are still free hold."""
        for unit in list(self.free):
            self.commit(unit, self.situation.location[unit])
        return [self._orders[unit] for unit in sorted(self._orders)]

    def _name(self, unit: int) -> tuple[str, str]:
        ground, location = self.situation.ground, self.situation.location[unit]
        return ground.kind[location], ground.name[location]


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

    def examine(route: Route) -> bool:
        supporters = sorted(plan.supporters(route.unit, route.province), key=best.__getitem__)
        needed = _threats(now, power, route.unit, route.location)
        plan.commit(route.unit, route.location, supporters[:needed])
        return True

    plan.assign(routes, lambda route: (route.unit, route.province), examine)
    plan.rally()
    return plan.orders()


def _threats(now: MapSituation, power: int, unit: int, location: int) -> int:
    """The number of supports that make a unit safe from any one power at its destination or in its place."""
    province = now.ground.province[location]
    stays = location == now.location[unit]
    return max(0, now.attackers(province, power)[1] - 1) if stays else now.threats(province, power)[1]


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


def removals(position: Position, power: int, worth: Callable[[int], float]) -> list[Order]:
    """The due number of units, those in the places of least worth; none where no removals are due."""
    now = situation(position)
    due = max(0, -position.adjustments(position.map.powers[power]))
    places = sorted((now.location[unit] for unit in now.units_of(power)), key=worth)
    return [now.ground.order(OrderKind.DISBAND, place) for place in places[:due]]


def retreats_by_worth(position: Position, power: int, worth: Sequence[float]) -> list[Order]:
    """Every dislodged unit goes to the best place open to it that no other takes; else it disbands. `worth`
    is by location. The unit with the best retreat chooses first; ties go to the first in the position's
    list."""
    ground = map_index(position.map)
    name = position.map.powers[power]
    units = [(unit, retreats) for unit, retreats in position.dislodged if unit.power == name]
    wishes = [
        (worth[ground.number[unit.kind, retreat]], number, retreat)
        for number, (unit, retreats) in enumerate(units)
        for retreat in retreats
    ]
    chosen: dict[int, str] = {}
    taken: set[str] = set()
    for _, number, retreat in sorted(wishes, key=lambda wish: -wish[0]):
        province = retreat.partition("/")[0]
        if number not in chosen and province not in taken:
            chosen[number] = retreat
            taken.add(province)
    return [
        Order(OrderKind.RETREAT, unit.kind, unit.location, destination=chosen[number])
        if number in chosen
        else Order(OrderKind.DISBAND, unit.kind, unit.location)
        for number, (unit, _) in enumerate(units)
    ]
