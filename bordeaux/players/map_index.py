"""Map and position as arrays by number, and values that spread over them from province to province."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position

FAR_AWAY = 255
"""The number of moves if there is no path, as in the tables of the core."""

NOBODY = -1
"""The owner of a neutral centre, and of a province without a centre."""


class MapIndex:
    """A map by numbers: locations, provinces and powers are indices into the map's lists. `province` gives
    the province of each location, `neighbours` the adjacent locations, `reach` their provinces. `kind` is A
    or F and `name` the location's name. `locations` gives the locations in each province. `centres` and
    `homes` are provinces, homes by power."""

    def __init__(self, map: Map) -> None:
        self.map = map
        self.province = [location.province for location in map.locations]
        self.kind = [location.kind for location in map.locations]
        self.name = [location.name for location in map.locations]
        self.number = {(location.kind, location.name): location.index for location in map.locations}
        self.neighbours = [
            tuple(self.number[location.kind, name] for name in map.adjacent(location.kind, location.name))
            for location in map.locations
        ]
        self.reach = [
            frozenset(self.province[there] for there in neighbours) for neighbours in self.neighbours
        ]
        self.locations: list[list[int]] = [[] for _ in map.provinces]
        for location in map.locations:
            self.locations[location.province].append(location.index)
        self.centres = tuple(map.province(tag).index for tag in map.centres)
        self.homes = tuple(tuple(map.province(tag).index for tag in map.homes[power]) for power in map.powers)
        self.distances: Callable[[int], list[int]] = functools.cache(map.tables.distances)
        """The moves of a unit in a location to every province; `FAR_AWAY` if there is no way."""
        self.steps: Callable[[int], list[int]] = functools.cache(map.tables.steps)
        """The steps over land and sea from a province to every other; `FAR_AWAY` if there is no way."""

    def order(self, kind: OrderKind, place: int) -> Order:
        """A build or a disbandment in a location."""
        return Order(kind, self.kind[place], self.name[place])

    def away(self, province: int, power: int) -> int:
        """The steps from the nearest home of a power to a province."""
        return min((self.steps(home)[province] for home in self.homes[power]), default=FAR_AWAY)


class MapSituation:
    """The units, their possible moves, and the owners of centres. Units are numbered in order of province.

    `power`, `location` and `province` describe each unit. `at` gives the unit in a province. `near` has the
    units that could move to each province next, without its own unit and without convoys. `owner` is the
    owner of the centre in each province. `fall` says whether it is Fall, after whose moves centres change
    hands. Dislodged units are left out.
    """

    def __init__(self, position: Position) -> None:
        ground = map_index(position.map)
        self.ground = ground
        self.fall = position.phase.season == "F"
        self.power: list[int] = []
        self.location: list[int] = []
        self.province: list[int] = []
        self.at: dict[int, int] = {}
        self.near: list[list[int]] = [[] for _ in position.map.provinces]
        for unit, token in enumerate(position.packed.units()):
            location = token & 0x3FF
            self.power.append((token >> 10) - 1)
            self.location.append(location)
            self.province.append(ground.province[location])
            self.at[ground.province[location]] = unit
            for province in ground.reach[location]:
                self.near[province].append(unit)
        number = {power: index for index, power in enumerate(position.map.powers)}
        self.owner = [NOBODY] * len(position.map.provinces)
        for province, owner in zip(ground.centres, position.owners, strict=True):
            if owner is not None:
                self.owner[province] = number[owner]

    def units_of(self, power: int) -> list[int]:
        """The undislodged units of a power."""
        return [unit for unit, owner in enumerate(self.power) if owner == power]

    def open_homes(self, power: int) -> list[int]:
        """The homes in which a power could build: owned and empty."""
        homes = self.ground.homes[power]
        return [home for home in homes if self.owner[home] == power and home not in self.at]

    def threatened(self, province: int, power: int) -> bool:
        """Whether a unit of another power is in a province or could move there next."""
        return self.threats(province, power)[0] > 0

    def threats(self, province: int, power: int) -> tuple[int, int]:
        """Foreign units that are in a province or could move there next: the number of all, and the largest
        number of one power."""
        there = self.at.get(province)
        near = self.near[province]
        return self._counted(near if there is None else [*near, there], power)

    def attackers(self, province: int, power: int) -> tuple[int, int]:
        """Like `threats`, without the unit in the province."""
        return self._counted(self.near[province], power)

    def _counted(self, units: Iterable[int], power: int) -> tuple[int, int]:
        foreign = [owner for owner in (self.power[unit] for unit in units) if owner != power]
        if len(foreign) < 2:
            return len(foreign), len(foreign)
        return len(foreign), max(foreign.count(owner) for owner in set(foreign))


map_index = functools.lru_cache(maxsize=32)(MapIndex)
"""The lists of a map, made at first use."""


def situation(position: Position) -> MapSituation:
    """The lists of a position, kept for the other players at the table."""
    return _situation(position.map, position)


@functools.lru_cache(maxsize=16)
def _situation(map: Map, position: Position) -> MapSituation:
    # The map is part of the key because positions on two maps of one name may be equal.
    return MapSituation(position)


@functools.lru_cache(maxsize=32)
def diffusion(map: Map, scope: int, share: float) -> npt.NDArray[np.float64]:
    """The matrix (locations, provinces) that maps values of provinces to values of locations::

        value(0) = own value
        value(k) = own value + share x sum of value(k - 1) over the adjacent locations

    up to k = `scope`. Value spreads along the moves of units of the location's kind. The result is linear in
    the own values: the sum of the powers 0 to `scope` of share x adjacency.
    """
    ground = map_index(map)
    count = len(ground.neighbours)
    step = np.zeros((count, count))
    for location, neighbours in enumerate(ground.neighbours):
        step[location, list(neighbours)] = share
    total = np.eye(count)
    for _ in range(scope):
        total = np.eye(count) + step @ total
    stands = np.zeros((count, len(map.provinces)))
    stands[np.arange(count), ground.province] = 1
    matrix = total @ stands
    matrix.setflags(write=False)
    return matrix
