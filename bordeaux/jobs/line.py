"""Messages from a running job to the pool that supervises its process."""

from __future__ import annotations

import contextlib
import mmap
import struct
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

__all__ = [
    "ANSWER",
    "BOARD",
    "NOTE",
    "RAISED",
    "READY",
    "TOLD",
    "WorkerChannel",
    "note",
    "serving",
    "stopped",
    "tell",
]

NOTE = struct.Struct("d56s")
"""The contents of the memory that a worker shares with its pool: the time on the clock ``time.monotonic``
before which it must be changed (0: no deadline), and a note in UTF-8."""
BOARD = NOTE.size + 1
"""Bytes of this memory: the note is followed by 1 if the pool asks the job to stop, else 0."""

READY, TOLD, ANSWER, RAISED = "ready", "told", "answer", "raised"
"""Kinds of messages to the pool: ready for jobs, a report of a job, its answer, its exception."""


class WorkerChannel(NamedTuple):
    """A worker's end of the connection to its pool, and the board that both read."""

    connection: Connection
    board: mmap.mmap


channels: list[WorkerChannel] = []


@contextlib.contextmanager
def serving(channel: WorkerChannel) -> Iterator[None]:
    """Send the messages of jobs in this process to a pool."""
    channels.append(channel)
    try:
        yield
    finally:
        channels.pop()


def note(text: str, deadline: float = 0.0) -> None:
    """Record the present state of the job, in 56 bytes at most, in case its process ends.

    With a `deadline` on the clock ``time.monotonic`` the process is ended if nothing else has been recorded
    some time after it. This is fast, and has no effect without a pool.
    """
    for channel in channels:
        NOTE.pack_into(channel.board, 0, deadline, text.encode())


def stopped() -> bool:
    """Whether the pool asks the job to stop (`Pool.stop`); always false without a pool."""
    return any(channel.board[NOTE.size] for channel in channels)


def tell(message: Any) -> None:
    """Send a picklable message to the pool's `heard`; no effect without a pool."""
    for channel in channels:
        channel.connection.send((TOLD, message))
