"""A process that plays games for a runner: its start, its end, and what goes to and fro.

The process is one of its own making (``python -m bordeaux.arena.worker``), not a fork: it shares no
lock and no thread with whoever runs the arena, and needs nothing of a caller's main module. It leads
a group of processes, so that what its players start dies with it, and so that Ctrl-C in a terminal
does not reach it.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import mmap
import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Sequence
from multiprocessing.connection import Connection
from time import monotonic, sleep
from typing import Any

from bordeaux.arena.game import play
from bordeaux.arena.guard import Create
from bordeaux.arena.job import Fault, Job
from bordeaux.board.errors import BordeauxError

__all__ = ["CREATE", "Worker", "creator"]

CREATE = "bordeaux.arena.chairs:create"
"""What makes players, as ``module:function``."""

FIELDS = struct.Struct("i12sd")
"""What a worker writes on the board that it shares with its runner: the seat of the player that it
has called (-1: none), the phase, and when the player's patience ends."""

HARD_GRACE = 2.0
"""Seconds after which a worker is ended whose alarm has not stopped a player."""

PARTING = 10.0
"""Seconds that a worker gets to end which has closed its end of the line; on an idle machine it takes some
milliseconds."""

FAREWELL = 1.0
"""Seconds that what a player has started gets to end by itself."""

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

PHASE, RESULT, REFUSED, BROKEN = "phase", "result", "refused", "broken"
"""Kinds of messages from a worker: a phase played, a result, a job that cannot be played, and a fault
of the arena itself."""


class Worker:
    """A worker as its runner sees it; `create` names what makes its players."""

    def __init__(self, create: str = CREATE) -> None:
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryFile() as board, theirs:
            board.truncate(FIELDS.size)
            self._board = mmap.mmap(board.fileno(), FIELDS.size)
            self.connection = Connection(ours.detach())
            self._clear()
            given = [str(theirs.fileno()), str(board.fileno()), str(os.getpid()), create]
            # What players print goes to standard error: standard output is the command's.
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "bordeaux.arena.worker", *given],
                stdin=subprocess.DEVNULL,
                stdout=2,
                pass_fds=(theirs.fileno(), board.fileno()),
                env={**ONE_THREAD, **os.environ},
                start_new_session=True,
            )
        self.job: Job | None = None

    @property
    def process_id(self) -> int:
        """The worker's process, and its group of processes."""
        return self._process.pid

    def send(self, job: Job, lost: Sequence[Fault] = (), watched: bool = False) -> None:
        """Hand out a job; `watched` asks for every phase. A worker that is dead says so later."""
        self.job = job
        self._clear()
        with contextlib.suppress(OSError):
            self.connection.send((job, tuple(lost), watched))

    def thinking(self) -> tuple[int, str]:
        """Seat and phase of the player called last in the game under way; seat -1: none so far."""
        seat, phase, _ = FIELDS.unpack_from(self._board)
        return seat, phase.rstrip(b"\0").decode()

    def overdue(self) -> bool:
        """Whether a player has not come back although its patience ended some time ago."""
        _, _, ends = FIELDS.unpack_from(self._board)
        return bool(ends) and monotonic() > ends + HARD_GRACE

    def end(self, parting: bool = False) -> str:
        """End the process with everything that it has started, and say how it went before. One that is
        `parting`, as it has closed its end of the line, is about to say why, however slow the machine."""
        if parting:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(PARTING)
        self._process.poll()
        code = self._process.returncode
        end_group(self._process)
        self.connection.close()
        self._board.close()
        if code is None:
            return "did not come back"
        return f"ended its process with {how(code)}"

    def _clear(self) -> None:
        FIELDS.pack_into(self._board, 0, -1, b"", 0.0)


def end_group(leader: subprocess.Popen[bytes]) -> None:
    """End a process and its group: at first politely, so that what keeps a program for a player can
    end that as well."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader.pid, signal.SIGTERM)
        leader.kill()
        leader.wait()
        deadline = monotonic() + FAREWELL
        while monotonic() < deadline:
            # Raises once nobody is left.
            os.killpg(leader.pid, 0)
            sleep(0.005)
        os.killpg(leader.pid, signal.SIGKILL)
    leader.wait()


def how(code: int) -> str:
    """The end of a process in words."""
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"


def creator(name: str) -> Create:
    """The function ``module:function`` that makes players."""
    module, _, attribute = name.partition(":")
    create: Create = getattr(importlib.import_module(module), attribute)
    return create


def serve(connection: Connection, board: mmap.mmap, parent: int, create: Create) -> None:
    """Play what comes over the line until it is closed."""

    def notice(seat: int, phase: str, ends: float) -> None:
        FIELDS.pack_into(board, 0, seat, phase.encode(), ends)
        if os.getppid() != parent:
            # Nobody is left to tell. All of the group are to end, this process among them.
            os.killpg(0, signal.SIGTERM)

    while True:
        try:
            job, lost, watched = connection.recv()
        except EOFError:
            return
        watch = (lambda phase: connection.send((PHASE, phase))) if watched else None
        answer: tuple[str, Any]
        try:
            answer = (RESULT, play(job, create, watch=watch, notice=notice, lost=lost))
        except BordeauxError as error:
            answer = (REFUSED, str(error))
        except Exception:
            answer = (BROKEN, traceback.format_exc())
        connection.send(answer)


def main() -> None:
    """Serve on the line and the board whose numbers the command line gives."""
    line, board, parent, create = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The process ends without a farewell, so that nothing may wait in a buffer.
        sys.stdout.reconfigure(line_buffering=True)
    with (
        Connection(int(line)) as connection,
        mmap.mmap(int(board), FIELDS.size) as shared,
        contextlib.suppress(BrokenPipeError, ConnectionResetError),
    ):
        serve(connection, shared, int(parent), creator(create))


if __name__ == "__main__":
    main()
