"""A worker process: it runs one job after another, until its connection is closed or its pool is gone.

Run as ``python -m bordeaux.jobs.worker LINE BOARD PARENT``, with two file descriptors and a process id.
"""

from __future__ import annotations

import contextlib
import io
import mmap
import os
import pickle
import signal
import sys
import threading
from functools import partial
from multiprocessing.connection import Connection

from bordeaux.jobs.process import ANSWER, BOARD, RAISED, READY, WorkerChannel, portable, serving
from bordeaux.jobs.supervisor import until_alone


def serve(connection: Connection) -> None:
    """Process messages of the connection, until none has come for the idle time. Raises EOFError when it is
    closed."""
    places, content, idle = connection.recv()
    sys.path.extend(place for place in places if place not in sys.path)
    try:
        function = pickle.loads(content)
    except (AttributeError, ImportError) as error:
        function = partial(refuse, error)
    connection.send((READY, None))
    while connection.poll(idle):
        content = connection.recv_bytes()
        try:
            answer = pickle.dumps((ANSWER, function(pickle.loads(content))))
        except Exception as error:
            answer = pickle.dumps((RAISED, portable(error)))
        connection.send_bytes(answer)


def refuse(error: Exception, job: object) -> None:
    """The answer to jobs whose function cannot be found."""
    raise error


def end_with(parent: int) -> None:
    """End this process and its group when the parent is gone, as a killed parent sends nothing."""
    until_alone(parent)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    """Serve with the connection and the board whose numbers the command line gives."""
    line, board, parent = map(int, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # The process ends without a farewell, so that nothing may wait in a buffer.
        sys.stdout.reconfigure(line_buffering=True)
    threading.Thread(target=end_with, args=(parent,), daemon=True).start()
    with (
        Connection(line) as connection,
        mmap.mmap(board, BOARD) as shared,
        serving(WorkerChannel(connection, shared)),
        contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError),
    ):
        serve(connection)


if __name__ == "__main__":
    main()
