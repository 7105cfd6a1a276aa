"""Parses and checks the orders of all powers for the core, one order for each unit.

An illegal order is ignored (DATC 4.E.1); of several legal orders for a unit the first counts (4.D.3). The
province alone identifies the unit of an order: a wrong kind or coast of the ordered unit is ignored (DATC
4.B.5, 4.C.2).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from bordeaux.board.code import codes_in, destination_of, is_via, kind_of, make_code, target_of, unit_of
from bordeaux.board.errors import MapError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import Placement, parse_order
from bordeaux.board.order import HELPS, Order, OrderKind, Unit

NOWHERE = 0
UNNEEDED = "unneeded"
"""How the fault of a convoy begins that no route of the army has a use for; it does no harm (DATC 6.G.19)."""


class Submitted(NamedTuple):
    """An order with its power, its code in the core, and the reason why it is void ("" if valid)."""

    power: str
    order: Order
    code: int
    fault: str

    @property
    def province(self) -> str:
        """Tag of the province of the ordered unit."""
        return self.order.location.partition("/")[0]

    @property
    def subject(self) -> str:
        """The unit that is ordered or built, as results name it (``A PAR``), or ``WAIVE``."""
        return f"{self.order.unit} {self.order.location}".strip() or str(self.order)


class Submission(NamedTuple):
    """All orders of a phase, in the order of the powers and of each power's list."""

    position: Placement
    orders: tuple[Submitted, ...]

    def routes(self) -> dict[int, list[int]]:
        """Fleets that convoyed armies name, by number of the province."""
        index = {province.name: province.index for province in self.position.map.provinces}
        return {
            index[submitted.province]: [index[sea] for sea in submitted.order.route]
            for submitted in self.orders
            if submitted.order.route and not submitted.fault
        }

    def legal(self) -> Submission:
        """The same if all orders are legal. Raises OrderError with the reason against the first other one."""
        for order in self.orders:
            if order.fault:
                raise OrderError(
                    f"{order.power}: {order.order} is illegal in {self.position.phase}: {order.fault}"
                )
        return self

    def codes(self) -> list[tuple[int, int]]:
        """(power number, code) of the valid orders, as `Packed.adjudicate` takes them."""
        number = self.position.map.powers.index
        return [(number(submitted.power), submitted.code) for submitted in self.orders if not submitted.fault]


def submit(
    position: Placement, orders: Mapping[str, Iterable[str | Order]], *, given_routes: bool = False
) -> Submission:
    """Check the orders of all powers. Raises OrderError or MapError for unreadable ones.

    With `given_routes` a convoyed move that names no route is illegal. A convoy is then legal for every fleet
    that a route could name, even if the route would be shorter without it.
    """
    listed = by_power(position.map, orders)
    submitted: list[Submitted] = []
    for power in position.map.powers:
        for entry in listed.get(power, ()):
            order = entry if isinstance(entry, Order) else parse_order(entry, position.map, position)
            checked = check(position, power, order)
            if given_routes:
                checked = _by_given_route(position, checked)
            submitted.append(checked)
    submitted = (_as_many_as_due if position.phase.kind == "A" else _one_for_each_unit)(position, submitted)
    return Submission(position, tuple(submitted))


def by_power(
    map: Map, orders: Mapping[str, Iterable[str | Order]] | None
) -> dict[str, tuple[str | Order, ...]]:
    """Orders by the full names of their powers; None is no order. Raises OrderError for anything but lists by
    power, and MapError for an unknown power."""
    if orders is None:
        return {}
    if not isinstance(orders, Mapping):
        raise OrderError(f"orders are a mapping of powers to lists of orders, not {quote(orders)}")
    listed: dict[str, tuple[str | Order, ...]] = {}
    for name, given in orders.items():
        if isinstance(given, str | Order) or not isinstance(given, Iterable):
            raise OrderError(f"orders of {name} must be a list, not {quote(str(given))}")
        power = map.power(name)
        listed[power] = (*listed.get(power, ()), *given)
    return listed


