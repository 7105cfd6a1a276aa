"""The JSON of godip: games as its server gives them.

`to_godip` gives phases: units, centres and orders under small letters of provinces. `from_godip` reads them,
a list of phases or one phase.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from bordeaux.board.errors import FormatError, MapError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind, Unit, fold
from bordeaux.board.pieces import named_map, table
from bordeaux.board.position import Position
from bordeaux.formats.game_text import SEASONS, STAGES, TYPES, Adjudicated

MOST = 10_000


@functools.cache
def _special() -> dict[str, str]:
    """The names of godip for provinces that other programs call otherwise, by tag."""
    return json.loads(files("bordeaux.formats").joinpath("data", "names.json").read_text("utf-8"))["godip"]


def _key(map: Map, location: str) -> str:
    """godip's name of a location: ``stp/sc``."""
    tag, slash, coast = location.partition("/")
    name = _special().get(tag, tag)
    known = any(fold(name) == fold(alias) for alias in map.province(tag).aliases)
    return f"{name if known else tag}{slash}{coast}".lower()


def to_godip(phases: Iterable[Adjudicated], game: str = "") -> dict[str, Any]:
    """The document of a game, ready for `json.dumps`; without results, which every program computes."""
    listed: list[dict[str, Any]] = []
    before: Adjudicated | None = None
    variant = ""
    for played in phases:
        position, orders, _ = played
        variant = position.map.name
        if position.phase.kind != "-":
            listed.append(_godip_phase(position, orders, before))
        before = played
    return {"ID": game, "Variant": "Classical" if variant == "standard" else variant, "Phases": listed}


def _godip_phase(
    position: Position, orders: Mapping[str, Sequence[Order]], before: Adjudicated | None
) -> dict[str, Any]:
    map, phase = position.map, position.phase
    nation = {power: power.title() for power in map.powers}

    def unit(unit: Unit) -> dict[str, str]:
        return {"Type": TYPES[unit.kind], "Nation": nation[unit.power]}

    dislodgers, bounces = _attacks(position, before) if phase.kind == "R" else ({}, {})
    return {
        "Season": SEASONS[phase.season],
        "Year": phase.year,
        "Type": STAGES[phase.kind],
        "Units": {_key(map, each.location): unit(each) for each in position.units},
        "Orders": {
            nation[power]: {
                _key(map, order.location): _godip_order(map, order)
                for order in given
                if order.kind != OrderKind.WAIVE
            }
            for power, given in orders.items()
        },
        "SupplyCenters": {
            _key(map, tag): nation[power] for power, tags in position.centres.items() for tag in tags
        },
        "Dislodgeds": {_key(map, each.unit.location): unit(each.unit) for each in position.dislodged},
        "Dislodgers": dislodgers,
        "Bounces": bounces,
        "Resolutions": {},
    }


def _attacks(
    position: Position, before: Adjudicated | None
) -> tuple[dict[str, str], dict[str, dict[str, bool]]]:
    """The origin of each attack that dislodged a unit, and the standoffs that left a province empty."""
    dislodgers: dict[str, str] = {}
    bounces: dict[str, dict[str, bool]] = {}
    if before is None or before[0].phase.kind != "M":
        return dislodgers, bounces
    map = position.map
    driven_out = {each.unit.province for each in position.dislodged}
    for order in (order for given in before[1].values() for order in given if order.kind == OrderKind.MOVE):
        words, goal = before[2].get(f"{order.unit} {order.location}", []), order.destination.partition("/")[0]
        if not words and goal in driven_out:
            dislodgers[_key(map, order.location.partition("/")[0])] = _key(map, goal)
        if "bounce" in words and position.unit_at(goal) is None:
            bounces.setdefault(_key(map, goal), {})[_key(map, order.location.partition("/")[0])] = True
    return dislodgers, bounces


def _godip_order(map: Map, order: Order) -> list[str]:
    target, goal = (_key(map, place) if place else "" for place in (order.target, order.destination))
    match order.kind:
        case OrderKind.HOLD:
            return ["Hold"]
        case OrderKind.MOVE | OrderKind.RETREAT:
            return ["MoveViaConvoy" if order.via else "Move", goal]
        case OrderKind.SUPPORT_HOLD | OrderKind.SUPPORT_MOVE:
            return ["Support", target, goal or target]
        case OrderKind.CONVOY:
            return ["Convoy", target, goal]
        case OrderKind.BUILD:
            return ["Build", TYPES[order.unit]]
        case _:
            return ["Disband"]


