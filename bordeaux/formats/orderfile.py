"""The orders of a file for one position: ``{"POWER": ["A PAR H", ...]}`` in JSON, or plain text."""

from __future__ import annotations

import re

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.hobby.sheet import tell
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.formats.source import LARGEST_TEXT, name_of, open_source, parse_json, read_text

__all__ = ["orders_in", "orders_of", "read_orders"]

SCALAR = re.compile(r"-?[0-9][-+.0-9eE]*|null|true|false|NaN|-?Infinity")
SHAPE = """write {"POWER": ["A PAR H", ...]}, or lines like 'FRANCE: A PAR H'"""


def read_orders(source: str, position: Position, *, lenient: bool = False) -> dict[str, list[Order]]:
    """Read the orders in a file, ``-`` for standard input, for the powers of `position`.

    What cannot be read raises FormatError, MapError or OrderError, which name the source, the power and the
    order. If `lenient`, it gives a warning (ReadingNote) and is left out.
    """
    notes: list[str] | None = [] if lenient else None
    with open_source(source) as handle:
        try:
            orders = orders_in(read_text(handle, most=LARGEST_TEXT, loose=True), position, notes)
        except BordeauxError as error:
            raise type(error)(f"{name_of(source)}: {error}") from None
    tell(notes or (), name_of(source), most=None)
    return orders


def orders_in(text: str, position: Position, notes: list[str] | None = None) -> dict[str, list[Order]]:
    """Read orders by power: in JSON, also in the output of ``bordeaux orders --json``, in plain text or in a
    site's format (`bordeaux.formats.order_sheet`). With `notes`, what cannot be read is added to them and
    left out. Otherwise raises FormatError, MapError or OrderError."""
    begins = text.lstrip()[:80]
    if not begins:
        raise FormatError(f"there are no orders in it; {SHAPE}")
    # A number or a quoted text is JSON as well, though no orders.
    if begins[0] in '{["' or SCALAR.fullmatch(begins.strip()):
        return orders_of(sets_in(parse_json(text)), position, notes)
    return orders_from_text(text, position, notes)


def sets_in(document: object) -> object:
    """The orders by power, also from the output of ``bordeaux orders --json``."""
    if isinstance(document, dict) and isinstance(document.get("powers"), dict):
        return {
            power: answer.get("orders") if isinstance(answer, dict) else answer
            for power, answer in document["powers"].items()
        }
    return document


def orders_of(given: object, position: Position, notes: list[str] | None = None) -> dict[str, list[Order]]:
    """Read the orders of a parsed JSON document; with `notes`, orders that cannot be read are left out."""
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
        orders[power] = []
        for text in texts:
            try:
                orders[power].append(read_order(power, text, position))
            except BordeauxError as error:
                if notes is None:
                    raise
                notes.append(f"{error}; left out")
    return orders


def read_order(power: str, text: object, position: Position) -> Order:
    """Read one order of `power`."""
    if not isinstance(text, str):
        raise FormatError(f"{power}: {quote(text)} is no order; write it as text, like 'A PAR - BUR'")
    try:
        return parse_order(text, position.map, position)
    except OrderError as error:
        raise OrderError(f"{power}: {error}") from None
