"""The formats of other programs: how their content is known, and which functions read them.

A new format is a module in `bordeaux.formats` and a line here. Functions are named ``module:function`` and
imported when they are used: a file loads its own format and no other.
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.formats.source import BREAK

UNKNOWN_PAGE = "no page of a game that is known: docs/formats.md names for each site which page to save"
"""The message for other pages."""


class Format(NamedTuple):
    """A format of texts. `sign` is searched in a text; `position` makes a position of a text and a map,
    `orders` the orders in a text for a position (with notes)."""

    sign: re.Pattern[str]
    position: str
    orders: str = ""


DFEN = Format(re.compile(r"\A\s*\d{1,4}[sfw][mrb]\s*/", re.IGNORECASE), "dui:position_from_dfen")
FORMATS = (
    DFEN,
    Format(re.compile(r"\A\s*[a-z]{3}\s*\(", re.IGNORECASE), "daide:position_from_daide"),
    Format(
        re.compile(r"\b(?:unitsByPlayer|territories)\b[\"']?\s*[=:]\s*\{|\borders\b\s*=\s*\{", re.IGNORECASE),
        "hobby.backstabbr:position_from_backstabbr",
        "hobby.backstabbr:orders_from_backstabbr",
    ),
)
"""In the order of trying. A text of none of them is a position in plain text, or a list of orders."""


def called(name: str, *given: Any, **named: Any) -> Any:
    """Call a function ``module:function`` of a format."""
    module, _, function = name.partition(":")
    return getattr(import_module(f"bordeaux.formats.{module}"), function)(*given, **named)


def format_of(text: str) -> Format | None:
    """The format whose sign a text has; None for lines that people write, and for several pages."""
    if BREAK in text.strip(BREAK):
        return None
    return next((known for known in FORMATS if known.sign.search(text)), None)


def game_of_pages(text: str, map: Map | None = None, *, wanted: bool = False) -> dict[str, Any] | None:
    """The saved game of pages or of lists of orders (`bordeaux.formats.hobby.reading`)."""
    game: dict[str, Any] | None = called("hobby.reading:game_of_pages", text, map, wanted=wanted)
    return game
