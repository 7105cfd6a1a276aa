"""Connections of clients: admitted, bytes in and messages out, and closed where one does not take part or
breaks a limit."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any, Protocol

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.limits import Bucket, Hoard, Limits
from bordeaux.daide.server.logbook import Logbook
from bordeaux.daide.server.rota import Rota
from bordeaux.daide.server.settings import SERVER
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.wire import watch_over

MOST_THROWN_AWAY = 1_048_576
"""Bytes that a client may still send while it is being disconnected; then the connection is cut."""
COUNTED_BYTES = 512
"""A message counts once for every so many bytes or part of them, and its answer for as many parts of a
message."""
TALK = ("SND", "ADM")
"""Messages that a client sends to others."""


class Desk(Protocol):
    """What connections share: `buffers` for received bytes, the small one for those that are read, which are
    taken out before the next come; `unread` and `unsent` count the bytes that wait for the server and for
    clients."""

    game: ServerGame
    limits: Limits
    vocabulary: Vocabulary
    buffers: tuple[bytearray, bytearray]
    unread: Hoard[Connection]
    unsent: Hoard[Connection]
    logbook: Logbook
    rota: Rota

    def opened(self, connection: Connection) -> None:
        """A client has been admitted."""

    def received(self, connection: Connection, tokens: d.Tokens) -> None:
        """An admitted client has sent a message of the language."""

    def closed(self, connection: Connection, reason: str) -> None:
        """An admitted client is gone, or is being dismissed; called once."""

    def released(self, connection: Connection) -> None:
        """The socket is closed; the last call, also for clients that were not admitted."""


class Connection(asyncio.BufferedProtocol):
    """A client's connection from its initial message to the last one.

    `number` identifies the client at the desk, `address` is its host and `peer` the same with its port. A
    client that is `refused` is told the reason, and not reported. While a complete message waits nothing more
    is read, so excess data of a client stays in the network.
    """

    def __init__(self, number: int, peer: tuple[str, int], desk: Desk, refused: str | None = None) -> None:
        self.number = number
        self.address, self.peer = peer[0], f"{peer[0]}:{peer[1]}"
        self._refused = refused
        self._desk = desk
        self._vocabulary = desk.vocabulary
        self._limits = desk.limits
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._messages = Bucket(self._limits.messages, now)
        self._press = Bucket(self._limits.press, now)
        self._reader = wire.FrameReader("server", self._limits.message_bytes)
        self._waiting: wire.Frame | wire.WireFault | None = None
        self._thrown_away = 0
        self._transport: asyncio.Transport | None = None
        self._introduced = self._staying = self._ended = False
        self._queued = self._clogged = False
        self._answering = self._slowed = self._silenced = False
        self._timers: dict[str, asyncio.Handle] = {}

    # What the event loop calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the initial message."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        with contextlib.suppress(OSError):
            handle = transport.get_extra_info("socket")
            handle.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self._limits.system_bytes)
            watch_over(handle, self._limits.dead_seconds)
        transport.set_write_buffer_limits(high=self._limits.unsent_pause)
        if self._refused is not None:
            self.close(self._refused)
            return
        self._desk.opened(self)
        if not self._ended:
            self._staying = True
            seconds = self._limits.introduction_seconds
            late = f"{wire.ERRORS[wire.LATE]}: {seconds:g} s"
            self._set("introduction", seconds, self.close, late, wire.LATE)

    def get_buffer(self, sizehint: int) -> bytearray:
        """The buffer for the next bytes."""
        return self._desk.buffers[self._ended]

    def buffer_updated(self, nbytes: int) -> None:
        """Process bytes, and wait for the client's turn when a message is complete."""
        if self._ended:
            self._thrown_away += nbytes
            if self._thrown_away > MOST_THROWN_AWAY and self._transport is not None:
                self._transport.abort()
            return
        self._reader.add(memoryview(self._desk.buffers[False])[:nbytes])
        self._look()

    def eof_received(self) -> None:
        """The client sends no more: it is gone, whether or not it would still read."""
        if not self._ended:
            half = " in the middle of a message" if self._reader.pending else ""
            self._leave(f"the client closed the connection{half}")

    def connection_lost(self, error: Exception | None) -> None:
        """The socket is closed."""
        why = getattr(error, "strerror", None) or error
        self._leave(f"the connection broke: {why}" if error else "the client closed the connection")
        self._stop_timers()
        self._transport = None
        self._desk.released(self)

    def pause_writing(self) -> None:
        """The client does not read: until it does, nothing more is read from it either."""
        if not self._ended:
            self._clogged = True
            self._read(False)
            seconds = self._limits.unsent_seconds
            self._set("unsent", seconds, self.cut, f"it has not read what was sent to it for {seconds:g} s")

    def resume_writing(self) -> None:
        """The client has read."""
        self._clogged = False
        self._cancel("unsent")
        self._look()

    # What the desk calls.

    def send(self, message: bytes | bytearray) -> None:
        """Send complete frames. A client with too much unread data is disconnected."""
        if self._ended or self._transport is None or self._transport.is_closing():
            return
        self._transport.write(message)
        if self._answering:
            self._pay(len(message) / COUNTED_BYTES)
        size = self.unsent
        if size > self._limits.unsent_bytes:
            self.cut(f"more than {self._limits.unsent_bytes} bytes wait for it and it does not read")
        elif size:
            self._desk.unsent.note(self, size)

    def send_later(self, message: bytes, seconds: float) -> None:
        """Send a frame after some seconds, in which the client's messages are not read."""
        if not self._ended:
            self._set("hold", seconds, self._send_late, message)

    def _send_late(self, message: bytes) -> None:
        self.send(message)
        self._look()

    @property
    def unsent(self) -> int:
        """The number of bytes that wait to be sent to the client."""
        transport = self._transport
        return 0 if transport is None or self._ended else transport.get_write_buffer_size()

    @property
    def unread(self) -> int:
        """The number of received bytes that are not processed yet."""
        return 0 if self._ended else self._reader.held

    def close(self, reason: str, code: int | None = None, *, tell: bool = False) -> None:
        """Close: with EM if there is a `code` for it, otherwise with FM.

        With `tell` the client gets the reason in words (ADM). Earlier messages are still sent; received data
        is discarded until the client has closed its side, so that none of our data is lost.
        """
        transport = self._transport
        if self._ended or transport is None:
            return
        self._end(reason)
        if tell and self._introduced and code is None:
            transport.write(wire.dm(d.encode(d.ADM(SERVER, f"Closing: {reason}"), self._vocabulary)))
        transport.write(wire.fm() if code is None else wire.em(code))
        with contextlib.suppress(OSError):  # the other side may be gone already
            transport.write_eof()
        transport.resume_reading()
        self._set("farewell", self._limits.farewell_seconds, transport.abort)

    def cut(self, reason: str) -> None:
        """Close at once, without a message: the client would not read it."""
        transport = self._transport
        if transport is not None:
            if not self._ended:
                self._end(reason)
            transport.abort()

    # Messages.

    def _look(self, *, anew: bool = False) -> None:
        """Check whether there is a message to process: then it waits for its turn, and nothing more is read.
        `anew` if one has just been processed."""
        if self._ended or self._queued or self._clogged or self._timers.keys() & {"hold", "work"}:
            return
        self._desk.unread.note(self, self._reader.held)
        if self._waiting is not None or self._reader.ready:
            self._queued = True
            self._read(False)
            self._desk.rota.add(self, self._desk.game.standing(self.number))
        else:
            self._watch_stalling(anew=anew)
            self._read(True)

    def deal(self) -> None:
        """Process one message, if its price can be paid."""
        self._queued = False
        if self._ended or self._clogged or "hold" in self._timers:
            return
        if self._waiting is None:
            self._waiting = self._reader.cut()
        frame = self._waiting
        if frame is None:
            return
        wait = self._price(frame)
        if wait > 0.0:
            if not self._slowed:
                self._slowed = True
                self._note("sends too much, and is read more slowly")
            self._set("work", wait, self._look)
            return
        self._waiting = None
        self._heed(frame)
        self._look(anew=True)

    def _note(self, what: str) -> None:
        self._desk.logbook.note(f"client {self.number} {what}", kind="clients that send too much")

    def _price(self, frame: wire.Frame | wire.WireFault) -> float:
        """Pay for a message from the client's bucket; or return the seconds until it can be paid. The address
        pays as well; the desk has checked that it can."""
        if not isinstance(frame, wire.DM):
            return 0.0
        cost = _cost(len(frame.body))
        now = self._loop.time()
        wait = self._messages.wait(now, cost)
        if wait <= 0.0:
            self._pay(cost)
        return wait

    def _pay(self, cost: float) -> None:
        self._messages.spend(cost)
        self._desk.rota.purse(self.address, self._desk.game.standing(self.number)).spend(cost)

    def _heed(self, frame: wire.Frame | wire.WireFault) -> None:
        match frame:
            case wire.DM(body):
                self._answering = True
                self._hear(self._vocabulary.decode(body))
                self._answering = False
            case wire.IM():
                self._introduced = True
                self._cancel("introduction")
                self.send(wire.rm(self._vocabulary.rm()))
            case wire.FM():
                self._leave("the client said goodbye (FM)")
            case wire.EM(code):
                self._leave(f"the client reported error {code}: {wire.ERRORS.get(code, 'of no known kind')}")
            case wire.WireFault(code, reason):
                self.close(reason, code)

    def _hear(self, tokens: d.Tokens) -> None:
        if tokens[0] in TALK and not self._may_talk(tokens) and d.unmatched(tokens) is None:
            if not self._silenced:
                self._silenced = True
                self._note("sends too much press, which is refused in part")
            self.send(wire.dm(self._vocabulary.encode(("REJ", "(", *tokens, ")"))))
            return
        self._desk.received(self, tokens)

    def _may_talk(self, tokens: d.Tokens) -> bool:
        """Pay for a message that others must read, by its length; returns whether it could be paid."""
        now, cost = self._loop.time(), _cost(2 * len(tokens))
        if tokens[0] == "ADM" and not self._desk.rota.talk_purse(self.address).take(now, cost):
            return False
        return self._press.take(now, cost)

    # Ending.

    def _leave(self, reason: str) -> None:
        """The client is gone: close without a message."""
        if not self._ended:
            self._end(reason)
            if self._transport is not None:
                self._transport.close()
                self._set("farewell", self._limits.farewell_seconds, self._transport.abort)

    def _end(self, reason: str) -> None:
        self._ended = True
        self._stop_timers()
        self._waiting = None
        self._desk.unread.note(self, 0)
        self._desk.unsent.note(self, 0)
        if self._staying:
            self._desk.closed(self, reason)

    # Clocks.

    def _watch_stalling(self, *, anew: bool) -> None:
        """Time the message that has begun; `anew` if it is a new one."""
        begun, seconds = self._introduced and self._reader.pending, self._limits.stall_seconds
        if not begun or anew:
            self._cancel("stall")
        if begun and "stall" not in self._timers:
            late = f"the rest of a message did not come in {seconds:g} s"
            self._set("stall", seconds, self.close, late, wire.SHORT)

    def _read(self, wanted: bool) -> None:
        """Read from the client, or stop reading."""
        if self._transport is None:
            return
        if wanted:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()
            self._cancel("stall")

    def _set(self, name: str, seconds: float, action: Callable[..., None], *args: Any) -> None:
        """Do something later, once."""

        def act() -> None:
            del self._timers[name]
            action(*args)

        self._cancel(name)
        self._timers[name] = self._loop.call_later(seconds, act)

    def _cancel(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

    def _stop_timers(self) -> None:
        for name in tuple(self._timers):
            self._cancel(name)


def _cost(size: int) -> int:
    """The price of a message of so many bytes."""
    return 1 + (size - 1) // COUNTED_BYTES
