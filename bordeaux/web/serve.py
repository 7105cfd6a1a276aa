"""The server: a socket on this machine only, and an orderly end on a signal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable

import uvicorn

from bordeaux.board.errors import BordeauxError
from bordeaux.web import mind
from bordeaux.web.app import application
from bordeaux.web.house import House

__all__ = ["ADDRESS", "PORT", "listening", "serve"]

ADDRESS = "127.0.0.1"
PORT = 16714
"""The port that is tried first by default, so that open pages find a restarted server."""
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
PATIENCE = 3
"""Seconds that requests have to finish when the server stops."""


def listening(port: int | None) -> socket.socket:
    """A socket that listens on this machine: at a given port, at any free one for 0, and by default at PORT
    if that is free. Raises BordeauxError if that is impossible."""
    for number in [PORT, 0] if port is None else [port]:
        # With the protocol named asyncio turns Nagle's delays off: 40 ms a request.
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((ADDRESS, number))
            made.listen(128)
            made.setblocking(False)
            return made
        except OSError as error:
            made.close()
            why = error.strerror or str(error)
    raise BordeauxError(
        f"cannot listen on {ADDRESS}:{port or 0}: {why}; name another --port, or 0 for any free one"
    )


class Server(uvicorn.Server):
    """A server that leaves signals to its caller."""

    def capture_signals(self) -> contextlib.AbstractContextManager[None]:  # type: ignore[override]
        """Do not handle signals."""
        return contextlib.nullcontext()


def serve(
    house: House, token: str, sock: socket.socket, ready: Callable[[], None], *, verbose: bool = False
) -> int:
    """Answer requests until a signal comes; returns 128 and its number, or 0. `ready` is called once it
    answers."""
    return asyncio.run(_serve(house, token, sock, ready, verbose))


async def _serve(
    house: House, token: str, sock: socket.socket, ready: Callable[[], None], verbose: bool
) -> int:
    code = 0
    server = Server(
        uvicorn.Config(
            application(house, token, sock.getsockname()[1], verbose=verbose),
            # What failed is told by the house; the access log would have the token in it.
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
        house.hub.close()

    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, stop, number)
    try:
        # The socket listens already: who comes now waits for a moment.
        ready()
        mind.warm_up(house)
        await server.serve(sockets=[sock])
    finally:
        for number in SIGNALS:
            loop.remove_signal_handler(number)
    return code
