"""Jobs on the cores of this machine: workers start once, then process a stream of jobs."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing.connection import wait
from typing import Any, Generic, NamedTuple, TypeVar

from bordeaux.board.errors import BordeauxError, whole
from bordeaux.jobs import PROCESSES
from bordeaux.jobs.process import ANSWER, RAISED, READY, TOLD, Worker, end_all

JobT = TypeVar("JobT")
Answer = TypeVar("Answer")

LOOK = 0.25
"""Seconds between two checks for jobs that have missed their own deadline."""
GRACE = 2.0
"""Seconds after such a deadline until the process is ended."""
TRIES = 3
"""Deaths during one job after which it is given up."""


class Death(NamedTuple):
    """How a worker died during a job: the job's last note, whether it was ended for a missed deadline, and
    how it ended in words. Also the number of deaths during this job, from 1 on."""

    note: str
    late: bool
    text: str
    number: int


Died = Callable[[Any, Death], Any]
"""Called with a job and a death during it; returns the job to try now, or raises to give it up."""
Heard = Callable[[Any], None]
"""Called with each message of a job."""


class JobOutcome(NamedTuple, Generic[JobT, Answer]):
    """The outcome of a job: an answer, or its exception."""

    job: JobT
    answer: Answer | None = None
    error: Exception | None = None

    def result(self) -> Answer:
        """The answer; raises the exception if there is one."""
        if self.error is not None:
            raise self.error
        return self.answer  # type: ignore[return-value]  # None only where that is the answer


def again(job: JobT, death: Death) -> JobT:
    """The same job, tried three times in all; then raises BordeauxError."""
    if death.number < TRIES:
        return job
    raise BordeauxError(
        f"a job was given up: its process died {TRIES} times, and at last {death.text};"
        " is memory short? fewer processes need less"
    )


class Pool(Generic[JobT, Answer]):
    """Up to `processes` workers that apply a function to jobs; a context manager.

    Workers start when they are needed, and end after `idle` seconds without a job, if given. A worker that
    dies, or whose job exceeds a recorded deadline (`process.note`) by `grace` seconds, is replaced, and
    `died` decides how the job continues. `heard` receives the messages of jobs (`process.tell`).
    Closing ends the workers and everything in their process groups at once; so does the end of this process,
    in any case. Raises BordeauxError for less than one process.
    """

    def __init__(
        self,
        function: Callable[[JobT], Answer],
        processes: int,
        *,
        died: Died = again,
        heard: Heard | None = None,
        grace: float = GRACE,
        idle: float | None = None,
    ) -> None:
        whole("processes", processes, 1)
        self._function = function
        self._processes = processes
        self._died = died
        self._heard = heard
        self._grace = grace
        self._idle = idle
        self._free: list[Worker] = []
        self._busy: dict[Worker, tuple[JobT, int]] = {}

    def __enter__(self) -> Pool[JobT, Answer]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def room(self) -> int:
        """The number of jobs that can be begun."""
        return self._processes - len(self._busy)

    @property
    def busy(self) -> int:
        """The number of running jobs."""
        return len(self._busy)

    def submit(self, job: JobT) -> None:
        """Begin a job; there must be `room`."""
        self._hand(job, 0)

    def outcomes(self) -> list[JobOutcome[JobT, Answer]]:
        """Wait a while for the running jobs; returns the outcomes so far, often none."""
        ready = wait([worker.connection for worker in self._busy], LOOK)
        outcomes = []
        for worker in list(self._busy):
            outcome = None
            if worker.connection in ready:
                outcome = self._hear(worker)
            elif worker.overdue(self._grace):
                outcome = self._bury(worker, late=True)
            if outcome is not None:
                outcomes.append(outcome)
        return outcomes

    def stop(self) -> None:
        """Ask the running jobs to stop: those that check (`process.stopped`) see it at once. This is
        the only method for other threads."""
        for worker in list(self._busy):
            worker.stop()

    def close(self) -> None:
        """End all workers."""
        end_all([*self._busy, *self._free])
        self._busy.clear()
        self._free.clear()

    def _hand(self, job: JobT, deaths: int) -> None:
        end_all(dead := [worker for worker in self._free if not worker.alive()])
        self._free = [worker for worker in self._free if worker not in dead]
        worker = self._free.pop() if self._free else Worker(self._function, self._idle)
        self._busy[worker] = job, deaths
        worker.hand(job)

    def _hear(self, worker: Worker) -> JobOutcome[JobT, Answer] | None:
        """Process one message of a worker; returns the outcome of its job, if it is one."""
        try:
            kind, content = worker.connection.recv()
        except (EOFError, OSError):
            return self._bury(worker, late=False)
        except Exception as error:
            # An answer that cannot be read here.
            kind, content = RAISED, error
        if kind == READY:
            worker.ready()
        elif kind == TOLD and self._heard is not None:
            self._heard(content)
        elif kind in (ANSWER, RAISED):
            job, _ = self._busy.pop(worker)
            self._free.append(worker)
            return JobOutcome(job, content) if kind == ANSWER else JobOutcome(job, error=content)
        return None

    def _bury(self, worker: Worker, late: bool) -> JobOutcome[JobT, Answer] | None:
        """Replace a worker, and let its job be tried again or given up."""
        job, deaths = self._busy[worker]
        death = Death(worker.note(), late, worker.fate(parting=not late), deaths + 1)
        end_all([worker])
        del self._busy[worker]
        try:
            job = self._died(job, death)
        except Exception as error:
            return JobOutcome(job, error=error)
        self._hand(job, deaths + 1)
        return None


def run(
    function: Callable[[JobT], Answer],
    jobs: Iterable[JobT],
    *,
    processes: int = 1,
    died: Died = again,
    heard: Heard | None = None,
    grace: float = GRACE,
) -> Generator[JobOutcome[JobT, Answer]]:
    """Apply a function to jobs in a `Pool`, and yield each outcome as soon as it is there. Jobs are taken
    when there is room for them; closing the iterator ends the workers. Where there are no processes, the
    work is done here, `in_place`."""
    if not PROCESSES:
        yield from in_place(function, jobs)
        return
    stream = iter(jobs)
    with Pool(function, processes, died=died, heard=heard, grace=grace) as pool:
        while True:
            for job in islice(stream, pool.room):
                pool.submit(job)
            if not pool.busy:
                return
            yield from pool.outcomes()


def in_place(function: Callable[[JobT], Answer], jobs: Iterable[JobT]) -> Generator[JobOutcome[JobT, Answer]]:
    """Apply a function to jobs in this process, one after another; yields each outcome. What a job tells goes
    to whoever asked this process for its own job."""
    for job in jobs:
        try:
            outcome = JobOutcome(job, function(job))
        except Exception as error:
            outcome = JobOutcome(job, error=error)
        yield outcome


Item = TypeVar("Item")

BATCH = 8
"""Items in a batch for a process."""

AHEAD = 4
"""Batches for each process that may be running or wait for an earlier one; this limits memory."""


@contextmanager
def mapped(
    function: Callable[[Item], Answer], items: Iterable[Item], processes: int
) -> Iterator[Iterator[Answer]]:
    """Apply `function` to `items` in `processes` processes and yield the answers in order.

    Fewer items than a batch are processed here, without processes. Exceptions of `function` or `items` are
    raised here. Leaving the context, also by Ctrl-C, ends the processes at once.
    """
    stream = iter(items)
    first = list(islice(stream, BATCH)) if processes > 1 else []
    if len(first) < BATCH:
        yield (function(item) for source in (first, stream) for item in source)
        return
    with Pool(partial(apply_to_all, function), processes) as pool:
        yield in_order(pool, batches(first, stream), AHEAD * processes)


def batches(first: list[Item], stream: Iterator[Item]) -> Iterator[tuple[int, list[Item]]]:
    """All batches, numbered."""
    number, batch = 0, first
    while batch:
        yield number, batch
        number, batch = number + 1, list(islice(stream, BATCH))


def in_order(
    pool: Pool[tuple[int, list[Item]], list[Answer]], stream: Iterator[tuple[int, list[Item]]], most: int
) -> Iterator[Answer]:
    """Answers in the order of the items, with at most `most` batches in progress."""
    done: dict[int, list[Answer]] = {}
    given = 0
    while True:
        while pool.room and pool.busy + len(done) < most and (batch := next(stream, None)):
            pool.submit(batch)
        if not pool.busy:
            return
        for outcome in pool.outcomes():
            done[outcome.job[0]] = outcome.result()
        while given in done:
            yield from done.pop(given)
            given += 1


def apply_to_all(function: Callable[[Item], Answer], batch: tuple[int, list[Item]]) -> list[Answer]:
    """The work of a process on a batch."""
    return [function(item) for item in batch[1]]


Stop = Callable[[], bool]


def never() -> bool:
    """A job that nobody stops."""
    return False


class GivenUp(BordeauxError):
    """A job was cancelled: it was asked to stop before it began, or did not stop."""


class BackgroundTask:
    """A job and its callbacks, always called in the thread of its process.

    `heard` receives the reports of the job. `over` receives its answer, or the error: the exception of the
    job, `GivenUp` if it was cancelled, BordeauxError if its process died three times, or was ended for a
    missed deadline (`process.note`). `died` is told how a process ended and returns the job to continue
    with. `look` is called periodically.
    """

    def __init__(
        self,
        job: Any,
        over: Callable[[Any, Exception | None], None],
        heard: Callable[[Any], None] = lambda message: None,
        died: Callable[[str], Any] | None = None,
        look: Callable[[], None] = lambda: None,
    ) -> None:
        self.job = job
        self.over = over
        self.heard = heard
        self.died = died
        self.look = look
        self.asked = threading.Event()

    def after(self, job: Any, death: Death) -> Any:
        """The job to continue with after a death. Raises BordeauxError if there is none."""
        if self.asked.is_set():
            raise GivenUp("it was asked to stop")
        if death.late:
            raise BordeauxError(f"{death.note} did not come back in time")
        if death.number >= TRIES:
            raise BordeauxError(f"its process died {TRIES} times, and at last {death.text}; is memory short?")
        return job if self.died is None else self.died(death.text)


class BackgroundRoom(ABC):
    """Applies a function to jobs, one after another, beside its owner."""

    tasks = 0
    """Jobs that are not over."""

    @abstractmethod
    def do(self, task: BackgroundTask) -> None:
        """Queue a job."""

    @abstractmethod
    def stop(self, task: BackgroundTask) -> None:
        """Ask a job to stop."""

    @abstractmethod
    def close(self) -> None:
        """End the present job at once, and cancel the queued ones."""

    @abstractmethod
    def answer(self, job: Any, *, died: Callable[[str], Any] | None = None, stop: Stop = never) -> Any:
        """Do a job and wait for its answer, or until `stop` says so; `died` is that of a task. Raises what
        the job raises, and GivenUp."""
