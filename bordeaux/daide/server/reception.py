"""Admits connections, and closes those that do not take part."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from bordeaux.daide.server.connection import Connection
from bordeaux.daide.server.game import ServerGame
from bordeaux.daide.server.gate import Gate, Inside, Part
from bordeaux.daide.server.limits import Limits
from bordeaux.daide.server.logbook import Logbook

__all__ = ["Reception"]

LOOKS = 8
"""The number of checks within the shortest patience with strangers."""
LONGEST_LOOK = 1.0
"""The maximum number of seconds between two checks."""
PARTS: dict[str, Part] = {"unknown": "stranger", "observer": "observer", "player": "player"}


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
        self._kept: set[int] = set()
        shortest = min(limits.stranger_seconds, limits.claim_seconds, limits.chair_seconds)
        self._pause = min(LONGEST_LOOK, shortest / LOOKS)
        self._timer: asyncio.TimerHandle | None = None

    def refuses(self, connection: Connection) -> str | None:
        """The reason why a new connection may not stay; None if it may. A stranger may be dismissed for
        it."""
        now = self._loop.time()
        if self._logbook.closing:
            return "the server is closing"
        inside = [
            Inside(number, client.address, self._part(number), now - self._waiting.get(number, now))
            for number, client in self._clients.items()
        ]
        expected = self._game.expects(connection.address)
        verdict = self._gate.judge(connection.address, inside, now, expected=expected)
        if verdict.refused is not None:
            if self._gate.worth_a_line(now):
                self._logbook.note(f"a connection from {connection.peer} is refused: {verdict.refused}")
            return verdict.refused
        if verdict.instead is not None:
            self._clients[verdict.instead].close(verdict.reason, tell=True)
        self._waiting[connection.number] = now
        if verdict.kept:
            self._kept.add(connection.number)
        if self._timer is None:
            self._timer = self._loop.call_later(self._pause, self._look)
        return None

    def stop(self) -> None:
        """Stop the checks."""
        if self._timer is not None:
            self._timer.cancel()

    def _part(self, number: int) -> Part:
        return PARTS[self._game.standing(number)]

    def _look(self) -> None:
        """Dismiss clients that have waited too long."""
        now = self._loop.time()
        for known in (self._waiting, self._choosing):
            for number in known.keys() - self._clients.keys():
                del known[number]
        self._kept &= self._clients.keys()
        for number, client in tuple(self._clients.items()):
            reason = self._overdue(number, now)
            if reason is not None:
                client.close(reason, tell=True)
        self._timer = self._loop.call_later(self._pause, self._look) if self._clients else None

    def _overdue(self, number: int, now: float) -> str | None:
        """The reason why a client is dismissed; None if it may stay."""
        limits, part = self._limits, self._part(number)
        kept = number in self._kept
        if part == "player":
            self._waiting.pop(number, None)
            self._kept.discard(number)
            if not self._game.dawdles(number):
                self._choosing.pop(number, None)
            elif now - self._choosing.setdefault(number, now) >= limits.chair_seconds:
                return f"it has not accepted the map in {limits.chair_seconds:g} s"
            return None
        if part == "observer" and not kept:
            self._waiting.pop(number, None)
            return None
        waited = now - self._waiting.setdefault(number, now)
        if kept and waited >= limits.claim_seconds:
            return f"the last places are for players, and it has no seat in {limits.claim_seconds:g} s"
        if part == "stranger" and waited >= limits.stranger_seconds:
            return f"it neither plays nor observes in {limits.stranger_seconds:g} s"
        return None
