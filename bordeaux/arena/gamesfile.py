"""Saved games on disk during a tournament: one JSON game a line, sorted by number at the end."""

from __future__ import annotations

import json
import os
from collections.abc import Collection
from pathlib import Path
from typing import Any

from bordeaux.arena.log import append_line, lock
from bordeaux.board.errors import BordeauxError
from bordeaux.formats.beside import whole

__all__ = ["GamesFile", "check_name"]


class GamesFile:
    """A file of saved games; a context manager, which sorts it at the end.

    `known` are the numbers of the games in the results log. The file must contain them. Other games are
    dropped, since their results were lost. Without known games the file begins anew. Raises BordeauxError if
    games are missing, if the file holds something else, and for a compressed file.
    """

    def __init__(self, path: str | Path, known: Collection[int] = ()) -> None:
        self.path = Path(path)
        check_name(path)
        self._places: dict[int, tuple[int, int]] = {}
        self._length = 0
        self._file = self.path.open("a+b", buffering=0)
        try:
            lock(self._file, self.path)
            if known:
                self._find(set(known))
            else:
                self._file.truncate(0)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> GamesFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, index: int, game: dict[str, Any]) -> None:
        """Write the game of a number. Raises OSError."""
        self._places[index] = (self._length, append_line(self._file, game))
        self._length += self._places[index][1]

    def close(self) -> None:
        """Put the games in order and close the file."""
        if self._file.closed:
            return
        try:
            offsets = [self._places[index][0] for index in sorted(self._places)]
            stray = self._length != sum(size for _, size in self._places.values())
            if stray or offsets != sorted(offsets):
                self._sort()
            else:
                os.fsync(self._file.fileno())
        finally:
            self._file.close()

    def _find(self, known: set[int]) -> None:
        """Record the offsets of the known games."""
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    break
                index = number_of(line)
                if index is None:
                    raise BordeauxError(f"{self.path}, line {number}: no saved game; give another file")
                if index in known and index not in self._places:
                    self._places[index] = (self._length, len(line))
                self._length += len(line)
        self._file.truncate(self._length)
        missing = known - set(self._places)
        if missing:
            raise BordeauxError(
                f"{self.path} lacks {len(missing)} games that the log has, like game {min(missing)};"
                " put it back, or give other files for both"
            )

    def _sort(self) -> None:
        with whole(self.path) as part, part.open("wb") as sorted_file:
            for index in sorted(self._places):
                offset, size = self._places[index]
                self._file.seek(offset)
                sorted_file.write(self._file.read(size))
            sorted_file.flush()
            os.fsync(sorted_file.fileno())


def check_name(path: str | Path) -> None:
    """Raise BordeauxError for the name of a compressed file."""
    if Path(path).suffix == ".gz":
        raise BordeauxError(f"{path}: games are written one by one, not compressed; leave out .gz")


def number_of(line: bytes) -> int | None:
    """The number of the game on a line: its id begins with it."""
    try:
        return int(json.loads(line)["id"].partition("-")[0])
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
