"""A game of two turns, for tests that look at single lines."""

from __future__ import annotations

from bordeaux import Position
from tests.formats.hobby.made_pages import archive_html, played, scripted

__all__ = ["ARCHIVE", "PHASES"]

OPENING = {
    "S1901M": {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - BUR"]},
    "F1901M": {"FRANCE": ["A BUR - BEL"], "RUSSIA": ["F STP/SC - BOT"]},
}


PHASES = list(played(Position.start(), scripted(OPENING)))
ARCHIVE = archive_html(PHASES)
