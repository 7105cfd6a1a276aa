"""Orders and positions in the format of any site; our own plain text is tried first, then each site's
format."""

from __future__ import annotations

import re

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.backstabbr import orders_from_backstabbr, position_from_backstabbr
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.formats.playdiplomacy import orders_from_playdiplomacy, position_from_playdiplomacy
from bordeaux.formats.webdiplomacy import orders_from_webdiplomacy

__all__ = ["orders_from_page", "position_from_page"]

_SCRIPT = re.compile(r"\b(?:unitsByPlayer|territories)\b[\"']?\s*[=:]\s*\{|\borders\b\s*=\s*\{")
_LISTING = re.compile(r"^[\s|]*unit positions\s*:?\s*$", re.IGNORECASE | re.MULTILINE)
_READERS = (orders_from_webdiplomacy, orders_from_playdiplomacy, orders_from_backstabbr)


def orders_from_page(text: str, position: Position) -> dict[str, list[Order]]:
    """Orders by power, in plain text or in a site's format.

    Raises OrderError, FormatError or MapError: the error of the text as plain text, with the line.
    """
    if _SCRIPT.search(text):
        return orders_from_backstabbr(text, position)
    try:
        return orders_from_text(text, position)
    except BordeauxError as error:
        first = error
    for reader in _READERS:
        try:
            return reader(text, position)
        except BordeauxError:
            continue
    raise first


def position_from_page(text: str, map: Map | None = None) -> Position | None:
    """The position on a site's page; None for other text. Raises FormatError, MapError or PositionError."""
    if _SCRIPT.search(text):
        return position_from_backstabbr(text, map)
    if _LISTING.search(text):
        return position_from_playdiplomacy(text, map)
    return None
