"""Files that are written beside their place and moved there when they are whole: the names of such files,
and the end of those whose writers were killed."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = ["beside", "whole"]

YOUNG = 10.0
"""Seconds: what was written so lately may have a writer that cannot be seen from here, as in another
container; to write a file takes far less."""
LOOK = 60.0
"""Seconds between two looks into one folder."""

_looked: dict[Path, float] = {}


def beside(target: Path) -> Path:
    """Where this process is to write what will stand in `target`: ``.NAME.PID.part`` in the same folder.

    Such files of `target` whose process is gone, as it was killed, are removed at the first call for
    it, and again from time to time.
    """
    now = time.monotonic()
    if now - _looked.get(target, -LOOK) >= LOOK:
        _looked[target] = now
        with contextlib.suppress(OSError):
            _remove_left(target)
    return target.with_name(f".{target.name}.{os.getpid()}.part")


@contextmanager
def whole(path: str | Path) -> Iterator[Path]:
    """Where to write what is to stand in a file, for a block of code after which it is moved there, unless
    the block raises: then all is as it was. A link stays, and what it leads to is written. An OSError names
    the file as it was given."""
    target = Path(os.path.realpath(path))
    part = beside(target)
    try:
        yield part
        part.replace(target)
    except OSError as error:
        if error.filename != str(part):
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


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
    """Whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # it is somebody else's
        return True
    return True
