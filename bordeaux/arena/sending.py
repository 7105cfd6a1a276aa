"""Reads and checks the orders that a player sends for a phase, one order for each unit, for the core.

Legality is that of `bordeaux.board.submission`. Orders written in full notation, as nearly all are, take a
short cut: their code depends only on the text and is cached.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from bordeaux.board.code import make_code
from bordeaux.board.errors import BordeauxError, MapError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import check, decode

__all__ = ["MOST_READ", "Sent", "read"]

MOST_KEPT = 1 << 16
"""The number of orders whose code is cached."""
MOST_READ = 512
"""Entries that are read of one player and phase; no power owes as many."""


class Sent(NamedTuple):
    """The orders that one power sent for one phase.

    `codes` and `orders` are the valid orders, for the core and for people. `void` are other readable orders.
    `illegal` gives the reason for each invalid order, readable or not.
    """

    codes: list[int]
    orders: list[Order]
    void: list[Order]
    illegal: list[str]


def read(position: Position, number: int, given: Iterable[object]) -> Sent:
    """Read the orders of the power `number` for a position: orders or texts, possibly invalid.

    Of several orders for a unit, or for a home to build in, the first legal one counts. A repeated order is
    not a fault. Never raises.
    """
    power = position.map.powers[number]
    winter = position.phase.kind == "A"
    due = abs(position.adjustments(power)) if winter else MOST_READ
    legal = position.packed.is_legal
    sent = Sent([], [], [], [])
    taken: dict[str, int] = {}
    for count, entry in enumerate(given):
        if count == MOST_READ:
            sent.illegal.append(f"more than {MOST_READ} orders; the rest is not read")
            break
        try:
            order = entry if type(entry) is Order else to_order(entry, position)
            code = plain_code(position.map, order)
            if not code or not legal(code, number):
                _, _, code, fault = check(position, power, order)
                if fault:
                    sent.void.append(order)
                    sent.illegal.append(f"{order}: {fault}")
                    continue
                order = decode(position.map, code)
        except BordeauxError as error:
            sent.illegal.append(str(error))
            continue
        except Exception as error:
            # Something with the type of an order and the contents of none.
            sent.illegal.append(f"{quote(repr(entry))} is no order: {type(error).__name__}: {error}")
            continue
        place = order.location.partition("/")[0]
        if place in taken:
            if taken[place] != code:
                sent.void.append(order)
                sent.illegal.append(f"{order}: {place} has an order already, and the first one counts")
            continue
        if len(sent.codes) == due:
            sent.void.append(order)
            sent.illegal.append(f"{order}: one order too many")
            continue
        if place:
            taken[place] = code
        sent.codes.append(code)
        sent.orders.append(order)
    return sent


def to_order(entry: object, position: Position) -> Order:
    """The order that an entry of a list denotes. Raises BordeauxError."""
    if isinstance(entry, str):
        return parse_order(entry, position.map, position)
    raise BordeauxError(f"{quote(repr(entry))} is no order; give texts like 'A PAR - BUR', or Order values")


@lru_cache(MOST_KEPT)
def plain_code(map: Map, order: Order) -> int:
    """The code of an order that names the exact places of its units, else 0.

    The core checks whether the units stand there.
    """
    kind, unit, location, target_unit, target, destination, via, _ = order
    if kind == OrderKind.WAIVE:
        return make_code(kind)
    try:
        place = index(map, unit, location)
        if kind in (OrderKind.HOLD, OrderKind.DISBAND, OrderKind.BUILD):
            return make_code(kind, place)
        if kind in (OrderKind.MOVE, OrderKind.RETREAT):
            return make_code(kind, place, index(map, unit, destination), via=bool(via))
        other = index(map, target_unit, target)
        if kind == OrderKind.SUPPORT_HOLD:
            return make_code(kind, place, other)
        # A goal that needs no coast has the army's location, as in `bordeaux.board.submission`.
        by_land = map.locations_in("A", destination)
        goal = by_land[0].index if by_land else index(map, target_unit, destination)
        return make_code(kind, place, other, goal)
    except MapError:
        return 0


def index(map: Map, unit: str, name: str) -> int:
    """The number of a location in the map's spelling. Raises MapError."""
    location = map.location(unit, name)
    if location.name != name:
        raise MapError(f"{quote(name)} is spelt {location.name}")
    return location.index
