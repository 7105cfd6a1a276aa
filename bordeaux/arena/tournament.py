"""Plays and records games: one line for each result, the saved games beside it; games in the log are not
played again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from bordeaux.arena.job import Job, Result
from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.formats.whole_files import GrowingFile, complete_lines, whole

# The first line describes the tournament. If the command is interrupted, all lines except perhaps the last
# are complete, so the same command can continue.

KIND = "bordeaux arena"
VERSION = 1
SYNC = 1.0
"""Seconds between two syncs to the disk. A kill loses nothing, a power failure at most so many seconds."""


class Log(GrowingFile):
    """The log in a file, which is created if necessary; a context manager.

    `setup` determines the games that are played, except their number. `option` is the command-line option for
    the file. `results` are the results in the file, by index, without saved games. Raises FormatError for a
    file that is not a log. Raises BordeauxError for a log of another set-up, or one that another command is
    writing.
    """

    def __init__(self, path: str | Path, setup: Mapping[str, Any], option: str = "--save") -> None:
        self._option = option
        self._setup = json.loads(json.dumps(dict(setup)))
        self.results: dict[int, Result] = {}
        self._synced = monotonic()
        super().__init__(path)

    def append(self, result: Result) -> None:
        """Write a result. Raises OSError."""
        self._write(replace(result, game=None).to_json())
        self.results[result.index] = result
        if monotonic() > self._synced + SYNC:
            os.fsync(self._file.fileno())
            self._synced = monotonic()

    def _begin(self) -> None:
        text = read_log(self.path, self._option)
        head = {KIND: VERSION, "setup": self._setup}
        if text.setup is not None:
            if changed := changes(text.setup, self._setup):
                raise BordeauxError(
                    f"{self.path} holds games of another set-up ({changed});"
                    f" repeat its command, or give another file to {self._option}"
                )
        elif not json.dumps(head).encode().startswith(self.path.read_bytes()):
            raise FormatError(f"{self.path}: {strange(1, self._option)}")
        self.results = text.results
        self._file.truncate(text.length)
        if text.length == 0:
            self._write(head)


class LogContents(NamedTuple):
    """What a log holds: its set-up (None without a complete first line), the results by index, and the length
    of all complete lines in bytes."""

    setup: dict[str, Any] | None
    results: dict[int, Result]
    length: int


def read_log(path: Path, option: str = "--save") -> LogContents:
    """Read a log without changing it. Raises FormatError for a file that is none; `option` named it."""
    setup = None
    results: dict[int, Result] = {}
    length = 0
    for number, line in enumerate(complete_lines(path), start=1):
        if not line.endswith(b"\n"):
            # The command was ended while it wrote this, or is writing it.
            break
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            raise FormatError(f"{path}, line {number}: {strange(number, option)}") from None
        if number == 1:
            if not isinstance(data, dict) or KIND not in data:
                raise FormatError(f"{path}: {strange(1, option)}")
            if data[KIND] != VERSION:
                raise FormatError(f"{path} is in form {quote(data[KIND])}, which is not read here")
            setup = data.get("setup", {})
        else:
            try:
                result = Result.from_json(data)
            except FormatError as error:
                raise FormatError(f"{path}, line {number}: {error}") from None
            results[result.index] = result
        length += len(line)
    return LogContents(setup, results, length)


def strange(number: int, option: str) -> str:
    """What is wrong with a line of a file that should be a log."""
    if number == 1:
        return f"not a log of the arena; give another file to {option}"
    return f"not a line of the arena; mend or remove it, or give another file to {option}"


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """The differences of two set-ups in words; "" without any."""
    return "; ".join(
        f"{name} {json.dumps(before.get(name))}, not {json.dumps(now.get(name))}"
        for name in {**before, **now}
        if before.get(name) != now.get(name)
    )


class GamesFile(GrowingFile):
    """A file of saved games; a context manager, which sorts it at the end.

    `known` are the numbers of the games in the results log. The file must contain them. Other games are
    dropped, since their results were lost. Without known games the file begins anew. Raises BordeauxError if
    games are missing, if the file holds something else, and for a compressed file.
    """

    def __init__(self, path: str | Path, known: Collection[int] = ()) -> None:
        check_name(path)
        self._known = set(known)
        self._places: dict[int, tuple[int, int]] = {}
        self._length = 0
        super().__init__(path)

    def _begin(self) -> None:
        if self._known:
            self._find(self._known)
        else:
            self._file.truncate(0)

    def append(self, index: int, game: dict[str, Any]) -> None:
        """Write the game of a number. Raises OSError."""
        self._places[index] = (self._length, self._write(game))
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
        for number, line in enumerate(complete_lines(self.path), start=1):
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


Play = Callable[[Iterator[Job]], Generator[Result]]
"""Plays a stream of jobs and yields results in any order: a runner."""


def play_all(
    jobs: Iterable[Job], total: int, play: Play, log: Log | None = None, games: GamesFile | None = None
) -> Generator[Result, None, None]:
    """The results of `total` jobs, numbered from 0: first those of the log, in order, then the new ones as
    they arrive.

    Each new result is written before it is yielded. Its game is written first and then dropped, so the log
    never has a result whose game is missing. Closing this iterator ends the runner.
    """
    known = dict(log.results) if log is not None else {}
    yield from [known[index] for index in sorted(known) if index < total]
    waiting = (job for job in jobs if job.index not in known)
    with closing(play(waiting)) as results:
        for result in results:
            if games is not None and result.game is not None:
                games.append(result.index, result.game)
                result = replace(result, game=None)
            if log is not None:
                log.append(result)
            yield result
