"""The state behind the protocol: the engine, the phases of the game, and the diplomats.

Only one thread at a time may call it, since every call may take as long as a search.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import NamedTuple

from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.board.submission import texts
from bordeaux.engine import Engine
from bordeaux.formats.dui import orders_to_dson
from bordeaux.openings.book import standard_book
from bordeaux.players.base import Limit as PlayersLimit
from bordeaux.players.base import Seat, Turn
from bordeaux.players.limits import level
from bordeaux.players.people import Person, person_of
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language.dui import LastProposals, press_to_dui
from bordeaux.press.language.letter import Letter
from bordeaux.protocols.dui.options import EngineSettings
from bordeaux.search.agreements import Bonds, agreed
from bordeaux.search.analysis import Analysis, Found, Line
from bordeaux.search.config import LEARNT
from bordeaux.search.sets import from_orders
from bordeaux.search.task import Limit, Request

MEMORY = 40
"""Movement phases that the beliefs about the powers use."""
FIRST_ROUND, LONGEST_ROUND = 0.5, 64.0
"""Seconds of the first and of the longest round of a search without end."""
SCORE = 10_000
"""The score of a line that wins for certain: scores are hundredths of a per cent of the result."""
TICK = 0.02
"""Seconds of the shortest search that is started."""


class GoRequest(NamedTuple):
    """The request of ``go``: the request with its limit, the settings, and whether to continue until the
    stop."""

    request: Request
    settings: EngineSettings
    infinite: bool = False


class Mind:
    """The engine of one game."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._made: tuple[object, ...] = ()
        self._turns: deque[Turn] = deque(maxlen=MEMORY)
        self._diplomats: dict[tuple[Map, str], Diplomat] = {}
        self._diplomacy: tuple[object, ...] = ()
        self._opened: dict[str, Position] = {}
        self._letters = LastProposals()
        self._people: dict[tuple[Map, str, int, int], Person] = {}

    def close(self) -> None:
        """End the processes of the search."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def forget(self) -> None:
        """Begin another game."""
        self._turns.clear()
        self._people.clear()
        if self._engine is not None:
            self._engine.forget()
        self._silence()

    def _silence(self) -> None:
        self._diplomats.clear()
        self._opened.clear()
        self._letters = LastProposals()

    def _ready(self, settings: EngineSettings) -> Engine:
        """The engine of these settings; a new one is told the game again."""
        learnt = settings.search.search == LEARNT
        if self._engine is None or self._made != settings.of_engine:
            self.close()
            self._made = settings.of_engine
            self._engine = Engine(
                seed=settings.seed,
                threads=settings.threads if learnt else 1,
                processes=1 if learnt else settings.threads,
                config=settings.search,
                book=standard_book() if settings.use_book else None,
            )
            for turn in self._turns:
                self._engine.observe(turn.before, turn.orders)
        if self._diplomacy != settings.of_diplomat:
            self._diplomacy = settings.of_diplomat
            self._silence()
        return self._engine

    def observe(self, turn: Turn, settings: EngineSettings) -> None:
        """Learn from a phase that was played."""
        engine = self._ready(settings)
        for (map, *_), person in self._people.items():
            if map is turn.before.map:
                person.observe(turn)
        if turn.before.phase.kind == "M":
            self._turns.append(turn)
            engine.observe(turn.before, turn.orders)
        orders = turn.read()
        for (map, _), diplomat in self._diplomats.items():
            if map is turn.before.map:
                diplomat.observe(turn.before, orders, turn.after)

    # Talks.

    def hear(
        self, words: list[str], sender: str, power: str, position: Position, settings: EngineSettings
    ) -> Iterator[str]:
        """The answers of a power to a line of press; the first one starts its diplomat. Raises
        BordeauxError."""
        letter = self._letters.read(words, sender, power, position)
        self._ready(settings)
        if settings.press:
            yield from self._opening(power, position, settings)
            self._letters.note(letter)
            yield from self._spoken(self._diplomats[position.map, power].hear(letter), position)

    def talk(self, power: str, position: Position, settings: EngineSettings) -> Iterator[str]:
        """The messages of a power: first at the beginning of a phase, and then whenever no letter is
        waiting."""
        self._ready(settings)
        if not settings.press:
            return
        begun = self._opened.get(power) == position
        yield from self._opening(power, position, settings)
        if begun:
            yield from self._spoken(self._diplomats[position.map, power].quiet(), position)

    def draw(self, power: str, position: Position, settings: EngineSettings) -> Iterator[str]:
        """The line of the draw that a power accepts."""
        self._ready(settings)
        diplomat = self._diplomats.get((position.map, power))
        wanted = None if diplomat is None else diplomat.draw()
        yield f"draw {'none' if wanted is None else ' '.join(map(str.lower, wanted)) or 'all'}"

    def _opening(self, power: str, position: Position, settings: EngineSettings) -> Iterator[str]:
        """The first messages of a phase, once."""
        if self._opened.get(power) == position:
            return
        self._opened[power] = position
        engine = self._ready(settings)
        key = position.map, power
        if key not in self._diplomats:
            self._diplomats[key] = Diplomat(
                position.map, power, engine, level=settings.press, nature=settings.personality
            )
        opening = self._diplomats[key].open_talks(position, settings.press)
        yield from self._spoken(opening, position)

    def _spoken(self, letters: Iterator[Letter], position: Position) -> Iterator[str]:
        for letter in letters:
            self._letters.note(letter)
            said = press_to_dui(letter, position.map)
            for recipient in letter.to:
                yield f"press_out {recipient.lower()} {said}"

    # Searches.

    def people(self, power: str, position: Position, settings: EngineSettings, lines: int) -> Iterator[str]:
        """The sets of people, a line for each."""
        engine = self._ready(settings)
        for rank, (orders, probability) in enumerate(engine.people(position, power, lines), start=1):
            shown = _dson(orders, position)
            yield f"people {power.lower()} multipv {rank} prob {probability:.4f} pv {shown}".rstrip()

    def search(self, asked: GoRequest, stop: threading.Event) -> Iterator[str]:
        """The lines of a search: improvements as they come, then the best lines, then ``bestorders``."""
        begun = perf_counter()
        engine, request = self._ready(asked.settings), asked.request
        position = request.position
        strength = level(asked.settings.strength)
        for power in request.powers:
            if (position.map, power) in self._diplomats and position.orderable().get(power):
                yield from self._opening(power, position, asked.settings)
                request = self._briefed(request, self._diplomats[position.map, power])
        if strength.temperature is not None:
            if asked.infinite:
                stop.wait()
            asked = asked._replace(request=request)
            yield from last_lines({power: self._as_people(power, asked) for power in request.powers})
            return
        time = request.limit.time
        if time is not None:
            time = max(TICK, time - (perf_counter() - begun))
        request = replace(request, limit=Limit(time, strength.capped(request.limit.nodes)))
        best: dict[str, Found] = {}
        rounds = _rounds(engine, request, stop) if asked.infinite else engine.analyse(request, stop.is_set)
        for analysis in rounds:
            best |= analysis.answers
            for power in () if analysis.final else analysis.changed:
                answer = analysis.answers[power]
                if answer.lines:
                    yield _info(answer, 1, answer.lines[0], asked, begun)
        for power in request.powers:
            for rank, line in enumerate(best[power].lines[: asked.settings.lines], start=1):
                yield _info(best[power], rank, line, asked, begun)
        yield from last_lines({power: _dson(best[power].orders, position) for power in request.powers})

    def _as_people(self, power: str, asked: GoRequest) -> str:
        """The orders of a level that draws from the net of people, without a search; it keeps its word."""
        position, settings = asked.request.position, asked.settings
        key = position.map, power, settings.strength, settings.seed
        if key not in self._people:
            person = person_of(level(settings.strength), Seat(power, position.map, settings.seed))
            assert person is not None
            for turn in self._turns:
                if turn.before.map is position.map:
                    person.observe(turn)
            self._people[key] = person
        if not position.orderable().get(power):
            return ""
        drawn = tuple(map(str, self._people[key].orders(position, PlayersLimit())))
        bonds = Bonds(position, agreed(position, asked.request.agreements))
        word = bonds.own(power)
        if not word:
            return _dson(drawn, position)
        kept = bonds.kept(from_orders(position, power, drawn), word)
        return _dson(texts(position.map, kept), position)

    def _briefed(self, request: Request, diplomat: Diplomat) -> Request:
        briefing = diplomat.briefing(request.position)
        return replace(
            request,
            agreements=(*request.agreements, *briefing.agreements),
            seeds=(*request.seeds, *briefing.seeds),
        )


def last_lines(orders: Mapping[str, str]) -> Iterator[str]:
    """The last lines of an answer, from the orders of each power."""
    if len(orders) > 1:
        for power, listed in orders.items():
            yield f"powerorders {power.lower()} {listed}".rstrip()
    yield f"bestorders {' ; '.join(listed for listed in orders.values() if listed)}".rstrip()


def _rounds(engine: Engine, request: Request, stop: threading.Event) -> Iterator[Analysis]:
    """Searches of doubled length, each starting from the result of the one before, until the stop. The result
    of a round that was stopped early counts for less than that of the round before."""
    best: dict[str, Found] = {}
    for count in itertools.count():
        seconds = min(FIRST_ROUND * 2**count, LONGEST_ROUND)
        began = perf_counter()
        seeds = [answer.orders for answer in best.values() if request.position.phase.kind == "M"]
        once = replace(request, limit=Limit(seconds, request.limit.nodes), seeds=(*request.seeds, *seeds))
        for analysis in engine.analyse(once, stop.is_set):
            better = {
                power: answer
                for power, answer in analysis.answers.items()
                if power not in best or answer.nodes >= best[power].nodes
            }
            best |= better
            # The end of a round repeats all answers, so that the listener sees that the search goes on.
            new = tuple(power for power in analysis.changed if power in better)
            yield Analysis(dict(best), tuple(best) if analysis.final else new)
        if stop.is_set():
            return
        if request.limit.nodes is not None or perf_counter() - began < seconds / 2:
            # Nothing is left to find, or nothing more may be sought.
            stop.wait()
            return


def _info(answer: Found, rank: int, line: Line, asked: GoRequest, begun: float) -> str:
    """One line of the result so far. Fields that DUI does not have are included only on request."""
    seconds = max(answer.seconds, 1e-9)
    elapsed = round((perf_counter() - begun) * 1000)
    searched = f" nodes {answer.nodes} nps {round(answer.nodes / seconds)}" if answer.nodes else ""
    parts = [f"depth {answer.depth}{searched} time {elapsed}"]
    if len(asked.request.powers) > 1:
        parts.append(f"power {answer.power.lower()}")
    if asked.settings.lines > 1:
        parts.append(f"multipv {rank} prob {line.probability:.4f}")
    assert answer.position is not None
    parts.append(f"score {round(SCORE * line.value)} pv {_dson(line.orders, answer.position)}")
    return f"info {' '.join(parts)}"


def _dson(orders: tuple[str, ...], position: Position) -> str:
    read = [parse_order(order, position.map, position) for order in orders]
    return orders_to_dson(read, position.map)
