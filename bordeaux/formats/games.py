"""Saved games, as the PyPI package ``diplomacy`` saves them: read as a stream, written whole.

A game is a JSON object with ``id``, ``map``, ``rules`` and ``phases``; a phase has its ``name``,
the ``state`` that it began with, the ``orders`` by power, and their ``results`` by unit. A file
holds one game, or one a line; either may be under gzip.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain, count
from pathlib import Path
from typing import IO, Any

from bordeaux.board import pieces
from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError, FormatError, PositionError, name_of, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Dislodged, Order
from bordeaux.board.phase import SEASON_WORDS
from bordeaux.board.pieces import named_map, string_list, table
from bordeaux.board.position import Position
from bordeaux.formats.registry import UNKNOWN_PAGE, game_of_pages
from bordeaux.formats.source import (
    decode,
    documents,
    first_line,
    is_json,
    open_source,
    read_text,
    tell,
    text_of_bytes,
)
from bordeaux.formats.whole_files import whole

Played = tuple[Position, dict[str, list[Order]]]
"""A position with the orders that were given in it, by power."""
LARGEST_PAGES = 32 << 20
"""Most bytes of pages of one game; one of Backstabbr has some 150,000, and a game has up to 100 of them."""
_BEGINNING = 1 << 20
_HINT = re.compile(
    rf"\b(?:{'|'.join(SEASON_WORDS)})(?:\b|\d)|unitsByPlayer|\b[SFW]\d{{2,4}}[MRAB]?\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class GamePhase:
    """A phase as recorded: `name`, its first `state` in JSON, `orders` by power, `results` by unit, and
    `messages`, each with ``sender``, ``recipient``, ``phase``, ``message``, ``time_sent`` and possibly more
    (both empty if not recorded)."""

    name: str
    state: dict[str, Any]
    orders: dict[str, list[str]]
    results: dict[str, list[str]] = field(default_factory=dict)
    messages: tuple[dict[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The saved form; phases without messages have no such field."""
        saved = {"name": self.name, "state": self.state, "orders": self.orders, "results": self.results}
        return {**saved, "messages": list(self.messages)} if self.messages else saved


