"""The documents of a file of games: JSON (a single one, or one a line), or text from a site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any

from bordeaux.board.errors import FormatError
from bordeaux.board.map import Map
from bordeaux.formats.hobby import game_of_pages
from bordeaux.formats.hobby.markup import text_of_bytes
from bordeaux.formats.source import decode, documents, is_json, parse_json

__all__ = ["LARGEST_PAGES", "UNKNOWN_PAGE", "game_documents", "read_pages"]

LARGEST_PAGES = 32 << 20
"""Most bytes of pages of one game; one of Backstabbr has some 150,000, and a game has up to 100 of them."""

UNKNOWN_PAGE = "no page of a game that is known: docs/own-games.md names for each site which page to save"
"""The message for other pages."""

_BEGINNING = 1 << 20
_HINT = re.compile(
    rb"spring|summer|autumn|\bfall\b|winter|unitsByPlayer|\b[SFW]\d{2,4}[MRAB]?\b", re.IGNORECASE
)


def game_documents(handle: IO[bytes], line: bytes, map: Map | None = None) -> Iterator[Any]:
    """Each game of a file as JSON; `line` is its first line, already read. Raises FormatError."""
    if is_json(line):
        yield from documents(handle, line)
        return
    text = read_pages(handle, line)
    game = game_of_pages(text, map, wanted=True) if text is not None else None
    if game is None and line.lstrip().startswith(b"<"):
        raise FormatError(UNKNOWN_PAGE)
    if game is None:
        game = parse_json(decode(line))  # Else it says why the beginning is no JSON.
    yield game


def read_pages(handle: IO[bytes], line: bytes) -> str | None:
    """The text of a saved or copied page; None if its beginning names no season. Then it is not a game, and
    the rest is not read. Raises FormatError if it is too long."""
    begins = line + handle.read(max(0, _BEGINNING - len(line)))
    if _HINT.search(begins[:_BEGINNING]) is None or b"\0" in begins[:4096]:
        return None
    data = begins + handle.read(max(0, LARGEST_PAGES + 1 - len(begins)))
    if len(data) > LARGEST_PAGES:
        raise FormatError(f"more than {LARGEST_PAGES >> 20} MB in it; give the pages of one game")
    return text_of_bytes(data)
