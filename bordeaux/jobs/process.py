"""A worker process as its pool sees it: start, jobs, end.

The process is started anew (``python -m bordeaux.jobs.worker``) and not forked. It shares no lock and no
thread with its pool, and does not need the caller's main module. It leads a process group, so the processes
that its jobs start end with it, and Ctrl-C in a terminal does not reach it.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, NamedTuple, Protocol

NOTE = struct.Struct("d56s")
"""The contents of the memory that a worker shares with its pool: the time on the clock ``time.monotonic``
before which it must be changed (0: no deadline), and a note in UTF-8."""
BOARD = NOTE.size + 1
"""Bytes of this memory: the note is followed by 1 if the pool asks the job to stop, else 0."""

READY, TOLD, ANSWER, RAISED = "ready", "told", "answer", "raised"
"""Kinds of messages to the pool: ready for jobs, a report of a job, its answer, its exception."""


class Channel(Protocol):
    """A job's way to whoever asked for it; see `note`, `stopped` and `tell`."""

    def note(self, text: str, deadline: float) -> None:
        """Record the present state of the job."""

    def stopped(self) -> bool:
        """Whether the job is asked to stop."""

    def tell(self, message: Any) -> None:
        """Send a message."""


class WorkerChannel(NamedTuple):
    """A worker's end of the connection to its pool, and the board that both read."""

    connection: Connection
    board: mmap.mmap

    def note(self, text: str, deadline: float) -> None:
        """Write to the board."""
        NOTE.pack_into(self.board, 0, deadline, text.encode())

    def stopped(self) -> bool:
        """Look at the board."""
        return bool(self.board[NOTE.size])

    def tell(self, message: Any) -> None:
        """Send a message to the pool."""
        self.connection.send((TOLD, message))


channels: list[Channel] = []


@contextlib.contextmanager
def serving(channel: Channel) -> Iterator[None]:
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
        channel.note(text, deadline)


def stopped() -> bool:
    """Whether the pool asks the job to stop (`Pool.stop`); always false without a pool."""
    return any(channel.stopped() for channel in channels)


def tell(message: Any) -> None:
    """Send a picklable message to the pool's `heard`; no effect without a pool."""
    for channel in channels:
        channel.tell(message)


def portable(error: Exception) -> Exception:
    """A picklable exception, with the place where it was raised as a note."""
    error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


PARTING = 10.0
"""Seconds that a worker that has closed its end of the connection has to exit; it takes some milliseconds on
an idle machine."""

LONGEST = 1 << 16
"""Bytes of a job that always fit into the pipe; with more, the sender waits for the reader."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def started(module: str, words: Iterable[object], handed: Sequence[int]) -> subprocess.Popen[bytes]:
    """Start a module as a process, with `words` as its command line and the open file descriptors `handed`.
    It leads a session, so Ctrl-C in a terminal does not reach it."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module, *map(str, words)],
        stdin=subprocess.DEVNULL,
        # Its output goes to standard error: standard output belongs to the command.
        stdout=2,
        pass_fds=handed,
        env={**ONE_THREAD, **os.environ},
        start_new_session=True,
    )


def reap(process: subprocess.Popen[Any]) -> None:
    """Wait for a process that is about to end. `Popen.wait` could wait for ever: when a signal raises within
    `Popen.poll`, its lock may stay taken."""
    if process.returncode is None:
        with contextlib.suppress(ChildProcessError):
            process.returncode = os.waitstatus_to_exitcode(os.waitpid(process.pid, 0)[1])


class Worker:
    """A worker as its pool sees it; it applies `function` to one job after another, and ends after `idle`
    seconds without one (None: never)."""

    def __init__(self, function: Callable[[Any], Any], idle: float | None) -> None:
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryFile() as board, theirs:
            board.truncate(BOARD)
            self._board = mmap.mmap(board.fileno(), BOARD)
            self.connection = Connection(ours.detach())
            handed = theirs.fileno(), board.fileno()
            self._process = started("bordeaux.jobs.worker", (*handed, os.getpid()), handed)
        self._ready = False
        self._waiting = b""
        self._send(pickle.dumps((sys.path, pickle.dumps(function), idle)))

    def hand(self, job: Any) -> None:
        """Send it a job: at once, unless it is still starting and the job is too long for the pipe's buffer.
        A dead worker is noticed later."""
        NOTE.pack_into(self._board, 0, 0.0, b"")
        self._board[NOTE.size] = False
        content = pickle.dumps(job)
        if self._ready or len(content) <= LONGEST:
            self._send(content)
        else:
            self._waiting = content

    def stop(self) -> None:
        """Ask its job to stop."""
        self._board[NOTE.size] = True

    def ready(self) -> None:
        """Record that the process has started."""
        self._ready = True
        if self._waiting:
            self._send(self._waiting)
        self._waiting = b""

    def _send(self, content: bytes) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send_bytes(content)

    def alive(self) -> bool:
        """Whether the process is running."""
        return self._process.poll() is None

    def note(self) -> str:
        """The last note of its job."""
        text: bytes = NOTE.unpack_from(self._board)[1]
        return text.rstrip(b"\0").decode(errors="replace")

    def overdue(self, grace: float) -> bool:
        """Whether the deadline of the last note was exceeded by some seconds."""
        deadline = NOTE.unpack_from(self._board)[0]
        return bool(deadline) and monotonic() > deadline + grace

    def fate(self, parting: bool) -> str:
        """How the process has ended, in words. With `parting` it has closed its end of the connection, so it
        is about to end, even on a slow machine."""
        if parting:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PARTING)
        code = self._process.poll()
        return "did not come back" if code is None else f"ended its process with {how(code)}"

    def kill(self) -> None:
        """Kill the process and its group, without waiting. The supervisor of a player's program is in a group
        of its own, and notices this by the end of its lifeline."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Wait for a killed process, and release its resources."""
        reap(self._process)
        self.connection.close()
        self._board.close()


def end_all(workers: Iterable[Worker]) -> None:
    """End workers with everything in their process groups."""
    listed = list(workers)
    for worker in listed:
        worker.kill()
    for worker in listed:
        worker.close()


def how(code: int) -> str:
    """The end of a process in words."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
