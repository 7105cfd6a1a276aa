"""A file lock for a single writing process."""

from __future__ import annotations

import fcntl
from typing import IO

__all__ = ["taken"]


def taken(file: IO[bytes]) -> bool:
    """Lock a file for this process until it is closed; False if another process holds it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
