"""Any engine that speaks DUI, controlled from Python, as chess engines are.

::

    with bordeaux.protocols.dui.open("bordeaux engine") as engine:
        engine.configure({"Lines": 3})
        result = engine.search(Position.start(), "FRANCE", time=1.0)
        with engine.analysis(Position.start(), "FRANCE") as analysis:
            for info in analysis:
                if info.nodes > 100_000:
                    break
"""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.position import Position
from bordeaux.formats.dui import orders_from_dson
from bordeaux.players.dui import STARTUP, DuiLink, DuiOption, position_line

GRACE = 5.0
"""Seconds beyond its limit within which an engine must answer, by default."""
LONGEST = 86_400.0
"""The longest wait for one line, in seconds."""
MOST_INFO = 10_000
"""Lines of a search that are kept, the latest ones."""
_FIELDS: dict[str, tuple[str, Callable[[str], float]]] = {
    "depth": ("depth", int),
    "nodes": ("nodes", int),
    "nps": ("nps", int),
    "multipv": ("rank", int),
    "time": ("time", lambda text: int(text) / 1000),
    "score": ("score", float),
    "prob": ("probability", float),
}
"""The words of an engine's information: their fields, and how they are read."""


@dataclass(frozen=True)
class Info:
    """One line of an engine's information. Missing numbers are None. `time` is in seconds, `score` from the
    power's view (higher is better), and `rank` 1 for the best set. `text` is information in words."""

    depth: int | None = None
    nodes: int | None = None
    nps: int | None = None
    time: float | None = None
    score: float | None = None
    rank: int = 1
    probability: float | None = None
    orders: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class EngineAnswer:
    """The result of a search: the `orders`, in Bordeaux's notation, the last line of each rank, best first,
    and all information on the way."""

    orders: tuple[str, ...]
    lines: tuple[Info, ...]
    info: tuple[Info, ...] = field(repr=False, default=())


def open(command: str | Sequence[str], *, startup: float = STARTUP) -> HeldEngine:
    """Start an engine and do the handshake, in at most `startup` seconds.

    `command` is a command line, split as in a shell, or a list of words. Raises BordeauxError for a program
    that does not exist, ends, or does not speak the protocol, and `Late`, which is a TimeoutError too, for
    one that does not answer.
    """
    return HeldEngine(DuiLink(command, startup=startup))


class HeldEngine:
    """An engine in a process of its own; a context manager, which ends the process in any case.

    If the engine dies, sends a line without end, or is late (`Late`), this and all later calls raise
    BordeauxError, one line that names it. Its process is ended then.
    """

    def __init__(self, link: DuiLink) -> None:
        self._link = link
        self._running: EngineSearch | None = None
        self._told: Position | None = None

    def __enter__(self) -> HeldEngine:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    @property
    def name(self) -> str:
        """The engine's name."""
        return self._link.name

    @property
    def options(self) -> Mapping[str, DuiOption]:
        """Its options, by name."""
        return self._link.options

    def configure(self, options: Mapping[str, object]) -> None:
        """Set options. Raises BordeauxError for an unknown option or an invalid value; earlier ones are
        set."""
        for name, value in options.items():
            self._link.configure(name, value)

    def newgame(self) -> None:
        """Begin another game."""
        self._idle()
        self._told = None
        self._link.send("newgame")
        self._link.ready()

    def search(
        self,
        position: Position,
        power: str,
        *,
        time: float | None = None,
        nodes: int | None = None,
        grace: float = GRACE,
    ) -> EngineAnswer:
        """The best orders for a power, within `time` seconds or `nodes`; by default within the engine's own
        limit. Raises BordeauxError, and `Late` if there is no answer `grace` seconds after the time, or after
        ten minutes without a time."""
        with self.analysis(position, power, time=time, nodes=nodes) as analysis:
            return analysis.finish((600.0 if time is None else time) + grace)

    def analysis(
        self, position: Position, power: str, *, time: float | None = None, nodes: int | None = None
    ) -> EngineSearch:
        """A search without a limit that reports results until its `stop`. Iterate over it, and use it as a
        context manager, which stops it. One at a time."""
        self._idle()
        named = position.map.power(power)
        if position != self._told:
            ours = "Map" in self._link.options
            if ours and (self._told is None or position.map is not self._told.map):
                self._link.configure("Map", position.map.name)
            self._told = position
            self._link.send(position_line(position, json=ours))
        self._link.send(f"setpower {named.lower()}")
        words = [f"movetime {max(1, round(time * 1000))}"] if time is not None else []
        words += [f"nodes {nodes}"] if nodes is not None else []
        self._running = EngineSearch(self._link, position)
        self._link.send(f"go {' '.join(words) or 'infinite'}")
        return self._running

    def close(self) -> None:
        """Ask the engine to end, and end it after a second."""
        self._link.close()

    def _idle(self) -> None:
        if self._running is not None and not self._running.over:
            raise BordeauxError(f"engine {self._link.shown} is searching; stop its analysis first")


