"""Reads whole games of pages of sites, of judges and of people's lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from bordeaux.board.errors import FormatError, MapError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import OrderKind, Unit
from bordeaux.board.phase import Phase
from bordeaux.board.pieces import named_map
from bordeaux.formats.hobby.assembly import Sheet, SheetEntry, Story, game_of_story
from bordeaux.formats.hobby.backstabbr import story_of_backstabbr
from bordeaux.formats.hobby.markup import Page, pages_of
from bordeaux.formats.order_lines import LineNote, LineOrder, OrderLines, begins_order

_MAP = re.compile(
    r"(?:\A\s{0,99}map|^:: Judge: BRDX .*Variant:)[ \t]{1,9}(\S+)[ \t]*$", re.IGNORECASE | re.MULTILINE
)
"""The map of a game that Bordeaux wrote."""
_NUMBER = re.compile(r"game_?id=(\d{1,20})")


def game_of_pages(text: str, map: Map | None = None, *, wanted: bool = False) -> dict[str, Any] | None:
    """The saved game of pages or copied text, in JSON with ``notes``; several pages are separated by a form
    feed. Without a `map` it is the one that our text names, or the standard one. None if there are no orders
    below a heading in it. Raises FormatError with advice if there are, but no game begins with them; if a
    game is `wanted`, also with what could not be read below a heading."""
    named = _MAP.search(text) if map is None else None
    board = named_map(named[1]) if named is not None else map or Map.standard()
    pages = pages_of(text)
    scripts = [page for page in pages if "unitsByPlayer" in page.source]
    story = story_of_backstabbr(scripts, board) if scripts else story_of_lines(pages, board, wanted)
    return None if story is None else game_of_story(story, board)


def story_of_lines(pages: Sequence[Page], map: Map, wanted: bool = False) -> Story | None:
    """The phases of lines of orders; None if there is no order below a heading. Raises FormatError if the
    game has another variant than the map's."""
    reader = OrderLines(map, headed=True)
    for page in pages:
        for number, line in page.lines:
            reader.take(number, line)
        reader.end()
        if page.lines and page.title:
            reader.fold_footer()
    whole = reader.whole
    powers = any(isinstance(item, LineOrder) and item.power for item in reader.items)
    if whole and reader.strangers and not powers:
        raise FormatError(
            f"its powers are {', '.join(list(reader.strangers)[:7])}, and map {map.name} has others:"
            " a game of another variant"
        )
    entries: dict[Phase, dict[tuple[object, ...], SheetEntry]] = {}
    units: dict[Phase, list[Unit | None]] = {}
    notes: list[str] = []
    for item in reader.items:
        if isinstance(item, LineOrder) and item.phase is None:
            notes.append(f"line {item.line}: {quote(item.text)} is left out: no phase stands before it")
        elif isinstance(item, LineNote) and item.phase is not None:
            notes.append(str(item))
            if begins_order(item.text):
                units.setdefault(item.phase, []).append(None)
        elif isinstance(item, LineOrder) and item.phase is not None:
            words = item.written.came
            if whole and words is None and item.written.kind != OrderKind.WAIVE:
                words = ()  # Where every unit is listed, an order without a result was carried out.
            listed = entries.setdefault(item.phase, {})
            # Mails are sent twice; builds may stand there too often, which is told.
            key = item.power, item.text, words, item.phase.kind == "A" and len(listed)
            listed.setdefault(key, SheetEntry(item.power, item.text, words, item.line))
            units.setdefault(item.phase, []).append(_unit(item, map))
    if not entries and wanted and notes:
        raise FormatError(f"no order in it could be read: {notes[0].removesuffix('; left out')}")
    if not entries:
        return None
    sheets = []
    for phase, listed in entries.items():
        known = dict.fromkeys(units[phase])
        told = whole and phase.kind == "M" and None not in known
        sheets.append(Sheet(phase, [*listed.values()], [unit for unit in known if unit] if told else None))
    source = " ".join(page.address + page.source[:200_000] for page in pages[:3]).lower()
    archive = "vDiplomacy" if "vdiplomacy" in source else "webDiplomacy"
    site = archive if reader.archive else "playdiplomacy" if "playdiplomacy" in source else "text"
    named = None if site == "text" else _NUMBER.search(source)
    called = f"{site} {named[1]}" if named else site
    if reader.judged:
        site, called = "judge", reader.game or "judge"
    return Story(site, called, sheets, notes)


def _unit(item: LineOrder, map: Map) -> Unit | None:
    """The unit of an order with its power and coast, if they are told."""
    place = item.written.unit
    if place is not None and item.power:
        kind = place.kind or ("F" if place.province.kind == "sea" or place.coast else "A")
        with suppress(MapError):
            return Unit(item.power, kind, map.location(kind, place.location(kind)).name)
    return None
