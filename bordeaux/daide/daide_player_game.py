"""The server's side of a game for one DAIDE client that plays in the arena.

The arena plays the turns by its own rules, and the client receives the results. All requests of the client
are answered as our server answers them.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace

from bordeaux.board.errors import OrderError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.server import lobby, turns
from bordeaux.daide.server.effects import Close, Effect
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.orders import Orders
from bordeaux.daide.server.seats import ConnectedClient
from bordeaux.daide.server.settings import MOST_SECONDS
from bordeaux.daide.translate import names, now_of, sco_of, value_of
from bordeaux.players.protocol import Turn
from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DATC

__all__ = ["CLIENT", "DaidePlayerGame", "dismissal"]

CLIENT = 0
"""The number of the client; the others have no number."""

OTHERS = "Arena"
"""The name and version of the others in the summary, which may not be empty."""


class DaidePlayerGame(ServerGame):
    """A game whose turns are played elsewhere, and whose client `CLIENT` gets the named power.

    Times and effects are those of `ServerGame`. Raises MapError or FormatError for a map that DAIDE cannot
    express.
    """

    def __init__(self, map: Map, power: str) -> None:
        super().__init__(map=map)
        self._power = power
        self._token = names(map).tags[power]
        seats = self._table.seats
        seats.wanted[CLIENT] = self._token
        for number in range(1, len(map.powers)):
            seats.clients[number] = ConnectedClient("player", name=OTHERS, version=OTHERS, ready=True)
        self._told: Position | None = None

    @property
    def ready(self) -> bool:
        """Whether the client has introduced itself and accepted the map."""
        client = self._table.seats.clients.get(CLIENT)
        return client is not None and client.standing == "player" and client.ready

    @property
    def begun(self) -> bool:
        """Whether the client has been told that the game has begun."""
        return self.state != "waiting"

    @property
    def complete(self) -> bool:
        """Whether the client's orders are complete."""
        return self._table.orders.complete(self._token)

    @property
    def waits(self) -> bool:
        """Whether the client may still change its orders (``NOT (GOF)``)."""
        return self._table.seats[self._token].waits

    @property
    def given(self) -> list[Order]:
        """The valid orders of the client."""
        return self._table.orders.counting().get(self._power, [])

    def begin(self, position: Position, seconds: float | None, now: float) -> list[Effect]:
        """Begin a position: report the start of the game, if not done yet, with the limit of all turns; the
        position, if the client does not know it; and the time left."""
        self._moment(now)
        table = self._table
        if not self.begun:
            limit = None if seconds is None else min(MOST_SECONDS, max(1, int(seconds)))
            table.settings = replace(table.settings, mtl=limit, rtl=limit, btl=limit)
            self._place(position)
            lobby.start_if_ready(table)
        else:
            if self.position != position:
                self._place(position)
                table.tell(sco_of(position), now_of(position))
            if self._told is not position:
                turns.begin(table)
        self._told = position
        return self._effects()

    def played(self, turn: Turn, now: float) -> list[Effect]:
        """Report the result of a turn, with the new position or the end of the game."""
        self._moment(now)
        table = self._table
        known = names(table.map)
        self._place(turn.before)
        orders = {
            power: [
                parse_order(order, table.map, turn.before) if isinstance(order, str) else order
                for order in given
            ]
            for power, given in turn.orders.items()
        }
        for power, given in orders.items():
            for order in given:
                # A convoyed move for which no fleets stand has no name in DAIDE: it shows as a hold.
                with contextlib.suppress(OrderError):
                    table.orders.submit(known.tags[power], value_of(order, power, turn.before))
        turns.settle(table, adjudicate(turn.before, orders, DATC)._replace(after=turn.after))
        return self._effects()

    def _place(self, position: Position) -> None:
        """Begin a turn with a position, without orders."""
        self._table.position = position
        self._table.orders = Orders(position)

    def _moment(self, now: float) -> None:
        """Advance the time to `now`: warnings are sent, and deadlines are left to the arena."""
        table = self._table
        table.now = max(table.now, now)
        for client, seconds in table.clock.warnings(table.now):
            table.send(client, d.TME(seconds))

    def _effects(self) -> list[Effect]:
        """The effects of the input: no turn is played here, and no draw is agreed on."""
        return self._table.flush()


def dismissal(effects: list[Effect]) -> str | None:
    """The reason why the client is dismissed by these effects; None if it is not."""
    return next(
        (effect.reason for effect in effects if isinstance(effect, Close) and effect.client == CLIENT), None
    )
