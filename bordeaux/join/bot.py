"""The bots for servers of the package: those of DAIDE, on another kind of connection."""

from __future__ import annotations

from typing import Any

from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide.client.bot import Bot, PlayerBot
from bordeaux.daide.client.link import AnyLink
from bordeaux.daide.client.session import Session
from bordeaux.join.correspondence import Correspondence, Form
from bordeaux.join.gateway import Gateway
from bordeaux.join.seat import Seat

__all__ = ["COMEBACK", "JoinBot", "JoinPlayerBot"]

#: Seconds that a server may be gone: one that is started again has to load its games.
COMEBACK = 300.0


class JoinSession(Session):
    """A session that speaks to the package's server."""

    def __init__(self, bot: Joining) -> None:
        super().__init__(bot)
        self._partner = bot
        # Every power holds the phase up until it says that it need not wait.
        self.awaits_go = True

    async def open_link(self) -> AnyLink:
        """Sign in and join the game. A server that was killed may have lost the last phases: what was
        heard of them is forgotten then."""
        gateway = await Gateway.open(self._partner, self.table.phase, self.table.started)
        self.table.rewind(gateway.phase)
        return gateway


class Joining(Bot):
    """What a bot on the package's server is beside a bot: it has a seat, and writes letters as text."""

    session_class = JoinSession

    def __init__(self, seat: Seat, *args: Any, form: Form = "english", **rest: Any) -> None:
        super().__init__(seat.address, *args, **{"comeback": COMEBACK, **rest})
        self.seat = seat
        self.form = form
        self.correspondence: Correspondence | None = None
        self.heard_letters: set[int] = set()

    def correspond(self, map: Map, power: str) -> Correspondence:
        """How letters are written and read in the game."""
        return Correspondence(map, power, self.form)

    def letter(self, sender: str, to: str, text: str, press: d.Press | None) -> None:
        """A message was sent or has come; `press` is None for one that was not understood. `to` is a power,
        or GLOBAL for all. Runs in the event loop."""


class JoinBot(Joining):
    """Plays the power of a `Seat` with Bordeaux's search. Letters go out in a `form`, ``english`` or
    ``daide``, to those who have not written themselves; all else is as for `Bot`, save that the server may be
    gone for `COMEBACK` seconds."""


class JoinPlayerBot(Joining, PlayerBot):
    """Plays the power of a `Seat` with any player that `bordeaux.players.registry` can create, as
    `PlayerBot` does."""
