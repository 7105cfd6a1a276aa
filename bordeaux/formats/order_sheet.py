"""The orders of one phase by power, in plain text, as people write them and sites print them
(`bordeaux.formats.order_lines`), or in the script of a page of Backstabbr.

A phase in the text must be that of the position. Results are left out. A file holds such text, or JSON:
``{"POWER": ["A PAR H", ...]}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, name_of, placed, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import giver
from bordeaux.formats.answer import answer_lines, lines_of_json
from bordeaux.formats.order_lines import LineHeading, LineItem, LineNote, LineOrder, OrderLines
from bordeaux.formats.registry import called, format_of
from bordeaux.formats.source import LARGEST_TEXT, open_source, parse_json, read_text, tell

MOST = 1000
"""Orders of one phase; the largest map has 255 provinces."""
_JSON = re.compile(r'[{"]|\[(?!\s*[A-Z])|(?:-?[0-9][-+.0-9eE]*|null|true|false|NaN|-?Infinity)\s*$')
SHAPE = """write {"POWER": ["A PAR H", ...]}, or lines like 'FRANCE: A PAR H'"""


def orders_from_text(
    text: str, position: Position, notes: list[str] | None = None, *, answer: bool = False
) -> dict[str, list[Order]]:
    """Read orders by power for `position`; a power without an order has an empty list. As an `answer` of a
    language model, the text may have thoughts, JSON and reasons in it (`bordeaux.formats.answer`).

    With `notes`, a line that cannot be read is added to them and left out. Otherwise it raises OrderError,
    FormatError or MapError: one line, which begins with the line number if the text has several.
    """
    if (known := format_of(text)) is not None and known.orders:
        return called(known.orders, text, position, notes)
    lines = text.splitlines()
    items = answer_lines(text, position) if answer else _items(lines, position, whole=notes is not None)
    return _orders(items, position, notes, numbered=len(lines) > 1)


def _items(lines: Iterable[str], position: Position, *, whole: bool) -> list[LineItem]:
    """What lines say: the `whole` of them, or up to the first that cannot be read."""
    reader = OrderLines(position.map, position=position)
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
        if reader.orders > MOST or (not whole and reader.notes):
            break
    reader.end()
    return reader.items


def _orders(
    items: Iterable[LineItem], position: Position, notes: list[str] | None, *, numbered: bool
) -> dict[str, list[Order]]:
    """The orders of items for a position; faults are told with the numbers of their lines, or raised."""
    phase, elsewhere = position.phase, False
    orders: dict[str, list[Order]] = {}
    for item in items:
        fault = item if isinstance(item, LineNote) else None
        if isinstance(item, str):
            orders.setdefault(item, [])
        elif isinstance(item, LineHeading):
            year, season, _ = item.phase
            # Builds may stand under the Fall, as on webDiplomacy.
            same = season == phase.season or (season == "F" and phase.kind == "A")
            elsewhere = not same or year != phase.year or item.kind not in ("", phase.kind)
            if elsewhere:
                said = f"these orders are for {quote(item.text)}, and the position is {phase}"
                fault = LineNote(phase, "", item.line, FormatError(said))
        elif isinstance(item, LineOrder):
            try:
                if elsewhere:
                    raise FormatError(f"{quote(item.text)} is of another phase")
                order = parse_order(item.text, position.map, position)
                power = item.power or giver(order, position)
                if sum(map(len, orders.values())) >= MOST:
                    raise OrderError(f"more than {MOST:,} orders; no phase has that many")
                orders.setdefault(power, []).append(order)
            except BordeauxError as error:
                fault = LineNote(phase, item.power, item.line, error)
        if fault is not None:
            if notes is None:
                raise type(fault.error)(f"line {fault.line}: {fault.fault}" if numbered else fault.fault)
            notes.append(str(fault._replace(phase=None)))
    return orders


def read_orders(source: str, position: Position, *, lenient: bool = False) -> dict[str, list[Order]]:
    """Read the orders in a file, ``-`` for standard input, for the powers of `position`.

    What cannot be read raises FormatError, MapError or OrderError, which name the source, the power and the
    order. If `lenient`, it gives a warning (ReadingNote) and is left out.
    """
    notes: list[str] | None = [] if lenient else None
    with open_source(source) as handle, placed(name_of(source)):
        orders = orders_in(read_text(handle, most=LARGEST_TEXT, loose=True), position, notes)
    tell(notes or (), name_of(source), most=None)
    return orders


def orders_in(text: str, position: Position, notes: list[str] | None = None) -> dict[str, list[Order]]:
    """Read orders by power: in plain text, in a site's format, or in JSON of any form that says whose orders
    they are, as a saved phase and the output of ``bordeaux orders --json``; texts in JSON are read as lines
    are. With `notes`, what cannot be read is added to them and left out. Otherwise raises FormatError,
    MapError or OrderError."""
    begins = text.lstrip()[:80]
    if not begins:
        raise FormatError(f"there are no orders in it; {SHAPE}")
    # A number or a quoted text is JSON as well, though no orders; [France] is a power.
    in_json = _JSON.match(begins) is not None
    if notes is not None or not in_json:
        orders = orders_from_text(text, position, notes, answer=notes is not None)
        if orders or not in_json:
            return orders
    document = parse_json(text)
    if not isinstance(document, list | dict):
        raise FormatError(f"orders are a JSON object, not {quote(document)}; {SHAPE}")
    lines = (line for said in lines_of_json(document) for line in said.splitlines())
    items = _items(lines, position, whole=False)
    listed = document.get("powers") if isinstance(document, dict) else document
    if isinstance(listed, list) and all(isinstance(item, LineHeading) for item in items):
        raise FormatError(f"there are no orders in {quote(document)}; {SHAPE}")
    return _orders(items, position, None, numbered=False)