def _by_given_route(position: Placement, submitted: Submitted) -> Submitted:
    """The verdict on an order where routes are given."""
    order = submitted.order
    if order.kind == OrderKind.CONVOY and submitted.fault:
        unit = position.unit_at(submitted.province)
        if unit is not None and unit.power == submitted.power and may_convoy(position, order):
            return submitted._replace(fault="")
    elif order.via and not order.route and not submitted.fault:
        return submitted._replace(fault="a convoyed move names the seas of its route")
    return submitted


def _as_many_as_due(position: Placement, submitted: list[Submitted]) -> list[Submitted]:
    """Give a fault to builds and removals beyond the due number, and to second ones in a place (6.I.7)."""
    places: set[tuple[str, str]] = set()
    result: list[Submitted] = []
    counts = dict.fromkeys(position.map.powers, 0)
    for order in submitted:
        due = abs(position.adjustments(order.power))
        if not order.fault and (order.power, order.province) in places:
            order = order._replace(fault=f"{order.province} has an order already")
        elif not order.fault and counts[order.power] == due:
            order = order._replace(fault=f"{order.power} owes no more than {due}")
        elif not order.fault:
            counts[order.power] += 1
            places |= {(order.power, order.province)} if order.province else set()
        result.append(order)
    return result


def _one_for_each_unit(position: Placement, submitted: list[Submitted]) -> list[Submitted]:
    taken: dict[int, int] = {}
    result: list[Submitted] = []
    for order in submitted:
        if not order.fault:
            unit = unit_of(order.code)
            if unit in taken:
                if taken[unit] == order.code:
                    continue
                order = order._replace(fault="the unit has an order already, and the first one counts")
            else:
                taken[unit] = order.code
        result.append(order)
    return result


def check(position: Placement, power: str, order: Order) -> Submitted:
    """Encode one order and give the reason if it is illegal."""
    code, fault = encode(position, power, order)
    if not fault and not position.packed.is_legal(code, position.map.powers.index(power)):
        fault = _why_illegal(position, power, order)
    return Submitted(power, order, code, fault)


def giver(order: Order, position: Placement) -> str:
    """The power that can give an order, or else the owner of the unit. Raises OrderError."""
    able = [power for power in position.map.powers if not check(position, power, order).fault]
    if len(able) == 1:
        return able[0]
    if able or order.kind == OrderKind.WAIVE:
        raise OrderError(f"{order}: whose order is this? write it like '{position.map.powers[0]}: {order}'")
    province = order.location.partition("/")[0]
    units = [*(dislodged.unit for dislodged in position.dislodged), *position.units]
    owner = next((unit.power for unit in units if unit.province == province), None)
    if owner is None and order.kind == OrderKind.BUILD:
        homes = position.map.homes
        owner = next((power for power in position.map.powers if province in homes[power]), None)
    # No power is to blame for others; the first has it among its orders, where it is void.
    return owner or position.map.powers[0]


def encode(position: Placement, power: str, order: Order) -> tuple[int, str]:
    """The code of an order for the core, and the reason if it has none ("" otherwise)."""
    kind, phase = order.kind, position.phase.kind
    if kind not in _KINDS_OF_PHASE.get(phase, ()):
        return 0, f"no such order in phase {position.phase}"
    if kind == OrderKind.WAIVE:
        return make_code(kind), ""
    map = position.map
    province = order.location.partition("/")[0]
    if kind == OrderKind.BUILD:
        try:
            return make_code(kind, map.location(order.unit, order.location).index), ""
        except MapError as error:
            return 0, str(error)
    unit = _ordered_unit(position, province)
    if unit is None:
        return 0, f"no {'dislodged ' if phase == 'R' else ''}unit in {province}"
    place = map.location(unit.kind, unit.location).index
    if kind in (OrderKind.HOLD, OrderKind.DISBAND):
        return make_code(kind, place), ""
    if kind in (OrderKind.MOVE, OrderKind.RETREAT):
        target, fault = _destination(position, unit, order.destination)
        return make_code(kind, place, target, via=order.via), fault
    other = position.unit_at(order.target.partition("/")[0])
    if other is None:
        return 0, f"no unit in {order.target} to {'convoy' if kind == OrderKind.CONVOY else 'support'}"
    target = map.location(other.kind, other.location).index
    if kind == OrderKind.SUPPORT_HOLD:
        return make_code(kind, place, target), ""
    destination, fault = _supported_destination(position, other, order.destination)
    return make_code(kind, place, target, destination), fault


