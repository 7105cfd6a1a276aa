"""The orders of one phase by power, in plain text, as people write them and sites print them
(`bordeaux.formats.order_lines`), or in the script of a page of Backstabbr.

A phase in the text must be that of the position. Results are left out.
"""

from __future__ import annotations

from bordeaux.board.errors import BordeauxError, FormatError, OrderError, quote
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.board.submission import giver
from bordeaux.formats.hobby.backstabbr import has_script, orders_from_backstabbr
from bordeaux.formats.order_lines import LineHeading, LineNote, LineOrder, OrderLines

__all__ = ["orders_from_text"]

MOST = 1000
"""Orders of one phase; the largest map has 255 provinces."""


def orders_from_text(text: str, position: Position, notes: list[str] | None = None) -> dict[str, list[Order]]:
    """Read orders by power for `position`; a power without an order has an empty list.

    With `notes`, a line that cannot be read is added to them and left out. Otherwise it raises OrderError,
    FormatError or MapError: one line, which begins with the line number if the text has several.
    """
    if has_script(text):
        return orders_from_backstabbr(text, position, notes)
    lines = text.splitlines()
    reader = OrderLines(position.map)
    for number, line in enumerate(lines, 1):
        reader.take(number, line)
        if reader.orders > MOST or (notes is None and reader.notes):
            break
    reader.end()
    sheet = _Sheet(position, len(lines) > 1, notes)
    for item in reader.items:
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

    def take(self, item: LineHeading | LineOrder | LineNote | str) -> None:
        """Take what a line says. Raises BordeauxError unless notes are kept."""
        phase = self.position.phase
        if isinstance(item, str):
            self.orders.setdefault(item, [])
        elif isinstance(item, LineNote):
            self._fault(item.line, item.power, item.error)
        elif isinstance(item, LineHeading):
            self._elsewhere = not _is_of(item, phase)
            if self._elsewhere:
                said = f"these orders are for {quote(item.text)}, and the position is {phase}"
                self._fault(item.line, "", FormatError(said))
        elif self._elsewhere:
            self._fault(item.line, item.power, FormatError(f"{quote(item.text)} is of another phase"))
        else:
            try:
                self._order(item)
            except BordeauxError as error:
                self._fault(item.line, item.power, error)

    def _order(self, item: LineOrder) -> None:
        order = parse_order(item.text, self.position.map, self.position)
        power = item.power or giver(order, self.position)
        self._count += 1
        if self._count > MOST:
            raise OrderError(f"more than {MOST:,} orders; no phase has that many")
        self.orders.setdefault(power, []).append(order)

    def _fault(self, line: int, power: str, error: BordeauxError) -> None:
        if self.notes is None:
            where = f"line {line}: " if self.several else ""
            named = f"{power}: " if power and isinstance(error, OrderError) else ""
            raise type(error)(f"{where}{named}{error}") from None
        self.notes.append(str(LineNote(None, power, line, error)))


def _is_of(heading: LineHeading, phase: Phase) -> bool:
    """Whether a heading is that of a phase. Builds may stand under the Fall, as on webDiplomacy."""
    year, season, _ = heading.phase
    if year != phase.year or (heading.kind and heading.kind != phase.kind):
        return False
    return season == phase.season or (season == "F" and phase.kind == "A")
