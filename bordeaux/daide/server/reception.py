"""Who is admitted, and who is dismissed because it does not take part in time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bordeaux.daide.server.connection import Connection
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.limits import Gate, Inside, Limits
from bordeaux.daide.server.logbook import Logbook

LOOKS = 8
"""The number of checks within the shortest patience with strangers."""
LONGEST_LOOK = 1.0
"""The maximum number of seconds between two checks."""


class Reception:
    """Admits connections by the rules of `Gate`, and dismisses clients that do not get a role in time.

    `clients` are the admitted ones, by number; the owner of the reception maintains them.
    """

    def __init__(
        self, game: ServerGame, limits: Limits, clients: Mapping[int, Connection], logbook: Logbook
    ) -> None:
        self._game = game
        self._limits = limits
        self._clients = clients
        self._logbook = logbook
        self._loop = asyncio.get_running_loop()
        self._gate = Gate(limits, self._loop.time())
        self._waiting: dict[int, float] = {}
        self._choosing: dict[int, float] = {}
        self._pause = min(LONGEST_LOOK, limits.stranger_seconds / LOOKS, limits.chair_seconds / LOOKS)
        self._timer: asyncio.TimerHandle | None = None

    def refuses(self, peer: tuple[str, int]) -> tuple[str | None, bool]:
        """The reason why a new connection may not stay, None if it may; and whether to tell it. Another
        client may be dismissed for it."""
        now, address = self._loop.time(), peer[0]
        if self._logbook.closing:
            return "the server is closing", True
        inside = [
            Inside(number, client.address, self._game.standing(number), now - self._waiting.get(number, now))
            for number, client in self._clients.items()
        ]
        verdict = self._gate.judge(address, inside, now, expected=self._game.expects(address))
        if verdict.refused is not None:
            self._logbook.note(
                f"a connection from {address}:{peer[1]} is refused: {verdict.refused}",
                kind="refused connections",
            )
            return verdict.refused, self._gate.worth_a_word(now)
        if verdict.instead is not None:
            self._clients[verdict.instead].close(verdict.reason, tell=True)
        return None, True

    def arrived(self, number: int) -> None:
        """A client has been admitted, a stranger as yet."""
        self._waiting[number] = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(self._pause, self._look)

    def stop(self) -> None:
        """Stop the checks."""
        if self._timer is not None:
            self._timer.cancel()

    def heard(self, number: int) -> None:
        """A client has said something: dismiss it if it observes and there are too many observers."""
        standing = self._game.standing(number)
        if standing == "unknown" or self._waiting.pop(number, None) is None:
            return
        most = self._limits.observers
        observers = [other for other in self._clients if self._game.standing(other) == "observer"]
        if standing == "observer" and len(observers) > most:
            self._clients[number].close(f"the last places are for players: {most} observe already", tell=True)

    def _look(self) -> None:
        """Dismiss clients that have waited too long."""
        now = self._loop.time()
        for known in (self._waiting, self._choosing):
            for number in known.keys() - self._clients.keys():
                del known[number]
        scarce = 2 * len(self._clients) > self._limits.connections
        for number, client in tuple(self._clients.items()):
            reason = self._overdue(number, now, scarce)
            if reason is not None:
                client.close(reason, tell=True)
        self._logbook.look()
        self._timer = self._loop.call_later(self._pause, self._look) if self._clients else None

    def _overdue(self, number: int, now: float, scarce: bool) -> str | None:
        """The reason why a client is dismissed; None if it may stay. Strangers may while places are not
        scarce: a slow program still takes a seat."""
        patience, slow = self._limits.stranger_seconds, self._limits.chair_seconds
        if self._game.standing(number) == "unknown":
            if scarce and now - self._waiting.setdefault(number, now) >= patience:
                return f"places are scarce, and it neither plays nor observes in {patience:g} s"
        elif not self._game.dawdles(number):
            self._choosing.pop(number, None)
        elif now - self._choosing.setdefault(number, now) >= slow:
            return f"it has not accepted the map in {slow:g} s"
        return None
