"""The orders that a file holds for one position: ``{"POWER": ["A PAR H", ...]}`` in JSON."""

from __future__ import annotations

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.formats.source import open_source, parse_json, read_text
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position

__all__ = ["read_orders"]

SHAPE = 'write {"POWER": ["A PAR H", ...]}'


def read_orders(source: str, position: Position) -> dict[str, list[Order]]:
    """Read the orders in a file, ``-`` for standard input, for the powers of `position`.

    Raises FormatError, MapError or OrderError, which name the source, the power and the order.
    """
    shown = "standard input" if source == "-" else source
    with open_source(source) as handle:
        try:
            text = read_text(handle)
            if not text.strip():
                raise FormatError(f"the orders are empty; {SHAPE}")
            return orders_of(parse_json(text), position)
        except BordeauxError as error:
            raise type(error)(f"{shown}: {error}") from None


def orders_of(given: object, position: Position) -> dict[str, list[Order]]:
    """Read the orders of a parsed JSON document."""
    if not isinstance(given, dict):
        raise FormatError(f"orders are a JSON object, not {quote(given)}; {SHAPE}")
    orders: dict[str, list[Order]] = {}
    for name, texts in given.items():
        power = position.map.power(name)
        if power in orders:
            raise FormatError(f"two lists of orders for {power}; put them into one")
        if texts is None:
            texts = []
        if not isinstance(texts, list):
            raise FormatError(f"the orders of {power} are {quote(texts)}, not a list; {SHAPE}")
        orders[power] = [read_order(power, text, position) for text in texts]
    return orders


def read_order(power: str, text: object, position: Position) -> Order:
    """Read one order of `power`."""
    if not isinstance(text, str):
        raise FormatError(f"{power}: {quote(text)} is no order; write it as text, like 'A PAR - BUR'")
    try:
        return parse_order(text, position.map, position)
    except OrderError as error:
        raise OrderError(f"{power}: {error}") from None
