"""All formats, a line each: how their content is known, and which functions read and write it.

A new format is a module in `bordeaux.formats` and a line in `FORMATS`. Functions are named
``module:function`` and imported when they are used: a file loads its own format and no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.position import Position

UNKNOWN_PAGE = "no page of a game that is known: docs/formats.md names for each site which page to save"
"""The message for other pages."""
BREAK = "\f"
"""The separator of several pages in one text."""


class Format(NamedTuple):
    """A format. `sign` is searched in a text; `keys` tells whether a JSON object is of it.

    `position` makes a position of a text and a map, `orders` the orders in a text for a position (with
    notes), `game` a saved game in JSON of a JSON object, `pages` one of pages and a map. `export` makes a
    text or a JSON object of adjudicated phases and the id of their game, for a file that ends in `suffix`.
    """

    name: str
    sign: str = ""
    keys: Callable[[Mapping[str, Any]], bool] | None = None
    position: str = ""
    orders: str = ""
    game: str = ""
    pages: str = ""
    export: str = ""
    suffix: str = ""


def called(name: str, *given: Any, **named: Any) -> Any:
    """Call a function ``module:function`` of a format."""
    module, _, function = name.partition(":")
    return getattr(import_module(f"bordeaux.formats.{module}"), function)(*given, **named)


def _of_webdiplomacy(document: Mapping[str, Any]) -> bool:
    phases = document.get("phases")
    if isinstance(phases, list) and phases and isinstance(phases[0], dict):
        return "turn" in phases[0] and "state" not in phases[0]
    return {"territories", "members", "turn"} <= document.keys()


def _of_godip(document: Mapping[str, Any]) -> bool:
    return isinstance(document.get("Phases"), list) or {"Season", "Year", "Type", "Units"} <= document.keys()


FORMATS = (
    Format("json", keys=lambda document: "phases" in document, suffix="json"),
    Format("webdiplomacy", keys=_of_webdiplomacy, game="hobby.webdiplomacy_json:game_of_webdiplomacy"),
    Format("godip", keys=_of_godip, game="godip:from_godip", export="godip:to_godip", suffix="json"),
    Format("dfen", r"\A\s*\d{1,4}[sfw][mrb]\s*/", position="dui:position_from_dfen"),
    Format("daide", r"\A\s*[a-z]{3}\s*\(", position="daide:position_from_daide"),
    Format(
        "backstabbr",
        r"\b(?:unitsByPlayer|territories)\b[\"']?\s*[=:]\s*\{|\borders\b\s*=\s*\{",
        position="hobby.backstabbr:position_from_backstabbr",
        orders="hobby.backstabbr:orders_from_backstabbr",
    ),
    Format(
        "playdiplomacy",
        r"^[ \t|]*+unit positions[ \t|]*+(?::[ \t|]*+)?$",
        position="site_pages:position_from_playdiplomacy",
    ),
    Format("judge", export="game_text:to_judge", suffix="txt"),
    Format("text", pages="hobby.reading:game_of_pages", export="game_text:to_text", suffix="txt"),
)
"""In the order of trying. A text of none of them is a position in plain text, or a list of orders."""


def format_of(text: str) -> Format | None:
    """The format whose sign a text has; None for lines that people write, and for several pages."""
    if BREAK in text.strip(BREAK):
        return None
    flags = re.IGNORECASE | re.MULTILINE
    return next((known for known in FORMATS if known.sign and re.search(known.sign, text, flags)), None)


def format_of_json(document: Mapping[str, Any]) -> Format | None:
    """The format of a game in JSON; None for a position. The most particular counts."""
    return next(
        (known for known in reversed(FORMATS) if known.keys is not None and known.keys(document)), None
    )


def position_from_page(text: str, map: Map | None = None) -> Position | None:
    """The position on the page of a site; None for other text and for several pages. Raises FormatError,
    MapError or PositionError."""
    known = format_of(text)
    return None if known is None else called(known.position, text, map)


def game_of_pages(text: str, map: Map | None = None, *, wanted: bool = False) -> dict[str, Any] | None:
    """The saved game of pages or of lists of orders (`bordeaux.formats.hobby.reading`)."""
    return called(FORMATS[-1].pages, text, map, wanted=wanted)
