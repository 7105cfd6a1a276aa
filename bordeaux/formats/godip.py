"""The JSON of godip: games as its server gives them.

`to_godip` gives phases: units, centres and orders under small letters of provinces. `from_godip` reads them,
a list of phases or one phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bordeaux.board.errors import FormatError, OrderError, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind, Unit, fold
from bordeaux.board.pieces import named_map, table
from bordeaux.board.position import Position
from bordeaux.formats.dui import special_names
from bordeaux.formats.game_text import SEASONS, STAGES, TYPES, Adjudicated

MOST = 10_000


def _key(map: Map, location: str) -> str:
    """godip's name of a location: ``stp/sc``."""
    tag, slash, coast = location.partition("/")
    name = special_names("godip").get(tag, tag)
    known = any(fold(name) == fold(alias) for alias in map.province(tag).aliases)
    return f"{name if known else tag}{slash}{coast}".lower()


def to_godip(phases: Iterable[Adjudicated], game: str = "") -> dict[str, Any]:
    """The document of a game, ready for `json.dumps`; without results, which every program computes."""
    played = list(phases)
    variant = played[-1][0].map.name if played else ""
    listed = [
        _godip_phase(position, orders, before)
        for (position, orders, _), before in zip(played, [None, *played], strict=False)
        if position.phase.kind != "-"
    ]
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
    named = fold(variant).lower() if isinstance(variant, str) and " " in variant else variant
    board = map or named_map(named)
    notes: list[str] = []
    listed = [_read_phase(table(phase, "a phase of godip"), board, notes) for phase in phases]
    game = {"id": str(document.get("ID", "")), "map": board.name, "rules": [], "phases": listed}
    return {**game, "notes": notes}


def _read_phase(given: Mapping[str, Any], map: Map, notes: list[str]) -> dict[str, Any]:
    season, year, stage = given.get("Season"), given.get("Year"), given.get("Type")
    if season not in ("Spring", "Fall") or stage not in STAGES.values() or type(year) is not int:
        raise FormatError(f"godip has no phase {quote(f'{season} {year} {stage}')}")
    name = f"{'W' if stage == 'Adjustment' else season[0]}{year}{str(stage)[0]}"

    def entries(key: str) -> dict[str, Any]:
        return {} if given.get(key) is None else table(given[key], key)

    units: dict[str, list[str]] = {}
    centres: dict[str, list[str]] = {}
    orders: dict[str, list[str]] = {}
    with placed(name, FormatError):
        for key, mark in (("Units", ""), ("Dislodgeds", "*")):
            for place, unit in entries(key).items():
                kind, nation = (str(table(unit, "a unit").get(key)) for key in ("Type", "Nation"))
                kind = kind[0] if kind in TYPES.values() else kind
                units.setdefault(nation, []).append(f"{mark}{kind} {place}")
        for centre, owner in entries("SupplyCenters").items():
            centres.setdefault(str(owner), []).append(centre)
        position = Position.from_json({"name": name, "units": units, "centers": centres}, map)
        for nation, listed in entries("Orders").items():
            texts = orders.setdefault(map.power(nation), [])
            for at, words in table(listed, f"orders of {nation}").items():
                try:
                    texts.append(_read_order(position, at, words))
                except (IndexError, TypeError, ValueError):
                    notes.append(f"{name}: {nation}'s order {quote(words)} for {quote(at)} cannot be read")
    # Retreats follow from the phase before.
    state = {key: position.to_json()[key] for key in ("name", "units", "centers")}
    return {"name": name, "state": state, "orders": orders, "results": {}}


def _read_order(position: Position, at: str, words: Iterable[object]) -> str:
    """An order of a unit that is there, in our notation. Raises some error for anything else."""
    does, *places = map(str, words)
    if does == "Support" and places[0].partition("/")[0] == places[1].partition("/")[0]:
        places.pop()  # Support of a unit that stays.
    text = f"{at} {does} {' - '.join(places)}"
    order = parse_order(text, position.map, position)
    units = position.units if position.phase.kind != "R" else [unit for unit, _ in position.dislodged]
    helped = not order.target or position.unit_at(order.target.partition("/")[0])
    if order.kind != OrderKind.BUILD and not (helped and order.province in {unit.province for unit in units}):
        raise OrderError(f"there is no unit for {quote(text)}")
    return str(order)
