"""Searches of a build on disk: one JSON line each, append-only, so that a kill loses nothing.

The first line has the limits of the searches. The same build continues from the contents of the file.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.formats.whole_files import complete_lines, taken
from bordeaux.openings.guide import Candidate, Searched
from bordeaux.openings.schema import BookError, is_key, line_of, read_line

KIND = "bordeaux book journal"
VERSION = 1


class SearchJournal:
    """The journal in a file, which is created if necessary; a context manager.

    `setup` is all that determines the result of a search. `searched` are the answers in the file, by key of
    the position. An incomplete last line is dropped. Raises BookError for a file that is not a journal or has
    another set-up, or that another command is writing; OSError.
    """

    def __init__(self, path: str | Path, setup: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self.searched: dict[str, Searched] = {}
        self._file = self.path.open("a+b", buffering=0)
        try:
            self._lock()
            self._read({KIND: VERSION, "setup": json.loads(json.dumps(dict(setup)))})
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> SearchJournal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Flush the file to disk and release the lock."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()

    def append(self, key: str, searched: Searched) -> None:
        """Write the answer for a position. Raises OSError."""
        lines = {
            power: [[list(orders), *rest] for orders, *rest in lines] for power, lines in searched.items()
        }
        self._write({"position": key, "lines": lines})
        self.searched[key] = searched

    def _write(self, fields: Mapping[str, Any]) -> None:
        left = memoryview(line_of(fields).encode() + b"\n")
        while left:
            left = left[self._file.write(left) :]

    def _lock(self) -> None:
        if not taken(self._file):
            raise BookError(f"another command is writing {self.path}; wait for it")

    def _read(self, head: Mapping[str, Any]) -> None:
        length = 0
        for number, line in enumerate(complete_lines(self.path), start=1):
            if not line.endswith(b"\n") and (number > 1 or (line_of(head).encode()).startswith(line)):
                # The command was ended while it wrote this.
                break
            try:
                self._take(line.decode(), number, head)
            except (UnicodeDecodeError, BordeauxError) as error:
                reason = error if isinstance(error, BordeauxError) else "not UTF-8"
                raise BookError(f"{self.path}, line {number}: {reason}") from None
            length += len(line)
        self._file.truncate(length)
        if not length:
            self._write(head)

    def _take(self, text: str, number: int, head: Mapping[str, Any]) -> None:
        fields = read_line(text)
        if number > 1:
            key, lines = fields.get("position"), fields.get("lines")
            if not isinstance(key, str) or not is_key(key) or not isinstance(lines, dict):
                raise BookError("not a line of a journal; mend or remove it")
            self.searched[key] = {
                power: [_candidate(candidate) for candidate in candidates]
                for power, candidates in lines.items()
            }
        elif KIND not in fields:
            raise BookError("no journal of a book; name another file")
        elif fields != head:
            raise BookError(
                f"a journal of another search ({quote(line_of(fields.get('setup', {})), 200)});"
                " repeat that command, or remove the file"
            )


def _candidate(given: object) -> Candidate:
    match given:
        case [[*orders], float() | int() as value, float() | int() as share]:
            return tuple(str(order) for order in orders), float(value), float(share)
    raise BookError(f"not what a search found: {quote(given)}")
