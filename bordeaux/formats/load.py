"""Reads one position from any source: a file, standard input, the word ``start``, or a line of DFEN itself.

The format is detected from the content, not from the name. JSON begins with a brace, DAIDE with ``NOW`` or
``SCO``, DFEN with a phase and a slash, text with a phase. Of a saved game one phase is taken.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from bordeaux.board.errors import BordeauxError, FormatError, name_of, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.mapfile import bundled_name
from bordeaux.board.phase import Phase
from bordeaux.board.position import Position
from bordeaux.formats.registry import DFEN, UNKNOWN_PAGE, called, format_of, game_of_pages
from bordeaux.formats.source import (
    LARGEST_TEXT,
    NO_TEXT,
    decode,
    documents,
    first_line,
    is_json,
    open_source,
    read_text,
    tell,
    text_of_bytes,
    unpacked,
)

if TYPE_CHECKING:
    from bordeaux.formats.games import Game, Played

    _Read = tuple[Position, tuple[Game, int] | None]
    """A position, and the saved game that it is from with the number of its phase."""

START = "start"


def read_position(source: str | Path, phase: str | None = None, map: Map | None = None) -> Position:
    """Read a position from a file, from standard input (``-``), ``start``, the name of another start
    (``standard_france_austria``) or a line of DFEN.

    `phase` selects one of a saved game, by default its last; a single position must have that phase. Without
    a `map`, the one named in the file or the standard map is used. Raises FormatError or PositionError with a
    line that begins with the source.
    """
    return read_with_history(source, phase, map)[0]


def read_with_history(
    source: str | Path, phase: str | None = None, map: Map | None = None
) -> tuple[Position, list[Played]]:
    """As `read_position`, with the earlier movement phases and their orders if the source is a saved game
    (`Game.history`); otherwise none."""
    position, record = _from_source(source, phase, map)
    return position, record[0].history(record[1], map) if record else []


def read_played(source: str | Path, phase: str | None = None, map: Map | None = None) -> Played:
    """As `read_position`, with the orders of that phase by power, if the source is a saved game."""
    position, record = _from_source(source, phase, map)
    return position, record[0].given(record[1], position) if record else {}


def read_record(source: str | Path, phase: str | None = None, map: Map | None = None) -> Game:
    """The saved game of a source up to a phase, by default to its last. Raises what `read_position` raises,
    and FormatError for a position alone."""
    _, record = _from_source(source, phase, map)
    if record is None:
        raise FormatError(f"{name_of(source)}: this is a position and no game; give a saved game")
    game, at = record
    return replace(game, phases=game.phases[: at % len(game.phases) + 1])


def _from_source(source: str | Path, phase: str | None, map: Map | None) -> _Read:
    if (begun := start_of(str(source), map)) is not None:
        return _checked(begun, phase), None
    if isinstance(source, str) and is_dfen(source):
        return _checked(called(DFEN.position, source, map), phase), None
    with open_source(source) as handle, placed(name_of(source)):
        return _read(handle, phase, map)


def is_dfen(line: str) -> bool:
    """Whether a line begins as DFEN does."""
    return format_of(line[:200]) is DFEN


def is_start(word: str) -> bool:
    """Whether a word is ``start``, or the name of a map or start that comes with Bordeaux and of no file."""
    return word == START or (bundled_name(word) is not None and not Path(word).exists())


def start_of(word: str, map: Map | None = None) -> Position | None:
    """The first position for ``start`` or another such word; None for another word. Raises FormatError for
    a second map."""
    if not is_start(word):
        return None
    if word != START and map is not None:
        raise FormatError(f"{word} is a map itself; leave out the other one")
    return Position.start(map) if word == START else Position.start(name=word)


def position_in(data: bytes, map: Map | None = None, *, lists: bool = True) -> Position:
    """Read a position from the content of a file; without `lists`, lists of orders are not accepted. Raises
    FormatError or PositionError."""
    return _read(unpacked(io.BytesIO(data)), None, map, lists)[0]


def _read(handle: IO[bytes], phase: str | None, map: Map | None, lists: bool = True) -> _Read:
    first = first_line(handle)
    if not first:
        raise FormatError("there is nothing in it; expected a position in JSON, text or DAIDE")
    if is_json(first):
        parsed = documents(handle, first)
        document = next(parsed)
        if next(parsed, parsed) is not parsed:
            raise FormatError("there is more than one game or position in it; give one, a line of the file")
        if not isinstance(document, dict):
            raise FormatError(f"a position or a saved game is a JSON object, not {quote(document)}")
        if "phases" in document:
            return _of_game(document, phase, map)
        return _checked(Position.from_json(document, map), phase), None
    if NO_TEXT.search(first[:4096]) is not None:
        decode(first)
    beginning = _beginning(text_of_bytes(first))
    known = format_of(beginning)
    if known is not None or not beginning or _begins_text(beginning):
        text = read_text(handle, first, LARGEST_TEXT, loose=known is None)
    else:
        text = called("games:read_pages", handle, first) or ""
    if (known := known or format_of(text)) is not None:
        return _checked(called(known.position, text, map), phase), None
    try:
        beginning = beginning or _beginning(text)
        if beginning.startswith("<"):
            raise FormatError(f"no position, and {UNKNOWN_PAGE}")
        if not _begins_text(beginning):
            said = (
                f"it begins with {quote(beginning)}; expected JSON, a phase such as 'S1901M', or DAIDE's NOW"
            )
            raise FormatError(f"no position: {said}")
        return _checked(called("text:position_from_text", text, map), phase), None
    except BordeauxError:
        # A phase may stand before orders of many phases as well as before a position.
        game = game_of_pages(text, map) if lists and text else None
        if game is None:
            raise
    return _of_game(game, phase, map)


def _of_game(document: dict[str, Any], phase: str | None, map: Map | None) -> _Read:
    """A phase of a game, the last without a name."""
    game: Game = called("games:game_from_json", document)
    tell(game.notes, f"game {game.id}")
    index = -1 if phase is None else game.index(phase)
    return game.position(index, map), (game, index)


def _begins_text(beginning: str) -> bool:
    """Whether a line can be the first of a position in plain text."""
    return beginning.partition(" ")[0].lower() == "map" or called("text:phase_in", beginning) is not None


def _beginning(text: str) -> str:
    """The first line with content, without its comment."""
    return next(filter(None, (line.partition("#")[0].strip() for line in text.splitlines())), "")


def _checked(position: Position, phase: str | None) -> Position:
    if phase is not None and Phase.parse(phase) != position.phase:
        raise FormatError(f"no phase {quote(phase)}: this is the single position of {position.phase}")
    return position
