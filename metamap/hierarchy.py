"""The hierarchy of regions above a map: provinces, regions, larger regions (paper 002, section 4.3.4).

It is read from ``metamap/data`` for maps with the provinces of a file there, and derived by clustering
(`bordeaux.metamap.clusters`) for all others.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.metamap.clusters import clustered

__all__ = ["Region", "larger_regions", "regions"]

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
