"""Reads whole games of pages of sites, of judges and of people's lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from bordeaux.board.errors import FormatError, MapError, quote
from bordeaux.board.map import Map
from bordeaux.board.notation_words import UNIT_WORDS
from bordeaux.board.order import OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.formats.hobby.assembly import Sheet, SheetEntry, Story, game_of_story
from bordeaux.formats.hobby.backstabbr import story_of_backstabbr
from bordeaux.formats.hobby.markup import Page, pages_of
from bordeaux.formats.order_lines import LineNote, LineOrder, OrderLines

_NUMBER = re.compile(r"game_?id=(\d{1,20})")


def game_of_pages(text: str, map: Map | None = None, *, wanted: bool = False) -> dict[str, Any] | None:
    """The saved game of pages or copied text, in JSON with ``notes``; several pages are separated by a form
    feed. None if there are no orders below a heading in it. Raises FormatError with advice if there are, but
    no game begins with them; if a game is `wanted`, also with what could not be read below a heading."""
    board = map or Map.standard()
    pages = pages_of(text)
    scripts = [page for page in pages if "unitsByPlayer" in page.source]
    story = story_of_backstabbr(scripts, board) if scripts else story_of_lines(pages, board, wanted)
    return None if story is None else game_of_story(story, board)


def story_of_lines(pages: Sequence[Page], map: Map, wanted: bool = False) -> Story | None:
    """The phases of lines of orders; None if there is no order below a heading. Raises FormatError if the
    game has another variant than the map's."""
    reader = OrderLines(map, headed=True)
    for page in pages:
        for line in page.lines:
            reader.take(line.number, line.text)
        reader.end()
        if page.lines and page.title:
            reader.fold_footer()
    orders = [item for item in reader.items if isinstance(item, LineOrder)]
    whole = reader.whole
    if whole and reader.strangers and not any(order.power for order in orders):
        raise FormatError(
            f"its powers are {', '.join(list(reader.strangers)[:7])}, and map {map.name} has others:"
            " a game of another variant"
        )
    sheets: dict[Phase, list[SheetEntry]] = {}
    seen: set[tuple[Phase, str, str, tuple[str, ...] | None]] = set()
    partly: set[Phase] = set()
    notes: list[str] = []
    for item in reader.items:
        if isinstance(item, LineNote) and item.phase is not None:
            notes.append(str(item))
            words = item.text.upper().removeprefix("THE ").split(None, 1)
            if words and words[0] in UNIT_WORDS:
                partly.add(item.phase)
        elif isinstance(item, LineOrder) and item.phase is None:
            notes.append(f"line {item.line}: {quote(item.text)} is left out: no phase stands before it")
        elif isinstance(item, LineOrder) and item.phase is not None:
            entry = _entry(item, whole, map)
            key = item.phase, entry.power, entry.text, entry.words
            # Mails are sent twice; builds may stand there too often, which is told.
            if key not in seen or item.phase.kind == "A":
                sheets.setdefault(item.phase, []).append(entry)
            seen.add(key)
    if not sheets and wanted and notes:
        raise FormatError(f"no order in it could be read: {notes[0].removesuffix('; left out')}")
    if not sheets:
        return None
    listed = [
        Sheet(phase, entries, complete=whole and phase.kind == "M" and phase not in partly)
        for phase, entries in sheets.items()
    ]
    return Story(*_named(pages, reader), listed, notes)


def _entry(item: LineOrder, whole: bool, map: Map) -> SheetEntry:
    """An order of a sheet. Where every unit is listed, an order without a result was carried out."""
    written, words = item.written, item.written.came
    if whole and words is None and written.kind != OrderKind.WAIVE:
        words = ()
    unit = None
    if whole and item.power and written.unit is not None:
        place = written.unit
        kind = place.kind or ("F" if place.province.kind == "sea" or place.coast else "A")
        try:
            unit = Unit(item.power, kind, map.location(kind, place.location(kind)).name)
        except MapError:
            unit = None
    return SheetEntry(item.power, item.text, words, item.line, unit)


def _named(pages: Sequence[Page], reader: OrderLines) -> tuple[str, str]:
    """The site of a game, and its id."""
    if reader.judged:
        return "judge", reader.game or "judge"
    source = " ".join(page.address + page.source[:200_000] for page in pages[:3]).lower()
    archive = "vDiplomacy" if "vdiplomacy" in source else "webDiplomacy"
    site = archive if reader.archive else "playdiplomacy" if "playdiplomacy" in source else "text"
    number = None if site == "text" else _NUMBER.search(source)
    return site, f"{site} {number[1]}" if number else site
