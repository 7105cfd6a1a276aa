"""The fleets that a convoy's route could name under rules with explicit routes, as in DAIDE."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from bordeaux.board.order import Order
from bordeaux.board.placement import Placement

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
