"""Orders in DAIDE's text, by way of the values of the language."""

from __future__ import annotations

from bordeaux import Map, Order, Position
from bordeaux.daide import language as d
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import order_of, value_of


def order_to_daide(order: Order, power: str, position: Position) -> str:
    """The text of an order that a power gives in a position."""
    return str(value_of(order, power, position))


def order_from_daide(text: str, map: Map) -> tuple[str, Order]:
    """The power that gives an order, and the order, of a text."""
    return order_of(d.read_part("order", text, vocabulary=Vocabulary.for_map(map)), map)
