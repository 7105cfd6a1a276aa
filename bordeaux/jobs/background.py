"""A process beside a server's that runs one long job after another while the server answers requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.jobs.pool import Death, Pool

__all__ = ["BackgroundProcess", "BackgroundTask", "GivenUp"]

PATIENCE = 5.0
"""Seconds after which the process of a job that does not stop is ended."""
TRIES = 3
"""Deaths during one job after which it is given up."""


class GivenUp(BordeauxError):
    """A job was cancelled: it was asked to stop before it began, or did not stop."""


class BackgroundTask:
    """A job and its callbacks, always called in the thread of its process.

    `heard` receives the reports of the job. `over` receives its answer, or the error: the exception of the
    job, `GivenUp` if it was cancelled, BordeauxError if its process died three times, or was ended for a
    missed deadline (`bordeaux.jobs.note`). `died` is told how a process ended and returns the job to continue
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


class BackgroundProcess:
    """One process that applies `function` to jobs, one after another. It starts with the first job, ends with
    this process in any case, and is replaced when it dies. Methods may be called from any thread."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._pool: Pool[Any, Any] = Pool(function, 1, died=self._died, heard=self._heard)
        self._waiting: SimpleQueue[BackgroundTask | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._task: BackgroundTask | None = None
        self._closed = False
        self.tasks = 0
        """Jobs that are not over."""

    def do(self, task: BackgroundTask) -> None:
        """Queue a job."""
        with self._lock:
            closed = self._closed
            if self._thread is None and not closed:
                # A daemon, so that it does not keep a server from ending that is interrupted twice.
                self._thread = threading.Thread(target=self._serve, name="bordeaux-background", daemon=True)
                self._thread.start()
            if not closed:
                self.tasks += 1
                self._waiting.put(task)
        if closed:
            task.over(None, GivenUp("the server ends"))

    def stop(self, task: BackgroundTask) -> None:
        """Ask a job to stop."""
        task.asked.set()
        if self._task is task:
            self._pool.stop()

    def close(self) -> None:
        """End the process at once, and cancel the queued jobs."""
        with self._lock:
            self._closed = True
            thread, self._thread = self._thread, None
        self._waiting.put(None)
        if thread is not None:
            thread.join()

    def _serve(self) -> None:
        while (task := self._waiting.get()) is not None:
            self._task = task
            try:
                answer, error = self._do(task), None
            except Exception as raised:
                answer, error = None, raised
            self._task = None
            with self._lock:
                self.tasks -= 1
            task.over(answer, error)
        self._pool.close()

    def _do(self, task: BackgroundTask) -> Any:
        asked: float | None = None
        if not (task.asked.is_set() or self._closed):
            self._pool.submit(task.job)
        while self._pool.busy:
            if task.asked.is_set() or self._closed:
                # Said again, as a process that has just begun would not have heard it.
                self._pool.stop()
                asked = asked or monotonic()
                if self._closed or monotonic() > asked + PATIENCE:
                    self._pool.close()
                    break
            task.look()
            for outcome in self._pool.outcomes():
                return outcome.result()
        raise GivenUp("it was given up")

    def _heard(self, message: Any) -> None:
        if self._task is not None:
            self._task.heard(message)

    def _died(self, job: Any, death: Death) -> Any:
        assert self._task is not None
        return self._task.after(job, death)
