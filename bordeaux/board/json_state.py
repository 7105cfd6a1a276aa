"""A position in JSON: the form of ``diplomacy.Game.get_state()``.

``name`` is the phase; ``units`` and ``centers`` list by power, with ``*`` before a dislodged unit.
``retreats`` gives each dislodged unit its possible retreats. ``homes`` and ``builds`` follow from the rest
and are written too. On input ``homes``, if present, must be homes of the map: all of them or, as some
programs write, those that a power still owns. ``map`` names a bundled map; it is written for maps other
than the standard one. Other keys are ignored.

`Position.from_json` and `Position.to_json` use this module. It does not import `Position`, and returns the
parts of one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from bordeaux.board.errors import FormatError, MapError, PositionError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Dislodged, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import (
    field,
    named_map,
    open_retreats,
    power_lists,
    read_power,
    read_unit,
    string_list,
    table,
)
from bordeaux.board.placement import Placement

STANDARD = "standard"


class PositionParts(NamedTuple):
    """The parts of a `Position`, in its order."""

    map: Map
    phase: Phase
    units: list[Unit]
    centres: dict[str, list[str]]
    dislodged: list[Dislodged]
    homes: dict[str, list[str]] | None


def state_to_json(position: Placement) -> dict[str, Any]:
    """The JSON form of a position: name, units, retreats, centers, homes, builds, and the map if it
    is not the standard one."""
    powers = position.map.powers
    units = {power: [str(unit) for unit in position.units_of(power)] for power in powers}
    retreats: dict[str, dict[str, list[str]]] = {power: {} for power in powers}
    for unit, places in position.dislodged:
        units[unit.power].append(f"*{unit}")
        retreats[unit.power][str(unit)] = list(places)
    owned = position.centres
    named = {} if position.map.name == STANDARD else {"map": position.map.name}
    return {
        **named,
        "name": str(position.phase),
        "units": units,
        "retreats": retreats,
        "centers": {power: list(owned.get(power, ())) for power in powers},
        "homes": {power: list(position.map.homes[power]) for power in powers},
        "builds": {power: _builds(position, power) for power in powers},
    }


def _builds(position: Placement, power: str) -> dict[str, Any]:
    """Builds (positive) or removals owed, and the open homes; also when a game ends in Winter."""
    if position.phase.kind not in ("A", "-"):
        return {"count": 0, "homes": []}
    owned = position.centres.get(power, ())
    due = len(owned) - len(position.units_of(power))
    if due <= 0:
        return {"count": due, "homes": []}
    taken = {unit.province for unit in position.units}
    homes = [home for home in position.map.homes[power] if home in owned and home not in taken]
    return {"count": min(due, len(homes)), "homes": homes}


def parts_from_json(
    state: Mapping[str, Any], map: Map | None = None, name: str | None = None
) -> PositionParts:
    """Read the JSON form; `name` is the phase if the state does not give it itself.

    Without a `map`, the bundled one that the state names is used, or else the standard map.

    Raises FormatError for another form, and PositionError for a position that is impossible on the map.
    """
    given = table(dict(state) if isinstance(state, Mapping) else state, "a position")
    if map is None:
        map = named_map(STANDARD if given.get("map") is None else given["map"])
    phase = given.get("name", given.get("phase", name))
    if phase is None and "phases" in given:
        raise FormatError(
            "this is a saved game and no position; bordeaux.load_games reads the file that it is in,"
            " and the position of a phase is in the 'state' of one of its 'phases'"
        )
    if phase is None:
        raise FormatError("the position has no 'name': the phase, like 'S1901M'")
    checked = Phase.parse(phase)
    standing: list[Unit] = []
    dislodged: list[Unit] = []
    for power, texts in power_lists(field(given, "units", "the position"), "units", map).items():
        for text in texts:
            driven_out = text.lstrip().startswith("*")
            bare = text.replace("*", "", 1) if driven_out else text
            unit = read_unit(bare, power, f"units of {power}", map)
            (dislodged if driven_out else standing).append(unit)
    retreats = _retreats(given.get("retreats"), set(dislodged), map)
    taken = {unit.province for unit in standing}
    homes = given.get("homes")
    return PositionParts(
        map,
        checked,
        standing,
        power_lists(field(given, "centers", "the position"), "centers", map),
        [Dislodged(unit, retreats.get(unit, open_retreats(map, unit, taken))) for unit in dislodged],
        None if homes is None else power_lists(homes, "homes", map),
    )


def _retreats(value: object, dislodged: set[Unit], map: Map) -> dict[Unit, tuple[str, ...]]:
    retreats: dict[Unit, tuple[str, ...]] = {}
    if value is None:
        return retreats
    for name, entries in table(value, "retreats").items():
        power = read_power(name, "retreats", map)
        for text, places in table(entries, f"retreats of {power}").items():
            unit = read_unit(text, power, f"retreats of {power}", map)
            if unit not in dislodged:
                raise PositionError(f"retreats of {power}: {unit} is not dislodged; units lack '*{unit}'")
            listed = string_list(places, f"retreats of {power} {unit}")
            retreats[unit] = tuple(_place(unit, place, map) for place in listed)
    return retreats


def _place(unit: Unit, place: str, map: Map) -> str:
    try:
        return map.location(unit.kind, place).name
    except MapError as error:
        raise PositionError(f"retreats of {unit.power} {unit}: {quote(place)}: {error}") from None
