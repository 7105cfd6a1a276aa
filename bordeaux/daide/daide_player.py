"""Any DAIDE client as a player: a program that is started, connects to us and plays one power."""

from __future__ import annotations

import contextlib
import re
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, OrderError, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.daide.server import lobby, turns
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.orders import Orders
from bordeaux.daide.server.settings import MOST_SECONDS
from bordeaux.daide.server.table import Close, ConnectedClient, Effect, Send
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import names, now_of, sco_of, value_of
from bordeaux.players.base import Chair, Limit, Seat, Turn
from bordeaux.players.child import Child, Late, read_command
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DATC

# All waits for the client have a limit, and no thread is needed. Source: DAIDE Client-Server Protocol 1.

HOST = "127.0.0.1"
PIECE = 1 << 16
LOOK = 0.1
"""Seconds between two checks that the client is still running."""
MOST_UNREAD = 1 << 22
"""Bytes that may wait for a client that does not read."""
FAREWELL = 1.0
"""Seconds for sending the last messages."""


class DaidePlayerLink:
    """A client's process and its one connection to a port of ours on this machine. In the words of the
    command ``{address}``, ``{host}`` and ``{port}`` are replaced by the address; `name` is the client's in
    errors. Raises BordeauxError if the command cannot be started. A fault ends the client, and `child` raises
    it again."""

    def __init__(self, words: Sequence[str], name: str, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._reader = wire.FrameReader("server")
        self._heard: deque[d.Tokens] = deque()
        self._fate = ""
        self._outbox = bytearray()
        self._connection: socket.socket | None = None
        self._listener = socket.create_server((HOST, 0), backlog=1)
        try:
            self._listener.setblocking(False)
            self.child = Child([placed(word, self._listener.getsockname()[1]) for word in words], name)
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
        """The next message of the client. Raises TimeoutError if there is none by `deadline`, a value of
        ``time.monotonic()``, and BordeauxError if none can come any more."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                # Also for one that says so much that there is always more.
                raise TimeoutError
            if self._heard:
                return self._heard.popleft()
            if self._fate:
                raise self.end(self._fate)
            # Looked at before the connection, as the last messages of the dead count.
            dead = self.child.dead
            self._wait(0.0 if dead else min(left, LOOK))
            self._write()
            if not self._read() and dead and not self._fate:
                self._fate = self.child.obituary("ended without a connection")

    def end(self, fate: str, fault: type[BordeauxError] = BordeauxError) -> BordeauxError:
        """End the client at once; returns the error."""
        self._disconnect()
        return self.child.end(fate, fault)

    def close(self) -> None:
        """Send FM, wait a while for the client's end, and kill it."""
        if self._connection is not None and not self.child.ended:
            self._outbox += wire.fm()
            deadline = time.monotonic() + FAREWELL
            while self._outbox and not self._fate and time.monotonic() < deadline:
                self._wait(LOOK)
                self._write()
                # Its last messages are not needed, but a full pipe would keep it from reading.
                self._read()
            with contextlib.suppress(OSError):
                self._connection.shutdown(socket.SHUT_WR)
        self.child.close()
        self._disconnect()

    def _disconnect(self) -> None:
        self._listener.close()
        if self._connection is not None:
            self._connection.close()

    def _wait(self, seconds: float) -> None:
        """Wait until the client or its process sends something, or accepts queued data."""
        with selectors.DefaultSelector() as selector:
            for outlet in self.child.overhear():
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
            self._fate = self._fate or self.child.obituary("closed its connection")
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


def placed(word: str, port: int) -> str:
    """A word of a command line with the address inserted."""
    for name, value in (("{address}", f"{HOST}:{port}"), ("{host}", HOST), ("{port}", str(port))):
        word = word.replace(name, value)
    return word


# The arena plays the turns by its own rules, and the client receives the results. All requests of the
# client are answered as our server answers them.

CLIENT = 0
"""The number of the client; the others have no number."""

OTHERS = "Arena"
"""The name and version of the others in the summary, which may not be empty."""


class DaidePlayerGame(ServerGame):
    """A game whose turns are played elsewhere, and whose client `CLIENT` gets the named power. Times and
    effects are those of `ServerGame`. Raises MapError or FormatError for a map that DAIDE cannot express."""

    def __init__(self, map: Map, power: str) -> None:
        super().__init__(map=map)
        self._power = power
        self._token = names(map).tags[power]
        self.wanted[CLIENT] = self._token
        for number in range(1, len(map.powers)):
            self.clients[number] = ConnectedClient("player", name=OTHERS, version=OTHERS, ready=True)
        self._told: Position | None = None

    @property
    def ready(self) -> bool:
        """Whether the client has introduced itself and accepted the map."""
        client = self.clients.get(CLIENT)
        return client is not None and client.standing == "player" and client.ready

    @property
    def complete(self) -> bool:
        """Whether the client's orders are complete."""
        return self._token not in self.orders.owing()

    @property
    def waits(self) -> bool:
        """Whether the client may still change its orders (``NOT (GOF)``)."""
        return self.seats[self._token].waits

    @property
    def given(self) -> list[Order]:
        """The valid orders of the client."""
        return self.orders.counting().get(self._power, [])

    def begin(self, position: Position, seconds: float | None, now: float) -> list[Effect]:
        """Begin a position: report the start of the game, if not done yet, with the limit of all turns; the
        position, if the client does not know it; and the time left."""
        self._moment(now)
        if self.state == "waiting":
            limit = None if seconds is None else min(MOST_SECONDS, max(1, int(seconds)))
            self.settings = replace(self.settings, mtl=limit, rtl=limit, btl=limit)
            self._place(position)
            lobby.start_if_ready(self)
        else:
            if self.position != position:
                self._place(position)
                self.tell(sco_of(position), now_of(position))
            if self._told is not position:
                turns.begin(self)
        self._told = position
        return self._effects()

    def played(self, turn: Turn, now: float) -> list[Effect]:
        """Report the result of a turn, with the new position or the end of the game."""
        self._moment(now)
        self._place(turn.before)
        orders = turn.read()
        for power, given in orders.items():
            for order in given:
                # A convoyed move for which no fleets stand has no name in DAIDE: it shows as a hold.
                with contextlib.suppress(OrderError):
                    self.orders.submit(self.map.tags[power], value_of(order, power, turn.before))
        turns.settle(self, adjudicate(turn.before, orders, DATC)._replace(after=turn.after))
        return self._effects()

    def _place(self, position: Position) -> None:
        """Begin a turn with a position, without orders."""
        self.position = position
        self.orders = Orders(position)

    def _moment(self, now: float) -> None:
        """Advance the time to `now`: warnings are sent, and deadlines are left to the arena."""
        self.now = max(self.now, now)
        for client, seconds in self.clock.warnings(self.now):
            self.send(client, d.TME(seconds))

    def _effects(self) -> list[Effect]:
        """The effects of the input: no turn is played here, and no draw is agreed on."""
        return self.flush()


#: Seconds that a client has to come to the table, and how often a game starts it; a spec may give others.
JOIN, STARTS = 30.0, 3
#: The most of each that a spec may give.
MOST_JOIN, MOST_STARTS = 600.0, 20
#: Seconds for orders without a time limit, a little less than the arena's.
ANSWER = 59.0
#: Seconds over the limit after which a client counts as stalled, a little less than the arena's.
GRACE = 0.9
#: Seconds without a message after which, without a time limit, incomplete orders count as they are.
QUIET = 5.0
#: The placeholders of which a client's command line needs at least one.
WHERE = ("{address}", "{port}")
_SETTING = re.compile(r"\s*(join|starts)=(\S*)(?:\s+|$)")


class DaideCommand(NamedTuple):
    """How a client is started: the `words` of its command line, the seconds that it has to `join` the table
    after each start, and the number of `starts` in one game."""

    words: list[str]
    join: float
    starts: int

    @property
    def startup(self) -> float:
        """The seconds after which it is certain that it does not come."""
        return self.starts * (self.join + 2 * FAREWELL)


def read_daide_command(command: str) -> DaideCommand:
    """Read a client's settings and command line: ``join=90 starts=2 java -jar bot.jar {host} {port}``. Raises
    BordeauxError if it names no executable program, does not contain the address, or has an invalid
    setting."""
    settings: dict[str, float] = {"join": JOIN, "starts": STARTS}
    while (match := _SETTING.match(command)) is not None:
        name, text = match.groups()
        kind, most = (int, MOST_STARTS) if name == "starts" else (float, MOST_JOIN)
        settings[name] = 0
        with contextlib.suppress(ValueError):
            settings[name] = kind(text)
        if not 0 < settings[name] <= most:
            what = "a whole number" if kind is int else "seconds"
            raise BordeauxError(
                f"player daide: {name}={quote(text)} should be {what}, more than 0, at most {most:g}"
            )
        command = command[match.end() :]
    if not command.strip():
        raise BordeauxError("player daide needs its command: write daide:COMMAND, with {address} in it")
    words = read_command(command)
    if not any(place in word for word in words for place in WHERE):
        raise BordeauxError(
            f"command line {quote(command, 200)} does not say where to connect: write {{address}} for"
            " host:port, or {host} and {port}"
        )
    return DaideCommand(words, settings["join"], int(settings["starts"]))


class DaidePlayer(Chair):
    """A DAIDE client in a process of its own; `command` is as `read_daide_command` reads it.

    The client is started at once, and `arrive` waits for it. Its orders are taken as soon as they are
    complete, unless it has sent ``NOT (GOF)``: then with ``GOF``, or when its time is over. It knows the
    limit in seconds (``HLO``, ``TME``), at least one. At the limit incomplete orders count as they are, as
    at a deadline of a server; without a limit `QUIET` seconds after its last message.

    A client that dies, leaves, breaks the protocol, or has given no order `GRACE` seconds after its limit is
    ended, and `orders` raises BordeauxError (`Late` if it was late) until `arrive` has started it again. The
    client and its child processes never outlive this process.
    """

    def __init__(self, seat: Seat, *, command: str) -> None:
        super().__init__(seat)
        self._command = read_daide_command(command)
        self._name = f"DAIDE client {quote(command.strip(), 200)}"
        self._vocabulary = Vocabulary.for_map(seat.map)
        self._starts = 0
        self._start()

    def _start(self) -> None:
        """Start the client, for a game in which it knows nothing yet."""
        self._starts += 1
        self._held: list[Effect] = []
        self._gave = False
        self._game = DaidePlayerGame(self.seat.map, self.seat.power)
        self._game.connected(CLIENT, time.monotonic())
        self._link = DaidePlayerLink(self._command.words, self._name, self._vocabulary)

    def arrive(self) -> None:
        """Wait until the client is at the table; start it again if it is gone or does not come in time. A
        client that is started during a game joins it at the present position, as at a start. Raises
        BordeauxError (`Late` if it was late), with the last reason, when all starts are used up."""
        while self._link.child.ended or not self._game.ready:
            if self._link.child.ended:
                if self._starts == self._command.starts:
                    times = f"; it has been started {self._starts} times" if self._starts > 1 else ""
                    raise self._link.child.fault(self._link.child.ended + times)
                self._start()
            # The link keeps the reason of a failure.
            with contextlib.suppress(BordeauxError):
                fate = "did not come to the table in time"
                self._talk(time.monotonic() + self._command.join, lambda: self._game.ready, fate)

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The client's orders. Raises BordeauxError as described above."""
        self._link.child.check()
        now = time.monotonic()
        self._release()
        self._do(self._game.begin(position, limit.time, now))
        self._gave = False
        allowed = ANSWER if limit.time is None else limit.time + GRACE
        quiet = QUIET if limit.time is None else None
        fate = "stalled and was stopped: it gave no orders"
        self._talk(now + allowed, lambda: self._game.complete and not self._game.waits, fate, quiet)
        return self._game.given

    def observe(self, turn: Turn) -> None:
        """Report a phase to the client at its next turn, or when the next phase is played, so that it does
        not think in the time of others."""
        if self._link.child.ended:
            return
        now = time.monotonic()
        self._release()
        if self._game.state == "waiting":
            self._do(self._game.begin(turn.before, None, now))
        self._held = self._game.played(turn, now)

    def close(self) -> None:
        """Dismiss the client (``OFF``), and end it after a second."""
        if not self._link.child.ended:
            self._release()
            self._do(self._game.off(time.monotonic()))
        self._link.close()

    def _release(self) -> None:
        held, self._held = self._held, []
        self._do(held)

    def _do(self, effects: list[Effect]) -> None:
        """Send the messages for the client."""
        self._link.send(
            effect.message for effect in effects if isinstance(effect, Send) and effect.client == CLIENT
        )

    def _talk(self, deadline: float, done: Callable[[], bool], fate: str, quiet: float | None = None) -> None:
        """Answer the client until a condition is `done`, or until the deadline or `quiet` seconds without a
        message if it has given orders. Otherwise it is ended as late, with its `fate`. Raises BordeauxError
        when the client is gone."""
        until = deadline
        while not done():
            try:
                tokens = self._link.receive(until)
            except TimeoutError:
                if self._gave:
                    return
                raise self._link.end(fate, Late) from None
            now = time.monotonic()
            effects = self._game.received(CLIENT, tokens, now)
            self._do(effects)
            for effect in effects:
                if isinstance(effect, Close) and effect.client == CLIENT:
                    raise self._link.end(f"was sent away: {effect.reason}")
            self._gave = self._gave or tokens[:1] == ("SUB",)
            until = deadline
            if quiet is not None and self._gave and not self._game.waits:
                until = min(deadline, now + quiet)
