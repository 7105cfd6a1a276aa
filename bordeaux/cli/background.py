"""Lines on standard error that never block the program, even if nobody reads them."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading

import click

__all__ = ["Background"]

MOST = 20_000
"""Lines that may wait to be written; further ones are dropped."""
MOST_LETTERS = 8_000_000
"""Letters that they may have together."""
PATIENCE = 2.0
"""Seconds that the last lines have to be written at the end."""


class Background:
    """Writes lines to standard error from a thread of its own; a context manager.

    A pipe without a reader is full after some hundred lines, and then writing blocks for ever. Here only the
    thread blocks. If standard error is not a file (in tests), lines are written at once.
    """

    def __init__(self) -> None:
        self._lines: queue.Queue[str | None] = queue.Queue(MOST)
        self._letters = 0
        self._written = 0
        self._thread: threading.Thread | None = None
        with contextlib.suppress(OSError, ValueError, AttributeError):
            number = sys.stderr.fileno()
            self._thread = threading.Thread(target=self._write, args=(number,), daemon=True)

    def __enter__(self) -> Background:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, *problem: object) -> None:
        if self._thread is not None:
            with contextlib.suppress(queue.Full):
                self._lines.put(None, timeout=PATIENCE)
                self._thread.join(PATIENCE)

    def line(self, text: str) -> None:
        """Queue a line."""
        if self._thread is None:
            with contextlib.suppress(OSError):
                click.echo(text, err=True)
        elif self._letters - self._written <= MOST_LETTERS:
            with contextlib.suppress(queue.Full):
                self._lines.put_nowait(text)
                self._letters += len(text)

    def _write(self, number: int) -> None:
        # Past Python's own buffer: a thread that waits inside it would keep the program from ending.
        while (text := self._lines.get()) is not None:
            # Each of the two counts has one thread that changes it.
            self._written += len(text)
            data = (text + "\n").encode(errors="backslashreplace")
            try:
                while data:
                    data = data[os.write(number, data) :]
            except OSError:  # nobody is there to read it any more
                return
