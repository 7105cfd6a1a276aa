"""The board as the oracle sees it: who borders on whom, derived from a map's adjacency."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Unit(NamedTuple):
    """A unit: owner, kind (A, F) and location (``PAR``, ``STP/SC``)."""

    power: str
    kind: str
    location: str

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


def province_of(location: str) -> str:
    """The province of a location: ``STP`` of ``STP/SC``."""
    return location.partition("/")[0]


class Board:
    """Provinces and borders.

    `kinds` says of every province whether it is inland, coastal or sea; `steps` gives for a kind of
    unit and a location the locations that one move reaches; `centres` are the supply centres,
    `homes` those a power may build in, `full` the names by which civil disorder sorts.
    """

    def __init__(
        self,
        kinds: Mapping[str, str],
        steps: Mapping[tuple[str, str], Iterable[str]],
        full: Mapping[str, str],
        centres: Iterable[str] = (),
        homes: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.kinds = dict(kinds)
        self.steps = {key: tuple(value) for key, value in steps.items()}
        self.full = dict(full)
        self.centres = tuple(centres)
        self.homes = {power: tuple(places) for power, places in (homes or {}).items()}
        self.split = {province_of(location) for _, location in self.steps if "/" in location}
        # An army embarks from, and lands on, any coast of its province.
        self.shores: dict[str, set[str]] = {province: set() for province in self.kinds}
        self.borders: dict[str, set[str]] = {province: set() for province in self.kinds}
        for (kind, location), neighbours in self.steps.items():
            province = province_of(location)
            for there in map(province_of, neighbours):
                self.borders[province].add(there)
                if kind == "F" and self.kinds[there] == "sea":
                    self.shores[province].add(there)

    @classmethod
    def of(cls, game_map: Any) -> Board:
        """The board of a `bordeaux.board.Map`."""
        return cls(
            {province.name: province.kind for province in game_map.provinces},
            {
                (location.kind, location.name): game_map.adjacent(location.kind, location.name)
                for location in game_map.locations
            },
            {province.name: province.full for province in game_map.provinces},
            game_map.centres,
            game_map.homes,
        )

    def plain(self, kind: str, location: str) -> str:
        """A location without a coast that means nothing there (4.B.6)."""
        province = province_of(location)
        return location if kind == "F" and province in self.split else province

    def exists(self, kind: str, location: str) -> bool:
        """Whether a unit of `kind` can stand in `location`."""
        return (kind, location) in self.steps

    def step(self, kind: str, origin: str, target: str) -> str | None:
        """The location in which a direct move from `origin` towards `target` arrives, or None.

        A fleet needs the coast where it could take two (4.B.1),
        may leave it out where only one is possible (4.B.2), and a wrong one is wrong (4.B.3).
        """
        target = self.plain(kind, target)
        reach = self.steps[kind, origin]
        if target in reach:
            return target
        coasts = [location for location in reach if province_of(location) == target]
        return coasts[0] if len(coasts) == 1 else None

    def reaches(self, kind: str, origin: str, province: str) -> bool:
        """Whether a direct move goes into `province`, on whatever coast."""
        return any(province_of(location) == province for location in self.steps[kind, origin])

    def sea_link(self, origin: str, target: str, fleets: Iterable[str]) -> bool:
        """Whether a chain of adjacent `fleets` (sea provinces) joins two coastal provinces."""
        waters = set(fleets)
        landing = self.shores[target]
        connected = self.shores[origin] & waters
        frontier = set(connected)
        while frontier:
            if frontier & landing:
                return True
            frontier = {there for sea in frontier for there in self.shores[sea] & waters} - connected
            connected |= frontier
        return False

    def proper_route(self, origin: str, target: str, fleets: Iterable[str], fleet: str) -> bool:
        """Whether `fleet` lies on a convoy route over `fleets` that needs every fleet of it.

        Such a route never goes on to a water, or to the landing, that an earlier link of it
        borders on already (DATC 4.E.1).
        """
        waters = frozenset(fleets)
        return fleet in waters and fleet in _on_proper_routes(self, origin, target, waters)

    @functools.cached_property
    def spans(self) -> dict[str, dict[str, int]]:
        """Steps between provinces for any unit over land and sea alike (4.D.8, 2023 rules)."""
        return {province: self._span(province) for province in self.kinds}

    def _span(self, start: str) -> dict[str, int]:
        distance = {start: 0}
        frontier = [start]
        while frontier:
            further = []
            for province in frontier:
                for there in self.borders[province]:
                    if there not in distance:
                        distance[there] = distance[province] + 1
                        further.append(there)
            frontier = further
        return distance


@functools.lru_cache(maxsize=4096)
def _on_proper_routes(board: Board, origin: str, target: str, waters: frozenset[str]) -> frozenset[str]:
    """All fleets on proper routes: walk every route without a short cut to its end."""
    landing = board.shores[target]
    useful: set[str] = set()

    def walk(route: tuple[str, ...], barred: frozenset[str]) -> None:
        last = route[-1]
        if last in landing:
            useful.update(route)
            return
        onward = board.shores[last] & waters
        for there in onward - barred:
            walk((*route, there), barred | onward)

    first = frozenset(board.shores[origin] & waters)
    for fleet in first:
        walk((fleet,), first)
    return frozenset(useful)
