"""Connections of clients: admitted, bytes in and messages out, and closed where one does not take part or
breaks a limit."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Mapping
from typing import Protocol

from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.limits import Bucket, Gate, Inside, Limits, Part
from bordeaux.daide.server.logbook import Logbook
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.wire import watch_over

SERVER = "Server"
"""The name under which the server talks (ADM)."""
MOST_THROWN_AWAY = 1_048_576
"""Bytes that a client may still send while it is being disconnected; then the connection is cut."""
COUNTED_BYTES = 512
"""A message counts once for every so many bytes or part of them, and its answer for as many parts of a
message."""
TALK = ("SND", "ADM")
"""Messages that a client sends to others."""


class ConnectionDesk(Protocol):
    """The receiver of a connection's reports."""

    def opened(self, connection: Connection) -> None:
        """A client has been admitted."""

    def purse(self, connection: Connection) -> Bucket:
        """The bucket for the messages of all such clients of the connection's network."""

    def talk_purse(self, connection: Connection) -> Bucket:
        """The bucket for ADM from the connection's network."""

    def buffer(self, large: bool) -> bytearray:
        """The buffer for received bytes; they are taken out before the next are read."""

    def ready(self, connection: Connection) -> None:
        """A complete message waits: call `deal` at the client's turn. Called once for each turn."""

    def unread(self, connection: Connection, size: int) -> None:
        """The number of the client's bytes that are not processed yet."""

    def unsent(self, connection: Connection, size: int) -> None:
        """The number of bytes that wait to be sent to the client."""

    def received(self, connection: Connection, tokens: d.Tokens) -> None:
        """An admitted client has sent a message of the language."""

    def noted(self, connection: Connection, what: str) -> None:
        """Something about the connection for the log."""

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

    def __init__(
        self,
        number: int,
        peer: tuple[str, int],
        desk: ConnectionDesk,
        vocabulary: Vocabulary,
        limits: Limits,
        refused: str | None = None,
    ) -> None:
        self.number = number
        self.address, self.peer = peer[0], f"{peer[0]}:{peer[1]}"
        self._refused = refused
        self._desk = desk
        self._vocabulary = vocabulary
        self._limits = limits
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._messages = Bucket(limits.messages, now)
        self._press = Bucket(limits.press, now)
        self._answering = self._slowed = self._silenced = False
        self._reader = wire.FrameReader("server", limits.message_bytes)
        self._waiting: wire.Frame | wire.WireFault | None = None
        self._queued = self._holding = False
        self._thrown_away = 0
        self._transport: asyncio.Transport | None = None
        self._introduced = False
        self._clogged = False
        self._staying = False
        self._ended = False
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
            self._set("introduction", self._limits.introduction_seconds, self._not_introduced)

    def get_buffer(self, sizehint: int) -> bytearray:
        """The buffer for the next bytes."""
        return self._desk.buffer(self._ended)

    def buffer_updated(self, nbytes: int) -> None:
        """Process bytes, and wait for the client's turn when a message is complete."""
        if self._ended:
            self._thrown_away += nbytes
            if self._thrown_away > MOST_THROWN_AWAY and self._transport is not None:
                self._transport.abort()
            return
        self._reader.add(memoryview(self._desk.buffer(False))[:nbytes])
        self._look(anew=False)

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
            self._set("unsent", self._limits.unsent_seconds, self._not_reading)

    def resume_writing(self) -> None:
        """The client has read."""
        self._clogged = False
        self._cancel("unsent")
        if not self._ended:
            self._look(anew=False)

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
            self._desk.unsent(self, size)

    def send_later(self, message: bytes, seconds: float) -> None:
        """Send a frame after some seconds, in which the client's messages are not read."""
        if not self._ended:
            self._holding = True
            self._set("hold", seconds, lambda: self._sent_late(message))

    def _sent_late(self, message: bytes) -> None:
        self._holding = False
        self.send(message)
        self._look(anew=False)

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

    def _look(self, *, anew: bool) -> None:
        """Check whether there is a message to process: then it waits for its turn, and nothing more is read.
        `anew` if one has just been processed."""
        if self._ended or self._queued or self._holding or self._clogged or "work" in self._timers:
            return
        waits = self._waiting is not None or self._reader.ready
        self._desk.unread(self, self._reader.held)
        if waits:
            self._queued = True
            self._read(False)
            self._desk.ready(self)
        else:
            self._watch_stalling(anew=anew)
            self._read(True)

    def deal(self) -> None:
        """Process one message, if its price can be paid."""
        self._queued = False
        if self._ended or self._clogged or self._holding:
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
                self._desk.noted(self, "sends too much, and is read more slowly")
            self._set("work", wait, self._work)
            return
        self._waiting = None
        self._heed(frame)
        self._look(anew=True)

    def _work(self) -> None:
        self._cancel("work")
        self._look(anew=False)

    def _price(self, frame: wire.Frame | wire.WireFault) -> float:
        """Pay for a message from the client's bucket; or return the seconds until it can be paid. The address
        pays as well; the desk has checked that it can."""
        if not isinstance(frame, wire.DM):
            return 0.0
        cost = _cost(len(frame.body))
        now = self._loop.time()
        if self._messages.take(now, cost):
            self._desk.purse(self).spend(cost)
            return 0.0
        return self._messages.wait(now, cost)

    def _pay(self, cost: float) -> None:
        """Pay a cost that was not known before."""
        self._messages.spend(cost)
        self._desk.purse(self).spend(cost)

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
        if tokens[0] in TALK and not self._may_talk(tokens) and _even(tokens):
            if not self._silenced:
                self._silenced = True
                self._desk.noted(self, "sends too much press, which is refused in part")
            self.send(wire.dm(self._vocabulary.encode(("REJ", "(", *tokens, ")"))))
            return
        self._desk.received(self, tokens)

    def _may_talk(self, tokens: d.Tokens) -> bool:
        """Pay for a message that others must read, by its length; returns whether it could be paid."""
        now, cost = self._loop.time(), _cost(2 * len(tokens))
        if tokens[0] == "ADM" and not self._desk.talk_purse(self).take(now, cost):
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
        self._desk.unread(self, 0)
        self._desk.unsent(self, 0)
        if self._staying:
            self._desk.closed(self, reason)

    # Clocks.

    def _watch_stalling(self, *, anew: bool) -> None:
        """Time the message that has begun; `anew` if it is a new one."""
        if not self._introduced or not self._reader.pending or anew:
            self._cancel("stall")
        if self._introduced and self._reader.pending and "stall" not in self._timers:
            self._set("stall", self._limits.stall_seconds, self._stalled)

    def _not_introduced(self) -> None:
        self.close(f"{wire.ERRORS[wire.LATE]}: {self._limits.introduction_seconds:g} s", wire.LATE)

    def _stalled(self) -> None:
        self.close(f"the rest of a message did not come in {self._limits.stall_seconds:g} s", wire.SHORT)

    def _not_reading(self) -> None:
        self.cut(f"it has not read what was sent to it for {self._limits.unsent_seconds:g} s")

    def _read(self, wanted: bool) -> None:
        """Read from the client, or stop reading."""
        if self._transport is None:
            return
        if wanted:
            self._transport.resume_reading()
        else:
            self._transport.pause_reading()
            self._cancel("stall")

    def _set(self, name: str, seconds: float, action: Callable[[], None]) -> None:
        self._cancel(name)
        later = self._loop.call_later(seconds, action) if seconds > 0.0 else self._loop.call_soon(action)
        self._timers[name] = later

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


