"""Servers of HTTP for this machine alone: a socket, limits of connections, an orderly end on a signal."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable
from typing import Any, ClassVar

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from bordeaux.board.errors import BordeauxError
from bordeaux.jobs import ENDING_SIGNALS, descriptors

ADDRESS = "127.0.0.1"
PATIENCE = 1
"""Seconds that requests have to finish when the server stops."""
BACKLOG = 128
"""Connections that wait to be accepted, and that are accepted at once."""


def listening(*ports: int, option: str = "--port") -> socket.socket:
    """A socket that listens on this machine, at the first of some ports that is free; 0 is any free one.
    Raises BordeauxError if that is impossible; `option` is the one that names the port."""
    for number in ports:
        # With the protocol named asyncio turns Nagle's delays off: 40 ms a request.
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((ADDRESS, number))
            made.listen(BACKLOG)
            made.setblocking(False)
            return made
        except OSError as error:
            made.close()
            why = error.strerror or str(error)
    raise BordeauxError(
        f"cannot listen on {ADDRESS}:{ports[-1]}: {why}; name another {option}, or 0 for any free one"
    )


IDLE = 10.0
"""Seconds that a connection may take for the head of a request."""


def most_connections() -> int:
    """Connections that are held at most: half of the descriptors are kept for files and processes."""
    most = descriptors()
    return 400 if most is None else max(16, min(400, (most - BACKLOG) // 2))


class HttpConnection(H11Protocol):
    """A connection that has to ask for something. One without a request is closed after IDLE seconds. Where
    there are too many, the oldest of them makes room for a new one."""

    waiting: ClassVar[dict[HttpConnection, None]] = {}
    """Connections without a request, the oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Hold the connection, and make room if there are too many."""
        super().connection_made(transport)
        self._late: asyncio.TimerHandle | None = None
        self._look()
        if len(self.connections) > most_connections() and self.waiting:
            next(iter(self.waiting)).drop()

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._wait(False)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close the connection at once."""
        self._wait(False)
        self.transport.abort()

    def _look(self) -> None:
        self._wait((self.cycle is None or self.cycle.response_complete) and not self.transport.is_closing())

    def _wait(self, waits: bool) -> None:
        if waits and self._late is None:
            self.waiting[self] = None
            self._late = self.loop.call_later(IDLE, self.drop)
        elif not waits and self._late is not None:
            self._late.cancel()
            self._late = None
            self.waiting.pop(self, None)


class Server(uvicorn.Server):
    """A server that leaves signals to its caller."""

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        """Do not handle signals."""
        return contextlib.nullcontext()


def served(
    app: ASGIApp, sock: socket.socket, ready: Callable[[], None], stopping: Callable[[], None] = lambda: None
) -> int:
    """Answer requests until a signal comes; returns 128 and its number, or 0. `ready` is called once it
    answers, `stopping` at a signal."""
    return asyncio.run(_served(app, sock, ready, stopping))


async def _served(
    app: ASGIApp, sock: socket.socket, ready: Callable[[], None], stopping: Callable[[], None]
) -> int:
    code = 0
    server = Server(
        uvicorn.Config(
            app,
            http=HttpConnection,
            backlog=BACKLOG,
            # The server reports faults itself. The access log would contain the token.
            log_level="critical",
            access_log=False,
            server_header=False,
            ws="none",
            timeout_graceful_shutdown=PATIENCE,
        )
    )

    def stop(number: int) -> None:
        nonlocal code
        if code:
            server.force_exit = True
        code = code or 128 + number
        server.should_exit = True
        stopping()

    loop = asyncio.get_running_loop()
    told = False

    def fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal told
        if not isinstance(context.get("exception"), OSError):
            loop.default_exception_handler(context)
        elif not told:
            told = True
            print(f"connections cannot be accepted: {context['exception']}", file=sys.stderr)

    loop.set_exception_handler(fault)
    for number in ENDING_SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        # The socket listens already: who comes now waits for a moment.
        ready()
        await server.serve(sockets=[sock])
    finally:
        for number in ENDING_SIGNALS:
            loop.remove_signal_handler(number)
    return code
