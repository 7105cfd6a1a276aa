"""Detects that the machine at the other end of a connection has disappeared."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

__all__ = ["watch_over"]

#: Probes that may remain unanswered.
_PROBES = 4
#: Options of a TCP socket and their values for so many seconds; not every system has all of them.
_OPTIONS: dict[str, Callable[[int], int]] = {
    "TCP_KEEPIDLE": lambda seconds: max(1, seconds // 2),
    "TCP_KEEPINTVL": lambda seconds: max(1, seconds // (2 * _PROBES)),
    "TCP_KEEPCNT": lambda seconds: _PROBES,
    "TCP_USER_TIMEOUT": lambda seconds: 1000 * seconds,
}


def watch_over(connection: socket.socket, seconds: int) -> None:
    """Ask the system to detect within about so many seconds that the other end is gone, which takes hours by
    default. Some systems do not support the times. Raises OSError for a closed socket."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _OPTIONS.items():
        if hasattr(socket, name):
            with contextlib.suppress(OSError):
                connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value(seconds))
