"""A running review on disk: one JSON line for every finished phase, only appended.

The first line identifies the game and settings, so a review never continues with phases of another game.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.formats.games import Game
from bordeaux.formats.whole_files import GrowingFile
from bordeaux.review.result import Judged

KIND = "bordeaux review"
VERSION = 2

Found = list[tuple[str, Judged]]


class Journal(GrowingFile):
    """The journal in a file, which is created if necessary; a context manager.

    `setup` is all that determines the result of a review. `done` are the phases in the file, by number.
    Raises FormatError for a file that is not a journal. Raises BordeauxError for one of another set-up, or
    one that another command is writing.
    """

    def __init__(self, path: str | Path, setup: dict[str, Any]) -> None:
        self.done: dict[int, Found] = {}
        self._head = {KIND: VERSION, **json.loads(json.dumps(setup))}
        super().__init__(path)

    def add(self, index: int, judged: Found) -> None:
        """Append a phase. Raises OSError."""
        self.done[index] = judged
        self._write({"index": index, "powers": {power: judgement._asdict() for power, judgement in judged}})

    def _begin(self) -> None:
        self._read(self._head, self._take)

    def _take(self, number: int, line: bytes) -> None:
        try:
            data = json.loads(line)
            if number == 1:
                self._check(data, self._head)
            else:
                judged = [(power, _judged(judgement)) for power, judgement in data["powers"].items()]
                self.done[int(data["index"])] = judged
        except BordeauxError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise FormatError(
                f"{self.path}, line {number}: not the journal of a review; move it away"
            ) from None

    def _check(self, data: dict[str, Any], head: dict[str, Any]) -> None:
        if data.keys() != head.keys() or data[KIND] != VERSION:
            raise KeyError(KIND)
        changed = [f"{name} {data[name]}, not {head[name]}" for name in head if data[name] != head[name]]
        if changed:
            raise BordeauxError(
                f"{self.path} is the journal of another review ({'; '.join(changed)});"
                " repeat its command, or remove it"
            )


def game_hash(game: Game) -> str:
    """A hash of the content of a game."""
    return hashlib.sha256(json.dumps(game.to_json(), sort_keys=True).encode()).hexdigest()[:16]


def _judged(fields: dict[str, Any]) -> Judged:
    read: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Judged(**read)
