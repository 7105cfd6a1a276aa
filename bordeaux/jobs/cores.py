"""The number of processes that may run at once."""

from __future__ import annotations

import os

__all__ = ["available_cores"]


def available_cores() -> int:
    """The number of cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1
