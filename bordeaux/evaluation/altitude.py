"""The altitudes of Hall and Loeb (1995), section 4.1: the value of each province to each power.

The peak is at home, or at the start of a power without homes. Altitude falls with the number of moves from
the nearest home. Supply centres are higher, and more so after Fall, when they change owners. The provinces
beside them are higher after Spring, when the centres can still be reached (section 4.3.7).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bordeaux.board.map import Map

FAR_AWAY = 255
"""The number of moves if there is no path, as in the tables of the core."""


class Altitude(NamedTuple):
    """The shape of the mountain, in points: `peak` at home, minus `slope` for every move from home, but never
    below `floor`; `centre` added for a centre and `beside_centre` for each adjacent one, both as (after
    Spring moves, after Fall moves)."""

    peak: float
    slope: float
    floor: float
    centre: tuple[float, float]
    beside_centre: tuple[float, float]


def altitudes(
    map: Map, shape: Altitude, given: Mapping[str, Mapping[str, float]] | None = None
) -> list[list[list[float]]]:
    """Altitudes as ``[season][power][province]``; the seasons are after Spring and after Fall moves.

    `given` replaces the mountains of the named powers by altitudes of provinces (0 for those missing), in
    both seasons (Table 2 of the paper). Raises MapError for unknown names.
    """
    replaced = {map.power(power): chosen for power, chosen in (given or {}).items()}
    result: list[list[list[float]]] = []
    for season in range(2):
        rows = []
        for power in map.powers:
            if power in replaced:
                heights = [0.0] * len(map.provinces)
                for name, height in replaced[power].items():
                    heights[map.province(name).index] = float(height)
            else:
                heights = _mountain(map, shape, power, season)
            rows.append(heights)
        result.append(rows)
    return result


def _mountain(map: Map, shape: Altitude, power: str, season: int) -> list[float]:
    ways = [map.tables.steps(map.province(home).index) for home in _peaks(map, power)]
    heights = []
    for province in map.provinces:
        away = min((way[province.index] for way in ways), default=FAR_AWAY)
        height = max(shape.floor, shape.peak - shape.slope * away)
        if province.centre:
            height += shape.centre[season]
        beside = {
            name.partition("/")[0]
            for kind in "AF"
            for location in map.locations_in(kind, province.name)
            for name in map.adjacent(kind, location.name)
        }
        height += shape.beside_centre[season] * sum(map.province(name).centre for name in beside)
        heights.append(height)
    return heights


def _peaks(map: Map, power: str) -> tuple[str, ...]:
    """The homes of a power; without any, the centres that it owns at the start, or else the places of its
    first units. The map of a power with none of these is flat."""
    units = dict.fromkeys(unit.province for unit in map.start_units if unit.power == power)
    return map.homes[power] or map.start_centres.get(power, ()) or tuple(units)
