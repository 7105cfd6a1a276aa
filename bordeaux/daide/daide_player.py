"""Any DAIDE client as a player: a program that is started, connects to us and plays one power.

To the client we are a server at level 0 on this machine, with the game that the arena plays. ``{address}``
(host and port), ``{host}`` and ``{port}`` in its command line are replaced by the address::

    daide:python -P -m bordeaux bot {address} --player dumbbot
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.daide.daide_player_game import CLIENT, DaidePlayerGame, dismissal
from bordeaux.daide.daide_player_link import DaidePlayerLink
from bordeaux.daide.server.effects import Effect, Send
from bordeaux.daide.tokens import Vocabulary
from bordeaux.players.base import Chair
from bordeaux.players.child import read_command
from bordeaux.players.program import Late
from bordeaux.players.protocol import Limit, Seat, Turn

__all__ = ["DaidePlayer", "read_daide_command"]

#: Seconds that a client has to connect, and for orders without a time limit. They are a little less than the
#: arena's limits, so that the reason can be reported.
STARTUP, PATIENCE = 30.0, 59.0
#: Seconds over the limit after which a client counts as stalled, a little less than the arena's.
GRACE = 0.9
#: The placeholders of which a client's command line needs at least one.
WHERE = ("{address}", "{port}")


def read_daide_command(command: str) -> list[str]:
    """The words of a client's command line. Raises BordeauxError if it names no executable program, or does
    not contain the address."""
    if not command.strip():
        raise BordeauxError("player daide needs its command: write daide:COMMAND, with {address} in it")
    words = read_command(command)
    if not any(place in word for word in words for place in WHERE):
        raise BordeauxError(
            f"command line {quote(command, 200)} does not say where to connect: write {{address}} for"
            " host:port, or {host} and {port}"
        )
    return words


class DaidePlayer(Chair):
    """A DAIDE client in a process of its own; `command` is its command line, split as in a shell.

    Its orders are taken as soon as they are complete, unless it has sent ``NOT (GOF)``: then with ``GOF``, or
    when its time is over. It knows the limit in seconds (``HLO``, ``TME``), at least one. A client that dies,
    leaves, breaks the protocol or is more than `GRACE` seconds late is ended. Every later call for orders
    raises BordeauxError (`Late` if it was late), and so does the constructor if the client does not join. The
    client and its child processes never outlive this process.
    """

    def __init__(self, seat: Seat, *, command: str) -> None:
        super().__init__(seat)
        words = read_daide_command(command)
        self._name = quote(command, 200)
        self._ended = ""
        self._fault: type[BordeauxError] = BordeauxError
        self._held: list[Effect] = []
        self._game = DaidePlayerGame(seat.map, self.seat.power)
        self._game.connected(CLIENT, time.monotonic())
        self._link = DaidePlayerLink(words, Vocabulary.for_map(seat.map))
        try:
            self._talk(time.monotonic() + STARTUP, lambda: self._game.ready)
        except TimeoutError:
            raise self._end("did not come to the table in time", Late) from None
        except BaseException:
            self._link.close(kill=True)
            raise

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The client's orders. Raises BordeauxError as described above."""
        if self._ended:
            raise self._fault(self._ended)
        now = time.monotonic()
        self._release()
        self._do(self._game.begin(position, limit.time, now))
        allowed = PATIENCE if limit.time is None else limit.time + GRACE
        try:
            self._talk(now + allowed, lambda: self._game.complete and not self._game.waits)
        except TimeoutError:
            if not self._game.complete:
                raise self._end("stalled and was stopped: orders are missing", Late) from None
        return self._game.given

    def observe(self, turn: Turn) -> None:
        """Report a phase to the client at its next turn, or when the next phase is played, so that it does
        not think in the time of others."""
        if self._ended:
            return
        now = time.monotonic()
        self._release()
        if not self._game.begun:
            self._do(self._game.begin(turn.before, None, now))
        self._held = self._game.played(turn, now)

    def close(self) -> None:
        """Dismiss the client (``OFF``), and end it after a second."""
        if not self._ended:
            self._ended = f"DAIDE client {self._name} has been closed"
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

    def _talk(self, deadline: float, done: Callable[[], bool]) -> None:
        """Answer the client until a condition is `done`. Raises TimeoutError at the deadline, and
        BordeauxError when the client is gone."""
        while not done():
            try:
                tokens = self._link.receive(deadline)
            except EOFError as error:
                raise self._end(str(error)) from None
            effects = self._game.received(CLIENT, tokens, time.monotonic())
            self._do(effects)
            reason = dismissal(effects)
            if reason is not None:
                raise self._end(f"was sent away: {reason}")

    def _end(self, fate: str, fault: type[BordeauxError] = BordeauxError) -> BordeauxError:
        self._ended, self._fault = f"DAIDE client {self._name} {fate}", fault
        self._link.close(kill=True)
        return fault(self._ended)
