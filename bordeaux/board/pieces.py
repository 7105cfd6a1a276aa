"""Functions that several formats share: checked JSON values, units, retreats."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from bordeaux.board.errors import FormatError, PositionError, nearest, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_name, known_maps
from bordeaux.board.order import Unit


def table(value: object, what: str) -> dict[str, Any]:
    """The value if it is a JSON object; raises FormatError, which calls it `what`."""
    if not isinstance(value, dict):
        raise FormatError(f"{what} must be an object, not {quote(value)}")
    return value


def field(parent: dict[str, Any], key: str, what: str) -> Any:
    """A required entry; raises FormatError, which calls the object `what`."""
    if key not in parent:
        raise FormatError(f"{what} has no {key!r}{nearest(key, list(parent)[:50])}")
    return parent[key]


def string_list(value: object, what: str) -> list[str]:
    """The value if it is a list of texts; raises FormatError, which calls it `what`."""
    if not isinstance(value, list):
        raise FormatError(f"{what} must be a list, not {quote(value)}")
    for item in value:
        if not isinstance(item, str):
            raise FormatError(f"{what} must hold texts, not {quote(item)}")
    return value


def power_lists(value: object, what: str, map: Map) -> dict[str, list[str]]:
    """A JSON object of lists of texts by power, with the powers' full names."""
    lists: dict[str, list[str]] = {}
    for name, items in table(value, what).items():
        power = read_power(name, what, map)
        lists.setdefault(power, []).extend(string_list(items, f"{what} of {power}"))
    return lists


def read_power(name: str, what: str, map: Map) -> str:
    """Full name of a power; raises PositionError with the place `what`."""
    with placed(what, PositionError):
        return map.power(name)


def read_unit(text: str, power: str, what: str, map: Map) -> Unit:
    """The unit written as ``A PAR``, ``F STP/SC``; raises PositionError with the place `what`."""
    kind, _, place = text.strip().partition(" ")
    kind = kind.upper()
    place = place.strip()
    if kind not in ("A", "F") or not place:
        raise PositionError(f"{what}: {quote(text)} is no unit; write it like 'A PAR' or 'F STP/SC'")
    with placed(what, PositionError):
        return Unit(power, kind, map.location(kind, place).name)


def open_retreats(map: Map, unit: Unit, taken: Set[str]) -> tuple[str, ...]:
    """Default retreats of a dislodged unit without recorded ones: every neighbour that is not among the
    provinces `taken` by a unit. The origin of the attack and places of standoffs would need the phase
    before."""
    neighbours = map.adjacent(unit.kind, unit.location)
    return tuple(place for place in neighbours if place.partition("/")[0] not in taken)


def named_map(name: object) -> Map:
    """The bundled map that a file names, or that of a start by its name; raises FormatError. A file cannot
    make us open others."""
    if not isinstance(name, str) or bundled_name(name) is None:
        raise FormatError(f"unknown map {quote(name)}; maps: {', '.join(known_maps())}")
    return Map.load(name)
