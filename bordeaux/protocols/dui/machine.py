"""The engine's side of the protocol as a state machine: lines in, lines and tasks out.

It has no streams, threads or clocks. Its caller (`bordeaux.protocols.dui.runner`, a test) writes the answers,
and runs the tasks one after the other. ``docs/protocol.md`` has the grammar.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import bordeaux
from bordeaux.board.cleaning import clean, json_line
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.phase import order_of_play
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.formats.dui import (
    lost_in_dfen,
    order_from_dson,
    orders_from_dson,
    position_from_dfen,
    position_to_dfen,
)
from bordeaux.formats.source import parse_json
from bordeaux.formats.text import position_from_text
from bordeaux.players.base import Turn
from bordeaux.protocols.dui.mind import GoRequest, Mind
from bordeaux.protocols.dui.options import OPTIONS, EngineSettings, changed, whole
from bordeaux.search.agreements import Agreement, agreed
from bordeaux.search.task import Limit, Request

log = logging.getLogger(__name__)

VERSION = 1
LONGEST = 65_535
"""Bytes of a line."""
ERROR = "info string error: "
NODES_OF_DEPTH = 10_000
"""The equivalent of one step of ``depth`` in nodes."""
MOST_NODES, MOST_TIME = 2**62, 86_400_000
PEOPLE, MOST_PEOPLE = 10, 64


class EngineTask(NamedTuple):
    """A task that takes time: `run` yields its lines. `kind` is ``search`` (ended by a stop), ``endless``
    (ended only by a stop), ``work``, ``ready`` (whose answer does not wait for a search), ``stop`` or
    ``quit``."""

    kind: str
    run: Callable[[threading.Event], Iterator[str]]


def error(text: object) -> str:
    """The line that reports an error."""
    return clean(ERROR + str(text))


def done(task: EngineTask, stop: threading.Event | None = None, *, stopped: bool = False) -> Iterator[str]:
    """The lines of a task. An exception becomes a line of its own, and a search has its `bestorders`."""
    stop = stop or threading.Event()
    if stopped:
        stop.set()
    answered = False
    try:
        for line in task.run(stop):
            answered = answered or line.startswith("bestorders")
            yield line
    except BordeauxError as fault:
        yield error(fault)
    except Exception as fault:
        # A fault of ours in one command must not end the game of who holds the engine.
        log.exception("a command failed")
        yield error(f"{type(fault).__name__}: {fault}")
    if task.kind in ("search", "endless") and not answered:
        yield "bestorders"


def work(lines: Callable[[], Iterable[str] | None]) -> EngineTask:
    """A task that a search does not wait for, and a stop does not end."""
    return EngineTask("work", lambda stop: iter(lines() or ()))


class Machine:
    """The state of the engine's commands: the position, the powers to play, and what is known of the others.
    Each command is a method `_do_NAME`."""

    def __init__(self) -> None:
        self.settings = EngineSettings()
        self.position = Position.start()
        self.mind = Mind()
        self._powers: list[str] = []
        self._played: dict[str, list[Order]] = {}
        self._given: dict[str, list[Order]] = {}
        self._agreements: tuple[Agreement, ...] = ()

    def take(self, line: bytes | str) -> Iterator[str | EngineTask]:
        """The reaction to a line: lines to write at once, and tasks to run in order. Never raises: an error
        becomes one line that begins with `ERROR`."""
        data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
        try:
            yield from self._taken(data)
        except BordeauxError as fault:
            yield error(fault)
            if data.split(None, 1)[:1] == [b"go"]:
                # The sender waits for one `bestorders`, also after an error.
                yield "bestorders"

    def _taken(self, data: bytes) -> Iterator[str | EngineTask]:
        if len(data.rstrip(b"\r\n")) > LONGEST:
            raise BordeauxError(f"a line has {LONGEST} bytes at most; this one was skipped")
        try:
            words = [part.decode("utf-8") for part in data.split(None, 1)]
        except UnicodeDecodeError:
            raise BordeauxError("a line must be UTF-8; this one was skipped") from None
        if not words:
            return
        if words[0] not in COMMANDS:
            hint = nearest(words[0], COMMANDS)
            raise BordeauxError(f"unknown command {quote(words[0])}{hint}; it was skipped")
        command: Callable[[str], Iterator[str | EngineTask]] = getattr(self, f"_do_{words[0]}")
        yield from command(words[1].strip() if len(words) > 1 else "")

    def answer(self, line: bytes | str) -> list[str]:
        """All answers to a line, with the tasks run at once: for callers without streams. An endless search
        is stopped as soon as it has begun."""
        said: list[str] = []
        for taken in self.take(line):
            if isinstance(taken, str):
                said.append(taken)
            else:
                said += done(taken, stopped=taken.kind == "endless")
        return said

    # DUI.

    def _do_protocol_version(self, rest: str) -> Iterator[str]:
        whole("protocol_version", rest, 1, 10**9)
        yield f"protocol_version {VERSION}"

    def _do_dui(self, rest: str) -> Iterator[str]:
        yield f"id name Bordeaux {bordeaux.__version__}"
        yield "id author the Bordeaux authors"
        yield from map(str, OPTIONS.values())
        yield f"protocol_version {VERSION}"
        yield "duiok"

    def _do_isready(self, rest: str) -> Iterator[EngineTask]:
        yield EngineTask("ready", lambda stop: iter(("readyok",)))

    def _do_setoption(self, rest: str) -> Iterator[str]:
        words = rest.split()
        if len(words) < 2 or words[0] != "name":
            raise BordeauxError("setoption is written 'setoption name NAME value VALUE'")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]), " ".join(words[at + 1 :])
        self.settings = changed(self.settings, name, value)
        yield from ()

    def _do_newgame(self, rest: str) -> Iterator[EngineTask]:
        self._begin(Position.start(Map.load(self.settings.map)))
        yield work(self.mind.forget)

    def _begin(self, position: Position) -> None:
        self.position = position
        self._played, self._given, self._agreements = {}, {}, ()

    def _do_position(self, rest: str) -> Iterator[EngineTask]:
        position = self._read_position(rest)
        before, played = self.position, {power: tuple(given) for power, given in self._played.items()}
        self._begin(position)
        later = before.map is position.map and order_of_play(before.phase) < order_of_play(position.phase)
        if played and later:
            turn = Turn(before, played, position)
            yield work(partial(self.mind.observe, turn, self.settings))

    def _read_position(self, text: str) -> Position:
        kind, _, rest = text.partition(" ")
        map = Map.load(self.settings.map)
        if kind == "start":
            return Position.start(map)
        if kind == "next":
            return self.position.next(self._played)
        if kind == "json":
            document = parse_json(rest)
            if not isinstance(document, dict):
                raise BordeauxError(f"a position is a JSON object, not {quote(document)}")
            own = map if document.get("map") in (None, map.name) else None
            return Position.from_json(document, own)
        if kind == "text":
            return position_from_text(rest.replace("|", "\n"), map)
        return position_from_dfen(text, map)

    def _do_setpower(self, rest: str) -> Iterator[str]:
        words = rest.replace(",", " ").split()
        if not words:
            raise BordeauxError("setpower names a power, several, or all")
        self._resolve(words)
        self._powers = words
        yield from ()

    def _resolve(self, names: list[str]) -> tuple[str, ...]:
        """The powers of names, in the order of the map."""
        map = self.position.map
        if [name.lower() for name in names] == ["all"]:
            return map.powers
        wanted = {map.power(name) for name in names}
        return tuple(power for power in map.powers if power in wanted)

    def _own(self) -> str:
        """The one power to play. Raises BordeauxError if there are none or several."""
        powers = self._resolve(self._powers)
        if len(powers) != 1:
            raise BordeauxError("name one power first: setpower POWER")
        return powers[0]

    def _do_go(self, rest: str) -> Iterator[str | EngineTask]:
        if not self._powers:
            raise BordeauxError("no power to play; name it first: setpower POWER")
        asked, faults = self._asked(rest.split())
        if faults:
            yield error("; ".join(faults))
        yield EngineTask("endless" if asked.infinite else "search", partial(self.mind.search, asked))

    def _asked(self, words: list[str]) -> tuple[GoRequest, list[str]]:
        """The request of go, and the faults of its words, which are skipped."""
        limits: dict[str, int] = {}
        faults = []
        infinite = False
        waiting = iter(words)
        for word in waiting:
            if word == "infinite":
                infinite = True
            elif word in _LIMITS:
                try:
                    limits[word] = whole(f"go {word}", next(waiting, ""), 1, _LIMITS[word])
                except BordeauxError as fault:
                    faults.append(str(fault))
            else:
                faults.append(f"go does not know {quote(word)}")
        nodes = [limits[word] * many for word, many in _NODES.items() if word in limits]
        time = limits["movetime"] / 1000 if "movetime" in limits else None
        if time is None and not nodes:
            time = self.settings.search_time
        request = Request(
            self.position,
            self._resolve(self._powers),
            Limit(time, min(nodes, default=None)),
            given={power: tuple(orders) for power, orders in self._given.items()},
            agreements=self._agreements,
            lines=self.settings.lines,
        )
        return GoRequest(request, self.settings, infinite), faults[:3]

    def _do_press(self, rest: str) -> Iterator[EngineTask]:
        words = rest.split()
        if len(words) < 2:
            raise BordeauxError("press is written 'press FROM TYPE [ARGUMENTS]'")
        sender, own = self.position.map.power(words[0]), self._own()
        yield work(partial(self.mind.hear, words[1:], sender, own, self.position, self.settings))

    def _do_stop(self, rest: str) -> Iterator[EngineTask]:
        yield EngineTask("stop", lambda stop: iter(()))

    def _do_quit(self, rest: str) -> Iterator[EngineTask]:
        yield EngineTask("quit", lambda stop: iter(()))

    # Our own.

    def _do_played(self, rest: str) -> Iterator[str]:
        self._played |= self._orders_of("played", rest)
        yield from ()

    def _do_given(self, rest: str) -> Iterator[str]:
        if rest == "none":
            self._given = {}
            return
        orders = self._orders_of("given", rest)
        submit(self.position, orders).legal()
        self._given |= orders
        yield from ()

    def _orders_of(self, command: str, rest: str) -> dict[str, list[Order]]:
        """``POWER ORDER ; ORDER`` or JSON by power."""
        position = self.position
        map = position.map
        if rest.startswith("{"):
            listed: dict[str, list[Order]] = {}
            for name, orders in parse_json(rest).items():
                if (power := map.power(name)) in listed:
                    raise BordeauxError(f"two lists of orders for {power}; write one")
                listed[power] = self._listed(orders)
            return listed
        name, _, told = rest.partition(" ")
        if not name:
            raise BordeauxError(f"{command} is written '{command} POWER ORDER ; ORDER ; ...' or with JSON")
        return {map.power(name): orders_from_dson(told, map, position)}

    def _listed(self, orders: Any) -> list[Order]:
        if not isinstance(orders, list) or not all(isinstance(order, str) for order in orders):
            raise BordeauxError(f"orders are a list of texts, not {quote(orders)}")
        return [order_from_dson(order, self.position.map, self.position) for order in orders]

    def _do_agreements(self, rest: str) -> Iterator[str]:
        document = [] if rest == "none" else parse_json(rest)
        if not isinstance(document, list):
            raise BordeauxError(f"agreements are a JSON list of objects, not {quote(document)}")
        self._agreements = agreed(self.position, [Agreement.from_json(entry) for entry in document])
        yield from ()

    def _do_people(self, rest: str) -> Iterator[EngineTask]:
        lines = whole("people", rest, 1, MOST_PEOPLE) if rest else PEOPLE
        powers = self._resolve(self._powers)
        if not powers:
            raise BordeauxError("name a power first: setpower POWER")
        for power in powers:
            yield work(partial(self.mind.people, power, self.position, self.settings, lines))

    def _do_talk(self, rest: str) -> Iterator[EngineTask]:
        yield work(partial(self.mind.talk, self._own(), self.position, self.settings))

    def _do_draw(self, rest: str) -> Iterator[EngineTask]:
        yield work(partial(self.mind.draw, self._own(), self.position, self.settings))

    def _do_show(self, rest: str) -> Iterator[str]:
        try:
            yield f"info string dfen {position_to_dfen(self.position)}"
            for lost in lost_in_dfen(self.position):
                yield f"info string not in dfen: {lost}"
        except BordeauxError as fault:
            yield f"info string no dfen: {fault}"
        yield f"info string json {json_line(self.position.to_json())}"


COMMANDS = tuple(name.removeprefix("_do_") for name in vars(Machine) if name.startswith("_do_"))
_LIMITS = {"movetime": MOST_TIME, "nodes": MOST_NODES, "depth": 1000}
_NODES = {"nodes": 1, "depth": NODES_OF_DEPTH}
