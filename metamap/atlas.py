"""The meta-map: the regions of a map as the provinces of a map of their own (section 4.3.4).

It is a `Map`, built and checked like any other, so the same rules, evaluation and search run on it. The
units that can stand in the provinces of a region make it inland, coastal or sea. It is a centre if it
contains one, and a home of every power with a home in it. Units move between regions if they could move
between them in one move below. If fleets cannot pass between some waters of a region, the region has a
coast for each part, so that no fleet crosses it overland.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux.board.map import Map
from bordeaux.board.mapcheck import MOST_COASTS, Draft
from bordeaux.board.order import Province

COASTS = ("NC", "SC", "EC", "WC")
assert len(COASTS) == MOST_COASTS


class Atlas:
    """A map and the map of its regions.

    `below` and `map` are the two. `region_of` gives for every province number below the number of its region,
    and `members` the province numbers of every region. `place_of` gives for every location number below the
    name of the location above, and `beside` the numbers of the regions next to each. `moves` are the moves
    from every location below (rows) to every province, 255 if there is no way; convoys do not count.
    `province`, `fleet` and `names` (``A PAR``) give for every location below its province, whether it is for
    fleets, and its name.
    """

    def __init__(self, below: Map, groups: tuple[Region, ...], name: str) -> None:
        self.below = below
        self.region_of = [0] * len(below.provinces)
        self.members = [[below.province(tag).index for tag in region.members] for region in groups]
        for number, members in enumerate(self.members):
            for place in members:
                self.region_of[place] = number
        self.place_of = self._places(groups)
        self.map = self._map(groups, name)
        distances = [below.tables.distances(place.index) for place in below.locations]
        self.moves: npt.NDArray[np.int64] = np.array(distances, dtype=np.int64)
        self.province = np.array([place.province for place in below.locations], dtype=np.int64)
        self.names = [f"{place.kind} {place.name}" for place in below.locations]
        self.fleet = np.array([place.kind == "F" for place in below.locations])
        self.beside = [
            [other for other, steps in enumerate(self.map.tables.steps(number)) if steps == 1]
            for number in range(len(groups))
        ]

    def _places(self, groups: tuple[Region, ...]) -> list[str]:
        """The name of the location above for every location below."""
        below = self.below
        names = [groups[self.region_of[place.province]].name for place in below.locations]
        for number, region in enumerate(groups):
            if any(below.provinces[place].kind == "coastal" for place in self.members[number]):
                parts = self._parts(number)
                for part, coast in zip(parts, COASTS, strict=False):
                    for place in part if len(parts) > 1 else ():
                        names[place] = f"{region.name}/{coast}"
                for part in parts[len(COASTS) :]:
                    # More parts than coasts: the smallest share the last one.
                    for place in part:
                        names[place] = f"{region.name}/{COASTS[-1]}"
        return names

    def _parts(self, number: int) -> list[list[int]]:
        """The places of fleets in a region, divided into parts in which a fleet can move, largest first."""
        left = [
            place.index
            for place in self.below.locations
            if place.kind == "F" and self.region_of[place.province] == number
        ]
        parts = []
        while left:
            part, queue = [], [left.pop(0)]
            while queue:
                place = queue.pop()
                part.append(place)
                for name in self.below.adjacent("F", self.below.locations[place].name):
                    other = self.below.location("F", name).index
                    if other in left:
                        left.remove(other)
                        queue.append(other)
            parts.append(sorted(part))
        return sorted(parts, key=lambda part: (-len(part), part))

    def _map(self, groups: tuple[Region, ...], name: str) -> Map:
        below = self.below
        borders: dict[tuple[str, str], dict[str, None]] = {}
        kinds: list[set[str]] = [set() for _ in groups]
        coasts: list[set[str]] = [set() for _ in groups]
        for place in below.locations:
            number = self.region_of[place.province]
            spot = groups[number].name if place.kind == "A" else self.place_of[place.index]
            kinds[number].add(place.kind)
            if "/" in spot:
                coasts[number].add(spot.partition("/")[2])
            beside = borders.setdefault((place.kind, spot), {})
            for neighbour in below.adjacent(place.kind, place.name):
                other = below.location(place.kind, neighbour)
                goal = self.region_of[other.province]
                if goal != number:
                    beside[groups[goal].name if place.kind == "A" else self.place_of[other.index]] = None
        provinces = []
        for number, region in enumerate(groups):
            inside = [below.provinces[place] for place in self.members[number]]
            kind = {"A": "inland", "F": "sea"}.get("".join(sorted(kinds[number])), "coastal")
            if kind == "sea":
                coasts[number].clear()
            homes = [power for power in below.powers if any(power in place.homes for place in inside)]
            provinces.append(
                Province(
                    number,
                    region.name,
                    region.full,
                    kind,
                    tuple(sorted(coasts[number], key=COASTS.index)),
                    (),
                    any(place.centre for place in inside),
                    tuple(homes),
                    region.name,
                )
            )
        ordered = sorted(borders, key=lambda key: (key[1].partition("/")[0], key))
        draft = Draft(
            name,
            below.tags,
            provinces,
            {key: tuple(sorted(borders[key])) for key in ordered},
            f"The regions of {below.title or below.name}"[:60],
        )
        return Map.of(draft.checked())


@functools.cache
def atlas(map: Map, levels: int = 1) -> tuple[Atlas, ...]:
    """The atlases above a map, the nearest first: its regions, and with two `levels` their larger regions as
    well. Cached for every map. Raises Contradiction if its regions make no map."""
    first = Atlas(map, regions(map), f"{map.name}.regions"[-60:])
    if levels == 1:
        return (first,)
    return (first, Atlas(first.map, larger_regions(map, first.map), f"{map.name}.larger"[-60:]))


# The hierarchy of regions above a map: provinces, regions, larger regions (Hall and Loeb 1995, section
# 4.3.4).
# It is read from ``metamap/data`` for the standard map. For all others the distance
# graph is clustered. The method is agglomerative. Every province begins as a region of its own. The two most
# strongly connected neighbouring regions are joined, until there are few enough. Land regions are neighbours
# if an army can pass, sea regions if a fleet can pass, so regions are either land or sea.

#: Regions to a larger region, on the average, where these are derived.
SIZE_ABOVE = 3


class Region(NamedTuple):
    """A group of provinces, or of smaller regions: its tag (three capitals), its name in words,
    and the tags of its members in the order of the map below."""

    name: str
    full: str
    members: tuple[str, ...]


@functools.cache
def regions(map: Map) -> tuple[Region, ...]:
    """The regions of a map by tag, every province in exactly one."""
    data = _data(map)
    if data is None:
        return _named(map, clustered(map))
    return _read(data["regions"], [province.name for province in map.provinces])


@functools.cache
def larger_regions(map: Map, above: Map) -> tuple[Region, ...]:
    """The larger regions of a map by tag, every region in exactly one; `above` is the map of its regions."""
    data = _data(map)
    if data is None:
        return _named(above, clustered(above, SIZE_ABOVE, mixed=True))
    return _read(data["larger"], [region.name for region in above.provinces])


def _data(map: Map) -> dict[str, Any] | None:
    """The file for a map with the provinces and borders of the standard one."""
    if not map.has_borders_of(Map.standard()):
        return None
    return tomllib.loads((resources.files("bordeaux.metamap") / "data" / "standard.toml").read_text("utf-8"))


def _read(tables: dict[str, str], order: list[str]) -> tuple[Region, ...]:
    """Regions by tag of their texts ``Name: members``."""
    place = {name: number for number, name in enumerate(order)}
    regions = []
    for tag, text in sorted(tables.items()):
        name, _, members = text.partition(": ")
        regions.append(Region(tag, name, tuple(sorted(members.split(), key=place.__getitem__))))
    return tuple(regions)


def _named(map: Map, groups: list[list[int]]) -> tuple[Region, ...]:
    """Regions named after their central province, a centre if there is one."""
    named = []
    for group in groups:
        away = {place: (sum(map.tables.steps(place)[other] for other in group), place) for place in group}
        chief = map.provinces[min(group, key=lambda place: (not map.provinces[place].centre, away[place]))]
        alone = len(group) == 1 or chief.full.startswith("Around ")
        full = chief.full if alone else f"Around {chief.full}"
        named.append(Region(chief.name, full, tuple(map.provinces[place].name for place in group)))
    return tuple(sorted(named))


#: Provinces to a region, on the average.
SIZE = 4
#: What it costs, in steps, to join homes of different powers.
HOMES_APART = 3.0


def clustered(map: Map, size: int = SIZE, mixed: bool = False) -> list[list[int]]:
    """Province numbers in groups of about `size`, in order; with `mixed`, land and sea together.

    The cost of joining two groups is the mean distance within the result. It rises with provinces and centres
    above the average, and for homes of different powers. Ties go to the groups with the lowest numbers, so
    that the same map always gives the same groups.
    """
    n = len(map.provinces)
    steps = np.minimum(np.array([map.tables.steps(place) for place in range(n)], dtype=float), n)
    centres = np.array([province.centre for province in map.provinces], dtype=float)
    fair = max(1.0, size * centres.sum() / n)
    groups: dict[int, list[int]] = {place: [place] for place in range(n)}
    links = {place: _neighbours(map, place, mixed) for place in range(n)}
    homes = {place: set(map.provinces[place].homes) for place in range(n)}
    while len(groups) > max(2, -(-n // size)):
        costs = []
        for one, beside in links.items():
            for other in beside:
                if one < other:
                    joined = groups[one] + groups[other]
                    within = steps[np.ix_(joined, joined)].sum() / (len(joined) * (len(joined) - 1))
                    cost = within + len(joined) / size + centres[joined].sum() / fair
                    apart = homes[one] and homes[other] and homes[one] != homes[other]
                    costs.append((round(cost + (HOMES_APART if apart else 0.0), 9), one, other))
        if not costs:
            break
        _, one, other = min(costs)
        groups[one] = sorted(groups[one] + groups.pop(other))
        homes[one] |= homes.pop(other)
        links[one] = (links[one] | links.pop(other)) - {one, other}
        for beside in links.values():
            if other in beside:
                beside.discard(other)
                beside.add(one)
        links[one].discard(one)
    return [groups[place] for place in sorted(groups)]


def _neighbours(map: Map, place: int, mixed: bool) -> set[int]:
    """Provinces that can be added to this one's group."""
    province = map.provinces[place]
    neighbours = set()
    for kind in "AF":
        for location in map.locations_in(kind, province.name):
            for name in map.adjacent(kind, location.name):
                other = map.province(name.partition("/")[0])
                at_sea = {province.kind, other.kind} == {"sea"}
                on_land = kind == "A"
                if mixed or at_sea or on_land:
                    neighbours.add(other.index)
    return neighbours
