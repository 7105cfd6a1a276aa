"""Where the program runs, and jobs. This file alone asks for the place, and is all that a command without
jobs loads.

`pool` is one supervised pool of processes for all work that consists of many jobs: games, searches, replays.
`pool.Pool` and `pool.run` use the cores of this machine and return each result as soon as it is ready.
`pool.mapped` returns results in order. A job is one argument of a function; both, and the result, must be
picklable. An exception, or the end of a process, is contained: other jobs continue. Callers leave out
finished jobs.

The pool is our own because no library has everything that it needs. `concurrent.futures` and loky give up all
running jobs when one process dies. Pebble replaces the process but leaves its children running. None ends its
processes when the caller is killed, or reports which part of a job was running.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Mapping

_OUTLIVES = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, *([] if _OUTLIVES else [signal.SIGHUP]))
"""The signals that ask this process to end in order: Ctrl-C, SIGTERM, and the end of its terminal unless it
was started to outlive that, as with ``nohup``."""

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


def spare_cores() -> int:
    """The number of cores for long work: all but one, which serves a person; at least one."""
    cores = available_cores()
    return max(1, cores - 1)


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