@dataclass(frozen=True)
class Game:
    """A saved game. `map` is the name of a bundled map, `rules` are those of the saved game. States are read
    only when `position` is called. `notes` list the unreadable parts of a site's page, each with its
    phase."""

    id: str
    map: str
    rules: tuple[str, ...]
    phases: tuple[GamePhase, ...]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        span = f" from {self.phases[0].name} to {self.phases[-1].name}" if self.phases else ""
        return f"<Game {quote(self.id)}: {len(self.phases)} phases{span}>"

    def index(self, name: str) -> int:
        """The number of the phase with a name, the last if there are several. Raises FormatError."""
        wanted, names = name.strip().upper(), [phase.name for phase in self.phases]
        for index in range(len(names) - 1, -1, -1):
            if names[index].upper() == wanted:
                return index
        span = f"its phases go from {names[0]} to {names[-1]}" if names else "it has no phases"
        raise FormatError(f"game {quote(self.id)} has no phase {quote(name)}; {span}")

    def position(self, index: int, map: Map | None = None) -> Position:
        """The first position of a phase, counted from 0, or from the end if negative.

        If a retreat phase records no retreats, they are computed from the phase before. Raises FormatError or
        PositionError, with game and phase.
        """
        if not -len(self.phases) <= index < len(self.phases):
            none = f"phase {index} of {len(self.phases)}" if self.phases else "phases"
            raise FormatError(f"game {quote(self.id)} has no {none}")
        map, index = map or named_map(self.map), index % len(self.phases)
        known = self._positions.get((index, map))
        if known is None:
            phase = self.phases[index]
            with placed(f"game {quote(self.id)}, phase {quote(phase.name, 20)}"):
                known = Position.from_json(phase.state, map, phase.name)
                if str(known.phase) != phase.name:
                    raise FormatError(f"its state is of phase {known.phase}")
            if known.dislodged and phase.state.get("retreats") is None and index > 0:
                known = self._with_retreats(known, index, map)
            self._positions[index, map] = known
        return known

    @cached_property
    def _positions(self) -> dict[tuple[int, Map], Position]:
        return {}

    def history(self, index: int, map: Map | None = None) -> list[Played]:
        """The movement phases before a phase (counted as for `position`), in order: each position with its
        orders, by power.

        Unreadable phases and orders are omitted, since a record need only be valid as far as it is used.
        """
        positions = []
        for number in range(index % len(self.phases) if self.phases else 0):
            if self.phases[number].name.endswith("M"):
                with contextlib.suppress(BordeauxError):
                    position = self.position(number, map)
                    positions.append((position, self.given(number, position)))
        return positions

    def given(self, index: int, position: Position) -> dict[str, list[Order]]:
        """The readable orders of a phase, counted as for `position`, by power."""
        orders: dict[str, list[Order]] = {}
        for name, texts in self.phases[index].orders.items():
            with contextlib.suppress(BordeauxError):
                orders.setdefault(position.map.power(name), []).extend(readable(texts, position))
        return orders

    def _with_retreats(self, position: Position, index: int, map: Map) -> Position:
        """The position with the retreats that follow from the phase before.

        Units that the phase before does not dislodge by our rules keep all open neighbours. If the result of
        our rules differs from the record, which followed other rules, the recorded retreats are allowed too.
        """
        before = self.position(index - 1, map)
        if before.phase != position.phase._replace(kind="M"):
            return position
        phase = self.phases[index - 1]
        with placed(f"game {quote(self.id)}, phase {quote(phase.name, 20)}"):
            after = before.next(phase.orders)
        went: set[tuple[str, str]] = set()
        if after.units != position.units:
            orders = chain.from_iterable(self.given(index, position).values())
            went = {(order.location, order.destination) for order in orders if order.destination}
        retreats = {driven_out.unit: driven_out.retreats for driven_out in after.dislodged}
        dislodged = []
        for unit, places in position.dislodged:
            more = [place for place in places if (unit.location, place) in went]
            dislodged.append(Dislodged(unit, (*retreats.get(unit, places), *more)))
        return Position(map, position.phase, position.units, position.centres, dislodged)

    def to_json(self) -> dict[str, Any]:
        """The saved form, ready for `json.dumps`."""
        phases = [phase.to_json() for phase in self.phases]
        saved = {"id": self.id, "map": self.map, "rules": list(self.rules), "phases": phases}
        return {**saved, "notes": list(self.notes)} if self.notes else saved


def game_from_json(data: object) -> Game:
    """Check a parsed JSON document and make a game of it. Raises FormatError."""
    given = table(data, "a saved game")
    identity = given.get("id", "")
    what = f"game {quote(identity)}"
    phases = pieces.field(given, "phases", what)
    if not isinstance(phases, list):
        raise FormatError(f"phases of {what} must be a list, not {quote(phases)}")
    name = given.get("map", "standard")
    if not isinstance(identity, str | int) or not isinstance(name, str):
        raise FormatError(f"{what}: 'id' and 'map' must be texts")
    read = tuple(_phase(phase, f"{what}, phase {number}") for number, phase in enumerate(phases, 1))
    rules = [] if given.get("rules") is None else string_list(given["rules"], f"rules of {what}")
    notes = given.get("notes")
    texts = tuple(note for note in notes if isinstance(note, str)) if isinstance(notes, list) else ()
    return Game(str(identity), name, tuple(rules), read, texts)


def _phase(data: object, what: str) -> GamePhase:
    given = table(data, what)
    name = given["phase"] if "name" not in given and "phase" in given else pieces.field(given, "name", what)
    if not isinstance(name, str):
        raise FormatError(f"name of {what} must be text, not {quote(name)}")
    messages = given.get("messages")
    return GamePhase(
        name.strip().upper(),
        table(pieces.field(given, "state", what), f"state of {what}"),
        _lists(given.get("orders"), f"orders of {what}"),
        _lists(given.get("results"), f"results of {what}"),
        tuple(each for each in messages if isinstance(each, dict)) if isinstance(messages, list) else (),
    )


def _lists(value: object, what: str) -> dict[str, list[str]]:
    """Lists of texts; powers without orders have null, and a phase may have none at all."""
    return {
        key: [] if items is None else string_list(items, f"{what}, {quote(key)}")
        for key, items in table({} if value is None else value, what).items()
    }


