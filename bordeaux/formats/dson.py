"""Orders in the notation of DUI: ``A vie H``, ``A gal S A bud - rum``, ``F nrg - stp/nc``, ``F stp/sc B``,
``W``.

Provinces are in lower case, coasts after a slash. Retreats are ``A vie R boh`` and ``F tri D``, builds ``A
vie B``, a waived build ``W``. Semicolons separate the orders of a phase. A move by convoy has no mark: on
input an army uses a convoy if there is no other way; ``VIA`` is also read.
"""

from __future__ import annotations

from collections.abc import Iterable

from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.placement import Placement
from bordeaux.formats.dui_names import province_to_dui

__all__ = ["order_from_dson", "order_to_dson", "orders_from_dson", "orders_to_dson"]

WAIVED = "W"


def order_to_dson(order: Order, map: Map) -> str:
    """One order."""
    if order.kind == OrderKind.WAIVE:
        return WAIVED
    written = order._replace(
        location=_place(order.location, map),
        target=_place(order.target, map),
        destination=_place(order.destination, map),
        via=False,
    )
    text = str(written)
    return f"{text} H" if order.kind == OrderKind.SUPPORT_HOLD else text


def _place(location: str, map: Map) -> str:
    if not location:
        return ""
    tag, slash, coast = location.partition("/")
    return province_to_dui(tag, map) + slash + coast.lower()


def order_from_dson(text: str, map: Map, position: Placement | None = None) -> Order:
    """Read one order, in DUI's form or any other that `parse_order` reads. Raises OrderError."""
    if text.strip().upper() == WAIVED:
        return Order(OrderKind.WAIVE)
    return parse_order(text.strip(), map, position)


def orders_to_dson(orders: Iterable[Order], map: Map) -> str:
    """Orders of one power in one line, ``A vie H ; A bud - rum``; "" for none."""
    return " ; ".join(order_to_dson(order, map) for order in orders)


def orders_from_dson(text: str, map: Map, position: Placement | None = None) -> list[Order]:
    """Read orders separated by semicolons; none from an empty text. Raises OrderError."""
    return [order_from_dson(part, map, position) for part in text.split(";") if part.strip()]
