"""A file that one process at a time writes."""

from __future__ import annotations

import fcntl
from typing import IO

__all__ = ["taken"]


def taken(file: IO[bytes]) -> bool:
    """Take a file for this process until it is closed; False where another has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
