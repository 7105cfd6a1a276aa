"""The log for the operator of a server: one short line for every important event."""

from __future__ import annotations

import time
from collections.abc import Callable

from bordeaux.board.cleaning import clean
from bordeaux.daide.repeats import Repeats
from bordeaux.daide.server.game import ServerGame

NAMELESS = ("a stranger", "an observer")
"""Clients that anybody can be, any number of times."""
LONGEST = 200
"""Characters of a line; the rest is cut, because clients may have written it."""


class Logbook:
    """Logs a game: clients, phases, the end.

    `write` gets every line, with the time of day in front. `look` compares the game with the last logged
    state and is called whenever something may have changed. What strangers can repeat is counted (`Repeats`).
    """

    def __init__(self, game: ServerGame, write: Callable[[str], None]) -> None:
        self._game = game
        self._write = write
        self._repeats = Repeats(self._line)
        self._state = game.state
        self._phase = ""
        self._known: dict[int, str] = {}
        self._vacant: tuple[str, ...] = game.vacant
        self.closing = False
        """Whether all clients are being disconnected, so that empty seats are not logged."""

    def note(self, line: str, *, whole: bool = False, kind: str = "") -> None:
        """Write one line, with foreign characters cleaned; it is shortened unless `whole`. With a `kind` only
        the first of each minute are written."""
        shown = clean(line)
        if len(shown) > LONGEST and not whole:
            shown = f"{shown[:LONGEST]}..."
        if kind:
            self._repeats.line(kind, shown)
        else:
            self._line(shown)

    def _line(self, shown: str) -> None:
        self._write(f"{time.strftime('%H:%M:%S')} {shown}")

    def close(self) -> None:
        """Write what has only been counted so far."""
        self._repeats.look(last=True)

    def resumed(self) -> None:
        """A saved game is resumed: log the powers that it waits for, and how they come back."""
        powers = ", ".join(f"{power} (passcode {self._game.passcode(power)})" for power in self._game.vacant)
        self.note(f"the game goes on in {self._game.position.phase} with {powers}", whole=True)

    def arrived(self, client: int, peer: str) -> None:
        """A client has connected."""
        self._known[client] = self._game.who(client)
        self.note(f"client {client} connects from {peer}", kind="connections")

    def left(self, client: int, reason: str) -> None:
        """A client is gone; the game may still know it, or have forgotten it."""
        who = self._known.pop(client, "a stranger")
        kind = "departures of strangers and observers" if who in NAMELESS else ""
        self.note(f"client {client}, {who}, is gone: {reason}", kind=kind)

    def look(self, client: int | None = None) -> None:
        """Log the changes since the last look; `client` has just sent a message."""
        self._repeats.look()
        game = self._game
        before, self._state = self._state, game.state
        changed = game.state != before
        for number in list(self._known) if changed else [client]:
            if number in self._known and (who := game.who(number)) != self._known[number]:
                self._known[number] = who
                self.note(f"client {number} is {who}", kind="new observers" if who in NAMELESS else "")
        phase = str(game.position.phase)
        if game.state != "waiting" and phase != self._phase:
            self._phase = phase
            tags, centres = game.map.tags, game.position.centres
            counts = (f"{tags[power]} {len(owned)}" for power, owned in centres.items() if owned)
            self.note(f"{phase}: {', '.join(counts)}")
        if game.state == "running" and not self.closing:
            known, self._vacant = self._vacant, game.vacant
            for power in self._vacant:
                if power not in known:
                    self.note(f"nobody plays {power}; its passcode is {game.passcode(power)}")
        if changed and game.outcome is not None:
            powers = game.outcome.powers
            end = (
                f"{powers[0]} wins alone" if game.outcome.kind == "solo" else f"a draw of {', '.join(powers)}"
            )
            self.note(f"the game is over: {end}")
