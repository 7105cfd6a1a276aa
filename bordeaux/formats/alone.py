"""A file that one process at a time writes."""

from __future__ import annotations

import sys
from typing import IO

if sys.platform != "win32":
    import fcntl

__all__ = ["taken"]


def taken(file: IO[bytes]) -> bool:
    """Take a file for this process until it is closed; False where another has it. Windows, which knows no
    such locks, gives it to everybody."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