def _even(tokens: d.Tokens) -> bool:
    """Whether the brackets match, so that the message can be embedded in another one."""
    deep = 0
    for token in tokens:
        deep += (token == "(") - (token == ")")
        if deep < 0:
            return False
    return deep == 0


LOOKS = 8
"""The number of checks within the shortest patience with strangers."""
LONGEST_LOOK = 1.0
"""The maximum number of seconds between two checks."""
PARTS: dict[str, Part] = {"unknown": "stranger", "observer": "observer", "player": "player"}


class Reception:
    """Admits connections by the rules of `Gate`, and dismisses clients that do not get a role in time.

    `clients` are the admitted ones, by number; the owner of the reception maintains them.
    """

    def __init__(
        self, game: ServerGame, limits: Limits, clients: Mapping[int, Connection], logbook: Logbook
    ) -> None:
        self._game = game
        self._limits = limits
        self._clients = clients
        self._logbook = logbook
        self._loop = asyncio.get_running_loop()
        self._gate = Gate(limits, self._loop.time())
        self._waiting: dict[int, float] = {}
        self._choosing: dict[int, float] = {}
        shortest = min(limits.stranger_seconds, limits.chair_seconds)
        self._pause = min(LONGEST_LOOK, shortest / LOOKS)
        self._timer: asyncio.TimerHandle | None = None

    def refuses(self, peer: tuple[str, int]) -> tuple[str | None, bool]:
        """The reason why a new connection may not stay, None if it may; and whether to tell it. Another
        client may be dismissed for it."""
        now, address = self._loop.time(), peer[0]
        if self._logbook.closing:
            return "the server is closing", True
        inside = [
            Inside(number, client.address, self.part(number), now - self._waiting.get(number, now))
            for number, client in self._clients.items()
        ]
        verdict = self._gate.judge(address, inside, now, expected=self._game.expects(address))
        if verdict.refused is not None:
            self._logbook.note(
                f"a connection from {address}:{peer[1]} is refused: {verdict.refused}",
                kind="refused connections",
            )
            return verdict.refused, self._gate.worth_a_word(now)
        if verdict.instead is not None:
            self._clients[verdict.instead].close(verdict.reason, tell=True)
        return None, True

    def arrived(self, number: int) -> None:
        """A client has been admitted, a stranger as yet."""
        self._waiting[number] = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(self._pause, self._look)

    def stop(self) -> None:
        """Stop the checks."""
        if self._timer is not None:
            self._timer.cancel()

    def part(self, number: int) -> Part:
        """The role of a client."""
        return PARTS[self._game.standing(number)]

    def heard(self, number: int) -> None:
        """A client has said something: dismiss it if it observes and there are too many observers."""
        if number not in self._waiting or (part := self.part(number)) == "stranger":
            return
        del self._waiting[number]
        most = self._limits.observers
        if part == "observer" and sum(self.part(other) == part for other in self._clients) > most:
            self._clients[number].close(f"the last places are for players: {most} observe already", tell=True)

    def _look(self) -> None:
        """Dismiss clients that have waited too long."""
        now = self._loop.time()
        for known in (self._waiting, self._choosing):
            for number in known.keys() - self._clients.keys():
                del known[number]
        scarce = 2 * len(self._clients) > self._limits.connections
        for number, client in tuple(self._clients.items()):
            reason = self._overdue(number, now, scarce)
            if reason is not None:
                client.close(reason, tell=True)
        self._logbook.look()
        self._timer = self._loop.call_later(self._pause, self._look) if self._clients else None

    def _overdue(self, number: int, now: float, scarce: bool) -> str | None:
        """The reason why a client is dismissed; None if it may stay. Strangers may while places are not
        scarce: a slow program still takes a seat."""
        limits, part = self._limits, self.part(number)
        if part == "stranger":
            waited = now - self._waiting.setdefault(number, now)
            if scarce and waited >= limits.stranger_seconds:
                return (
                    f"places are scarce, and it neither plays nor observes in {limits.stranger_seconds:g} s"
                )
        elif not self._game.dawdles(number):
            self._choosing.pop(number, None)
        elif now - self._choosing.setdefault(number, now) >= limits.chair_seconds:
            return f"it has not accepted the map in {limits.chair_seconds:g} s"
        return None