_KINDS_OF_PHASE = {
    "M": (OrderKind.HOLD, OrderKind.MOVE, OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY),
    "R": (OrderKind.RETREAT, OrderKind.DISBAND),
    "A": (OrderKind.BUILD, OrderKind.DISBAND, OrderKind.WAIVE),
}


def _ordered_unit(position: Placement, province: str) -> Unit | None:
    if position.phase.kind == "R":
        return next((unit for unit, _ in position.dislodged if unit.province == province), None)
    return position.unit_at(province)


def _destination(position: Placement, unit: Unit, name: str) -> tuple[int, str]:
    """The destination of a move; a missing coast is filled in if only one fits (DATC 4.B.2)."""
    tag, _, coast = name.partition("/")
    options = position.map.locations_in(unit.kind, tag)
    if not options:
        return NOWHERE, f"{unit} cannot stand in {name}"
    if len(options) == 1:
        return options[0].index, ""
    if coast:
        exact = [option for option in options if option.name == name]
    else:
        near = position.map.adjacent(unit.kind, unit.location)
        exact = [option for option in options if option.name in near]
    if len(exact) == 1:
        return exact[0].index, ""
    if coast:
        return NOWHERE, f"no coast {name}"
    if exact:
        return NOWHERE, f"{unit} must say to which coast of {tag} it goes"
    return NOWHERE, f"{unit} cannot go to {tag}"


def _supported_destination(position: Placement, unit: Unit, name: str) -> tuple[int, str]:
    """The destination of a supported or convoyed move; without a coast any is allowed (4.B.4)."""
    map = position.map
    tag, _, coast = name.partition("/")
    if coast and unit.kind == "F":
        exact = [location for location in map.locations_in("F", tag) if location.name == name]
        if exact:
            return exact[0].index, ""
    options = map.locations_in("A", tag) or map.locations_in("F", tag)
    return (options[0].index, "") if options else (NOWHERE, f"no such place {name}")


def _why_illegal(position: Placement, power: str, order: Order) -> str:
    province = order.location.partition("/")[0]
    if order.kind == OrderKind.WAIVE:
        return f"{power} has no build to waive"
    unit = _ordered_unit(position, province)
    if order.kind == OrderKind.BUILD:
        if position.adjustments(power) <= 0:
            return f"{power} has no unit to build"
        if unit is not None:
            return f"{province} is occupied"
        return f"{province} is not a home centre that {power} owns"
    if unit is not None and unit.power != power:
        return f"{unit} belongs to {unit.power}"
    if order.kind == OrderKind.DISBAND:
        return f"{power} has no unit to remove"
    if order.kind == OrderKind.MOVE and order.via and unit is not None and unit.kind == "A":
        return _why_no_convoy(position, unit, order.destination)
    if order.kind in (OrderKind.MOVE, OrderKind.RETREAT):
        return f"{unit} cannot {'go' if order.kind == OrderKind.MOVE else 'retreat'} to {order.destination}"
    if order.kind == OrderKind.CONVOY and may_convoy(position, order):
        return f"{UNNEEDED}: the convoy from {order.target} to {order.destination} is complete without {unit}"
    if order.kind == OrderKind.CONVOY:
        return f"{unit} cannot be part of a convoy from {order.target} to {order.destination}"
    return f"{unit} cannot support {order.target_unit} {order.target}" + (
        f" to {order.destination}" if order.destination else " to hold"
    )