def from_godip(document: Mapping[str, Any], map: Map | None = None) -> dict[str, Any]:
    """The saved game of godip's phases, in JSON; orders that cannot be read are among its ``notes``. Raises
    FormatError."""
    phases = document.get("Phases", [document])
    if not isinstance(phases, list) or len(phases) > MOST:
        raise FormatError(f"godip's Phases are a list of at most {MOST:,}, not {quote(phases)}")
    variant = document.get("Variant", "Classical")
    board = map or named_map(
        fold(variant).lower() if isinstance(variant, str) and " " in variant else variant
    )
    notes: list[str] = []
    listed = [_read_phase(table(phase, "a phase of godip"), board, notes) for phase in phases]
    game = {"id": str(document.get("ID", "")), "map": board.name, "rules": [], "phases": listed}
    return {**game, "notes": notes}


def _read_phase(given: Mapping[str, Any], map: Map, notes: list[str]) -> dict[str, Any]:
    season, year, stage = given.get("Season"), given.get("Year"), given.get("Type")
    if season not in ("Spring", "Fall") or stage not in STAGES.values() or type(year) is not int:
        raise FormatError(f"godip has no phase {quote(f'{season} {year} {stage}')}")
    letter = "W" if stage == "Adjustment" else season[0]
    name = f"{letter}{year}{str(stage)[0]}"

    def entries(key: str) -> dict[str, Any]:
        return {} if given.get(key) is None else table(given[key], f"{key} of {name}")

    def power(nation: object) -> str:
        return map.power(nation) if isinstance(nation, str) else _refuse(nation, "nation", name)

    def units(key: str) -> dict[str, tuple[str, str]]:
        """The power and the text of each unit by godip's name of its place."""
        found = {}
        for place_name, unit in entries(key).items():
            word = table(unit, "a unit").get("Type")
            kind = next((kind for kind in TYPES if TYPES[kind] == word), "")
            at = map.location(kind, place_name).name if kind else _refuse(unit, "unit", name)
            found[place_name] = power(unit.get("Nation")), f"{kind} {at}"
        return found

    try:
        standing, driven_out = units("Units"), units("Dislodgeds")
        state: dict[str, Any] = {"name": name, "units": {}, "centers": {}}
        for mark, listed in (("", standing), ("*", driven_out)):
            for owner, text in listed.values():
                state["units"].setdefault(owner, []).append(f"{mark}{text}")
        for centre, owner in entries("SupplyCenters").items():
            state["centers"].setdefault(power(owner), []).append(map.province(centre).name)
        ordered = driven_out if stage == "Retreat" else standing
        orders: dict[str, list[str]] = {}
        for nation, given_orders in entries("Orders").items():
            texts = orders.setdefault(power(nation), [])
            for at, words in table(given_orders, f"orders of {nation}").items():
                try:
                    texts.append(_read_order(map, at, words, ordered, standing, stage == "Retreat"))
                except (KeyError, IndexError, TypeError, MapError):
                    notes.append(f"{name}: {nation}'s order {quote(words)} for {quote(at)} cannot be read")
    except MapError as error:
        raise FormatError(f"{name}: {error}") from None
    return {"name": name, "state": state, "orders": orders, "results": {}}


def _refuse(value: object, what: str, name: str) -> str:
    raise FormatError(f"{name}: {quote(value)} is no {what}")


def _read_order(
    map: Map,
    at: str,
    words: Any,
    ordered: Mapping[str, tuple[str, str]],
    standing: Mapping[str, tuple[str, str]],
    retreating: bool,
) -> str:
    """An order in our notation. Raises KeyError, IndexError, TypeError or MapError for anything else."""

    def unit_at(where: str, units: Mapping[str, tuple[str, str]]) -> str:
        """The unit in the province of a place, whose coast may be missing."""
        own = where.partition("/")[0]
        near = next((key for key in units if key.partition("/")[0] == own), "")
        return units[where if where in units else near][1]

    def location(kind: str, where: str) -> str:
        tag, _, coast = where.partition("/")
        province = map.province(tag)
        return province.name if kind == "A" or not coast else f"{province.name}/{coast.upper()}"

    match words[0]:
        case "Build":
            kind = str(words[1])[0]
            return f"{kind} {location(kind, at)} B"
        case "Hold":
            return f"{unit_at(at, ordered)} H"
        case "Disband":
            return f"{unit_at(at, ordered)} D"
        case "Move" | "MoveViaConvoy":
            unit = unit_at(at, ordered)
            sign, tail = "R" if retreating else "-", " VIA" if words[0] == "MoveViaConvoy" else ""
            return f"{unit} {sign} {location(unit[0], words[1])}{tail}"
        case "Support" | "Convoy":
            helped, letter = unit_at(words[1], standing), str(words[0])[0]
            still = map.province(words[1].partition("/")[0]) == map.province(words[2].partition("/")[0])
            text = f"{unit_at(at, ordered)} {letter} {helped}"
            return text if still else f"{text} - {location(helped[0], words[2])}"
    raise KeyError(words[0])
