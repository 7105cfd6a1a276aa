"""Ctrl-C, SIGTERM and a closed terminal: each stops a command, which says how to continue."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bordeaux.jobs.process import ENDING_SIGNALS


class Stopped(KeyboardInterrupt):
    """The command was asked to end; `number` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    @property
    def code(self) -> int:
        """The exit code in a shell's convention."""
        return 128 + self.number


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Stopped` here when the process is asked to end. Outside the main thread signals are not
    handled."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, stop) for number in ENDING_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class EndAsked:
    """Whether the process was asked to end: work that checks `is_set` can end in order."""

    def __init__(self) -> None:
        self.number = 0

    def is_set(self) -> bool:
        """Whether a signal has come."""
        return self.number != 0

    @property
    def code(self) -> int:
        """The exit code in a shell's convention; 0 if no signal has come."""
        return 128 + self.number if self.number else 0


@contextmanager
def asked_to_stop() -> Iterator[EndAsked]:
    """Record the first Ctrl-C, SIGTERM or closed terminal instead of raising; a second one raises
    KeyboardInterrupt at once. Outside the main thread signals are not handled."""
    asked = EndAsked()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number: int, frame: FrameType | None) -> None:
        if asked.number:
            raise KeyboardInterrupt
        asked.number = number

    before = {number: signal.signal(number, note) for number in ENDING_SIGNALS}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stop(number: int, frame: FrameType | None) -> None:
    """Handle a signal once; another one while the command is stopping is ignored."""
    for signum in ENDING_SIGNALS:
        signal.signal(signum, signal.SIG_IGN)
    raise Stopped(number)
