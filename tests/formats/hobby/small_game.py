"""A game of two turns, for tests that look at single lines."""

from __future__ import annotations

from bordeaux import Position
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from tests.formats.hobby.made_pages import archive_html, played

__all__ = ["ARCHIVE", "PHASES"]

OPENING = {
    "S1901M": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
    "F1901M": {"FRANCE": ["A BUR - BEL"], "RUSSIA": ["F STP/SC - BOT"]},
}


def _orders(position: Position) -> dict[str, list[Order]] | None:
    given = OPENING.get(str(position.phase))
    if given is None:
        return None
    return {
        power: [parse_order(text, position.map, position) for text in texts] for power, texts in given.items()
    }


PHASES = list(played(Position.start(), _orders))
ARCHIVE = archive_html(PHASES)
