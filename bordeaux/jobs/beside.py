"""Jobs in workers of a page, where Python is Pyodide and there are no processes.

The worker that answers the page's requests (`BackgroundWorker`) gives jobs to others, which it begins. Each
has a Python of its own (`work`). What goes between them is pickled, as between processes. A worker at work
hears no message, unless the browser can suspend it (JavaScript Promise Integration). So one that is asked to
stop and does not within `PATIENCE` is ended, and another begins.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from bordeaux.jobs.pool import BackgroundRoom, BackgroundTask, Death, GivenUp, Stop, never
from bordeaux.jobs.process import ANSWER, RAISED, TOLD, portable, serving

PATIENCE = 0.12
"""Seconds after which a worker that is asked to stop is ended."""
IDLE = 2
"""Workers that are kept for the next job."""
LOOK = 0.03
"""Seconds between two looks of a job for a message."""


class PageWorker(Protocol):
    """A worker of the page, as JavaScript gives it."""

    def post(self, content: bytes) -> None:
        """Hand it a job."""

    def stop(self) -> None:
        """Ask its job to stop."""

    def end(self) -> None:
        """End it."""


Start = Callable[[Callable[[bytes], None], Callable[[str], None]], PageWorker]
"""Begins a worker; called with what hears its messages, and what hears how it died."""


class Workers:
    """All workers of the page: those that wait for a job are kept here."""

    def __init__(self) -> None:
        self.start: Start | None = None
        self.idle: list[Employed] = []

    def take(self) -> Employed:
        """A worker without a job."""
        return self.idle.pop() if self.idle else Employed(self)

    def keep(self, worker: Employed) -> None:
        """Keep a worker for the next job, or end it."""
        worker.room = None
        if len(self.idle) < IDLE:
            self.idle.append(worker)
        else:
            worker.page.end()

    def replace(self, worker: Employed) -> None:
        """End a worker, and begin another, which is ready when it is needed."""
        worker.room = None
        worker.page.end()
        if not self.idle:
            self.idle.append(Employed(self))


workers = Workers()


class Employed:
    """One worker, and the room whose job it does."""

    def __init__(self, all: Workers) -> None:
        assert all.start is not None, "there is no page that could begin a worker"
        self.room: BackgroundWorker | None = None
        self._all = all
        self.page = all.start(self._hear, self._end)

    def _hear(self, content: bytes) -> None:
        if self.room is not None:
            self.room.hear(*pickle.loads(content))

    def _end(self, text: str) -> None:
        if self in self._all.idle:
            self._all.idle.remove(self)
        if self.room is not None:
            self.room.died(text)


class BackgroundWorker(BackgroundRoom):
    """Applies `function` to jobs, one after another, in a worker of the page."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._waiting: deque[BackgroundTask] = deque()
        self._task: BackgroundTask | None = None
        self._worker: Employed | None = None
        self._deaths = 0

    def do(self, task: BackgroundTask) -> None:
        """Queue a job."""
        self.tasks += 1
        self._waiting.append(task)
        self._next()

    def stop(self, task: BackgroundTask) -> None:
        """Ask a job to stop; if it does not soon, its worker is ended."""
        task.asked.set()
        if self._task is task and self._worker is not None:
            self._worker.page.stop()
            asyncio.get_event_loop().call_later(PATIENCE, self._end, task)
        elif task in self._waiting:
            self._waiting.remove(task)
            self.tasks -= 1
            task.over(None, GivenUp("it was given up"))

    def close(self) -> None:
        """End the worker at once, and cancel the queued jobs."""
        while self._waiting:
            self.stop(self._waiting[0])
        if self._task is not None:
            self._end(self._task)

    def answer(self, job: Any, *, died: Callable[[str], Any] | None = None, stop: Stop = never) -> Any:
        """Do a job here, as nothing can wait for another worker."""
        return self._function(job)

    def hear(self, kind: str, content: Any) -> None:
        """Take a message of the worker."""
        assert self._task is not None
        if kind == TOLD:
            self._task.heard(content)
        elif kind == ANSWER:
            self._over(content, None)
        elif kind == RAISED:
            self._over(None, content)

    def died(self, text: str) -> None:
        """Go on with another worker, or give the job up."""
        task, self._worker = self._task, None
        assert task is not None
        self._deaths += 1
        try:
            task.job = task.after(task.job, Death("", False, text, self._deaths))
        except Exception as error:
            self._over(None, error)
        else:
            self._hand(task)

    def _next(self) -> None:
        if self._task is None and self._waiting:
            self._task, self._deaths = self._waiting.popleft(), 0
            self._hand(self._task)

    def _hand(self, task: BackgroundTask) -> None:
        self._worker = workers.take()
        self._worker.room = self
        self._worker.page.post(pickle.dumps((self._function, task.job)))

    def _end(self, task: BackgroundTask) -> None:
        """End the worker, if it still has this job."""
        if self._task is task and self._worker is not None:
            workers.replace(self._worker)
            self._worker = None
            self._over(None, GivenUp("it did not stop"))

    def _over(self, answer: Any, error: Exception | None) -> None:
        task, self._task = self._task, None
        if self._worker is not None:
            workers.keep(self._worker)
            self._worker = None
        self.tasks -= 1
        assert task is not None
        task.over(answer, error)
        self._next()


class PageChannel:
    """The way of a job to the worker that asked for it. `send` takes pickled messages; `asked` gives whether
    it is to stop; `breathe` lets messages arrive, where the browser can do that."""

    def __init__(
        self, send: Callable[[bytes], None], asked: Callable[[], bool], breathe: Callable[[], None]
    ) -> None:
        self._send = send
        self._asked = asked
        self._breathe = breathe
        self._looked = monotonic()

    def note(self, text: str, deadline: float) -> None:
        """Nobody reads notes here."""

    def stopped(self) -> bool:
        """Whether the job is to stop; looked for now and then, as looking takes time."""
        if monotonic() > self._looked + LOOK:
            self._breathe()
            self._looked = monotonic()
        return self._asked()

    def tell(self, message: Any) -> None:
        """Send a message."""
        self._send(pickle.dumps((TOLD, message)))


def breather(pause: Callable[[], Any]) -> Callable[[], None]:
    """What lets messages of the page arrive while a job runs, if the browser can suspend it until the promise
    of `pause` is kept."""
    from pyodide.ffi import can_run_sync, run_sync

    def breathe() -> None:
        if can_run_sync():
            run_sync(pause())

    return breathe


def work(
    content: bytes, send: Callable[[bytes], None], asked: Callable[[], bool], breathe: Callable[[], None]
) -> None:
    """Do a job in this worker, and send its answer, or its exception. For the arguments see `PageChannel`."""
    with serving(PageChannel(send, asked, breathe)):
        try:
            function, job = pickle.loads(content)
            told = pickle.dumps((ANSWER, function(job)))
        except Exception as error:
            told = pickle.dumps((RAISED, portable(error)))
    send(told)
