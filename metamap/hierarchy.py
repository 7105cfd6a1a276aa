"""The hierarchy of regions above a map: provinces, regions, larger regions (Hall and Loeb 1995, section
4.3.4).

It is read from ``metamap/data`` for maps with the provinces of a file there. For all others the distance
graph is clustered. The method is agglomerative. Every province begins as a region of its own. The two most
strongly connected neighbouring regions are joined, until there are few enough. Land regions are neighbours if
an army can pass, sea regions if a fleet can pass, so regions are either land or sea.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from bordeaux.board.map import Map

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
    return _read(data["regions"], "provinces", [province.name for province in map.provinces])


@functools.cache
def larger_regions(map: Map, above: Map) -> tuple[Region, ...]:
    """The larger regions of a map by tag, every region in exactly one; `above` is the map of its regions."""
    data = _data(map)
    if data is None:
        return _named(above, clustered(above, SIZE_ABOVE, mixed=True))
    return _read(data["larger"], "regions", [region.name for region in above.provinces])


def _data(map: Map) -> dict[str, Any] | None:
    return next((hierarchy for hierarchy in _files() if _covers(hierarchy, map)), None)


@functools.cache
def _files() -> tuple[dict[str, Any], ...]:
    folder = resources.files("bordeaux.metamap") / "data"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return tuple(tomllib.loads((folder / name).read_text("utf-8")) for name in names)


def _covers(data: dict[str, Any], map: Map) -> bool:
    """Whether a file is for this map, or for one with the same provinces and borders."""
    named = {tag for entry in data["regions"].values() for tag in entry["provinces"].split()}
    if named != {province.name for province in map.provinces}:
        return False
    return _borders(map) == _borders(Map.load(data["map"]))


def _borders(map: Map) -> dict[tuple[str, str], set[str]]:
    return {(place.kind, place.name): set(map.adjacent(place.kind, place.name)) for place in map.locations}


def _read(tables: dict[str, Any], key: str, order: list[str]) -> tuple[Region, ...]:
    place = {name: number for number, name in enumerate(order)}
    return tuple(
        Region(tag, entry["name"], tuple(sorted(entry[key].split(), key=place.__getitem__)))
        for tag, entry in sorted(tables.items())
    )


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
