"""The bot that plays a game on a DAIDE server, the base class for other bots, and the observer."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.daide import language as d
from bordeaux.daide.client.base import NAME, Client
from bordeaux.daide.client.chronicle import Chronicle
from bordeaux.daide.client.session import Session
from bordeaux.daide.client.table import Ending
from bordeaux.players import registry
from bordeaux.players.base import Limit, Player, Seat, Turn
from bordeaux.players.spec import parse
from bordeaux.press.language.letter import Talker
from bordeaux.press.language.levels import LEVELS


class Bot(Client):
    """Plays one game on the server at `address` (``HOST`` or ``HOST:PORT``) with Bordeaux's search.

    `time` is the thinking time of a phase in seconds, `nodes` a limit in nodes; the game's deadlines shorten
    it. `level` is the highest level of press. `talk` is the time of a talker in a phase in seconds, before
    the search for orders; deadlines shorten it too. `claim` takes a power over instead of joining: its token
    and passcode. Once the game has begun, a server that sends nothing for `patience` seconds is asked whether
    it is there. The bot tries to reconnect for `comeback` seconds. `seed` determines all random choices. The
    engine thinks on so many `threads`, by default one a core, and plays from `book` while it can. `character`
    is the character of the diplomat (`bordeaux.press.diplomat.payoffs`).

    A bot of your own overrides methods of `Client`: `orders`, `talker`, `draw`, `observe`. Raises
    BordeauxError for invalid arguments.
    """

    #: The class that plays a game.
    session_class: type[Session] = Session

    def run(self) -> Ending:
        """Play the game to its end. Raises BordeauxError for a server that is lost or silent, or refuses
        us."""
        return asyncio.run(self.play())

    @functools.cached_property
    def session(self) -> Session:
        """The conversation with the server."""
        return self.session_class(self)

    async def play(self) -> Ending:
        """Like `run`, within an event loop."""
        try:
            return await self.session.play()
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
            spec = parse(self.spec)
            if spec.name == "bordeaux" and self.envoy.level:
                # The engine talks at each of its levels; `press` of its own says otherwise.
                press = max(level for level in LEVELS if level <= self.envoy.own_level)
                spec = replace(spec, options={"press": press, **spec.options})
            self.player = registry.create(spec, Seat(power, position.map, self.seed))
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


class Recorder(Bot):
    """A client of any level that keeps the record of its game in `chronicle`. `save` is called with the saved
    game, ready for JSON, after every phase and at the end. The rest is as for `Bot`."""

    def __init__(
        self, address: str, *, save: Callable[[dict[str, Any]], None] | None = None, **rest: Any
    ) -> None:
        super().__init__(address, level=d.HIGHEST, **rest)
        self.chronicle = Chronicle(self.table, address)
        self._save = save
        self._turns = 0

    async def play(self) -> Ending:
        """Follow the game to its end, within an event loop."""
        ending = await super().play()
        self._keep()
        return ending

    def turned(self, latest: Turn | None) -> None:
        """A phase has begun: the table's. `latest` is the one before it, None if it was not reported. Runs in
        the event loop."""

    def heard(self, message: d.Value) -> None:
        """Keep the record, and request earlier phases."""
        questions = self.chronicle.heard(message)
        self.session.send(*questions)
        # An observer that joins late may get a turn before HLO, and gets it again after.
        if self.table.turns != self._turns and (self.table.started or self.table.turns > 1):
            self._turns = self.table.turns
            self._show_turn()
            self._keep()
        elif isinstance(message, d.NOW) and not questions:
            self._keep()

    def _show_turn(self) -> None:
        self.turned(self.table.latest)

    def _keep(self) -> None:
        """Save the game, once there is something to save."""
        if self._save is not None and self.chronicle.positions:
            self._save(self.chronicle.to_json())


class Observer(Recorder):
    """Observes one game on the server at `address` to its end; `run` and `play` are a bot's. To show the
    game, override `begin`, `turned`, `heard` and `tell`; `table` and `chronicle` have all data. Raises
    BordeauxError for a server that is lost, silent, or does not accept observers."""

    def introduction(self) -> d.Value:
        """Observe only."""
        return d.OBS()
