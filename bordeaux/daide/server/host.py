"""One game on one port: connects the sockets, the clock and the rules of the server.

The host passes messages and times to a `ServerGame`, and carries out its effects: send, close, save. A phase
is saved before any client is told of it. No action of one client, and no bug that it triggers, affects the
others.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server.connection import Connection
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.limits import Hoard, Limits
from bordeaux.daide.server.logbook import Logbook
from bordeaux.daide.server.reception import Reception
from bordeaux.daide.server.rota import Door, Peer, Rota
from bordeaux.daide.server.table import Close, Effect, Note, Save, Send
from bordeaux.daide.tokens import Vocabulary

BACKLOG = 512
"""Connections that the system may queue for the server, which accepts them one by one."""
THROWN_AWAY = 65_536
"""Bytes read at once from a connection whose input is discarded."""
AFTER_FAULT = 1.0
"""Seconds before the clock is tried again in a game whose clock has failed."""
SAVE_AGAIN = 5.0
"""Seconds after which a save that failed is tried again: a phase may last for days."""

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
        """The errors inside the game; each is a bug of the server."""
        self.unsaved = False
        """Whether the last attempt to save has failed."""
        self.limits = limits or Limits()
        self.vocabulary = Vocabulary.for_map(game.map)
        self.buffers = bytearray(self.limits.read_bytes), bytearray(THROWN_AWAY)
        self.unread: Hoard[Connection] = Hoard(
            self.limits.unread_bytes,
            lambda connection: connection.unread,
            lambda most: most.cut("too much waits to be read from all clients, and most from this one"),
        )
        self.unsent: Hoard[Connection] = Hoard(
            self.limits.unsent_total,
            lambda connection: connection.unsent,
            lambda most: most.cut("too much waits for clients that do not read, and most for this one"),
        )
        self._save = save
        self._verbose = verbose
        self._linger = linger
        self._patience = patience
        self._pace = pace
        self._count = 0
        self._clients: dict[int, Connection] = {}
        self._sockets: set[Connection] = set()
        self._sent_off: set[int] = set()
        # The map is long, always the same, and often asked for.
        self._definition = game.definition, wire.dm(d.encode(game.definition, self.vocabulary))
        self._frames: dict[int, tuple[d.Message, bytes]] = {}
        self._effects: deque[Effect] = deque()
        self._outgoing: dict[int, bytearray] = {}
        self._acting = False
        self._alarm: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._end: End | None = None
        self._doors: list[Door] = []

    # From the opening of the port to its closing.

    async def listen(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Open a port, any free one for 0; its address as ``HOST:PORT``. Raises BordeauxError."""
        self._loop = asyncio.get_running_loop()
        self.rota = Rota(self.limits)
        self._reception = Reception(self.game, self.limits, self._clients, self.logbook)
        self._ended, self._empty, self._hurry = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._empty.set()
        try:
            server = await self._loop.create_server(asyncio.Protocol, host, port, start_serving=False)
            # A name with several addresses would get a port for each: then the first is enough.
            sockets = [bound.dup() for bound in server.sockets[: None if port else 1]]
            server.close()
            for bound in sockets:
                bound.listen(BACKLOG)
        except (OSError, OverflowError, UnicodeError) as error:
            number = getattr(error, "errno", None) or 0
            why = os.strerror(number) if number > 0 else getattr(error, "strerror", None) or error
            raise BordeauxError(
                f"cannot listen on {host}:{port}: {why}; give another host or port (0: any free one)"
            ) from None
        if self.game.vacant:
            self.logbook.resumed()
        where, number = sockets[0].getsockname()[:2]
        self._doors = [Door(bound, self.rota, self._admit, self._unable) for bound in sockets]
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
                if self.unsaved:
                    self._write(self.game.saved())
            else:
                self._act(self.game.save(self._now()))
            self.logbook.closing = True
            reason = "the game is over" if self._end == "over" else "the server stops"
            self._act(self.game.off(self._now(), reason))
            for door in self._doors:
                door.close()
            await self._empty.wait()
        finally:
            for timer in (patience, self._alarm, self._again):
                if timer is not None:
                    timer.cancel()
            self._reception.stop()
            for door in self._doors:
                door.close()
            self.rota.stop()
            self.logbook.close()
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

    def _admit(self, accepted: socket.socket, peer: Peer) -> asyncio.Task[None] | None:
        """Admit a connection, or refuse it: with a word, unless there are too many."""
        self._count += 1
        refused, tell = self._reception.refuses(peer)
        if not tell or len(self._sockets) > 2 * self.limits.connections:
            accepted.close()  # too many are refused, or take their leave already
            return None
        connection = Connection(self._count, peer, self, refused)
        return self._loop.create_task(self._connect(connection, accepted))

    async def _connect(self, connection: Connection, accepted: socket.socket) -> None:
        self._sockets.add(connection)
        self._empty.clear()
        try:
            await self._loop.connect_accepted_socket(lambda: connection, accepted)
        except OSError as error:
            accepted.close()
            self.released(connection)
            self._unable(error.strerror or str(error))

    def _unable(self, why: str) -> None:
        self.logbook.note(f"no connection can be accepted: {why}", kind="connections that cannot be accepted")

    def opened(self, connection: Connection) -> None:
        """A client has been admitted."""
        number = connection.number
        self._clients[number] = connection
        self._reception.arrived(number)
        self._ask(number, lambda now: self.game.connected(number, now, connection.address))
        self.logbook.arrived(number, connection.peer)

    def received(self, connection: Connection, tokens: d.Tokens) -> None:
        """A client has sent a message."""
        number = connection.number
        if self._verbose:
            self.logbook.note(f"{number} < {d.text(tokens)}", whole=True)
        self._ask(number, lambda now: self.game.received(number, tokens, now))
        self.logbook.look(number)
        self._reception.heard(number)

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
        self.rota.forget(connection)
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
            self.logbook.note(
                f"internal error, a fault of bordeaux: {type(error).__name__}: {error}",
                kind="internal errors",
            )
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
        self._frames = {id(self._definition[0]): self._definition}
        try:
            while self._effects or self._outgoing:
                if self._effects:
                    self._do(self._effects.popleft())
                else:
                    self._send_out(next(iter(self._outgoing)))
        finally:
            self._acting = False
        self.logbook.look()
        if self.game.state == "over":
            self._finish("over")

    def _do(self, effect: Effect) -> None:
        match effect:
            case Send(client, message, after):
                self._send(client, message, after)
            case Close(client, reason):
                # The game has forgotten the client, so that it is not told that it is gone.
                self._send_out(client)
                connection = self._clients.pop(client, None)
                if connection is not None:
                    self.logbook.left(client, reason)
                    connection.close(reason, tell=client not in self._sent_off)
            case Save(game):
                self._write(game)
            case Note(text):
                self.logbook.note(text)

    def _send(self, client: int, message: d.Message, after: float) -> None:
        """Put a message among the outgoing ones."""
        connection = self._clients.get(client)
        if connection is None:
            return
        if self._verbose:
            self.logbook.note(f"{client} > {d.text(message)}", whole=True)
        if id(message) not in self._frames:
            try:
                self._frames[id(message)] = message, wire.dm(d.encode(message, self.vocabulary))
            except BordeauxError as error:
                self.faults.append(error)
                self.logbook.note(f"a message cannot be sent, a fault of bordeaux: {error}")
                return
        if isinstance(message, d.OFF):
            self._sent_off.add(client)
        frame = self._frames[id(message)][1]
        if after > 0.0:
            self._send_out(client)
            connection.send_later(frame, after / self._pace)
        else:
            self._outgoing.setdefault(client, bytearray()).extend(frame)

    def _send_out(self, client: int) -> None:
        """Hand all outgoing messages of a client to the system at once, as each time is costly."""
        messages, connection = self._outgoing.pop(client, None), self._clients.get(client)
        if messages and connection is not None:
            connection.send(messages)

    def _write(self, game: dict[str, Any]) -> None:
        if self._save is None:
            return
        try:
            self._save(game)
        except OSError as error:
            self.unsaved = True
            where = f" in {error.filename}" if error.filename else ""
            self.logbook.note(
                f"the game cannot be saved{where}, and goes on: {error.strerror or error}",
                kind="failed saves",
            )
            if self._again is None:
                self._again = self._loop.call_later(SAVE_AGAIN, self._save_again)
        else:
            if self.unsaved:
                self.logbook.note("the game is saved again")
            self.unsaved = False

    def _save_again(self) -> None:
        self._again = None
        if self.unsaved:
            self._write(self.game.saved())

    # Time.

    def _set_alarm(self, least: float = 0.0) -> None:
        """Set the timer for the game's next event."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        wake = self.game.wake(self._now())
        if wake is not None and self.game.state != "over":
            moment = max(wake, least) / self._pace
            self._alarm = self._loop.call_at(moment, self._ask, None, self.game.tick)

    def _go_on(self) -> None:
        if self.game.state == "waiting":
            self.logbook.note("the game goes on without those who have not come back")
            self._ask(None, self.game.go_on)
