"""The bots for servers of the package: those of DAIDE, with another kind of connection."""

from __future__ import annotations

from typing import Any

from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.daide.client.link import AnyLink
from bordeaux.daide.client.session import Session
from bordeaux.protocols.package.connection import AccountSeat
from bordeaux.protocols.package.gateway import Correspondence, Form, Gateway

__all__ = ["COMEBACK", "JoinBot", "JoinPlayerBot"]

#: Seconds that a server may be unreachable: a restarted one must load its games.
COMEBACK = 300.0


class JoinSession(Session):
    """A session that speaks to the package's server."""

    def __init__(self, bot: Joining) -> None:
        super().__init__(bot)
        self._partner = bot
        # Every power holds the phase up until it says that it need not wait.
        self.awaits_go = True

    async def open_link(self) -> AnyLink:
        """Sign in and join the game. A server that was killed may have lost the last phases; then the session
        forgets them too."""
        gateway = await Gateway.open(self._partner, self.table.phase, self.table.started)
        self.table.rewind(gateway.phase)
        return gateway


class Joining(Bot):
    """The additions of a bot on the package's server: it has a seat, and writes letters as text."""

    session_class = JoinSession

    def __init__(self, seat: AccountSeat, *args: Any, form: Form = "english", **rest: Any) -> None:
        super().__init__(seat.address, *args, **{"comeback": COMEBACK, **rest})
        self.seat = seat
        self.form = form
        self.correspondence: Correspondence | None = None
        self.heard_letters: set[int] = set()

    def correspond(self, map: Map, power: str) -> Correspondence:
        """Choose the form of letters in the game."""
        return Correspondence(map, power, self.form)

    def letter(self, sender: str, to: str, text: str, press: d.Press | None) -> None:
        """Called for a message that was sent or received; `press` is None if it was not understood. `to` is a
        power, or GLOBAL for all. Runs in the event loop."""


class JoinBot(Joining):
    """Plays the power of an `AccountSeat` with Bordeaux's search. `form` is the form of letters, ``english``
    or ``daide``, to powers that have not written yet. All else is as for `Bot`, except that the server may be
    unreachable for `COMEBACK` seconds."""


class JoinPlayerBot(Joining, PlayerBot):
    """Plays the power of an `AccountSeat` with any player that `bordeaux.players.registry` can create, as
    `PlayerBot` does."""
