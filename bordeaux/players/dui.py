"""Any engine that speaks DUI as a player: ``dui:COMMAND``.

Before every phase it receives the position, its power and ``go`` with the limit. An engine with an option
``Map`` also accepts our own commands. It receives the orders of past phases as well, and is asked for
draws.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.dfen import lost_in_dfen, position_to_dfen
from bordeaux.formats.dson import orders_from_dson
from bordeaux.players.base import Chair
from bordeaux.players.dui_link import DuiLink
from bordeaux.players.protocol import Limit, Seat, Turn
from bordeaux.press.language.dui import LastProposals, press_to_dui
from bordeaux.press.language.letter import Letter

__all__ = ["DuiPlayer", "position_line"]

#: Seconds for an engine without a time limit.
PATIENCE = 60.0
#: Seconds over the limit after which an engine is asked to stop, and after which it counts as stalled.
NUDGE, GRACE = 0.5, 0.9
#: Seconds for the first messages.
TALKS = 30.0


def position_line(position: Position, *, json: bool) -> str:
    """The line that tells an engine a position: DFEN, or JSON if DFEN loses information and the engine reads
    JSON. Raises BordeauxError if it cannot be expressed."""
    if json and lost_in_dfen(position):
        return f"position json {json_line(position.to_json())}"
    return f"position {position_to_dfen(position)}"


class DuiPlayer(Chair):
    """An engine in a process of its own; `command` is its command line, split as in a shell.

    Its orders are read in any notation. An invalid answer raises BordeauxError, and the engine is asked again
    in the next phase. An engine that dies or is late is ended, see `DuiLink`.
    """

    def __init__(self, seat: Seat, *, command: str) -> None:
        super().__init__(seat)
        self._link = DuiLink(command)
        self._ours = "Map" in self._link.options
        self._letters = LastProposals()
        self._position: Position | None = None
        self._level = 0
        try:
            if seat.map is not Map.standard():
                self._link.configure("Map", seat.map.name)
            if "Seed" in self._link.options:
                self._link.configure("Seed", self.chance.getrandbits(31))
            self._link.send("newgame")
            self._link.ready()
        except BaseException:
            self._link.close()
            raise

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """The engine's orders. Raises BordeauxError as described above."""
        link = self._link
        self._tell(position)
        words = [] if limit.time is None else [f"movetime {max(1, round(limit.time * 1000))}"]
        words += [] if limit.nodes is None else [f"nodes {limit.nodes}"]
        link.send(f"go {' '.join(words)}".strip())
        allowed = PATIENCE if limit.time is None else limit.time
        began = time.monotonic()
        last = self._answer(began + allowed + NUDGE, began + allowed + GRACE)
        text = last.partition(" ")[2]
        try:
            return orders_from_dson(text, position.map, position)
        except BordeauxError as error:
            raise BordeauxError(f"engine {link.shown}: {error}") from None

    def _answer(self, nudge: float, deadline: float) -> str:
        """The line with the orders; an engine that is late is told to stop once."""
        link, line, stopped = self._link, "", False
        while not line.startswith("bestorders"):
            if not stopped and not link.waits(nudge):
                link.send("stop")
                stopped = True
            line = link.receive(deadline)
        return line

    def _tell(self, position: Position) -> None:
        if position != self._position:
            self._position = position
            self._link.send(position_line(position, json=self._ours))
            self._link.send(f"setpower {self.seat.power.lower()}")

    def observe(self, turn: Turn) -> None:
        """Tell the engine the orders of a phase, if it supports this."""
        if self._ours and not self._link.ended:
            self._tell(turn.before)
            played = {power: [str(order) for order in orders] for power, orders in turn.read().items()}
            self._link.send(f"played {json_line(played)}")
            if turn.after.phase.kind != "-":
                self._tell(turn.after)

    def close(self) -> None:
        """Ask the engine to end, and end it after a second."""
        self._link.close()

    # Talks.

    def open_talks(self, position: Position, level: int) -> Iterator[Letter]:
        """Its first messages."""
        if "Press" in self._link.options and level != self._level:
            self._link.configure("Press", level)
        self._level = level
        self._tell(position)
        return self._say("talk") if self._ours else iter(())

    def hear(self, letter: Letter) -> Iterator[Letter]:
        """Its answers."""
        self._letters.note(letter)
        said = press_to_dui(letter, self.seat.map)
        return self._say(f"press {letter.sender.lower()} {said}")

    def quiet(self) -> Iterator[Letter]:
        """Its messages when no letter is waiting."""
        return self._say("talk") if self._ours else iter(())

    def draw(self) -> tuple[str, ...] | None:
        """The draw that it accepts; none for an engine without this command."""
        if not self._ours:
            return None
        self._link.send("draw")
        for line in self._link.ready(TALKS):
            word, _, named = line.partition(" ")
            if word == "draw" and named != "none":
                return () if named == "all" else tuple(map(self.seat.map.power, named.split()))
        return None

    def _say(self, line: str) -> Iterator[Letter]:
        """The letters after a line; invalid ones are dropped."""
        self._link.press.clear()
        self._link.send(line)
        self._link.ready(TALKS)
        assert self._position is not None
        for said in self._link.press:
            _, to, *words = said.split()
            try:
                recipient = self.seat.map.power(to)
                yield self._letters.read(words, self.seat.power, recipient, self._position)
            except BordeauxError:
                continue
