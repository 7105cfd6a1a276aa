"""The workers of an engine: started once, given one search after another, replaced when they fail.

The master is the caller's process. It searches as well and depends on no worker: it takes the results that
others have published so far, and continues without missing ones.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import pickle
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from time import monotonic, sleep

from bordeaux.board.map import Map
from bordeaux.jobs.process import started
from bordeaux.search.budget import Budget
from bordeaux.search.parallel.job import SearchJob, pack
from bordeaux.search.parallel.shared_rendezvous import SharedRendezvous
from bordeaux.search.parallel.shares import deal
from bordeaux.search.parallel.table import STARTING, SharedTable
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.task import SearchTask

__all__ = ["GRACE", "LONGEST", "SearchWorker", "WorkerPool"]

log = logging.getLogger(__name__)

WORKER = "bordeaux.search.parallel.worker"
"""The module that a worker runs."""

GRACE = 0.25
"""Seconds after the end of a search within which a worker must notice it. No process waits for it. On a
machine under load a worker that only waits for the processor should not be restarted."""

FAREWELL = 0.05
"""Seconds that a killed process has to disappear."""

LONGEST = 1 << 16
"""Bytes of a job that always fit into an empty pipe to a worker."""

PATIENCE = 10.0
"""Seconds in which a worker must get ready."""

FOR_STARTING = 0.2
"""Share of a search's budget after which no more workers are started."""

SILENCE = 0.25
"""Seconds without a node after which the master takes over a worker's share for the time being."""


def launch(number: int, table: SharedTable, map: Map) -> tuple[subprocess.Popen[bytes], Connection]:
    """Start process number `number` of a table; returns at once, with the process and the master's
    connection to it. Raises OSError if it cannot be started."""
    ours, theirs = socket.socketpair()
    connection = Connection(ours.detach())
    # The process may go on without any other thread, and so must its workers.
    tied = threading.current_thread() is threading.main_thread()
    try:
        with theirs:
            handed = theirs.fileno(), table.file
            process = started(WORKER, (number, *handed, os.getpid(), int(tied)), handed)
        # One that has died by now is noticed later, and one that gets half of this ends without a word.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.send_bytes(pickle.dumps((sys.path, table.processes, pickle.dumps(map))))
    except BaseException:
        connection.close()
        raise
    # A job must never wait for a worker that does not read: a full connection means a stuck worker.
    os.set_blocking(connection.fileno(), False)
    return process, connection


class SearchWorker:
    """A worker as seen by the master: process number `number` of a table."""

    def __init__(self, number: int, table: SharedTable, map: Map) -> None:
        self.number = number
        self.table = table
        table.finish(number, STARTING)
        self._process, self._connection = launch(number, table, map)
        self._started, self._ready = monotonic(), math.inf
        self._broken = False
        self._owed: list[tuple[int, float]] = []
        self._last_seen: tuple[int | None, float] = (None, monotonic())

    @property
    def process_id(self) -> int:
        """The process id in the system."""
        return self._process.pid

    def send(self, search: int, content: bytes) -> bool:
        """Send a job; returns whether it was sent. Jobs that are too long are not."""
        if len(content) > LONGEST:
            return False
        try:
            self._connection.send_bytes(content)
        except OSError:
            # Dead, or so far behind that the line is full; half a job may lie in it.
            self._broken = True
            return False
        self._owed.append((search, math.inf))
        self._last_seen = (None, monotonic())
        return True

    def ended(self, search: int) -> None:
        """Record that a search has ended now: the worker must finish with it soon."""
        self._owed = [(owed, monotonic() if owed == search else since) for owed, since in self._owed]

    def usable(self) -> bool:
        """Whether the process lives and has noticed the ends of its searches in time."""
        done, now = self.table.finished(self.number), monotonic()
        if not self.ready():
            stuck = now > self._started + PATIENCE
        else:
            # What was over before it was ready it gets to see only then.
            self._ready = min(self._ready, now)
            self._owed = [(search, since) for search, since in self._owed if search > done]
            stuck = any(now > max(since, self._ready) + GRACE for _, since in self._owed)
        return not stuck and not self._broken and self.alive()

    def ready(self) -> bool:
        """Whether the process has started."""
        return self.table.finished(self.number) != STARTING

    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def silent(self, search: int) -> bool:
        """Whether the worker contributes nothing to a search: it is dead, has not begun, or has not counted a
        node for some time."""
        spent = self.table.spent(self.number, search)
        before, since = self._last_seen
        if spent != before:
            self._last_seen = (spent, monotonic())
            return False
        return spent is None or monotonic() > since + SILENCE or not self.alive()

    def kill(self) -> None:
        """Kill the process; it holds no data that could be lost."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process, report its failure if there was one, and release its resources."""
        with contextlib.suppress(OSError, EOFError):
            if self._connection.poll():
                trace = self._connection.recv_bytes().decode()
                log.error("worker %d has failed: %s", self.number, trace.splitlines()[-1])
                log.debug("%s", trace)
        self._connection.close()
        self.kill()
        # Killed for certain, but one in the hands of the system may take its time: do not wait for it.
        try:
            self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            # Where the interpreter is about to end nobody has to take notice of it any more.
            with contextlib.suppress(RuntimeError):
                threading.Thread(target=self._process.wait, daemon=True).start()


