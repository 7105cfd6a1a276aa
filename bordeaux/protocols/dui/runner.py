"""The engine on streams: one thread reads lines and answers at once, another runs tasks.

So ``stop``, ``isready`` and ``quit`` are answered during a search. Tasks run one after the other, in the
order of the requests.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections.abc import Iterator
from typing import BinaryIO

from bordeaux.protocols.dui.machine import LONGEST, EngineTask, Machine, done, error

MOST_WAITING = 200
"""Tasks that may wait; a client that sends more gets an error for each."""
FAREWELL = 3.0
"""Seconds that a search has to end after ``quit``."""
_SEARCHES = ("search", "endless")


class Runner:
    """Runs a machine, which answers on `target`. A closed `target` counts as quit."""

    def __init__(self, machine: Machine, target: BinaryIO) -> None:
        self._machine = machine
        self._target = target
        self._writing = threading.Lock()
        self._deaf = threading.Event()
        self._tasks: queue.Queue[tuple[EngineTask, threading.Event] | None] = queue.Queue()
        self._searches: list[threading.Event] = []
        self._quitting = threading.Event()
        self._thread = threading.Thread(target=self._work, name="mind", daemon=True)
        self._thread.start()

    def hear(self, line: bytes) -> bool:
        """Process a line; False after the last one."""
        for taken in self._machine.take(line):
            if isinstance(taken, str):
                self._say(taken)
            elif taken.kind == "quit":
                return False
            elif taken.kind == "stop":
                self._stop()
            elif taken.kind == "ready" and self._searches:
                for answer in done(taken):
                    self._say(answer)
            else:
                self._queue(taken)
        return not self._deaf.is_set()

    def close(self) -> None:
        """End running tasks, each search with its answer, and the engine's processes."""
        self._quitting.set()
        self._stop()
        self._tasks.put(None)
        self._thread.join(FAREWELL)
        self._machine.mind.close()

    def _queue(self, task: EngineTask) -> None:
        if self._tasks.qsize() >= MOST_WAITING:
            if task.kind == "ready":
                # It is always answered; here before the commands that wait.
                for answer in done(task):
                    self._say(answer)
                return
            self._say(error(f"more than {MOST_WAITING} commands wait; this one was skipped"))
            if task.kind in _SEARCHES:
                self._say("bestorders")
            return
        stop = threading.Event()
        if task.kind in _SEARCHES:
            self._searches.append(stop)
        self._tasks.put((task, stop))

    def _stop(self) -> None:
        for stop in tuple(self._searches):
            stop.set()

    def _work(self) -> None:
        while (waiting := self._tasks.get()) is not None:
            task, stop = waiting
            if self._quitting.is_set() and task.kind == "work":
                continue
            for line in done(task, stop):
                if line.startswith("bestorders"):
                    # The reader may send `isready` at once. It must then wait for its turn.
                    self._searches.remove(stop)
                self._say(line)

    def _say(self, line: str) -> None:
        with self._writing, contextlib.suppress(ValueError):
            if self._deaf.is_set():
                return
            try:
                self._target.write(line.encode("utf-8", "backslashreplace") + b"\n")
                self._target.flush()
            except OSError:
                self._deaf.set()
                self._stop()


def serve(source: BinaryIO, target: BinaryIO, machine: Machine) -> None:
    """Answer the lines of `source` on `target`, to ``quit`` or the end of the source."""
    runner = Runner(machine, target)
    try:
        while line := _line(source):
            if not runner.hear(line):
                break
    finally:
        runner.close()


def _line(source: BinaryIO) -> bytes:
    """The next line. A line that is too long is cut just past `LONGEST`, so that the caller sees it."""
    line = rest = source.readline(LONGEST + 2)
    while len(rest) > LONGEST and not rest.endswith(b"\n"):
        rest = source.readline(LONGEST + 2)
    return line


@contextlib.contextmanager
def standard_streams() -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """Standard input, and standard output for this protocol only: all other output goes to standard error."""
    sys.stdout.flush()
    ours = os.dup(1)
    os.dup2(2, 1)
    try:
        with os.fdopen(ours, "wb", closefd=False) as target:
            yield sys.stdin.buffer, target
    finally:
        os.dup2(ours, 1)
        os.close(ours)
