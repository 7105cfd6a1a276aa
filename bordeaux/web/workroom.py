"""A process beside the page's, which does one long job after another while the event loop goes on."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.jobs import Death, Pool

__all__ = ["Given", "Task", "Workroom"]

PATIENCE = 3.0
"""Seconds after which the process of a job that does not stop is ended."""
TRIES = 3
"""Deaths over one job after which it is given up."""


class Given(BordeauxError):
    """A job was given up, as it was asked to stop and did not, or before it had begun."""


class Task:
    """A job, and who hears of it. `heard` is told what the job tells, and `died` of each death of its process,
    and gives the job with which to go on; both are called in the event loop."""

    def __init__(
        self, job: Any, heard: Callable[[Any], None], died: Callable[[str], Any] | None = None
    ) -> None:
        self.job = job
        self.heard = heard
        self.died = died
        self.asked = threading.Event()
        self.loop = asyncio.get_running_loop()

    def tell(self, message: Any) -> None:
        """Pass on what the job tells."""
        self.loop.call_soon_threadsafe(self.heard, message)

    def buried(self, job: Any, death: Death) -> Any:
        """The job to go on with after a death. Raises BordeauxError where that is none."""
        if self.asked.is_set():
            raise Given("it was asked to stop")
        if death.number >= TRIES:
            raise BordeauxError(
                f"the process of the engine died {TRIES} times, and at last {death.text}; is memory short?"
            )
        if self.died is None:
            return job
        told = asyncio.run_coroutine_threadsafe(self._dead(death.text), self.loop)
        return told.result()

    async def _dead(self, text: str) -> Any:
        assert self.died is not None
        return self.died(text)


class Workroom:
    """One process that applies `function` to jobs, one after another. It is started with the first job, ends
    with this process, however that ends, and is replaced when it dies. All is called in one event loop."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._turn = asyncio.Lock()
        self._pool: Pool[Any, Any] = Pool(function, 1, died=self._died, heard=self._heard)
        self._task: Task | None = None
        self._closed = False

    async def do(self, task: Task) -> Any:
        """What comes of a job, after those that came before it. Raises what the job raises, `Given` where it
        was stopped before it began or did not stop, and BordeauxError where its process died thrice."""
        async with self._turn:
            return await in_thread(self._do, task)

    def stop(self, task: Task) -> None:
        """Ask a job to come to an end."""
        task.asked.set()
        if self._task is task:
            self._pool.stop()

    async def close(self) -> None:
        """Stop whatever is done, and end the process."""
        self._closed = True
        if self._task is not None:
            self.stop(self._task)
        async with self._turn:
            await in_thread(self._pool.close)

    def _do(self, task: Task) -> Any:
        if task.asked.is_set() or self._closed:
            raise Given("it was asked to stop")
        self._task = task
        asked: float | None = None
        try:
            self._pool.submit(task.job)
            while True:
                if task.asked.is_set():
                    # Said again, as a process that has just begun would not have heard it.
                    self._pool.stop()
                    asked = asked or monotonic()
                    if self._closed or monotonic() > asked + PATIENCE:
                        self._pool.close()
                        raise Given("it did not stop, and its process was ended")
                for outcome in self._pool.outcomes():
                    return outcome.result()
        finally:
            self._task = None

    def _heard(self, message: Any) -> None:
        if self._task is not None:
            self._task.tell(message)

    def _died(self, job: Any, death: Death) -> Any:
        assert self._task is not None
        return self._task.buried(job, death)


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function gives that is called in a thread of its own. Unlike those of an executor, the thread
    does not keep a process from ending that is interrupted."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(answer: Any, error: BaseException | None) -> None:
        if future.cancelled():
            return
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)

    def call() -> None:
        answer, error = None, None
        try:
            answer = function(*arguments)
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, answer, error)

    threading.Thread(target=call, name="bordeaux-work", daemon=True).start()
    return await future
