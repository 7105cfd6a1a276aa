"""Stalemate lines: units that hold a part of the board for ever (Hall and Loeb 1995, section 4.3.7).

A line is data: its units, the supports between them, and the provinces sheltered behind them.
`tools/proofs/fortress.py` proves that no orders break it. This module reads lines and compiles them for the
core (`_ext/value/lines.pyx`), whose term recognises them in positions.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from bordeaux.board.map import Map
from bordeaux.board.order import Location


@dataclass(frozen=True, slots=True, eq=False)
class StalemateLine:
    """A line of units that hold for ever.

    `units` as ``A SEV``; `supports` says by provinces which unit supports which to hold, all others hold.
    `sheltered` are the provinces behind the line, `centres` the supply centres of both. `no_fleets` are
    provinces, or single coasts, where the line assumes no attacking fleet, and no home of an attacker where
    one could be built. `verified` is the proof: ``any`` attackers, ``no fleets`` in `no_fleets`, or
    ``refuted`` by the orders in `broken_by`.
    """

    name: str
    units: tuple[str, ...]
    supports: Mapping[str, str]
    sheltered: tuple[str, ...]
    centres: tuple[str, ...]
    no_fleets: tuple[str, ...] = ()
    verified: str = ""
    broken_by: tuple[str, ...] = ()
    source: str = ""
    held: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        places = (unit.split()[-1].partition("/")[0] for unit in self.units)
        object.__setattr__(self, "held", tuple(places))


@functools.cache
def _read() -> tuple[StalemateLine, ...]:
    text = (resources.files("bordeaux.evaluation") / "data" / "stalemates.toml").read_text("utf-8")
    names = ("sheltered", "centres", "no_fleets")
    lines = []
    for given in tomllib.loads(text)["line"]:
        listed = {name: tuple(given.get(name, "").split()) for name in names}
        lines.append(
            StalemateLine(
                name=given["name"],
                units=tuple(given["units"]),
                supports=given.get("supports", {}),
                verified=given.get("verified", ""),
                broken_by=tuple(given.get("broken_by", ())),
                source=given.get("source", ""),
                **listed,
            )
        )
    return tuple(lines)


@functools.cache
def stalemate_lines(map: Map, refuted: bool = False) -> tuple[StalemateLine, ...]:
    """The known lines of a map, largest first; `refuted` ones only on request.

    They are lines of the standard board: none for a map with other provinces or borders.
    """
    if _borders(map) != _borders(Map.standard()):
        return ()
    lines = (line for line in _read() if refuted or line.verified != "refuted")
    return tuple(sorted(lines, key=lambda line: (-len(line.centres), len(line.units), line.name)))


def _borders(map: Map) -> dict[tuple[str, str], frozenset[str]]:
    return {
        (place.kind, place.name): frozenset(map.adjacent(place.kind, place.name)) for place in map.locations
    }


@functools.lru_cache(maxsize=1024)
def holding(map: Map, line: StalemateLine) -> tuple[tuple[Location, ...], ...]:
    """For every unit of a line, the locations of its province from which it can fulfil its task.

    The kind of unit has no effect on the defence of a province, as long as the unit can give the support that
    the line needs.
    """
    return tuple(_fitting(map, place, line.supports.get(place)) for place in line.held)


def _fitting(map: Map, place: str, supported: str | None) -> tuple[Location, ...]:
    locations = [location for kind in "AF" for location in map.locations_in(kind, place)]
    if supported is None:
        return tuple(locations)
    return tuple(
        location
        for location in locations
        if any(name.partition("/")[0] == supported for name in map.adjacent(location.kind, location.name))
    )


def barred(line: StalemateLine, place: Location) -> bool:
    """Whether a line assumes no attacking fleet at a location."""
    province = place.name.partition("/")[0]
    return place.kind == "F" and (place.name in line.no_fleets or province in line.no_fleets)


def compiled_lines(
    map: Map,
) -> list[tuple[int, list[tuple[int, list[int]]], list[int], list[int]]]:
    """The known lines of a map for the core, by numbers: the centres that they shelter, for every unit its
    province and the possible locations, the sheltered provinces, and the locations without fleets."""
    number = {province.name: province.index for province in map.provinces}
    return [
        (
            len(line.centres),
            [
                (number[place], [location.index for location in fitting])
                for place, fitting in zip(line.held, holding(map, line), strict=True)
            ],
            [number[place] for place in line.sheltered],
            [place.index for place in map.locations if barred(line, place)],
        )
        for line in stalemate_lines(map)
    ]
