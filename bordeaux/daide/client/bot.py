"""The bot that plays a game on a DAIDE server, and the base class for other bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.daide.client.base import NAME, Client
from bordeaux.daide.client.session import Session
from bordeaux.daide.client.table import Ending
from bordeaux.players import registry
from bordeaux.players.base import Limit, Player, Seat, Turn
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language.letter import Talker


class Bot(Client):
    """Plays one game on the server at `address` (``HOST`` or ``HOST:PORT``) with Bordeaux's search.

    `time` is the thinking time of a phase in seconds, `nodes` a limit in nodes. The game's deadlines shorten
    both, by `margin` seconds, which by default depends on their length. `level` is the highest level of
    press. `talk` is the time of a talker in a phase in seconds, before the search for orders; deadlines
    shorten it too. `claim` takes a power over instead of joining: its token and passcode. A server that sends
    nothing for `patience` seconds is asked whether it is there; before the game begins it may be silent for
    `waiting` seconds, None for no limit. The bot tries to reconnect for `comeback` seconds. `seed` determines
    all random choices. The engine thinks on so many `threads`, by default one a core, and plays from
    `book` while it can. `character` is the character of the
    diplomat (`bordeaux.press.diplomat.character`).

    A bot of your own overrides methods of `Client`: `orders`, `talker`, `draw`, `observe`. Raises
    BordeauxError for invalid arguments.
    """

    #: The class that plays a game.
    session_class: type[Session] = Session

    def talker(self, position: Position, power: str) -> Talker | None:
        """A diplomat, if the game and we use any press."""
        if not self.envoy.level:
            return None
        level, nature = self.envoy.own_level, self.character
        return Diplomat(position.map, power, self.engine, level=level, nature=nature)

    def run(self) -> Ending:
        """Play the game to its end. Raises BordeauxError for a server that is lost or silent, or refuses
        us."""
        return asyncio.run(self.play())

    async def play(self) -> Ending:
        """Like `run`, within an event loop."""
        try:
            return await self.session_class(self).play()
        finally:
            self.close()


class PlayerBot(Bot):
    """A bot with the orders of any player that `bordeaux.players.registry` can create; it negotiates if that
    player is a `bordeaux.press.language.letter.Talker`."""

    def __init__(self, address: str, player: str, *, name: str = NAME, **rest: object) -> None:
        """`player` is a name with options, such as ``dumbbot``; the rest is as for `Bot`."""
        registry.check(player)
        super().__init__(address, name=name, **rest)  # type: ignore[arg-type]
        self.spec = player
        self.player: Player | None = None

    def _seated(self, position: Position, power: str) -> Player:
        if self.player is None:
            self.player = registry.create(self.spec, Seat(power, position.map, self.seed))
        return self.player

    def talker(self, position: Position, power: str) -> Talker | None:
        """The player, if it talks."""
        player = self._seated(position, power)
        return player if isinstance(player, Talker) else None

    def orders(self, position: Position, power: str, limit: Limit) -> Sequence[Order | str]:
        """The player's orders."""
        return self._seated(position, power).orders(position, limit)

    def observe(self, turn: Turn) -> None:
        """Pass the phase on to the player as well."""
        if self.table.power is not None:
            self._seated(turn.before, self.table.power).observe(turn)

    def close(self) -> None:
        """Close the player too."""
        super().close()
        if self.player is not None:
            self.player.close()
