"""Any engine that speaks DUI as a player: ``dui:COMMAND``.

Before every phase it receives the position, its power and ``go`` with the limit. An engine with an option
``Map`` also accepts our own commands. It receives the orders of past phases as well, and is asked for
draws.
"""

from __future__ import annotations

import contextlib
import math
import re
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError, nearest, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.formats.dui import lost_in_dfen, orders_from_dson, position_to_dfen
from bordeaux.players.base import Chair, Limit, Seat, Turn
from bordeaux.players.child import Child, read_command
from bordeaux.press.language.dui import LastProposals, press_to_dui
from bordeaux.press.language.letter import Letter

# DUI is the line protocol for Diplomacy engines that ``docs/protocol.md`` describes. Unknown lines are
# ignored. ``press_out`` may come at any time and is kept.

STARTUP = 20.0
"""Seconds that an engine has for the handshake."""
READY = 20.0
"""Seconds for the answer that it is ready."""
MOST_PRESS = 1000
"""Lines of press that are kept."""
_KEYWORDS = ("type", "default", "min", "max", "var")


@dataclass(frozen=True)
class DuiOption:
    """An option as the engine declares it: `kind` is check, spin, combo, button or string; `least` and `most`
    belong to spin, `choices` to combo."""

    name: str
    kind: str
    default: str = ""
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, words: Sequence[str]) -> DuiOption | None:
        """The option from the words after ``option``; None if they are invalid."""
        parts: dict[str, list[list[str]]] = {}
        current: list[str] | None = None
        for word in words:
            if (word == "name" and not parts) or (word in _KEYWORDS and parts):
                current = []
                parts.setdefault(word, []).append(current)
            elif current is not None:
                current.append(word)
        text = {key: " ".join(values[0]) for key, values in parts.items()}
        if not text.get("name") or not text.get("type"):
            return None
        try:
            least, most = (int(text[key]) if key in text else None for key in ("min", "max"))
        except ValueError:
            return None
        choices = tuple(" ".join(value) for value in parts.get("var", ()))
        return cls(text["name"], text["type"], text.get("default", ""), least, most, choices)

    def check(self, value: object) -> str:
        """The text of a value that the option accepts. Raises BordeauxError for another."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        right, wanted = text.isprintable(), "text in one line"
        match self.kind:
            case "check":
                right, wanted = text in ("true", "false"), "true or false"
            case "combo":
                right = text.casefold() in map(str.casefold, self.choices)
                wanted = f"one of {', '.join(self.choices)}"
            case "spin":
                most = math.inf if self.most is None else self.most
                whole = re.fullmatch("-?[0-9]{1,29}", text) is not None
                right = whole and (self.least or 0) <= int(text) <= most
                wanted = f"a whole number from {self.least} to {self.most}"
        if not right:
            raise BordeauxError(f"option {self.name} is {wanted}, not {quote(text)}")
        return text


class DuiLink:
    """An engine in a process of its own, ready after the handshake. `command` is a command line, split as in
    a shell, or a list of words. An engine that dies, closes its output, sends a line without end or is late
    is ended (`Child`), also by the constructor. The engine and its child processes never outlive this
    process."""

    def __init__(self, command: str | Sequence[str], *, startup: float = STARTUP) -> None:
        words = read_command(command) if isinstance(command, str) else list(command)
        if not words:
            raise BordeauxError("an empty command line; give a program")
        self.shown = quote(command if isinstance(command, str) else " ".join(command), 200)
        self.name = ""
        self.options: dict[str, DuiOption] = {}
        self.press: deque[str] = deque(maxlen=MOST_PRESS)
        self._child = Child(words, f"engine {self.shown}")
        self.send, self.waits = self._child.send, self._child.waits
        try:
            self.send("dui")
            for line in self.until("duiok", time.monotonic() + startup):
                self._introduced(line.split())
        except BaseException:
            self._child.end("did not get ready")
            raise

    def _introduced(self, words: list[str]) -> None:
        match words:
            case ["id", "name", *rest]:
                self.name = " ".join(rest)
            case ["option", *rest]:
                option = DuiOption.parse(rest)
                if option is not None:
                    self.options[option.name] = option

    def until(self, word: str, deadline: float) -> Iterator[str]:
        """The lines up to one that begins with a word, which comes last; press is stored and left out. Raises
        BordeauxError if the engine ends, and `Late` at the deadline, a value of ``time.monotonic()``."""
        while True:
            line = self.receive(deadline)
            yield line
            if line.split(None, 1)[0] == word:
                return

    def receive(self, deadline: float) -> str:
        """The next line that is neither empty nor press; raises as `until` does."""
        while True:
            line = self._child.receive(deadline).strip()
            if line.startswith("press_out "):
                self.press.append(line)
            elif line:
                return line

    @property
    def ended(self) -> bool:
        """Whether the engine was ended or closed."""
        return bool(self._child.ended)

    def ready(self, patience: float = READY) -> list[str]:
        """Wait until the engine has finished earlier commands; returns the lines that came meanwhile."""
        self.send("isready")
        return list(self.until("readyok", time.monotonic() + patience))[:-1]

    def configure(self, name: str, value: object = "") -> None:
        """Set an option. Raises BordeauxError for an unknown option or an invalid value."""
        known = {name.casefold(): option for name, option in self.options.items()}
        option = known.get(name.casefold())
        if option is None:
            names = ", ".join(self.options) or "none"
            raise BordeauxError(
                f"engine {self.shown} has no option {quote(name)}{nearest(name, known)} (options: {names})"
            )
        text = option.check(value)
        self.send(f"setoption name {option.name}" + (f" value {text}" if option.kind != "button" else ""))

    def played(self, turn: Turn) -> None:
        """Tell an engine that accepts our commands the orders of a phase, in the position that it knows."""
        played = {power: [str(order) for order in orders] for power, orders in turn.read().items()}
        self.send(f"played {json_line(played)}")

    def close(self) -> None:
        """Ask the engine to end, and end it after a second."""
        self._child.close("quit")


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
    """An engine in a process of its own; `command` is its command line, split as in a shell. Its orders are
    read in any notation. An invalid answer raises BordeauxError, and the engine is asked again in the next
    phase. An engine that dies or is late is ended, see `DuiLink`."""

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
        end = time.monotonic() + (PATIENCE if limit.time is None else limit.time)
        line, stopped = "", False
        while not line.startswith("bestorders"):
            if not stopped and not link.waits(end + NUDGE):
                link.send("stop")
                stopped = True
            line = link.receive(end + GRACE)
        with placed(f"engine {link.shown}", BordeauxError):
            return orders_from_dson(line.partition(" ")[2], position.map, position)

    def _tell(self, position: Position) -> None:
        if position != self._position:
            self._position = position
            self._link.send(position_line(position, json=self._ours))
            self._link.send(f"setpower {self.seat.power.lower()}")

    def observe(self, turn: Turn) -> None:
        """Tell the engine the orders of a phase, if it supports this."""
        if self._ours and not self._link.ended:
            self._tell(turn.before)
            self._link.played(turn)
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
        return self.quiet()

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
            with contextlib.suppress(BordeauxError):
                recipient = self.seat.map.power(to)
                yield self._letters.read(words, self.seat.power, recipient, self._position)
