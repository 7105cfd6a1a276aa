"""Results on disk during a tournament: one JSON line each, only appended.

The first line describes the tournament. If the command is interrupted, all lines except perhaps the last are
complete, so the same command can continue.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import IO, Any

from bordeaux.arena.job import Result
from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.formats.alone import taken

__all__ = ["Log", "append_line", "lock"]

KIND = "bordeaux arena"
VERSION = 1
SYNC = 1.0
"""Seconds between two syncs to the disk. A kill loses nothing, a power failure at most so many seconds."""


class Log:
    """The log in a file, which is created if necessary; a context manager.

    `setup` determines the games that are played, except their number. `option` is the command-line option for
    the file. `results` are the results in the file, by index, without saved games. Raises FormatError for a
    file that is not a log. Raises BordeauxError for a log of another set-up, or one that another command is
    writing.
    """

    def __init__(self, path: str | Path, setup: Mapping[str, Any], option: str = "--save") -> None:
        self.path = Path(path)
        self._option = option
        self.results: dict[int, Result] = {}
        self._synced = monotonic()
        self._file = self.path.open("a+b", buffering=0)
        try:
            lock(self._file, self.path)
            self._read(json.loads(json.dumps(dict(setup))))
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, result: Result) -> None:
        """Write a result. Raises OSError."""
        append_line(self._file, replace(result, game=None).to_json())
        self.results[result.index] = result
        if monotonic() > self._synced + SYNC:
            os.fsync(self._file.fileno())
            self._synced = monotonic()

    def close(self) -> None:
        """Flush the file to disk and release the lock."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()

    def _read(self, setup: dict[str, Any]) -> None:
        first = header(setup)
        length = 0
        with self.path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    # The command was ended while it wrote this.
                    if number == 1 and not first.startswith(line):
                        raise FormatError(f"{self.path}: {self._strange(1)}")
                    break
                try:
                    data = json.loads(line)
                except (ValueError, RecursionError):
                    raise FormatError(f"{self.path}, line {number}: {self._strange(number)}") from None
                if number == 1:
                    self._check(data, setup)
                else:
                    self._take(data, number)
                length += len(line)
        self._file.truncate(length)
        if length == 0:
            self._file.write(first)

    def _take(self, data: Any, number: int) -> None:
        try:
            result = Result.from_json(data)
        except FormatError as error:
            raise FormatError(f"{self.path}, line {number}: {error}") from None
        self.results[result.index] = result

    def _strange(self, number: int) -> str:
        if number == 1:
            return f"not a log of the arena; give another file to {self._option}"
        return f"not a line of the arena; mend or remove it, or give another file to {self._option}"

    def _check(self, data: object, setup: dict[str, Any]) -> None:
        if not isinstance(data, dict) or KIND not in data:
            raise FormatError(f"{self.path}: {self._strange(1)}")
        if data[KIND] != VERSION:
            raise FormatError(f"{self.path} is in form {quote(data[KIND])}, which is not read here")
        before = data.get("setup", {})
        changed = [
            f"{name} {json.dumps(before.get(name))}, not {json.dumps(setup.get(name))}"
            for name in {**before, **setup}
            if before.get(name) != setup.get(name)
        ]
        if changed:
            raise BordeauxError(
                f"{self.path} holds games of another set-up ({'; '.join(changed)});"
                f" repeat its command, or give another file to {self._option}"
            )


def header(setup: Mapping[str, Any]) -> bytes:
    """The first line of a log."""
    return json.dumps({KIND: VERSION, "setup": setup}).encode() + b"\n"


def append_line(file: IO[bytes], value: Mapping[str, Any]) -> int:
    """Append one JSON line in one piece to an unbuffered file; its length in bytes."""
    line = json.dumps(value).encode() + b"\n"
    left = memoryview(line)
    while left:
        left = left[file.write(left) :]
    return len(line)


def lock(file: IO[bytes], path: Path) -> None:
    """Prevent other commands from writing the same file. Raises BordeauxError if one does."""
    if not taken(file):
        raise BordeauxError(f"another command is writing {path}; wait for it, or give another file")
