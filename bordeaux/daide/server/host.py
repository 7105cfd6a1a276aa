"""One game on one port: connects the sockets, the clock and the rules of the server.

The host passes messages and times to a `ServerGame`, and carries out its effects: send, close, save. A phase
is saved before any client is told of it. No action of one client, and no bug that it triggers, affects the
others.
"""

from __future__ import annotations

import asyncio
import os
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.connection import Connection, Reception
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.limits import Bucket, Hoard, Limits
from bordeaux.daide.server.logbook import Logbook
from bordeaux.daide.server.rota import Rota
from bordeaux.daide.server.table import Close, Effect, Note, Replace, Save, Send
from bordeaux.daide.tokens import Vocabulary

__all__ = ["End", "Host"]

BACKLOG = 100
"""Connections that the system may queue for the server."""
THROWN_AWAY = 65_536
"""Bytes read at once from a connection whose input is discarded."""
AFTER_FAULT = 1.0
"""Seconds before the clock is tried again in a game whose clock has failed."""

End: TypeAlias = Literal["over", "stopped"]
"""The reason why a host has ended: the game is over, or it was stopped."""


class Host:
    """Runs one game for all who connect: `listen`, then `play`.

    `save` writes the saved game, given as JSON, and may raise OSError; without it nothing is saved. `log`
    gets one readable line at a time; with `verbose` also every message. `linger` is the time in seconds for
    clients to leave after the game. `patience`, for a resumed game, is the number of seconds after which it
    continues without missing powers; None waits for them. `pace` is the number of seconds of the game per
    second of the machine.
    """

    def __init__(
        self,
        game: ServerGame,
        *,
        limits: Limits | None = None,
        save: Callable[[dict[str, Any]], None] | None = None,
        log: Callable[[str], None] = lambda line: None,
        verbose: bool = False,
        linger: float = 5.0,
        patience: float | None = None,
        pace: float = 1.0,
    ) -> None:
        self.game = game
        self.logbook = Logbook(game, log)
        self.faults: list[Exception] = []
        """The number of errors inside the game; each is a bug of the server."""
        self.unsaved = False
        """Whether the last attempt to save has failed."""
        self.stand_in: Callable[[str], None] | None = None
        """Starts one of our players for a power, by token, when the game requests one."""
        self._limits = limits or Limits()
        self._save = save
        self._verbose = verbose
        self._linger = linger
        self._patience = patience
        self._pace = pace
        self._vocabulary = Vocabulary.for_map(game.map)
        self._count = 0
        self._clients: dict[int, Connection] = {}
        self._sockets: set[Connection] = set()
        self._sent_off: set[int] = set()
        self._buffers = bytearray(self._limits.read_bytes), bytearray(THROWN_AWAY)
        self._unread: Hoard[Connection] = Hoard(
            self._limits.unread_bytes, lambda connection: connection.unread
        )
        self._unsent: Hoard[Connection] = Hoard(
            self._limits.unsent_total, lambda connection: connection.unsent
        )
        self._definition: tuple[d.Message, bytes] | None = None
        self._effects: deque[Effect] = deque()
        self._acting = False
        self._alarm: asyncio.TimerHandle | None = None
        self._end: End | None = None

    # From the opening of the port to its closing.

    async def listen(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Open a port, any free one for 0; its address as ``HOST:PORT``. Raises BordeauxError."""
        loop = self._loop = asyncio.get_running_loop()
        self._rota = Rota(self._limits)
        self._reception = Reception(self.game, self._limits, self._clients, self.logbook)
        self._ended, self._empty, self._hurry = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._empty.set()
        try:
            self._server = await loop.create_server(self._connection, host, port, backlog=BACKLOG)
            if port == 0 and len(self._server.sockets) > 1:
                # A name with several addresses, which got a port each: all shall have the same.
                port = self._server.sockets[0].getsockname()[1]
                self._server.close()
                self._server = await loop.create_server(self._connection, host, port, backlog=BACKLOG)
        except (OSError, OverflowError, UnicodeError) as error:
            number = getattr(error, "errno", None) or 0
            why = os.strerror(number) if number > 0 else getattr(error, "strerror", None) or error
            raise BordeauxError(
                f"cannot listen on {host}:{port}: {why}; give another host or port (0: any free one)"
            ) from None
        if self.game.vacant:
            self.logbook.resumed()
        where, number = self._server.sockets[0].getsockname()[:2]
        return f"[{where}]:{number}" if ":" in where else f"{where}:{number}"

    async def play(self) -> End:
        """Run the game until it is over or `stop` is called; then dismiss all clients."""
        patience = None
        if self._patience is not None:
            patience = self._loop.call_later(self._patience, self._go_on)
        try:
            await self._ended.wait()
            if self._end == "over":
                await self._let_linger()
            else:
                self._act(self.game.save(self._now()))
            self.logbook.closing = True
            reason = "the game is over" if self._end == "over" else "the server stops"
            self._act(self.game.off(self._now(), reason))
            self._server.close()
            await self._empty.wait()
            await self._server.wait_closed()
        finally:
            for timer in (patience, self._alarm):
                if timer is not None:
                    timer.cancel()
            self._reception.stop()
            self._rota.stop()
            self._server.close()
            for connection in tuple(self._sockets):
                connection.cut("the server is gone")
        assert self._end is not None
        return self._end

    async def _let_linger(self) -> None:
        """Wait until all clients have gone, with a limit, and not once `stop` is called."""
        reasons = [asyncio.create_task(event.wait()) for event in (self._empty, self._hurry)]
        await asyncio.wait(reasons, timeout=self._linger, return_when=asyncio.FIRST_COMPLETED)
        for reason in reasons:
            reason.cancel()

    def stop(self) -> None:
        """End before the game does: it is saved, and all clients are dismissed. After the game, end at
        once."""
        self._hurry.set()
        self._finish("stopped")

    def _finish(self, end: End) -> None:
        if self._end is None:
            self._end = end
            self._ended.set()

    # What connections tell.

    def _connection(self) -> Connection:
        self._count += 1
        return Connection(self._count, self, self._vocabulary, self._limits)

    def opened(self, connection: Connection) -> str | None:
        """A client has connected; returns the reason if it may not stay."""
        self._sockets.add(connection)
        self._empty.clear()
        refused = self._reception.refuses(connection)
        if refused is not None:
            if len(self._sockets) > 2 * self._limits.connections:
                connection.cut(refused)  # too many are taking their leave already
            return refused
        number = connection.number
        self._clients[number] = connection
        self._ask(number, lambda now: self.game.connected(number, now, connection.address))
        self.logbook.arrived(number, connection.peer)
        return None

    def purse(self, connection: Connection) -> Bucket:
        """The bucket for the messages of all clients of an address."""
        return self._rota.purse(connection.address)

    def talk_purse(self, connection: Connection) -> Bucket:
        """The bucket for ADM from an address."""
        return self._rota.talk_purse(connection.address)

    def buffer(self, large: bool) -> bytearray:
        """The buffer for received bytes. All connections share it, as each takes its own data out at once."""
        return self._buffers[large]

    def ready(self, connection: Connection) -> None:
        """A client has a message that waits for its turn."""
        self._rota.add(connection)

    def unread(self, connection: Connection, size: int) -> None:
        """The number of a client's bytes that are not processed yet."""
        most = self._unread.note(connection, size)
        if most is not None:
            most.cut("too much waits to be read from all clients, and most from this one")

    def unsent(self, connection: Connection, size: int) -> None:
        """The number of bytes that wait to be sent to a client."""
        most = self._unsent.note(connection, size)
        if most is not None:
            most.cut("too much waits for clients that do not read, and most for this one")

    def received(self, connection: Connection, tokens: d.Tokens) -> None:
        """A client has sent a message."""
        number = connection.number
        if self._verbose:
            self.logbook.note(f"{number} < {d.text(tokens)}", whole=True)
        self._ask(number, lambda now: self.game.received(number, tokens, now))
        self.logbook.look(number)

    def noted(self, connection: Connection, what: str) -> None:
        """Something about a connection for the log."""
        self.logbook.note(f"client {connection.number} {what}")

    def closed(self, connection: Connection, reason: str) -> None:
        """A client is gone."""
        number = connection.number
        self._sent_off.discard(number)
        if self._clients.pop(number, None) is not None:
            self.logbook.left(number, reason)
            self._ask(number, lambda now: self.game.lost(number, now))

    def released(self, connection: Connection) -> None:
        """A socket is closed."""
        self._sockets.discard(connection)
        self._rota.forget(connection)
        if not self._sockets:
            self._empty.set()

    # What the game wants.

    def _now(self) -> float:
        return self._loop.time() * self._pace

    def _ask(self, client: int | None, question: Callable[[float], Iterable[Effect]]) -> None:
        """Pass an input to the game and carry out the effects. An exception is our fault: the client that
        caused it is dismissed, and the game continues."""
        failed = False
        try:
            effects = question(self._now())
        except Exception as error:
            self.faults.append(error)
            failed = True
            self.logbook.note(f"internal error, a fault of bordeaux: {type(error).__name__}: {error}")
            connection = self._clients.get(-1 if client is None else client)
            if connection is not None:
                connection.close("an internal error of the server", tell=True)
        else:
            self._act(effects)
        self._set_alarm(self._now() + AFTER_FAULT if failed else 0.0)

    def _act(self, effects: Iterable[Effect]) -> None:
        """Carry out the game's effects. Their own consequences follow after them, in order."""
        self._effects.extend(sorted(effects, key=lambda effect: not isinstance(effect, Save)))
        if self._acting:
            return
        self._acting = True
        frames: dict[int, tuple[d.Message, bytes]] = {}
        try:
            while self._effects:
                self._do(self._effects.popleft(), frames)
        finally:
            self._acting = False
        self.logbook.look()
        if self.game.state == "over":
            self._finish("over")

    def _do(self, effect: Effect, frames: dict[int, tuple[d.Message, bytes]]) -> None:
        match effect:
            case Send(client, message, after):
                self._send(client, message, after, frames)
            case Close(client, reason):
                # The game has forgotten the client, so that it is not told that it is gone.
                connection = self._clients.pop(client, None)
                if connection is not None:
                    self.logbook.left(client, reason)
                    connection.close(reason, tell=client not in self._sent_off)
            case Save(game):
                self._write(game)
            case Note(text):
                self.logbook.note(text)
            case Replace(power):
                if self.stand_in is not None:
                    self.stand_in(power)

    def _send(
        self, client: int, message: d.Message, after: float, frames: dict[int, tuple[d.Message, bytes]]
    ) -> None:
        """Send a message; `frames` caches frames for several clients."""
        connection = self._clients.get(client)
        if connection is None:
            return
        if self._verbose:
            self.logbook.note(f"{client} > {d.text(message)}", whole=True)
        if self._definition is not None and self._definition[0] is message:
            frames[id(message)] = self._definition
        elif id(message) not in frames:
            try:
                frames[id(message)] = message, wire.dm(d.encode(message, self._vocabulary))
            except BordeauxError as error:
                self.faults.append(error)
                self.logbook.note(f"a message cannot be sent, a fault of bordeaux: {error}")
                return
        if isinstance(message, d.MDF):
            self._definition = frames[id(message)]  # long, always the same, and often asked for
        if isinstance(message, d.OFF):
            self._sent_off.add(client)
        frame = frames[id(message)][1]
        if after > 0.0:
            connection.send_later(frame, after / self._pace)
        else:
            connection.send(frame)

    def _write(self, game: dict[str, Any]) -> None:
        if self._save is None:
            return
        try:
            self._save(game)
        except OSError as error:
            self.unsaved = True
            self.logbook.note(f"the game cannot be saved, and goes on: {error.strerror or error}")
        else:
            self.unsaved = False

    # Time.

    def _set_alarm(self, least: float = 0.0) -> None:
        """Set the timer for the game's next event."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        wake = self.game.wake(self._now())
        if wake is not None and self.game.state != "over":
            self._alarm = self._loop.call_at(max(wake, least) / self._pace, self._tick)

    def _tick(self) -> None:
        self._ask(None, self.game.tick)

    def _go_on(self) -> None:
        if self.game.state == "waiting":
            self.logbook.note("the game goes on without those who have not come back")
            self._ask(None, self.game.go_on)
