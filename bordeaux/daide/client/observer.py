"""A client that observes a game on a DAIDE server and records it.

Source: LANGUAGE.md, section 5 (OBS): an observer receives everything except press and the order notes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bordeaux.daide import language as d
from bordeaux.daide.client.bot import Bot
from bordeaux.daide.client.chronicle import Chronicle
from bordeaux.daide.client.session import Session
from bordeaux.daide.client.table import Ending
from bordeaux.players.base import Turn


class Observer(Bot):
    """Observes one game on the server at `address` to its end; `run` and `play` are a bot's.

    `save` is called with the saved game, ready for JSON, after every phase and at the end. To show the game,
    override `begin`, `turned`, `heard` and `tell`; `table` and `chronicle` have all data. The rest is as for
    `Bot`. Raises BordeauxError for a server that is lost, silent, or does not accept observers.
    """

    def __init__(
        self,
        address: str,
        *,
        save: Callable[[dict[str, Any]], None] | None = None,
        patience: float = 30.0,
        waiting: float | None = None,
        comeback: float = 60.0,
    ) -> None:
        super().__init__(address, level=d.HIGHEST, patience=patience, waiting=waiting, comeback=comeback)
        self.chronicle = Chronicle(self.table, address)
        self._save = save
        self._turns = 0
        self._session: Session | None = None

    async def play(self) -> Ending:
        """Observe the game to its end, within an event loop."""
        self._session = Session(self)
        try:
            ending = await self._session.play()
            self._keep()
        finally:
            self.close()
        return ending

    def introduction(self) -> d.Value:
        """Observe only."""
        return d.OBS()

    def turned(self, latest: Turn | None) -> None:
        """A phase has begun: the table's. `latest` is the one before it, None if it was not reported.

        Runs in the event loop.
        """

    def heard(self, message: d.Value) -> None:
        """Keep the record, and request earlier phases."""
        questions = self.chronicle.heard(message)
        if self._session is not None:
            self._session.send(*questions)
        # An observer that joins late may get a turn before HLO, and gets it again after.
        if self.table.turns != self._turns and (self.table.started or self.table.turns > 1):
            self._turns = self.table.turns
            self.turned(self.table.latest)
            self._keep()
        elif isinstance(message, d.NOW) and not questions:
            self._keep()

    def _keep(self) -> None:
        """Save the game, once there is something to save."""
        if self._save is not None and self.chronicle.positions:
            self._save(self.chronicle.to_json())