def read_games(path: str | Path, map: Map | None = None) -> Iterator[Game]:
    """Read a file of one game, or of one a line, possibly under gzip; ``-`` is standard input. Pages of
    sites or a folder of them give one game (`bordeaux.formats.hobby`), read on a `map` if one is given.

    Unreadable parts of a page give a warning (ReadingNote). One game at a time is held in memory. Raises
    FormatError, with the file.
    """
    shown = name_of(path)
    with open_source(path) as handle:
        with placed(shown):
            line = first_line(handle)
        if not line:
            raise FormatError(f"{shown} is empty; expected saved games")
        parsed = documents(handle, line) if is_json(line) else _pages(handle, line, map)
        for number in count(1):
            with placed(f"{shown}, game {number}", FormatError):
                if (document := next(parsed, parsed)) is parsed:
                    return
                game = game_from_json(document)
            tell(game.notes, shown)
            yield game


def _pages(handle: IO[bytes], line: bytes, map: Map | None) -> Iterator[dict[str, Any]]:
    text = read_pages(handle, line)
    if text is not None and (game := game_of_pages(text, map, wanted=True)) is not None:
        yield game
        return
    if line.lstrip().startswith(b"<"):
        raise FormatError(UNKNOWN_PAGE)
    decode(line)
    raise FormatError("neither an object of JSON nor a list of orders below headings such as 'Spring 1901'")


def readable(texts: Iterable[str], position: Position) -> list[Order]:
    """The readable orders among some texts, counted as for `position`."""
    orders = []
    for text in texts:
        with contextlib.suppress(BordeauxError):
            orders.append(parse_order(text, position.map, position))
    return orders


def load_games(path: str | Path) -> list[Game]:
    """All games of a file or folder, in any form that docs/formats.md calls a game; ``-`` is standard input.

    ``load_games("game.json")[0].position(-1)`` is the last position of a game. For files of thousands of
    games use `read_games`, which yields one after the other. Raises FormatError, with the file.
    """
    return list(read_games(path))


def write_document(path: str | Path, document: dict[str, Any], *, private: bool = False) -> None:
    """Write a saved game in JSON on one line, including foreign fields, under gzip if the name ends in
    ``.gz``.

    It is written to a temporary file and renamed, so no reader sees an incomplete game. A `private` one,
    which holds passcodes, is readable by its owner only. Raises OSError on failure.
    """
    data = (json_line(document) + "\n").encode()
    if Path(path).suffix == ".gz":
        data = gzip.compress(data, mtime=0)
    with (
        whole(path) as part,
        open(part, "wb", opener=partial(os.open, mode=0o600) if private else None) as handle,
    ):
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())


# `Position.from_game` is the opposite direction. This module does not import the package: any object with
# its methods is accepted.


def set_game(game: Any, position: Position) -> None:
    """Set the position of a ``diplomacy.Game``. Raises PositionError if the game is on another map."""
    if game.map_name != position.map.name:
        raise PositionError(f"the game is on map {game.map_name}, the position on {position.map.name}")
    game.set_state(position.to_json())


def give_orders(game: Any, orders: Mapping[str, Iterable[Order | str]], map: Map | None = None) -> None:
    """Set the orders of powers in a ``diplomacy.Game``, by name or tag, in any notation that we read. A
    `map` that is not bundled is given.

    A convoyed move has ``VIA`` there, without the seas. Raises MapError for an unknown power, OrderError for
    unreadable text. The game checks whether an order is legal.
    """
    position = Position.from_game(game, map)
    for name, given in orders.items():
        read = [
            order if isinstance(order, Order) else parse_order(order, position.map, position)
            for order in given
        ]
        game.set_orders(position.map.power(name), [str(order._replace(route=())) for order in read])


def read_pages(handle: IO[bytes], line: bytes) -> str | None:
    """The text of a saved or copied page; None if its beginning names no season. Then it is not a game, and
    the rest is not read. Raises FormatError if it is too long."""
    begins = line + handle.read(max(0, _BEGINNING - len(line)))
    if _HINT.search(text_of_bytes(begins[:_BEGINNING])) is None or b"\0" in begins[:4096]:
        return None
    return read_text(handle, begins, LARGEST_PAGES, loose=True)
