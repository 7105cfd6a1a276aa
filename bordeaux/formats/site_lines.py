"""The common parts of the sites' pages: headings, tables, and words for results.

A site's reader turns each line into one that `bordeaux.formats.order_sheet` reads, so that errors give the
line of the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from bordeaux.board.errors import OrderError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.formats.order_sheet import orders_from_text

__all__ = ["KINDS", "page_of", "place", "plain_cells", "read_page", "without_outcome", "words_of"]

KINDS = {"A": "army", "F": "fleet"}
COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "East Coast", "WC": "West Coast"}
SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}

_OUTCOME = re.compile(
    r"[\s,;:*(\[|-]*\b(?:succe(?:ss|eds|eded|ssful)|resolve[sd]|fail(?:s|ed)?|bounce[sd]?|cut|dislodged|void|"
    r"invalid|illegal|no convoy|disrupted|ordered|not ordered|(?:and|but) (?=dislodged))\b[\s.)\]|]*$",
    re.IGNORECASE,
)
_CELLS = re.compile(r"\s*[|\t]\s*")


def without_outcome(line: str) -> str:
    """A line without the result of the order at its end."""
    while (match := _OUTCOME.search(line)) is not None and match.start() > 0:
        line = line[: match.start()]
    return line


def plain_cells(line: str, map: Map) -> str:
    """A row of a table, separated by tabs or bars, as ``POWER: the rest``; a row without a power as words."""
    cells = [cell for cell in _CELLS.split(line.strip()) if cell]
    if len(cells) > 1 and cells[0].rstrip(":").upper() in map.powers:
        return f"{cells[0].rstrip(':')}: {' '.join(cells[1:])}"
    return " ".join(cells)


def read_page(text: str, position: Position, plain: Callable[[str], str]) -> dict[str, list[Order]]:
    """Orders by power of a page whose lines `plain` converts to plain text; an empty line is skipped.

    Raises OrderError, FormatError or MapError: one line, with the line of the page.
    """
    orders = orders_from_text("\n".join(plain(line) for line in text.splitlines()), position)
    if not orders:
        raise OrderError("there is no power and no order in it")
    return orders


def place(location: str, map: Map) -> str:
    """The full name of a location: ``St. Petersburg (South Coast)``."""
    tag, _, coast = location.partition("/")
    full = map.province(tag).full
    return f"{full} ({COASTS.get(coast, coast)})" if coast else full


def page_of(
    orders: Mapping[str, Iterable[Order]],
    heading: str,
    power_line: Callable[[str], str],
    sentence: Callable[[Order], str],
) -> str:
    """A page: a heading, then each power that gives orders, with a line for each order."""
    lines = [heading]
    for power, given in orders.items():
        lines += ["", power_line(power.title()), *(sentence(order) for order in given)]
    return "\n".join(lines) + "\n"


def words_of(phase: Phase) -> str:
    """``Spring 1901``."""
    return f"{SEASONS[phase.season]} {phase.year}"
