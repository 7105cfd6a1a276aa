"""Games on the cores of this machine: workers start once, jobs stream in, results stream out."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable
from multiprocessing.connection import wait

from bordeaux.arena.job import CRASH, STALL, Fault, Job, Result
from bordeaux.arena.record import Watch
from bordeaux.arena.worker import BROKEN, CREATE, PHASE, REFUSED, Worker
from bordeaux.board.errors import BordeauxError

__all__ = ["run"]

LOOK = 0.25
"""Seconds between two looks for players that do not come back."""
PATIENCE = 3
"""Deaths outside any player after which a job is given up."""


def run(
    jobs: Iterable[Job], *, processes: int = 1, create: str = CREATE, watch: Watch | None = None
) -> Generator[Result, None, None]:
    """Play jobs in `processes` worker processes and give each result as soon as it is there.

    `create` names the function that makes the players, ``module:function``; `watch` is told about every
    phase of kept games. A worker that dies, or whose player does not come back and cannot be
    stopped, is replaced and its game played again. If that happens to the same game again, the player
    that was thinking has the fault: the game is played with it being absent from that phase on.

    Closing the iterator ends the workers and everything that they started. Raises BordeauxError for a
    job that cannot be played and for a worker that dies again and again outside any player.
    """
    if processes < 1:
        raise BordeauxError(f"processes must be a positive number, not {processes}")
    crew = Crew(create, watch)
    stream = iter(jobs)
    try:
        while True:
            while len(crew.busy) < processes and (job := next(stream, None)) is not None:
                crew.hand_out(job)
            if not crew.busy:
                return
            yield from crew.results()
    finally:
        crew.close()


class Crew:
    """The workers of a run, those that play and those that are free."""

    def __init__(self, create: str, watch: Watch | None) -> None:
        self._create = create
        self._watch = watch
        self._free: list[Worker] = []
        self.busy: list[Worker] = []
        self._deaths: dict[int, list[tuple[int, str]]] = {}
        self._lost: dict[int, list[Fault]] = {}

    def hand_out(self, job: Job) -> None:
        """Give a job to a free worker, or to a new one."""
        worker = self._free.pop() if self._free else Worker(self._create)
        self.busy.append(worker)
        worker.send(job, self._lost.get(job.index, ()), self._watch is not None)

    def results(self) -> list[Result]:
        """Wait a while for what the workers say; the results among it."""
        ready = wait([worker.connection for worker in self.busy], LOOK)
        found = []
        for worker in list(self.busy):
            if worker.connection in ready:
                result = self._hear(worker)
                if result is not None:
                    found.append(result)
            elif worker.overdue():
                self._bury(worker, STALL)
        return found

    def close(self) -> None:
        """End all workers."""
        for worker in (*self.busy, *self._free):
            worker.end()
        self.busy.clear()
        self._free.clear()

    def _hear(self, worker: Worker) -> Result | None:
        """Take one message of a worker; the result, if it is one."""
        assert worker.job is not None
        try:
            kind, content = worker.connection.recv()
        except (EOFError, OSError):
            self._bury(worker, CRASH)
            return None
        if kind == PHASE:
            if self._watch is not None:
                self._watch(content)
            return None
        if kind == REFUSED:
            raise BordeauxError(content)
        if kind == BROKEN:
            raise RuntimeError(f"game {worker.job.index} broke the arena:{os.linesep}{content}")
        self.busy.remove(worker)
        self._free.append(worker)
        self._lost.pop(worker.job.index, None)
        self._deaths.pop(worker.job.index, None)
        result: Result = content
        return result

    def _bury(self, worker: Worker, kind: str) -> None:
        """Replace a worker and have its game played again, without the culprit if there is one."""
        job = worker.job
        assert job is not None
        seat, phase = worker.thinking()
        text = worker.end(parting=kind != STALL)
        self.busy.remove(worker)
        deaths = self._deaths.setdefault(job.index, [])
        deaths.append((seat, text))
        if seat < 0:
            if sum(1 for each, _ in deaths if each < 0) == PATIENCE:
                raise BordeauxError(
                    f"game {job.index} cannot be played: its worker {text} before any player was called,"
                    f" {PATIENCE} times; its last words are on standard error"
                )
        elif len(deaths) > 1:
            self._lost.setdefault(job.index, []).append(Fault(seat, kind, phase, text))
        self.hand_out(job)
