"""Pages of Backstabbr: orders listed by country with their results, and the variables of a page's script.

::

    Spring 1901
    France
    A Par - Bur (succeeds)
    F Bre C A Lon - Gas (fails)

    var territories = {"Bre": "France", "Mun": "Germany"};
    var unitsByPlayer = {"France": {"Par": "A", "Spa": {"type": "F", "coast": "sc"}}};
    var orders = {"France": {"Par": {"type": "MOVE", "to": "Bur", "result": "SUCCEEDS"}}};

The script has the position (who owns what, the units, and with ``retreatOptions`` those that are dislodged)
beside the orders. The phase may be anywhere in the page, in words; it is a movement phase unless the text
says retreats or builds. Of the territories only supply centres count. The reader was written from
descriptions, without actual pages, and is lenient.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.formats.site_lines import page_of, plain_cells, read_page, without_outcome, words_of

__all__ = [
    "orders_from_backstabbr",
    "orders_to_backstabbr",
    "position_from_backstabbr",
    "position_to_backstabbr",
]

_PHASE = re.compile(
    r"\b(spring|summer|fall|autumn|winter)\s*,?\s*(\d{3,4})"
    r"(?:\s*[-,(]?\s*(retreats?|builds?|adjustments|movement|orders|diplomacy)\b)?",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\b(territories|unitsByPlayer|retreatOptions|orders)\b[\"']?\s*[=:]\s*(?=\{)")
_STAGES = {"M": "", "R": " Retreats", "A": " Builds"}
_KINDS = {
    "HOLD": OrderKind.HOLD,
    "MOVE": OrderKind.MOVE,
    "CONVOY": OrderKind.CONVOY,
    "RETREAT": OrderKind.RETREAT,
    "DISBAND": OrderKind.DISBAND,
    "BUILD": OrderKind.BUILD,
    "WAIVE": OrderKind.WAIVE,
}
_NAMES = {kind: name for name, kind in _KINDS.items()} | {
    OrderKind.SUPPORT_HOLD: "SUPPORT",
    OrderKind.SUPPORT_MOVE: "SUPPORT",
}


def orders_from_backstabbr(text: str, position: Position) -> dict[str, list[Order]]:
    """Read the orders of a page, listed or in its script, for a position. Raises OrderError, FormatError or
    MapError, with the line."""
    given = _variables(text).get("orders")
    if given is None:
        return read_page(text, position, lambda line: without_outcome(plain_cells(line, position.map)))
    orders: dict[str, list[Order]] = {}
    for name, entries in given.items():
        power = position.map.power(name)
        orders[power] = [
            _order(power, where, entry, position) for where, entry in _table(entries, name).items()
        ]
    return orders


def orders_to_backstabbr(position: Position, orders: Mapping[str, Iterable[Order]]) -> str:
    """The list of the orders that powers give in a position."""

    def sentence(order: Order) -> str:
        words = str(order).split()
        return " ".join(word.title() if len(word) > 1 and word != "VIA" else word for word in words)

    return page_of(orders, words_of(position.phase) + _STAGES[position.phase.kind], str, sentence)


def position_from_backstabbr(text: str, map: Map | None = None, phase: str | None = None) -> Position:
    """Read the position in a page's script, by default on the standard map. `phase` is used if the page names
    none. Raises FormatError, MapError or PositionError."""
    map = map or Map.standard()
    variables = _variables(text)
    if "unitsByPlayer" not in variables:
        raise FormatError("there is no 'unitsByPlayer' in it, where Backstabbr's pages have the units")
    owners = variables.get("territories", {})
    state: dict[str, Any] = {"name": phase or _phase(text), "units": {}, "centers": {}, "retreats": {}}
    for name, units in variables["unitsByPlayer"].items():
        power = map.power(name)
        state["units"][power] = [_unit(where, given, map) for where, given in _table(units, name).items()]
    for name, units in variables.get("retreatOptions", {}).items():
        power = map.power(name)
        for where, given in _table(units, name).items():
            unit = _unit(where, given, map)
            state["units"].setdefault(power, []).append(f"*{unit}")
            options = given.get("to", []) if isinstance(given, dict) else []
            state["retreats"].setdefault(power, {})[unit] = [_tag(option, map) for option in options]
    for where, name in owners.items():
        tag = map.province(where).name
        if name and tag in map.centres:
            state["centers"].setdefault(map.power(str(name)), []).append(tag)
    return Position.from_json(state, map)


def position_to_backstabbr(position: Position) -> str:
    """The phase and the variables of a page with a position."""

    def shown(kind: str, location: str, **more: object) -> object:
        _, _, coast = location.partition("/")
        fields = {"type": kind, **({"coast": coast.lower()} if coast else {}), **more}
        return fields if len(fields) > 1 else kind

    map = position.map
    units: dict[str, dict[str, object]] = {power.title(): {} for power in map.powers}
    for unit in position.units:
        units[unit.power.title()][_short(unit.province)] = shown(unit.kind, unit.location)
    driven: dict[str, dict[str, object]] = {}
    for unit, retreats in position.dislodged:
        entry = shown(unit.kind, unit.location, to=[_short(retreat) for retreat in retreats])
        driven.setdefault(unit.power.title(), {})[_short(unit.province)] = entry
    owners = zip(map.centres, position.owners, strict=True)
    variables = {
        "territories": {_short(tag): power.title() for tag, power in owners if power is not None},
        "unitsByPlayer": units,
        **({"retreatOptions": driven} if driven else {}),
    }
    lines = [f"var {name} = {json.dumps(value)};" for name, value in variables.items()]
    return "\n".join([words_of(position.phase) + _STAGES[position.phase.kind], *lines]) + "\n"


def _variables(text: str) -> dict[str, dict[str, Any]]:
    """The objects that a script sets. Raises FormatError with the line for invalid syntax."""
    variables: dict[str, dict[str, Any]] = {}
    for match in _VARIABLE.finditer(text):
        try:
            value, _ = json.JSONDecoder().raw_decode(text, match.end())
        except (ValueError, RecursionError):
            line = text.count("\n", 0, match.start()) + 1
            raise FormatError(f"line {line}: cannot read the value of {match[1]}: no JSON") from None
        variables.setdefault(match[1], value)
    return variables


def _table(value: object, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"what {quote(name)} has is {quote(value)}, and no object with places")
    return value


def _short(location: str) -> str:
    """``Spa/sc`` for SPA/SC."""
    tag, _, coast = location.partition("/")
    return tag.title() + (f"/{coast.lower()}" if coast else "")


def _tag(where: object, map: Map) -> str:
    """A location in our notation from ``Spa/sc`` or ``Spa``."""
    tag, _, coast = str(where).partition("/")
    return map.province(tag).name + (f"/{coast.upper()}" if coast else "")


def _unit(where: str, value: object, map: Map) -> str:
    """A unit from ``"A"`` or ``{"type": "F", "coast": "sc"}``."""
    fields = value if isinstance(value, dict) else {"type": value}
    coast = fields.get("coast")
    return f"{fields.get('type')} {_tag(where, map)}{f'/{str(coast).upper()}' if coast else ''}"


def _phase(text: str) -> str:
    match = _PHASE.search(text)
    if match is None:
        raise FormatError("the page names no phase, like 'Spring 1901'")
    kind = (match[3] or "").lower()
    words = f"{match[1]} {match[2]}" + (f" {kind}" if kind else "")
    return str(Phase.parse(words))


def _order(power: str, where: str, value: object, position: Position) -> Order:
    """An order of the script: its type, its destination (``to``, ``to_coast``), and the unit that it supports
    or convoys (``from``)."""
    entry = value if isinstance(value, dict) else {"type": value}
    kind = str(entry.get("type", "")).upper()
    goal, helped, coast = entry.get("to"), entry.get("from"), entry.get("to_coast")
    to = f"{goal}/{coast}" if coast else f"{goal}"
    word = {"HOLD": "H", "DISBAND": "D", "WAIVE": "WAIVE"}.get(kind, "")
    match kind:
        case "HOLD" | "DISBAND":
            text = f"{where} {word}"
        case "WAIVE":
            text = word
        case "MOVE":
            text = f"{where} - {to}{' VIA' if entry.get('via_convoy') else ''}"
        case "RETREAT":
            text = f"{where} R {to}"
        case "SUPPORT" if helped in (None, goal):
            text = f"{where} S {goal or helped}"
        case "SUPPORT":
            text = f"{where} S {helped} - {to}"
        case "CONVOY":
            text = f"{where} C {helped} - {to}"
        case "BUILD":
            text = f"build {_unit(where, {'type': entry.get('unit', 'A'), **_coast(entry)}, position.map)}"
        case _:
            raise OrderError(f"{power}: {where}: no order is of the type {quote(entry.get('type'))}")
    try:
        return parse_order(text, position.map, position)
    except BordeauxError as error:
        raise OrderError(f"{power}: {error}") from None


def _coast(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {"coast": entry["coast"]} if entry.get("coast") else {}
