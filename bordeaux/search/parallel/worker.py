"""A worker: the process that searches beside the master, one job after another."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import traceback
from time import monotonic

from multiprocess.connection import Connection, wait
from multiprocess.process import parent_process

from bordeaux.board.map import Map
from bordeaux.search.budget import Budget
from bordeaux.search.parallel.shared_rendezvous import SharedRendezvous
from bordeaux.search.parallel.table import SharedTable
from bordeaux.search.parallel.task import SearchJob, unpack

__all__ = ["serve"]

SET_PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""

WATCH = 5.0
"""Seconds after which an idle worker looks whether its master is still there."""

COURTESY = 5
"""By how much nicer a worker is than its master: where they contend for a core the master comes first,
because the deadline is kept by it."""

LEAST = 1e-3
"""Seconds that a search gets at least, though it be late."""


def serve(
    process: int, table: SharedTable, map: Map, connection: Connection, master: int, tied: bool
) -> None:
    """Work as process number `process` until the master (a process id) closes the connection, or dies.

    `tied` asks the system to kill this process together with the thread that has started it.
    """
    # Its share of a search is over when the master says so: Ctrl-C in a terminal is the master's.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(COURTESY)
    if tied:
        die_with_parent()
    table.finish(process, 0)
    with contextlib.suppress(EOFError, OSError):
        while True:
            content = receive(connection, master)
            if content is None:
                return
            job = unpack(content, map)
            try:
                work(job, process, table, master)
            except Exception:
                connection.send_bytes(traceback.format_exc().encode())
                return
            table.finish(process, job.search)


def receive(connection: Connection, master: int) -> bytes | None:
    """The next job; None when the master is gone. Raises EOFError when it has closed the connection."""
    parent = parent_process()
    while os.getppid() == master:
        # The line may have another end in a process that the master has forked, so that it stays
        # open when the master dies; hence the look at the parent now and then.
        ready = wait([connection, parent.sentinel], WATCH)
        if connection in ready:
            content: bytes = connection.recv_bytes()
            return content
        if ready:
            return None
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
    for _ in job.task.search(rendezvous, process).run(job.powers, budget):
        pass


def die_with_parent() -> None:
    """Ask the system to kill this process when its parent dies, even if it is stopped; not all systems
    can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
