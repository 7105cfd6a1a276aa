"""The orders that a file holds for one position: ``{"POWER": ["A PAR H", ...]}`` in JSON."""

from __future__ import annotations

import json
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError, MapError, OrderError
from bordeaux.board.formats.load import read_text
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position

__all__ = ["read_orders"]

SHAPE = 'write {"POWER": ["A PAR H", ...]}'


def read_orders(source: str, position: Position) -> dict[str, list[Order]]:
    """Read the orders in a file, ``-`` for standard input, for the powers of `position`.

    Raises FormatError, MapError or OrderError, which name the file, the power and the order.
    """
    given = parse(source, read_text(source))
    orders: dict[str, list[Order]] = {}
    for name, texts in given.items():
        try:
            power = position.map.power(name)
        except MapError as error:
            raise MapError(f"{source}: {error}") from None
        if power in orders:
            raise FormatError(f"{source}: orders of {power} stand there twice; put them into one list")
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise FormatError(f"{source}: the orders of {power} are not a list of texts; {SHAPE}")
        orders[power] = [read_order(source, power, text, position) for text in texts]
    return orders


def read_order(source: str, power: str, text: str, position: Position) -> Order:
    """Read one order of `power`."""
    try:
        return parse_order(text, position.map, position)
    except BordeauxError as error:
        raise OrderError(f"{source}: {power}: {error}") from None


def parse(source: str, text: str) -> dict[str, Any]:
    """The JSON object that a text is."""
    try:
        given = json.loads(text, object_pairs_hook=without_doubles)
    except json.JSONDecodeError as error:
        raise FormatError(
            f"{source}: not JSON ({error.msg}, line {error.lineno}, column {error.colno}); {SHAPE}"
        ) from None
    except RecursionError:
        raise FormatError(f"{source}: nested too deeply; {SHAPE}") from None
    except FormatError as error:
        raise FormatError(f"{source}: {error}") from None
    if not isinstance(given, dict):
        raise FormatError(f"{source}: orders are a JSON object, not {kind_of(given)}; {SHAPE}")
    return given


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object as a dict; json itself would silently keep only the last of equal keys."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        double = next(name for name in names if names.count(name) > 1)
        raise FormatError(f"{double!r} stands there twice; put its orders into one list")
    return table


def kind_of(value: Any) -> str:
    """What JSON calls a value."""
    names = {list: "a list", str: "a text", bool: "true or false", int: "a number", float: "a number"}
    return names.get(type(value), "null")
