"""Three searches of the board, compared by the nodes that they expand: paper 004, carried through.

The paper looks for the shortest way of an unopposed power to sixteen centres. Its tree has the power
at the root, the places of the power's first units below it, and below each place those that the
unit there can move to. A node is a place on the graph of the board (figure 2), where a coast of
Bulgaria, Spain and Saint Petersburg is a node beside the province. No node enters the tree twice.

What the paper says, what had to be chosen, and its figures beside ours: docs/studies/graph.md.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map

__all__ = ["GOAL", "SEARCHES", "Search", "compare", "majority", "search"]

GOAL = 16
"""Centres to reach in the paper; a solo takes two more."""

SEARCHES = ("breadth-first", "greedy", "a-star")
"""Sections 3.1 to 3.3; they differ in the value that says which node of the queue is next."""


class Search(NamedTuple):
    """What a search did: nodes that entered its queue, nodes taken out again and followed up, centres
    reached, moves on the longest way to one of them, and whether the centres suffice."""

    queued: int
    taken: int
    centres: int
    moves: int
    reached: bool


class Node(NamedTuple):
    """A place in the queue. Smaller comes first: by value, then by when it entered."""

    value: int
    entered: int
    heuristic: int
    level: int
    kind: str
    location: str


def majority(map: Map) -> int:
    """Centres that make a solo: more than half of those on the map."""
    return len(map.centres) // 2 + 1


def search(map: Map, power: str, algorithm: str, goal: int = GOAL) -> Search:
    """Search the board for `goal` centres from the first units of `power` on.

    The heuristic starts as the centres that each unit has to find, goal / units rounded down (5, or 4 for
    Russia, in section 3.2), and is one less below every centre. The value of a node is 0 for
    breadth-first, the heuristic for greedy, heuristic + level for A*. The search ends as soon as the
    last centre that it needs enters the queue, or with an empty queue.

    Raises BordeauxError for an unknown algorithm, and for a goal that the map has no centres for.
    """
    if algorithm not in SEARCHES:
        raise BordeauxError(f"unknown search {algorithm!r} (searches: {', '.join(SEARCHES)})")
    if not 1 <= goal <= len(map.centres):
        raise BordeauxError(f"map {map.name} has {len(map.centres)} centres: a goal of {goal} is none on it")
    return Tree(map, power, algorithm, goal).grow()


def compare(map: Map, goal: int = GOAL) -> dict[str, dict[str, Search]]:
    """Every search for every power of the map that starts with a unit."""
    powers = [power for power in map.powers if any(unit.power == power for unit in map.start_units)]
    return {
        algorithm: {power: search(map, power, algorithm, goal) for power in powers} for algorithm in SEARCHES
    }


class Tree:
    """A search tree as it grows."""

    def __init__(self, map: Map, power: str, algorithm: str, goal: int) -> None:
        self.map = map
        self.algorithm = algorithm
        self.goal = goal
        self.units = [unit for unit in map.start_units if unit.power == power]
        self.names = {province.name: province.full for province in map.provinces}
        self.queue: list[Node] = []
        self.seen: set[str] = set()
        self.found: set[str] = set()
        self.queued = self.taken = self.moves = 0

    @property
    def done(self) -> bool:
        """Whether the centres found suffice."""
        return len(self.found) >= self.goal

    def grow(self) -> Search:
        """Search until the goal is reached or nothing is left to follow up."""
        first = self.goal // max(1, len(self.units))
        for unit in sorted(self.units, key=lambda unit: self._name(unit.location)):
            self._enter(unit.kind, unit.location, first, 1)
        while self.queue and not self.done:
            node = heapq.heappop(self.queue)
            self.taken += 1
            for location in sorted(self.map.adjacent(node.kind, node.location), key=self._name):
                if location not in self.seen and not self.done:
                    self._enter(node.kind, location, node.heuristic, node.level + 1)
        return Search(self.queued, self.taken, len(self.found), self.moves, self.done)

    def _enter(self, kind: str, location: str, heuristic: int, level: int) -> None:
        """Put a place into the queue, `heuristic` being that of the place before it."""
        province = location.partition("/")[0]
        self.seen.add(location)
        if province in self.map.centres and province not in self.found:
            self.found.add(province)
            self.moves = max(self.moves, level - 1)
            heuristic -= 1
        value = {"breadth-first": 0, "greedy": heuristic, "a-star": heuristic + level}[self.algorithm]
        heapq.heappush(self.queue, Node(value, self.queued, heuristic, level, kind, location))
        self.queued += 1

    def _name(self, location: str) -> tuple[str, str]:
        """The paper's order is that of the alphabet, by full names."""
        return self.names[location.partition("/")[0]], location