class EngineSearch:
    """A running search: iterate over it for each `Info`; it ends with the engine's answer, `result`.

    As a context manager it stops the search at the end, and reads its answer.
    """

    def __init__(self, link: DuiLink, position: Position) -> None:
        self._link = link
        self._position = position
        self._info: deque[Info] = deque(maxlen=MOST_INFO)
        self.result: EngineAnswer | None = None

    def __enter__(self) -> EngineSearch:
        return self

    def __exit__(self, kind: type[BaseException] | None, *problem: object) -> None:
        if not self.over:
            self.stop()
            if kind is None:
                self.finish()

    def __iter__(self) -> Iterator[Info]:
        while (info := self.next(LONGEST)) is not None:
            yield info

    @property
    def over(self) -> bool:
        """Whether the search has given its answer, or its engine has ended."""
        return self.result is not None or self._link.ended

    def stop(self) -> None:
        """Ask for the best result so far; also from another thread. The answer must still be read."""
        if not self.over:
            self._link.send("stop")

    def next(self, patience: float) -> Info | None:
        """The next information from the engine, or None when it has answered. Raises `Late` after `patience`
        seconds of silence, and BordeauxError if the engine has ended or its answer is invalid."""
        deadline = clock.monotonic() + min(patience, LONGEST)
        while self.result is None:
            line = self._link.receive(deadline)
            word, _, rest = line.partition(" ")
            if word == "info":
                info = self._read(rest)
                self._info.append(info)
                return info
            if word == "bestorders":
                self._finish(rest)
        return None

    def finish(self, patience: float = GRACE) -> EngineAnswer:
        """Read up to the answer, for at most `patience` seconds."""
        deadline = clock.monotonic() + patience
        while self.next(max(0.0, deadline - clock.monotonic())) is not None:
            pass
        assert self.result is not None
        return self.result

    def _finish(self, rest: str) -> None:
        try:
            orders = self._orders(rest)
        except BordeauxError as error:
            # The search is over, however bad its answer is.
            self.result = EngineAnswer((), (), tuple(self._info))
            raise BordeauxError(f"engine {self._link.shown}: {error}") from None
        lines = {info.rank: info for info in self._info if info.orders}
        self.result = EngineAnswer(orders, tuple(lines[rank] for rank in sorted(lines)), tuple(self._info))

    def _orders(self, text: str) -> tuple[str, ...]:
        read = orders_from_dson(text, self._position.map, self._position)
        return tuple(str(order) for order in read)

    def _read(self, rest: str) -> Info:
        """The information of a line; invalid parts are left out."""
        heard: dict[str, Any] = {}
        words = rest.split(" ")
        while words:
            key, *words = words
            if key == "string":
                heard["text"], words = " ".join(words), []
            elif key == "pv":
                try:
                    heard["orders"] = self._orders(" ".join(words))
                except BordeauxError as error:
                    heard["text"] = f"a line that makes no sense: {quote(str(error), 200)}"
                words = []
            elif key in _FIELDS and words:
                name, read = _FIELDS[key]
                with suppress(ValueError):
                    heard[name] = read(words[0])
                words = words[1:]
        return Info(**heard)
