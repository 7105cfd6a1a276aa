"""Distances of powers to centres and to each other on any map: moves by army or fleet, and builds at home."""

from __future__ import annotations

from bordeaux.board.map import Map
from bordeaux.board.position import Position

__all__ = ["NEVER", "fading", "takeable", "times", "to_win"]

NEVER = 99
"""The number of moves to a place that a power cannot reach."""

#: The cost in moves of a unit that must be built first, and the factor on a centre's weight for each move.
BUILDING, FADING = 3, 0.5


def fading(moves: int) -> float:
    """The weight at a distance in moves: 1 at the power's own place, less with every move."""
    return FADING**moves if moves < NEVER else 0.0


def times(position: Position, power: str) -> dict[str, int]:
    """The moves that a power needs to every centre of the map, by its nearest unit, or by one that it could
    build in an own home; `NEVER` if it cannot reach it."""
    map = position.map
    starts = [(0, unit.kind, unit.location) for unit in position.units_of(power)]
    owned = position.centres.get(power, ())
    for home in map.homes[power]:
        if home in owned:
            places = [place for kind in "AF" for place in map.locations_in(kind, home)]
            starts += [(BUILDING, place.kind, place.name) for place in places]
    times = dict.fromkeys(map.centres, NEVER)
    for extra, kind, location in starts:
        reached = map.distance(kind, location)
        for centre in map.centres:
            times[centre] = min(times[centre], extra + reached.get(centre, NEVER))
    return times


def takeable(position: Position, power: str) -> int:
    """Foreign or neutral centres that a power could take at once by superior numbers: more of its units can
    enter than others could defend it with, each of its units counted for one centre."""
    map = position.map
    goals = {
        unit: {name.partition("/")[0] for name in map.adjacent(unit.kind, unit.location)}
        for unit in position.units
    }
    wanted = []
    for centre, owner in zip(map.centres, position.owners, strict=True):
        if owner == power:
            continue
        standing = position.unit_at(centre)
        if standing is not None and standing.power == power:
            wanted.append((0, centre))
            continue
        defended = sum(1 for unit, near in goals.items() if unit.power != power and centre in near)
        wanted.append((defended + (standing is not None) + 1, centre))
    free = {unit: near for unit, near in goals.items() if unit.power == power}
    count = 0
    for needed, centre in sorted(wanted):
        if needed == 0:
            free = {unit: near for unit, near in free.items() if unit.province != centre}
            count += 1
            continue
        able = sorted(unit for unit, near in free.items() if centre in near)
        if len(able) >= needed:
            count += 1
            for unit in able[:needed]:
                del free[unit]
    return count


def to_win(map: Map) -> int:
    """The number of centres that wins a game."""
    return len(map.centres) // 2 + 1
