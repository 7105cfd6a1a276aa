"""Long jobs beside a server, one after another: a job with who hears of it, and who does them."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.jobs.pool import Death

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
    def answer(
        self, job: Any, *, died: Callable[[str], Any] | None = None, patience: float | None = None
    ) -> Any:
        """Do a job and wait for its answer; `died` is that of a task. Raises what the job raises, GivenUp,
        and TimeoutError after `patience` seconds."""
