"""Pages as sites print them: orders as webDiplomacy, Backstabbr and playdiplomacy list them, and positions
of playdiplomacy.

::

    Fall 1902 Retreats
    Unit positions
    France: Army Paris, Fleet Brest
    Supply centres
    France: Brest, Marseilles, Paris
    Dislodged units
    France: Army Gascony (Spain, Burgundy)

Orders are read as those of any text (`bordeaux.formats.order_sheet`). The formats are known from
descriptions, without actual pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.formats.text import position_from_text

Orders = Mapping[str, Iterable[Order | str]]
"""Orders by power, as values or as text; unreadable text raises OrderError, an unknown power MapError."""

_KINDS = {"A": "army", "F": "fleet"}
_COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "East Coast", "WC": "West Coast"}
NAMES_OF_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_STAGES = {"M": "", "R": " Retreats", "A": " Builds"}


def orders_to_webdiplomacy(position: Position, orders: Orders) -> str:
    """The page of the orders that powers give in a position, as webDiplomacy's archive of orders has it."""
    phase = position.phase
    season = "Spring" if phase.season == "S" else "Autumn"
    stage = {"M": "Diplomacy", "R": "Retreats", "A": "Unit-placing"}[phase.kind]

    def sentence(order: Order) -> str:
        if order.kind == OrderKind.WAIVE:
            return "Wait."
        where = place(order.location, position.map)
        if order.kind == OrderKind.BUILD:
            return f"Build {_KINDS[order.unit]} at {where}."
        if order.kind == OrderKind.DISBAND and phase.kind == "A":
            return f"Destroy the unit at {where}."
        goal = place(order.destination, position.map) if order.destination else ""
        helped = place(order.target, position.map) if order.target else ""
        does = {
            OrderKind.HOLD: "hold",
            OrderKind.MOVE: f"move to {goal}{' via convoy' if order.via else ''}",
            OrderKind.SUPPORT_HOLD: f"support hold to {helped}",
            OrderKind.SUPPORT_MOVE: f"support move to {goal} from {helped}",
            OrderKind.CONVOY: f"convoy to {goal} from {helped}",
            OrderKind.RETREAT: f"retreat to {goal}",
            OrderKind.DISBAND: "disband",
        }[order.kind]
        return f"The {_KINDS[order.unit]} at {where} {does}."

    return _page(position, orders, f"{season}, {phase.year}\n{stage}", ":", sentence)


def orders_to_playdiplomacy(position: Position, orders: Orders) -> str:
    """The page of the orders that powers give in a position, as playdiplomacy has it."""
    map, phase = position.map, position.phase

    def sentence(order: Order) -> str:
        if order.kind == OrderKind.WAIVE:
            return "BUILD WAIVED"
        unit = f"{order.unit} {place(order.location, map)}"
        if order.kind == OrderKind.BUILD or phase.kind == "A":
            return f"{'BUILD' if order.kind == OrderKind.BUILD else 'REMOVE'} {unit}"
        return in_names(order, map, {"A": "A", "F": "F"})

    return _page(position, orders, heading_of(phase), ":", sentence)


def orders_to_backstabbr(position: Position, orders: Orders) -> str:
    """The list of the orders that powers give in a position, as Backstabbr has it."""

    def sentence(order: Order) -> str:
        words = str(order).split()
        return " ".join(word.title() if len(word) > 1 and word != "VIA" else word for word in words)

    return _page(position, orders, heading_of(position.phase), "", sentence)


def position_from_playdiplomacy(text: str, map: Map | None = None) -> Position:
    """Read the position of a page, by default on the standard map. Raises FormatError or PositionError, with
    the line."""
    return position_from_text(text, map)


def position_to_playdiplomacy(position: Position) -> str:
    """The page of a position."""
    map = position.map
    lines = [heading_of(position.phase), "Unit positions"]

    def named(unit: Unit) -> str:
        return f"{_KINDS[unit.kind].title()} {place(unit.location, map)}"

    for power in map.powers:
        if units := ", ".join(named(unit) for unit in position.units_of(power)):
            lines.append(f"{power.title()}: {units}")
    lines.append("Supply centres")
    for power, centres in position.centres.items():
        lines.append(f"{power.title()}: {', '.join(place(centre, map) for centre in centres)}")
    lines += ["Dislodged units"] if position.dislodged else []
    for unit, retreats in position.dislodged:
        options = ", ".join(place(retreat, map) for retreat in retreats)
        lines.append(f"{unit.power.title()}: {named(unit)} ({options})")
    return "\n".join(lines) + "\n"


def in_names(order: Order, map: Map, units: Mapping[str, str], s: str = "S") -> str:
    """An order of moves or retreats with the names of its places: ``A Paris SUPPORTS A Munich -> Burgundy``,
    and an `s` behind its verb."""
    unit = f"{units[order.unit]} {place(order.location, map)}"
    goal = f" -> {place(order.destination, map)}" if order.destination else ""
    helped = f"{units[order.target_unit]} {place(order.target, map)}" if order.target else ""
    return {
        OrderKind.HOLD: f"{unit} HOLD",
        OrderKind.MOVE: f"{unit}{goal}{' VIA CONVOY' if order.via else ''}",
        OrderKind.SUPPORT_HOLD: f"{unit} SUPPORT{s} {helped}",
        OrderKind.SUPPORT_MOVE: f"{unit} SUPPORT{s} {helped}{goal}",
        OrderKind.CONVOY: f"{unit} CONVOY{s} {helped}{goal}",
        OrderKind.RETREAT: f"{unit}{' RETREATS' if s else ''}{goal}",
        OrderKind.DISBAND: f"{unit} DISBAND{s}",
    }[order.kind]


def place(location: str, map: Map) -> str:
    """The full name of a location: ``St. Petersburg (South Coast)``."""
    tag, _, coast = location.partition("/")
    full = map.province(tag).full
    return f"{full} ({_COASTS.get(coast, coast)})" if coast else full


def _page(
    position: Position, orders: Orders, heading: str, mark: str, sentence: Callable[[Order], str]
) -> str:
    """A page: a heading, then each power that gives orders, with a line for each order."""
    lines = [heading]
    for power, given in orders.items():
        read = [
            order if isinstance(order, Order) else parse_order(order, position.map, position)
            for order in given
        ]
        lines += ["", f"{position.map.power(power).title()}{mark}", *map(sentence, read)]
    return "\n".join(lines) + "\n"


def heading_of(phase: Phase) -> str:
    """``Spring 1901``, ``Fall 1901 Retreats``."""
    return f"{NAMES_OF_SEASONS[phase.season]} {phase.year}{_STAGES[phase.kind]}"
