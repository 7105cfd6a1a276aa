"""The comparison of three graph searches on the board by the number of expanded nodes (Stormont and Allan
2009).

The paper looks for the shortest way of an unopposed power to sixteen centres. Its tree has the power at the
root, below it the places of the power's first units, and below each place the destinations of a unit there. A
node is a place on the graph of the board (figure 2). A coast of Bulgaria, Spain or Saint Petersburg is a node
beside the province. No node enters the tree twice.

docs/studies/graph.md gives the paper's text, our choices, and its figures beside ours.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map

GOAL = 16
"""Centres to reach in the paper; a solo takes two more."""

SEARCHES = ("breadth-first", "greedy", "a-star")
"""Sections 3.1 to 3.3; they differ in the value that says which node of the queue is next."""


class Search(NamedTuple):
    """The result of a search: nodes that entered the queue, centres reached, moves on the longest way to one
    of them, and whether the centres suffice."""

    queued: int
    centres: int
    moves: int
    reached: bool


class GraphNode(NamedTuple):
    """A place in the queue. Nodes are ordered by value, then by time of entry."""

    value: int
    entered: int
    heuristic: int
    level: int
    kind: str
    location: str


def search(map: Map, power: str, algorithm: str, goal: int = GOAL) -> Search:
    """Search the board for `goal` centres from the first units of `power`.

    The heuristic starts as the number of centres that each unit must find: goal / units rounded down (5, or 4
    for Russia, in section 3.2). It decreases by one below every centre. The value of a node is 0 for
    breadth-first search, the heuristic for greedy search, and heuristic + level for A*. The search ends as
    soon as the last needed centre enters the queue, or with an empty queue.

    Raises BordeauxError for an unknown algorithm, and for a goal above the number of centres of the map.
    """
    if algorithm not in SEARCHES:
        raise BordeauxError(f"unknown search {algorithm!r} (searches: {', '.join(SEARCHES)})")
    if not 1 <= goal <= len(map.centres):
        raise BordeauxError(f"map {map.name} has {len(map.centres)} centres: a goal of {goal} is none on it")
    full = {province.name: province.full for province in map.provinces}
    queue: list[GraphNode] = []
    entered: set[str] = set()
    #: The level at which each centre was found.
    found: dict[str, int] = {}

    def name(location: str) -> tuple[str, str]:
        """The paper's order is alphabetical, by full names."""
        return full[location.partition("/")[0]], location

    def enter(kind: str, location: str, heuristic: int, level: int) -> None:
        """Put a place into the queue; `heuristic` is that of its parent."""
        province = location.partition("/")[0]
        if province in map.centres and province not in found:
            found[province] = level
            heuristic -= 1
        value = {"breadth-first": 0, "greedy": heuristic, "a-star": heuristic + level}[algorithm]
        heapq.heappush(queue, GraphNode(value, len(entered), heuristic, level, kind, location))
        entered.add(location)

    units = [unit for unit in map.start_units if unit.power == power]
    for unit in sorted(units, key=lambda unit: name(unit.location)):
        enter(unit.kind, unit.location, goal // len(units), 1)
    while queue and len(found) < goal:
        node = heapq.heappop(queue)
        for location in sorted(map.adjacent(node.kind, node.location), key=name):
            if location not in entered and len(found) < goal:
                enter(node.kind, location, node.heuristic, node.level + 1)
    moves = max((level - 1 for level in found.values()), default=0)
    return Search(len(entered), len(found), moves, len(found) >= goal)


def compare(map: Map, goal: int = GOAL) -> dict[str, dict[str, Search]]:
    """Every search for every power of the map that starts with a unit."""
    powers = [power for power in map.powers if any(unit.power == power for unit in map.start_units)]
    return {
        algorithm: {power: search(map, power, algorithm, goal) for power in powers} for algorithm in SEARCHES
    }
