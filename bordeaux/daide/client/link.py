"""A client's connection to a server: frames in both directions, and all ways in which it can end.

Source: PROTOCOL.md, sections 2 to 4.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import deque
from typing import Protocol

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.wire import watch_over

#: Seconds without any answer after which a server's machine counts as lost.
DEAD = 60
#: Bytes read at once.
PIECE = 65536


class LinkError(BordeauxError):
    """No game is possible with this server; the text gives the reason."""


class LinkLost(BordeauxError):
    """The connection has ended, but possibly not the game."""


class AnyLink(Protocol):
    """The connection of a session, with the interface of `Link`."""

    @property
    def vocabulary(self) -> d.Vocabulary:
        """The tokens of the server."""

    async def receive(self) -> d.Tokens:
        """The next message of the language. Raises LinkLost or LinkError."""

    def send(self, message: d.Value) -> None:
        """Queue a message."""

    async def flush(self) -> None:
        """Wait until the server accepts the queued data. Raises LinkLost if it does not."""

    async def close(self) -> None:
        """End the connection."""


class Link:
    """An open connection, made by `open`. `vocabulary` has the tokens of the server's RM. `address` is the
    server's name in errors."""

    def __init__(
        self, address: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, patience: float
    ) -> None:
        self.address = address
        self.patience = patience
        self.vocabulary = d.Vocabulary.standard()
        self._reader = reader
        self._writer = writer
        self._frames = wire.FrameReader("client")
        self._waiting: deque[wire.Frame | wire.WireFault] = deque()
        self._ended = False

    @classmethod
    async def open(cls, host: str, port: int, patience: float) -> Link:
        """Connect, send IM and wait for RM, `patience` seconds for each. Raises LinkLost if there is no
        answer or the connection breaks, LinkError if it is not a DAIDE server."""
        address = f"{host}:{port}"
        try:
            async with asyncio.timeout(patience):
                reader, writer = await asyncio.open_connection(host, port)
        except TimeoutError:
            raise LinkLost(f"no server answers at {address} within {patience:g} s") from None
        except OSError as error:
            reason = error.strerror or str(error) or type(error).__name__
            raise LinkLost(f"cannot connect to a server at {address}: {reason}") from None
        link = cls(address, reader, writer, patience)
        try:
            await link._introduce()
        except BaseException:
            await link.close()
            raise
        return link

    async def _introduce(self) -> None:
        connection = self._writer.get_extra_info("socket")
        if connection is not None:
            watch_over(connection, DEAD)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._writer.write(wire.im())
        try:
            async with asyncio.timeout(self.patience):
                body = await self._body()
        except TimeoutError:
            raise LinkLost(f"{self.address} is silent: no RM within {self.patience:g} s") from None
        try:
            self.vocabulary = d.Vocabulary.from_rm(body)
        except BordeauxError as error:
            self._give_up(wire.em(wire.SHORT))
            raise LinkError(f"{self.address} sent a bad table of tokens: {error}") from None

    async def receive(self) -> d.Tokens:
        """The next message of the language. Raises LinkLost if the server has closed the connection,
        LinkError if it has sent EM or an invalid frame, which is answered with EM."""
        return d.tokens_from_bytes(await self._body(), self.vocabulary)

    async def _body(self) -> bytes:
        """The body of the next RM or DM; the reader of frames ensures that RM is first."""
        while not self._waiting:
            try:
                data = await self._reader.read(PIECE)
            except OSError as error:
                reason = error.strerror or str(error)
                raise self._lost(f"the connection to {self.address} broke: {reason}") from None
            if not data:
                raise self._lost(f"{self.address} closed the connection without a word")
            self._waiting.extend(self._frames.feed(data))
        match self._waiting.popleft():
            case wire.RM(body) | wire.DM(body):
                return body
            case wire.FM():
                raise self._lost(f"{self.address} closed the connection")
            case wire.EM(code):
                self._ended = True
                meaning = wire.ERRORS.get(code, "a code without a meaning")
                raise LinkError(f"{self.address} gave up with error {code}: {meaning}")
            case wire.WireFault(code, reason):
                self._give_up(wire.em(code))
                raise LinkError(f"{self.address} broke the protocol: {reason}")
            case frame:
                raise AssertionError(f"a server's {frame} was let through")

    def _lost(self, reason: str) -> LinkLost:
        """The connection has ended: nothing can be sent any more."""
        self._ended = True
        return LinkLost(reason)

    def _give_up(self, last: bytes) -> None:
        """Send a last message."""
        if not self._ended:
            self._ended = True
            self._writer.write(last)

    def send(self, message: d.Value) -> None:
        """Queue a message."""
        if not self._ended:
            self._writer.write(wire.dm(d.encode(message, self.vocabulary)))

    async def flush(self) -> None:
        """Wait until the server accepts the queued data. Raises LinkLost if it does not."""
        try:
            async with asyncio.timeout(self.patience):
                await self._writer.drain()
        except TimeoutError:
            raise LinkLost(f"{self.address} takes no messages any more") from None
        except OSError:
            raise LinkLost(f"the connection to {self.address} broke") from None

    async def close(self) -> None:
        """Send FM, unless the server has gone or one side has given up, and close."""
        self._give_up(wire.fm())
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(1.0):
                await self._writer.wait_closed()
