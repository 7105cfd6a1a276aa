"""The link to a DAIDE client that we start: its process, its connection, and frames in both directions.

All waits for the client have a limit, and no thread is needed. Source: DAIDE Client-Server Protocol 1.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from bordeaux.board.errors import quote
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.tokens import Vocabulary
from bordeaux.players.child import Child

__all__ = ["DaidePlayerLink"]

HOST = "127.0.0.1"
PIECE = 1 << 16
LOOK = 0.1
"""Seconds between two checks that the client is still running."""
MOST_UNREAD = 1 << 22
"""Bytes that may wait for a client that does not read."""
FAREWELL = 1.0
"""Seconds for sending the last messages."""


class DaidePlayerLink:
    """A client's process and its one connection to a port of ours on this machine.

    In the words of the command ``{address}``, ``{host}`` and ``{port}`` are replaced by the address. Raises
    BordeauxError if the command cannot be started.
    """

    def __init__(self, words: Sequence[str], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._reader = wire.FrameReader("server")
        self._heard: deque[d.Tokens] = deque()
        self._fate = ""
        self._closed = False
        self._outbox = bytearray()
        self._connection: socket.socket | None = None
        self._listener = socket.create_server((HOST, 0), backlog=1)
        try:
            self._listener.setblocking(False)
            port = self._listener.getsockname()[1]
            self._child = Child([placed(word, port) for word in words])
        except BaseException:
            self._listener.close()
            raise

    def send(self, messages: Iterable[Any]) -> None:
        """Send messages to the client; data that it does not take at once is sent later."""
        for message in messages:
            self._outbox += wire.dm(d.encode(message, self._vocabulary))
        if len(self._outbox) > MOST_UNREAD:
            self._fate = f"has left {MOST_UNREAD} bytes unread"
        self._write()

    def receive(self, deadline: float) -> d.Tokens:
        """The next message of the client.

        Raises TimeoutError if there is none by `deadline`, a value of ``time.monotonic()``, and EOFError,
        with the reason, if none can come any more.
        """
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                # Also for one that says so much that there is always more.
                raise TimeoutError
            if self._heard:
                return self._heard.popleft()
            if self._fate:
                raise EOFError(self._fate)
            # Looked at before the connection, as the last messages of the dead count.
            dead = self._child.ended()
            self._wait(0.0 if dead else min(left, LOOK))
            self._write()
            if not self._read() and dead and not self._fate:
                self._fate = self._obituary("ended without a connection")

    def close(self, *, kill: bool = False) -> None:
        """Send FM and wait a while for the client's end, unless `kill` is set; then kill it."""
        if self._closed:
            return
        self._closed = True
        self._listener.close()
        connection = self._connection
        if connection is not None and not kill:
            self._outbox += wire.fm()
            deadline = time.monotonic() + FAREWELL
            while self._outbox and not self._fate and time.monotonic() < deadline:
                self._wait(LOOK)
                self._write()
                # What it still says is of no interest, but would keep it from reading.
                self._read()
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
        self._child.close(kill=kill)
        if connection is not None:
            connection.close()

    def _wait(self, seconds: float) -> None:
        """Wait until the client or its process sends something, or accepts queued data."""
        with selectors.DefaultSelector() as selector:
            for outlet in self._child.overhear():
                selector.register(outlet, selectors.EVENT_READ)
            if self._connection is None:
                selector.register(self._listener, selectors.EVENT_READ)
            else:
                writing = selectors.EVENT_WRITE if self._outbox else 0
                selector.register(self._connection, selectors.EVENT_READ | writing)
            selector.select(seconds)

    def _write(self) -> None:
        if self._connection is None:
            return
        try:
            while self._outbox:
                sent = self._connection.send(self._outbox[:PIECE])
                del self._outbox[:sent]
        except BlockingIOError:
            return
        except OSError:
            # It may have said something before it went: reading will tell.
            self._outbox.clear()

    def _read(self) -> bool:
        """Read available data; returns whether there was any."""
        try:
            if self._connection is None:
                self._connection, _ = self._listener.accept()
                self._connection.setblocking(False)
                self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._listener.close()
                return True
            data = self._connection.recv(PIECE)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._fate = self._fate or self._obituary("closed its connection")
            return False
        for frame in self._reader.feed(data):
            self._heed(frame)
        return True

    def _heed(self, frame: wire.Frame | wire.WireFault) -> None:
        match frame:
            case wire.DM(body):
                self._heard.append(self._vocabulary.decode(body))
            case wire.IM():
                self._outbox += wire.rm(self._vocabulary.rm())
                self._write()
            case wire.FM():
                self._fate = "said goodbye (FM)"
            case wire.EM(code):
                self._fate = f"closed with an error: {wire.ERRORS.get(code, f'number {code}')}"
            case wire.WireFault(code, reason):
                self._fate = f"sent what is no DAIDE: {reason}"
                self._outbox += wire.em(code)
                self._write()

    def _obituary(self, what: str) -> str:
        code = self._child.exit_code()
        words = self._child.last_words()
        fate = what if code is None else f"died with exit code {code}"
        return fate + (f", saying {quote(words, 200)}" if words else "")


def placed(word: str, port: int) -> str:
    """A word of a command line with the address inserted."""
    for name, value in (("{address}", f"{HOST}:{port}"), ("{host}", HOST), ("{port}", str(port))):
        word = word.replace(name, value)
    return word