def _why_no_convoy(position: Placement, unit: Unit, goal: str) -> str:
    """Why an army cannot be convoyed to a province."""
    ends = (unit.province, goal)
    inland = [end for end in ends if position.map.province(end).kind != "coastal"]
    why = f"no chain of fleets at sea leads from {unit.province}"
    if inland:
        why = f"{inland[0]} is not on a coast"
    walks = "; without VIA it goes by land" if goal in position.map.adjacent("A", unit.location) else ""
    return f"{unit} cannot go to {goal} by convoy: {why}{walks}"


def decode(map: Map, code: int) -> Order:
    """The order of a code of the core."""
    kind = kind_of(code)
    if kind == OrderKind.WAIVE:
        return Order(kind)
    locations = map.locations
    unit = locations[unit_of(code)]
    target = locations[target_of(code)]
    if kind in HELPS:
        goal = "" if kind == OrderKind.SUPPORT_HOLD else locations[destination_of(code)].name
        return Order(kind, unit.kind, unit.name, target.kind, target.name, goal)
    if kind in (OrderKind.MOVE, OrderKind.RETREAT):
        return Order(kind, unit.kind, unit.name, destination=target.name, via=is_via(code))
    return Order(kind, unit.kind, unit.name)


def texts(map: Map, orders: bytes) -> tuple[str, ...]:
    """Orders (bytes of codes) in text notation."""
    return tuple(str(decode(map, code)) for code in codes_in(orders))


# The fleets that a convoy's route could name under rules with explicit routes, as in DAIDE.

_Node = tuple[str, str]
_Arcs = dict[_Node, set[_Node]]
_END: _Node = "", "end"


def may_convoy(position: Placement, order: Order) -> bool:
    """Whether a route could contain the fleet of a convoy order: from fleet to fleet at sea, each at most
    once, from the army to its goal. The fleet may be unnecessary."""
    map = position.map
    fleet, army, goal = (
        place.partition("/")[0] for place in (order.location, order.target, order.destination)
    )
    at_sea = {unit.province for unit in position.units if map.province(unit.province).kind == "sea"}
    passenger = position.unit_at(army)
    if fleet not in at_sea or passenger is None or passenger.kind != "A" or army == goal:
        return False
    if position.phase.kind != "M" or not map.locations_in("A", goal):
        return False
    # There is one if two paths without a common fleet lead from the fleet to both ends: a flow of two.
    arcs: _Arcs = {}
    for before, after in _steps(position, at_sea, fleet, {army, goal}):
        arcs.setdefault(before, set()).add(after)
    return _push(arcs, (fleet, "out")) and _push(arcs, (fleet, "out"))


def _steps(
    position: Placement, at_sea: set[str], fleet: str, ends: set[str]
) -> Iterator[tuple[_Node, _Node]]:
    """The steps that can each be made once: through a sea, from sea to sea, and between sea and land at
    either end."""
    for end in ends:
        yield (end, "in"), _END
    for sea in at_sea:
        yield (sea, "in"), (sea, "out")
        for place in position.map.adjacent("F", sea):
            province = place.partition("/")[0]
            if province in ends or (province in at_sea and province != fleet):
                yield (sea, "out"), (province, "in")


def _push(arcs: _Arcs, start: _Node) -> bool:
    """Find a path from `start` to the end and reverse its arcs (Ford and Fulkerson); False if there is
    none."""
    came_from = {start: start}
    queue = [start]
    for node in queue:
        for after in arcs.get(node, ()):
            if after not in came_from:
                came_from[after] = node
                queue.append(after)
    node = _END
    while node in came_from and node != start:
        before = came_from[node]
        arcs[before].remove(node)
        arcs.setdefault(node, set()).add(before)
        node = before
    return node == start


def convoy_route(position: Placement, origin: str, goal: str) -> tuple[str, ...]:
    """Seas of a shortest chain of fleets that could convoy an army; empty if there is none."""
    map = position.map
    fleets = {unit.location for unit in position.units if map.province(unit.province).kind == "sea"}
    starts = [place for coast in map.locations_in("F", origin) for place in map.adjacent("F", coast.name)]
    ends = {place for coast in map.locations_in("F", goal) for place in map.adjacent("F", coast.name)}
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
