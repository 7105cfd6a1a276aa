"""The orders of one phase by power, in plain text, as people write them and sites print them
(`bordeaux.formats.order_lines`), or in the script of a page of Backstabbr.

A phase in the text must be that of the position. Results are left out. A file holds such text, or JSON:
``{"POWER": ["A PAR H", ...]}``.
"""

from __future__ import annotations

import re

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, name_of, of_kind, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase, read_heading
from bordeaux.board.position import Position
from bordeaux.board.submission import giver
from bordeaux.formats.answer import answer_lines
from bordeaux.formats.order_lines import LineHeading, LineItem, LineNote, LineOrder, OrderLines
from bordeaux.formats.registry import format_of
from bordeaux.formats.source import LARGEST_TEXT, open_source, parse_json, read_text, tell

MOST = 1000
"""Orders of one phase; the largest map has 255 provinces."""


def orders_from_text(
    text: str, position: Position, notes: list[str] | None = None, *, answer: bool = False
) -> dict[str, list[Order]]:
    """Read orders by power for `position`; a power without an order has an empty list. As an `answer` of a
    language model, the text may have thoughts, JSON and reasons in it (`bordeaux.formats.answer`).

    With `notes`, a line that cannot be read is added to them and left out. Otherwise it raises OrderError,
    FormatError or MapError: one line, which begins with the line number if the text has several.
    """
    if (known := format_of(text)) is not None and known.orders:
        scripted: dict[str, list[Order]] = known.call("orders", text, position, notes)
        return scripted
    lines = text.splitlines()
    sheet = _Sheet(position, len(lines) > 1, notes)
    reader = OrderLines(position.map, position=position)
    for number, line in enumerate(() if answer else lines, 1):
        reader.take(number, line)
        if reader.orders > MOST or (notes is None and reader.notes):
            break
    reader.end()
    for item in answer_lines(text, position) if answer else reader.items:
        sheet.take(item)
    return sheet.orders


class _Sheet:
    """Collects the orders of lines for one position."""

    def __init__(self, position: Position, several: bool, notes: list[str] | None) -> None:
        self.position = position
        self.several = several
        self.notes = notes
        self.orders: dict[str, list[Order]] = {}
        self._count = 0
        self._elsewhere = False

    def take(self, item: LineItem) -> None:
        """Take what a line says. Raises BordeauxError unless notes are kept."""
        phase = self.position.phase
        if isinstance(item, str):
            self.orders.setdefault(item, [])
        elif isinstance(item, LineNote):
            self._fault(item)
        elif isinstance(item, LineHeading):
            self._elsewhere = not _is_of(item, phase)
            if self._elsewhere:
                said = f"these orders are for {quote(item.text)}, and the position is {phase}"
                self._fault(LineNote(phase, "", item.line, FormatError(said)))
        elif self._elsewhere:
            said = f"{quote(item.text)} is of another phase"
            self._fault(LineNote(phase, item.power, item.line, FormatError(said)))
        else:
            try:
                self._order(item)
            except BordeauxError as error:
                self._fault(LineNote(phase, item.power, item.line, error))

    def _order(self, item: LineOrder) -> None:
        order = parse_order(item.text, self.position.map, self.position)
        power = item.power or giver(order, self.position)
        self._count += 1
        if self._count > MOST:
            raise OrderError(f"more than {MOST:,} orders; no phase has that many")
        self.orders.setdefault(power, []).append(order)

    def _fault(self, note: LineNote) -> None:
        told = str(note._replace(phase=None, left_out=note.left_out and self.notes is not None))
        if self.notes is None:
            raise type(note.error)(told if self.several else told.partition(": ")[2]) from None
        self.notes.append(told)


def _is_of(heading: LineHeading, phase: Phase) -> bool:
    """Whether a heading is that of a phase. Builds may stand under the Fall, as on webDiplomacy."""
    year, season, _ = heading.phase
    if year != phase.year or (heading.kind and heading.kind != phase.kind):
        return False
    return season == phase.season or (season == "F" and phase.kind == "A")


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
    in_json = begins[0] in '{["' or SCALAR.fullmatch(begins.strip()) is not None
    if notes is not None or not in_json:
        orders = orders_from_text(text, position, notes, answer=notes is not None)
        if orders or not in_json:
            return orders
    return orders_of(parse_json(text), position)


def orders_of(document: object, position: Position) -> dict[str, list[Order]]:
    """Read the orders of a parsed JSON document: by power, also beside other things, as in a saved phase, in
    ``{"power": "FRANCE", "orders": [...]}`` and in the output of ``bordeaux orders --json``."""
    given = document
    if isinstance(document, dict):
        inner = [document[key] for key in ("powers", "orders") if document.get(key) is not None]
        if len(inner) > 1:
            raise FormatError("there are orders under 'powers' and under 'orders'; put them into one")
        given = inner[0] if inner else document
        if isinstance(given, list) and "power" in document:
            given = {of_kind("power", document["power"], str, "a text"): given}
        heading = read_heading(str(document.get("phase", document.get("name", ""))))
        if heading is not None and (phase := heading.phase(position.phase.year)) != position.phase:
            raise FormatError(f"these orders are for {phase}, and the position is {position.phase}")
    if not isinstance(given, dict):
        raise FormatError(f"orders are a JSON object, not {quote(given)}; {SHAPE}")
    orders: dict[str, list[Order]] = {}
    for name, listed in given.items():
        power = position.map.power(name)
        texts = listed["orders"] if isinstance(listed, dict) and "orders" in listed else listed
        if power in orders:
            raise FormatError(f"two lists of orders for {power}; put them into one")
        if not isinstance(texts, list | None):
            raise FormatError(f"the orders of {power} are {quote(texts)}, not a list; {SHAPE}")
        orders[power] = [read_order(power, text, position) for text in texts or ()]
    return orders


def read_order(power: str, text: object, position: Position) -> Order:
    """Read one order of `power`."""
    if not isinstance(text, str):
        raise FormatError(f"{power}: {quote(text)} is no order; write it as text, like 'A PAR - BUR'")
    try:
        return parse_order(text, position.map, position)
    except OrderError as error:
        raise OrderError(f"{power}: {error}") from None
