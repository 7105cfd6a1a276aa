"""The supervisor of a program: it starts a command and ends it when its owner is gone.

`Lifeline` starts it as a script, ``supervisor.py FD COMMAND...``. The command gets the supervisor's input,
outputs and environment, and a session of its own. The supervisor ends when the command does, with its exit
code (128 + n for a signal n, 127 when it cannot be started). It ends the command and all processes of its
session when the pipe on file descriptor FD closes or the supervisor's parent changes. A killed parent can
do neither, so this takes a separate process. On Linux the supervisor adopts what the command leaves behind,
so processes that began a session of their own end too. To start quickly, it imports nothing of Bordeaux.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

#: Seconds between two checks of the parent process.
INTERVAL = 1.0
PR_SET_CHILD_SUBREAPER = 36


class Lifeline:
    """Ties commands to the process that needs them: one started with `command` and `options` ends, with all
    processes of its session, when the lifeline is cut or this process dies. It is not affected by Ctrl-C or
    the end of our process group. Needs a POSIX system."""

    def __init__(self) -> None:
        self._theirs, self._ours = os.pipe()

    def command(self, words: Sequence[str]) -> list[str]:
        """The command line of the supervisor for a command."""
        return [sys.executable, "-I", "-S", __file__, str(self._theirs), *words]

    @property
    def options(self) -> dict[str, Any]:
        """The options to start it, for ``subprocess`` or ``asyncio.subprocess``."""
        return {"pass_fds": (self._theirs,), "start_new_session": True}

    def cut(self) -> None:
        """End all its commands, once."""
        os.close(self._ours)
        os.close(self._theirs)


def main(lifeline: int, command: list[str]) -> int:
    """Supervise one command; returns the exit code."""
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        child = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        print(f"cannot start {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    signal.signal(signal.SIGTERM, lambda *_: end(child.pid))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        # With the command's ends of the pipes held open here, its death would go unseen.
        os.dup2(nowhere, standard)
    threading.Thread(target=watch, args=(lifeline, parent, child.pid), daemon=True).start()
    # Without collecting it: its number, which is that of its session, must not be given to another.
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    end(child.pid)
    code = child.wait()
    end_adopted()
    return code if code >= 0 else 128 - code


def watch(lifeline: int, parent: int, session: int) -> None:
    """End the session when the lifeline closes or the parent changes."""
    until_alone(parent, lifeline)
    end(session)


def until_alone(parent: int, *lifelines: int) -> None:
    """Return when this process has another parent, or the parent has closed a pipe. A killed parent sends
    nothing, and a fork of it may still hold the pipe; so both are checked."""
    while os.getppid() == parent:
        ready, _, _ = select.select(lifelines, [], [], INTERVAL)
        if any(not os.read(pipe, 1) for pipe in ready):
            return


def end(session: int) -> None:
    """Kill every process of a session that a command leads, if it is in its group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)


def end_adopted() -> None:
    """Kill the processes that this one has adopted, and those that they leave in turn."""
    others: set[int] = set()
    while left := set(children()) - others:
        for pid in left:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except PermissionError:
                others.add(pid)
            except (ProcessLookupError, ChildProcessError):
                pass


def children() -> list[int]:
    """The processes whose parent is this one, where the system lists processes as Linux does."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(place.read_bytes().rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(place.parent.name))
    return found


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
