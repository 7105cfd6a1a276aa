"""Files that are written whole or line by line, and a lock for a single writing process."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Self

import numpy as np
import numpy.typing as npt

from bordeaux.board.errors import BordeauxError, FormatError
from bordeaux.formats.source import LARGEST

YOUNG = 10.0
"""Seconds: a younger file may have a writer that cannot be seen from here, as in another container. Writing a
file takes far less."""
LOOK = 60.0
"""Seconds between two searches of one folder."""

_looked: dict[Path, float] = {}


def beside(target: Path) -> Path:
    """The temporary path of this process for `target`: ``.NAME.PID.part`` in the same folder.

    Such files of dead processes are removed at the first call for a `target`, and again from time to time.
    """
    now = time.monotonic()
    if now - _looked.get(target, -LOOK) >= LOOK:
        _looked[target] = now
        with contextlib.suppress(OSError):
            _remove_left(target)
    return target.with_name(f".{target.name}.{os.getpid()}.part")


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """A context manager that gives a temporary path and renames it to the target at the end. If the block
    raises, the target is unchanged. A link stays, and its target is written. An OSError names the file as it
    was given."""
    target = Path(os.path.realpath(path))
    part = beside(target)
    try:
        yield part
        part.replace(target)
    except OSError as error:
        # A full disk names no file.
        if error.filename not in (None, str(part)):
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def write_arrays(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]], *, half: bool = False
) -> None:
    """Write an archive of arrays and its header, as bytes of JSON, atomically (`read_arrays` reads it); in
    half precision if `half`. Raises OSError."""
    written: dict[str, Any] = {
        name: array.astype(np.float16) if half else array for name, array in arrays.items()
    }
    with whole(path) as part, part.open("wb") as handle:
        np.savez_compressed(handle, header=np.frombuffer(json.dumps(header).encode(), np.uint8), **written)


def _remove_left(target: Path) -> None:
    ours = re.compile(re.escape(f".{target.name}.") + r"(\d{1,10})\.part")
    with os.scandir(target.parent) as entries:
        left = [(entry, int(match[1])) for entry in entries if (match := ours.fullmatch(entry.name))]
    for entry, process in left:
        with contextlib.suppress(OSError):
            old = time.time() - entry.stat(follow_symlinks=False).st_mtime > YOUNG
            if old and not _alive(process):
                Path(entry.path).unlink()


def _alive(process: int) -> bool:
    try:
        with contextlib.suppress(PermissionError):  # It is somebody else's.
            os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    return True


def taken(file: IO[bytes]) -> bool:
    """Lock a file for this process until it is closed; False if another process holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def complete_lines(path: Path) -> Iterator[bytes]:
    """The lines of a file that grows by whole lines; the last has no end where a kill cut it short. Raises
    OSError if there is none, and FormatError for something other than a file and for a line that is longer
    than any document."""
    if path.exists() and not path.is_file():
        raise FormatError(f"{path} is no ordinary file; name one")
    with path.open("rb") as handle:
        while line := handle.readline(LARGEST + 1):
            if len(line) > LARGEST:
                raise FormatError(f"{path}: a line of more than {LARGEST >> 20} MB; nothing of ours has one")
            yield line


class GrowingFile:
    """A file of JSON lines to which one process at a time appends; a context manager, made if necessary.

    A subclass reads in `_begin` what is there. Raises BordeauxError while another process writes it.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file = self.path.open("a+b", buffering=0)
        try:
            if not taken(self._file):
                raise BordeauxError(f"another command is writing {path}; wait for it, or give another file")
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Flush the file to disk and release the lock."""
        if not self._file.closed:
            with contextlib.suppress(OSError):
                os.fsync(self._file.fileno())
            self._file.close()

    def _begin(self) -> None:
        raise NotImplementedError

    def _write(self, value: Mapping[str, Any]) -> int:
        """Append a line in one piece; its length in bytes. Raises OSError."""
        line = json.dumps(value).encode() + b"\n"
        left = memoryview(line)
        while left:
            left = left[self._file.write(left) :]
        return len(line)

    def _read(self, head: Mapping[str, Any], take: Callable[[int, bytes], None]) -> None:
        """Take every line with its number; without any, `head` is written as the first one. What a kill has
        left at the end without the end of its line is cut off."""
        first, length = json.dumps(head).encode(), 0
        for number, line in enumerate(complete_lines(self.path), start=1):
            if not line.endswith(b"\n") and (number > 1 or first.startswith(line)):
                break
            take(number, line)
            length += len(line)
        self._file.truncate(length)
        if not length:
            self._write(head)
