"""A file of saved games, one a line, in which the page looks up the games that reached a position.

The file is read once, beside what the server does. For each game the offset, the result, and the keys of its
positions are kept, with the orders that every power gave in them.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError, FormatError, name_of
from bordeaux.board.pieces import named_map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, game_from_json
from bordeaux.formats.source import LARGEST, decode, open_source, parse_json
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Orders
from bordeaux.openings.results import PlayedGame

KEY_BYTES = 8
BOM = b"\xef\xbb\xbf"


class GameFile:
    """The games of a file, by number (from 1) and by their positions, once `read_all` has read them.

    Games on maps that are not bundled cannot be looked up. Raises FormatError with the file and the line if
    it does not begin with a saved game. `ready` says that all are read, `fault` why they cannot be.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.name = name_of(Path(source).name)
        # The games without what was played in them, and the bytes at which their lines begin.
        self._games: list[PlayedGame] = []
        self._offsets: list[int] = []
        # The keys of all positions, the numbers of their games, and their first sets of orders: side by side,
        # sorted once all are read.
        self._keys, self._numbers, self._firsts = array("Q"), array("I"), array("I")
        # The orders of all sets by their numbers, and where each set ends. Most orders come again and again.
        self._orders: dict[str, int] = {}
        self._listed, self._ends = array("I"), array("I", [0])
        if not Path(source).is_file():
            raise FormatError(f"cannot read {name_of(source)}: not a file; name a file of saved games")
        self.ready, self.fault = False, ""
        self._rest = self._kept()
        if next(self._rest, None) is None:
            raise FormatError(f"{name_of(source)} is empty; expected saved games, one a line")

    def __len__(self) -> int:
        """The number of games that are read."""
        return len(self._games)

    def read_all(self) -> GameFile:
        """Read the rest. Raises FormatError as above."""
        for _ in self._rest:
            pass
        keys = np.array(self._keys, np.uint64)
        order = np.argsort(keys, kind="stable")
        # Keys in order, each beside the number of its game and that of its first set of orders.
        self._sorted = keys[order], np.array(self._numbers)[order], np.array(self._firsts)[order]
        del self._keys, self._numbers, self._firsts
        self._texts = list(self._orders)
        self.ready = True
        return self

    def read_beside(self, report: Callable[[str], None]) -> None:
        """Read the rest in a thread of its own; `report` gets a line if that fails."""

        def work() -> None:
            try:
                self.read_all()
            except BordeauxError as error:
                self.fault = str(error)
                report(self.fault)

        Thread(target=work, daemon=True).start()

    def through(self, position: Position) -> list[PlayedGame]:
        """The games that reached a position, in the order of the file, with the orders given there."""
        phase = str(position.phase)
        key = np.uint64(_key(position.map.name, phase, position.to_json()))
        begin, end = (int(np.searchsorted(self._sorted[0], key, side)) for side in ("left", "right"))
        read: dict[tuple[str, bytes], Orders] = {}
        played = []
        for number, first in zip(*(column[begin:end].tolist() for column in self._sorted[1:]), strict=True):
            orders = self._given(position, first, read)
            played.append(self._games[number - 1]._replace(phase=phase, orders=orders))
        return played

    def _given(
        self, position: Position, first: int, read: dict[tuple[str, bytes], Orders]
    ) -> dict[str, Orders]:
        """The orders of every power that gave some; `first` is the number of the first set, `read` has those
        that were read before."""
        given = {}
        for place, power in enumerate(position.map.powers, first):
            numbers = self._listed[self._ends[place] : self._ends[place + 1]]
            if not numbers:
                continue
            at = power, numbers.tobytes()
            if at not in read:
                read[at] = ()
                with contextlib.suppress(BordeauxError):
                    read[at] = canonical(position, power, [self._texts[number] for number in numbers])
            if read[at]:
                given[power] = read[at]
        return given

    def document(self, number: int) -> bytes:
        """A game as one line of JSON. Raises FormatError for an unknown number, and for a changed file."""
        if not 1 <= number <= len(self._games):
            raise FormatError(f"there is no game {number} in {self.name}; it has {len(self)}")
        with open_source(self.source) as handle:
            handle.seek(self._offsets[number - 1])
            line = handle.readline(LARGEST + 1)
        try:
            data = parse_json(decode(line))
            same = game_from_json(data).id == self._games[number - 1].id
        except FormatError:
            same = False
        if not same:
            raise FormatError(f"{self.name} has changed since it was read; start bordeaux analyse again")
        return json_line(data).encode()

    def _kept(self) -> Iterator[int]:
        """Keep one game after the other; gives how many there are so far."""
        shown, offset, number = name_of(self.source), 0, 0
        with open_source(self.source) as handle:
            while line := handle.readline(LARGEST + 1):
                number += 1
                begin, offset = offset, offset + len(line)
                if number == 1 and line.startswith(BOM):
                    begin, line = len(BOM), line.removeprefix(BOM)
                if not line.strip():
                    continue
                try:
                    if len(line) > LARGEST:
                        raise FormatError(f"more than {LARGEST >> 20} MB; no game has that many")
                    self._keep(game_from_json(parse_json(decode(line))), begin)
                except FormatError as error:
                    raise FormatError(f"{shown}, line {number}: {error}") from None
                yield len(self._games)

    def _keep(self, game: Game, offset: int) -> None:
        if not game.phases:
            raise FormatError("a saved game needs phases; this one has none")
        names = (phase.name for phase in reversed(game.phases))
        last = next((name for name in names if name[1:5].isdigit()), game.phases[-1].name)
        number = len(self._games) + 1
        self._offsets.append(offset)
        try:
            map = named_map(game.map)
        except BordeauxError:
            self._games.append(PlayedGame(number, game.id, "", {}, last, {}, ""))
            return
        owned = _lists(game.phases[-1].state.get("centers"))
        centres = {power: len(owned.get(power, ())) for power in map.powers}
        victor = next((power for power, count in centres.items() if count >= map.majority), "")
        self._games.append(PlayedGame(number, game.id, "", {}, last, centres, victor))
        # A record may have a phase twice.
        phases = {_key(map.name, phase.name, phase.state): phase for phase in reversed(game.phases)}
        for key, phase in phases.items():
            self._keys.append(key)
            self._numbers.append(number)
            self._firsts.append(len(self._ends) - 1)
            for power in map.powers:
                known = self._orders
                numbers = {known.setdefault(text, len(known)) for text in phase.orders.get(power, ())}
                self._listed.extend(sorted(numbers))
                self._ends.append(len(self._listed))


def _key(map: str, phase: str, state: Mapping[str, Any]) -> int:
    """The key of a position from its JSON: map, phase, units (dislodged ones too), owners of centres."""
    parts = [map, phase]
    for field in ("units", "centers"):
        for power, texts in sorted(_lists(state.get(field)).items()):
            parts += (f"{power} {text}" for text in sorted(texts))
        parts.append("")
    digest = blake2b("\n".join(parts).encode("utf-8", "replace"), digest_size=KEY_BYTES).digest()
    return int.from_bytes(digest, "little")


def _lists(given: object) -> dict[str, list[str]]:
    """Texts by power, without invalid entries."""
    listed = given if isinstance(given, dict) else {}
    return {
        power: [text for text in texts if isinstance(text, str)]
        for power, texts in listed.items()
        if isinstance(texts, list)
    }
