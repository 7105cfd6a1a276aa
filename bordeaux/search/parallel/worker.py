"""A worker: the process that searches beside the master, one job after another.

Run as ``python -m bordeaux.search.parallel.worker NUMBER LINE TABLE MASTER TIED``. NUMBER is its number, LINE
and TABLE are the descriptors of the connection and of the table, and MASTER is the master's process id. TIED
is 1 if the system is to kill it together with the thread that started it, else 0.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
import traceback
from multiprocessing.connection import Connection
from time import monotonic

from bordeaux.board.map import Map
from bordeaux.search.analysis import search_of
from bordeaux.search.budget import Budget
from bordeaux.search.parallel.job import SearchJob, unpack
from bordeaux.search.parallel.shared_rendezvous import SharedRendezvous
from bordeaux.search.parallel.table import SharedTable

__all__ = ["main"]

SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""

WATCH = 1.0
"""Seconds after which an idle worker checks that its master is still running."""

COURTESY = 5
"""The difference in nice values between a worker and its master. The master, which keeps the deadline, has
priority for a core."""

LEAST = 1e-3
"""The minimum duration of a search in seconds, even if it is late."""


def main() -> None:
    """Work for the master that the command line names, until it closes the connection, or dies."""
    process, line, file, master, tied = map(int, sys.argv[1:])
    # Its share of a search is over when the master says so: Ctrl-C in a terminal is the master's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(COURTESY)
    if tied:
        die_with_parent()
    with Connection(line) as connection, contextlib.suppress(EOFError, OSError):
        places, processes, content = pickle.loads(connection.recv_bytes())
        sys.path.extend(place for place in places if place not in sys.path)
        board: Map = pickle.loads(content)
        serve(process, SharedTable(board, processes, file), board, connection, master)


def serve(process: int, table: SharedTable, board: Map, connection: Connection, master: int) -> None:
    """Work as process number `process`. Raises EOFError or OSError when the connection is closed."""
    table.finish(process, 0)
    while (content := receive(connection, master)) is not None:
        job = unpack(content, board)
        try:
            work(job, process, table, master)
        except Exception:
            connection.send_bytes(traceback.format_exc().encode())
            return
        table.finish(process, job.search)


def receive(connection: Connection, master: int) -> bytes | None:
    """The next job; None when the master is gone. Raises EOFError when it has closed the connection."""
    while os.getppid() == master:
        # The line may have another end in a process that the master has forked, so that it stays
        # open when the master dies; hence the look at the parent now and then.
        if connection.poll(WATCH):
            return connection.recv_bytes()
    return None


def work(job: SearchJob, process: int, table: SharedTable, master: int) -> None:
    """Search until the job's limit, until the master ends the search, or until the master is dead."""

    def over() -> bool:
        return table.active != job.search or os.getppid() != master

    if over():
        return
    time = None if job.deadline is None else max(job.deadline - monotonic(), LEAST)
    budget = Budget(time, job.nodes, over)
    rendezvous = SharedRendezvous(table, process, job.search, job.task.position.map.powers, job.shares)
    for _ in search_of(job.task, rendezvous, process).run(job.powers, budget):
        pass


def die_with_parent() -> None:
    """Ask the system to kill this process when its parent dies, even if it is stopped; not all systems
    can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)


if __name__ == "__main__":
    main()
