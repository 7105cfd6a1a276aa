"""The results pages of playdiplomacy, as text: orders with their results, and positions.

::

    Fall 1902                                  Fall 1902 Retreats
    France:                                    Unit positions
    A Paris -> Burgundy SUCCEEDS               France: Army Paris, Fleet Brest
    F Brest SUPPORTS A Paris -> Burgundy       Supply centres
    A Gascony HOLD DISLODGED                   France: Brest, Marseilles, Paris
                                               Dislodged units
                                               France: Army Gascony (Spain, Burgundy)

A table with a column for the power is read as well: ``France | A Paris -> Burgundy | SUCCEEDS``. Retreats are
``RETREATS -> Gascony`` and ``DISBANDS``; ``BUILD A Paris`` and ``REMOVE A Paris`` in Winter. The reader was
written from descriptions, without actual pages, and is lenient.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bordeaux.board.errors import FormatError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.formats.site_lines import page_of, place, plain_cells, read_page, without_outcome, words_of
from bordeaux.formats.text import position_from_text

__all__ = [
    "orders_from_playdiplomacy",
    "orders_to_playdiplomacy",
    "position_from_playdiplomacy",
    "position_to_playdiplomacy",
]

_HEADING = re.compile(r"(?:orders|results|movement|moves|retreats?|builds?|adjustments)\s*:?", re.IGNORECASE)
_UNITS = re.compile(r"(?:unit positions|units|positions?)\s*:?", re.IGNORECASE)
_CENTRES = re.compile(r"supply[\s-]+cent(?:res|ers)\s*:?", re.IGNORECASE)
_DISLODGED = re.compile(r"dislodged(?: units)?\s*:?", re.IGNORECASE)
_ROW = re.compile(r"(?P<power>[^:]+):\s*(?P<rest>.*)")
_COAST = re.compile(r"(?:[nsew]c|(?:north|south|east|west) coast)", re.IGNORECASE)
_KINDS = {"M": "", "R": " Retreats", "A": " Builds"}


def orders_from_playdiplomacy(text: str, position: Position) -> dict[str, list[Order]]:
    """Read the orders of a page for a position. Raises OrderError, FormatError or MapError, with the line."""

    def plain(line: str) -> str:
        said = without_outcome(plain_cells(line, position.map))
        return "" if _HEADING.fullmatch(said) else said

    return read_page(text, position, plain)


def orders_to_playdiplomacy(position: Position, orders: Mapping[str, Iterable[Order]]) -> str:
    """The page of the orders that powers give in a position."""
    map, phase = position.map, position.phase

    def sentence(order: Order) -> str:
        if order.kind == OrderKind.WAIVE:
            return "BUILD WAIVED"
        unit = f"{order.unit} {place(order.location, map)}"
        goal = place(order.destination, map) if order.destination else ""
        helped = f"{order.target_unit} {place(order.target, map)}" if order.target else ""
        return {
            OrderKind.HOLD: f"{unit} HOLD",
            OrderKind.MOVE: f"{unit} -> {goal}{' VIA CONVOY' if order.via else ''}",
            OrderKind.SUPPORT_HOLD: f"{unit} SUPPORTS {helped}",
            OrderKind.SUPPORT_MOVE: f"{unit} SUPPORTS {helped} -> {goal}",
            OrderKind.CONVOY: f"{unit} CONVOYS {helped} -> {goal}",
            OrderKind.RETREAT: f"{unit} RETREATS -> {goal}",
            OrderKind.DISBAND: f"REMOVE {unit}" if phase.kind == "A" else f"{unit} DISBANDS",
            OrderKind.BUILD: f"BUILD {unit}",
        }[order.kind]

    return page_of(orders, words_of(phase) + _KINDS[phase.kind], lambda power: f"{power}:", sentence)


def position_from_playdiplomacy(text: str, map: Map | None = None) -> Position:
    """Read the position of a page, by default on the standard map. Raises FormatError or PositionError, with
    the line."""
    part, lines = "", []
    for number, line in enumerate(text.splitlines(), 1):
        said = plain_cells(line, map or Map.standard())
        if _UNITS.fullmatch(said):
            part, said = "units", ""
        elif _CENTRES.fullmatch(said):
            part, said = "centres", ""
        elif _DISLODGED.fullmatch(said):
            part, said = "dislodged", ""
        elif part and said:
            match = _ROW.fullmatch(said)
            if match is None:
                raise FormatError(f"line {number}: expected a power, like 'France: ...', not {quote(said)}")
            rest = _dislodged(match["rest"]) if part == "dislodged" else match["rest"]
            said = f"{match['power']}: {part} {rest}"
        lines.append(said)
    if not part:
        raise FormatError("there are no 'Unit positions' in it")
    return position_from_text("\n".join(lines), map)


def _dislodged(rest: str) -> str:
    """``Army Gascony (Spain, Burgundy), Fleet Rome`` as ``Army Gascony to Spain or Burgundy, Fleet Rome``."""
    items, depth, begin = [], 0, 0
    for at, char in enumerate(f"{rest},"):
        depth += (char == "(") - (char == ")")
        if char == "," and depth <= 0:
            items.append(rest[begin:at].strip())
            begin = at + 1
    return ", ".join(map(_driven_out, items))


def _driven_out(item: str) -> str:
    """A dislodged unit with its retreats, which follow in brackets; a coast may be there too."""
    if not item.endswith(")"):
        return item
    depth, at = 1, len(item) - 1
    while depth and at > 0:
        at -= 1
        depth += (item[at] == ")") - (item[at] == "(")
    inside = item[at + 1 : -1].strip()
    if _COAST.fullmatch(inside):
        return item
    return f"{item[:at]} to {inside.replace(',', ' or') or 'nowhere'}"


def position_to_playdiplomacy(position: Position) -> str:
    """The page of a position."""
    map, kinds = position.map, {"A": "Army", "F": "Fleet"}
    lines = [words_of(position.phase) + _KINDS[position.phase.kind], "Unit positions"]
    for power in map.powers:
        units = [f"{kinds[unit.kind]} {place(unit.location, map)}" for unit in position.units_of(power)]
        lines += [f"{power.title()}: {', '.join(units)}"] if units else []
    lines.append("Supply centres")
    for power, centres in position.centres.items():
        lines.append(f"{power.title()}: {', '.join(place(centre, map) for centre in centres)}")
    if position.dislodged:
        lines.append("Dislodged units")
    for unit, retreats in position.dislodged:
        options = ", ".join(place(retreat, map) for retreat in retreats)
        lines.append(f"{unit.power.title()}: {kinds[unit.kind]} {place(unit.location, map)} ({options})")
    return "\n".join(lines) + "\n"
