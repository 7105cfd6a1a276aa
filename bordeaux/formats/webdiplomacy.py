"""The orders archive of webDiplomacy, as text.

::

    Autumn, 1902
    Diplomacy
    France:
    The army at Marseilles support move to Burgundy from Paris. (fail)
    The army at London move to Brest via convoy.

Retreats are ``retreat to`` and ``disband``; in Unit-placing, ``Build army at Paris.``, ``Destroy the unit at
Paris.`` and ``Wait.``. The site lists the builds of a year under its Autumn. It prints no positions as text.
The reader was written from descriptions, without actual pages, and is lenient.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.formats.site_lines import KINDS, page_of, place, read_page, without_outcome

__all__ = ["orders_from_webdiplomacy", "orders_to_webdiplomacy"]

_PHASE = re.compile(r"(?P<season>spring|autumn|fall|winter)\s*,?\s*(?P<year>\d{1,4})\s*[.:]?", re.IGNORECASE)
_KIND = re.compile(
    r"(?:diplomacy|retreats?|builds?|unit-placing|orders?(?: history| archive)?)\s*:?", re.IGNORECASE
)
_WAIT = re.compile(r"wait\s*\.?", re.IGNORECASE)
_STAGES = {"M": "Diplomacy", "R": "Retreats", "A": "Unit-placing"}


def orders_from_webdiplomacy(text: str, position: Position) -> dict[str, list[Order]]:
    """Read the orders of a page for a position. Raises OrderError, FormatError or MapError, with the line."""

    def plain(line: str) -> str:
        said = without_outcome(line.strip()).rstrip(" .")
        if _KIND.fullmatch(said):
            return ""
        if (match := _PHASE.fullmatch(said)) is not None:
            builds = position.phase.kind == "A" and match["season"].lower() in ("autumn", "fall")
            return f"{'Winter' if builds else match['season']} {match['year']}"
        return "WAIVE" if _WAIT.fullmatch(said) else said

    return read_page(text, position, plain)


def orders_to_webdiplomacy(position: Position, orders: Mapping[str, Iterable[Order]]) -> str:
    """The page of the orders that powers give in a position."""
    phase = position.phase
    season = "Spring" if phase.season == "S" else "Autumn"

    def sentence(order: Order) -> str:
        if order.kind == OrderKind.WAIVE:
            return "Wait."
        where = place(order.location, position.map)
        if order.kind == OrderKind.BUILD:
            return f"Build {KINDS[order.unit]} at {where}."
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
        return f"The {KINDS[order.unit]} at {where} {does}."

    heading = f"{season}, {phase.year}\n{_STAGES[phase.kind]}"
    return page_of(orders, heading, lambda power: f"{power}:", sentence)
