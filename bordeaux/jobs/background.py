"""What runs one long job after another beside a server: a process, or a worker of the page."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic
from typing import Any

from bordeaux.jobs import PROCESSES
from bordeaux.jobs.pool import BackgroundRoom, BackgroundTask, Death, GivenUp, Pool, Stop, never

__all__ = ["BackgroundProcess", "BackgroundRoom", "BackgroundTask", "GivenUp", "background"]

PATIENCE = 5.0
"""Seconds after which the process of a job that does not stop is ended."""
LOOK = 0.1
"""Seconds between two looks of a thread that waits for its job."""


class BackgroundProcess(BackgroundRoom):
    """One process that applies `function` to jobs, one after another. It starts with the first job, ends with
    this process in any case, and is replaced when it dies, and when its job does not stop within `patience`
    seconds. Methods may be called from any thread."""

    def __init__(self, function: Callable[[Any], Any], patience: float = PATIENCE) -> None:
        self._pool: Pool[Any, Any] = Pool(function, 1, died=self._died, heard=self._heard)
        self._patience = patience
        self._waiting: SimpleQueue[BackgroundTask | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._task: BackgroundTask | None = None
        self._closed = False

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

    def answer(self, job: Any, *, died: Callable[[str], Any] | None = None, stop: Stop = never) -> Any:
        """Do a job, and let this thread wait."""
        over = threading.Event()
        came: list[Any] = []

        def ended(answer: Any, error: Exception | None) -> None:
            came[:] = answer, error
            over.set()

        task = BackgroundTask(job, ended, died=died)
        self.do(task)
        while not over.wait(LOOK):
            if stop() and not task.asked.is_set():
                self.stop(task)
                if self._task is not task:
                    raise GivenUp("it was given up")
        answer, error = came
        if error is not None:
            raise error
        return answer

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
                if self._closed or monotonic() > asked + self._patience:
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


def background(function: Callable[[Any], Any]) -> BackgroundRoom:
    """What applies a function to jobs on this platform."""
    if PROCESSES:
        return BackgroundProcess(function)
    from bordeaux.jobs.beside import BackgroundWorker

    return BackgroundWorker(function)