class WorkerPool:
    """The workers beside the master for searches on a map in `processes` processes.

    A context manager; `close` ends the workers. They also end with the process, in any case, and with the
    last reference to the pool.
    """

    def __init__(self, map: Map, processes: int) -> None:
        self.map = map
        self.owner = os.getpid()
        self._table = SharedTable(map, processes)
        self._workers: dict[int, SearchWorker] = {}
        self._searches = 0
        self._busy = threading.Lock()
        self._end = weakref.finalize(self, _end_all, self._workers, self.owner)

    @property
    def process_ids(self) -> tuple[int, ...]:
        """The workers' process ids in the system."""
        return tuple(worker.process_id for worker in self._workers.values())

    def wait(self) -> None:
        """Start all missing workers, and wait until each is ready or has failed."""
        self._replace(None)
        for worker in self._workers.values():
            while worker.usable() and not worker.ready():
                sleep(0.002)

    def close(self) -> None:
        """End the workers."""
        self._end()

    def _replace(self, budget: Budget | None) -> None:
        """Start missing workers, and new ones for those that are dead or stuck. A search spends only a part
        of its budget on that: the rest are started by the next one."""
        for number in range(1, self._table.processes):
            worker = self._workers.get(number)
            if worker is not None and worker.usable():
                continue
            if worker is not None:
                log.info("process %d is no use any more and is replaced", worker.process_id)
                del self._workers[number]
                worker.end()
            try:
                self._workers[number] = SearchWorker(number, self._table, self.map)
            except OSError as error:
                # The master does its share until there is room for it again.
                log.warning("worker %d cannot be started: %s", number, error)
            if budget is not None and budget.over(FOR_STARTING):
                break

    @contextlib.contextmanager
    def meet(self, task: SearchTask, powers: Sequence[str], budget: Budget) -> Iterator[Rendezvous]:
        """Let the workers join a search; gives the master's rendezvous with them.

        `powers` are those whose orders are wanted. During one search another one, for example in a second
        thread, runs without the workers. On leaving, the search is over for all of them, without waiting
        until they have noticed.
        """
        units = {power: len(task.position.units_of(power)) for power in self.map.powers}
        wanted = [power for power in powers if units[power]]
        if not wanted or not self._busy.acquire(blocking=False):
            yield Rendezvous()
            return
        try:
            self._replace(budget)
            self._searches += 1
            search = self._searches
            others = [power for power in self.map.powers if units[power] and power not in wanted]
            shares = deal(wanted, others, units, self._table.processes)
            left = None if budget.time is None else monotonic() + budget.time - budget.seconds()
            job = pack(SearchJob(search, task, wanted, shares, left, budget.nodes), self.map)
            self._table.active = search
            workers = {n: worker for n, worker in self._workers.items() if worker.send(search, job)}

            def absent(process: int) -> bool:
                return process not in workers or workers[process].silent(search)

            try:
                yield SharedRendezvous(self._table, 0, search, self.map.powers, shares, absent)
            finally:
                self._table.active = 0
                for worker in workers.values():
                    worker.ended(search)
        finally:
            self._busy.release()


def _end_all(workers: dict[int, SearchWorker], owner: int) -> None:
    """End workers, unless this process was forked from their master."""
    if os.getpid() == owner:
        for worker in workers.values():
            worker.kill()
        while workers:
            workers.popitem()[1].end()
