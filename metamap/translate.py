"""A position translated to the meta-map: the owner and unit of each region (Hall and Loeb 1995, section
4.3.4).

A region has one owner and one unit, for any number of units. So the weaker power in a contested region is not
represented, and four armies count as one. Some information is kept elsewhere. A garrison is left out if a
single neighbour outnumbers it two to one, since it could not hold. The altitudes of the meta-map count the
provinces and centres of a region. Convoys are represented as far as regions of sea carry them. Positions of
units within a region are lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux.board.order import Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.metamap.atlas import Atlas

#: What a unit and a centre count for in who holds a region.
UNIT, CENTRE = 2, 1
#: How many times stronger a neighbour must be for a garrison to count as none.
OUTNUMBERED = 2
#: Altitudes on the meta-map, in the points of the evaluation: for each province of a region, for
#: each centre in it, and for the peak at home, from where the land falls away with every region.
PROVINCE, CENTRE_HEIGHT, PEAK, SLOPE = 3.0, 30.0, 30.0, 8.0


class Strengths(NamedTuple):
    """Units and centres counted as ``[power][region]``, and for every power (by number) with units in a
    region the place of each of them on the meta-map: ``(power, region): [(kind, location)]``."""

    units: npt.NDArray[np.int64]
    centres: npt.NDArray[np.int64]
    places: dict[tuple[int, int], list[tuple[str, str]]]


def strengths(atlas: Atlas, position: Position) -> Strengths:
    """Count the units and centres of every power in every region."""
    map = position.map
    shape = len(map.powers), len(atlas.members)
    number = {power: index for index, power in enumerate(map.powers)}
    units, centres = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    places: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for unit in position.units:
        place = map.location(unit.kind, unit.location)
        seat = number[unit.power], atlas.region_of[place.province]
        units[seat] += 1
        places.setdefault(seat, []).append((unit.kind, atlas.place_of[place.index]))
    for centre, owner in zip(map.centres, position.owners, strict=True):
        if owner is not None:
            centres[number[owner], atlas.region_of[map.province(centre).index]] += 1
    return Strengths(units, centres, places)


def translate(atlas: Atlas, position: Position, counted: Strengths | None = None) -> Position:
    """The position on the map of the regions, in the movement phase of the same season.

    A region that is a centre belongs to the power that is strongest in it, to nobody in a tie. It holds a
    unit of the power with the most units there, or with the most centres among those: an army or a fleet by
    the majority, on the coast with most of its fleets.
    """
    counted = counted or strengths(atlas, position)
    powers = position.map.powers
    # By units, then by centres, then as the powers stand on the map.
    strongest = (1000 * counted.units + counted.centres).argmax(axis=0).tolist()
    weight = UNIT * counted.units + CENTRE * counted.centres
    holders, most = weight.argmax(axis=0).tolist(), weight.max(axis=0)
    alone = ((weight == most).sum(axis=0) == 1).tolist()
    owned: dict[str, list[str]] = {}
    placed = []
    units = counted.units.tolist()
    for region in atlas.map.provinces:
        index = region.index
        if region.centre and alone[index]:
            owned.setdefault(powers[holders[index]], []).append(region.name)
        power = strongest[index]
        strength = units[power][index]
        # Where a single foe next door has so many more, these would not hold.
        if strength and not any(
            foes[beside] >= OUTNUMBERED * strength
            for foe, foes in enumerate(units)
            if foe != power
            for beside in atlas.beside[index]
        ):
            placed.append(_unit(powers[power], region.name, counted.places[power, index]))
    year, season = position.phase.year, "S" if position.phase.season == "S" else "F"
    return Position(atlas.map, Phase(year, season, "M"), placed, owned)


def _unit(power: str, region: str, places: list[tuple[str, str]]) -> Unit:
    """The one unit for several."""
    fleets = sorted(name for kind, name in places if kind == "F")
    if 2 * len(fleets) > len(places):
        return Unit(power, "F", max(fleets, key=fleets.count))
    return Unit(power, "A", region)


def heights(atlas: Atlas) -> dict[str, dict[str, float]]:
    """The mountain of every power on the meta-map: the more provinces and centres, the higher, with its peak
    at home; flat for a power without a home."""
    by_power: dict[str, dict[str, float]] = {}
    for power in atlas.map.powers:
        homes = [atlas.map.province(home).index for home in atlas.map.homes[power]]
        ways = [atlas.map.tables.steps(home) for home in homes]
        by_power[power] = {
            region.name: _plain(atlas, region.index)
            + max(0.0, PEAK - SLOPE * min((way[region.index] for way in ways), default=99))
            for region in atlas.map.provinces
        }
    return by_power


def _plain(atlas: Atlas, region: int) -> float:
    inside: Sequence[int] = atlas.members[region]
    return PROVINCE * len(inside) + CENTRE_HEIGHT * sum(
        atlas.below.provinces[place].centre for place in inside
    )
