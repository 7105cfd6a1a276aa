"""Starts a worker as a process in a fresh interpreter."""

from __future__ import annotations

import io
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from multiprocess import spawn, util
from multiprocess.context import SpawnProcess, reduction, set_spawning_popen
from multiprocess.popen_spawn_posix import Popen

__all__ = ["Child", "launch"]


class Child(Popen):  # type: ignore[misc]  # multiprocess has no types
    """A process of `multiprocess`, spawned, with two differences.

    It does not import the caller's main module, so scripts need no ``if __name__ == "__main__"`` around their
    searches. And `multiprocess` does not track it: it can be started in daemonic processes as well, and its
    creator ends it.
    """

    def _launch(self, process: SpawnProcess) -> None:
        preparation = spawn.get_preparation_data(process.name)
        for key in ("init_main_from_name", "init_main_from_path"):
            preparation.pop(key, None)
        message = io.BytesIO()
        set_spawning_popen(self)
        try:
            reduction.dump(preparation, message)
            reduction.dump(process, message)
        finally:
            set_spawning_popen(None)
        self.sentinel, its_life = os.pipe()
        its_orders, orders = os.pipe()
        self.finalizer = util.Finalize(self, util.close_fds, (self.sentinel, orders))
        try:
            command = spawn.get_command_line(pipe_handle=its_orders)
            inherited = [*self._fds, its_orders, its_life]
            self.pid = util.spawnv_passfds(spawn.get_executable(), command, inherited)
        finally:
            util.close_fds(its_orders, its_life)
        with open(orders, "wb", closefd=False) as stream:
            stream.write(message.getbuffer())


def launch(function: Callable[..., None], *arguments: Any, name: str) -> Child:
    """Start a process that calls a function; returns at once.

    The process never receives a Ctrl-C, not even during its start.
    """
    process = SpawnProcess(target=function, args=arguments, name=name)
    with uninterrupted():
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return Child(process)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Delay a Ctrl-C to the end of the block.

    A signal mask alone is not enough if another thread takes the signal: the exception is raised here
    nevertheless, and a process that has received half of its message would fail.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not in_main_thread() or handler is None:
        yield
        return
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if came:
            signal.raise_signal(signal.SIGINT)


def in_main_thread() -> bool:
    """Whether this is the main thread."""
    return threading.current_thread() is threading.main_thread()
