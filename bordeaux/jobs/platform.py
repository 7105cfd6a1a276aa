"""What the platform has: processes, alarms, priorities, limits. No other module asks where it runs."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Mapping

PROCESSES = sys.platform != "emscripten"
"""Whether there are processes, threads and sockets: not in a tab of a browser."""
ALARMS = hasattr(signal, "setitimer")
"""Whether an alarm can interrupt a call."""

LACKS: Mapping[str, str] = (
    {}
    if PROCESSES
    else {
        "sites": "A browser's tab cannot fetch pages of other sites: save the page as a file, and open that.",
        "pixels": "PNG and GIF are drawn by the installed program alone; the picture as SVG is drawn here.",
        "server": "A link with the study in it opens anywhere; short ones need the installed program.",
    }
)
"""What the page has elsewhere and not here, each with a word for its user."""

FEW_CONNECTIONS = 256
"""Descriptors where the system does not say how many there may be."""


def available_cores() -> int:
    """The number of cores that this process may use."""
    if not PROCESSES:
        return 1
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on every system
        return os.cpu_count() or 1


def gentle(niceness: int) -> None:
    """Let other processes go first, by so much, where the system knows of that."""
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, 0, niceness)


def limit_processor(seconds: int) -> None:
    """End this process with SIGXCPU after so many more seconds of processor time, where there are
    processes."""
    if not PROCESSES:
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = int(used.ru_utime + used.ru_stime) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))


def descriptors() -> int | None:
    """The number of files and connections that this process may hold open; None where there is no limit."""
    if not PROCESSES:
        return FEW_CONNECTIONS
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return None if soft == resource.RLIM_INFINITY else soft
