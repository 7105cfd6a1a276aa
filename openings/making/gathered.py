"""Statistics over many games: how often each position and view occurred, its orders, and their results."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, read_games
from bordeaux.jobs.pool import mapped
from bordeaux.openings.canonical import UnitView
from bordeaux.openings.entry import Mean, Orders, Record
from bordeaux.openings.making.opening_lines import End, LineStep, Trace, trace_of

Joint = tuple[tuple[str, Orders], ...]
"""The orders of all powers in a phase."""
Ways = Counter[tuple[str, Joint]]
"""How often a position came from which other one, with which orders."""


@dataclass(slots=True)
class Tally:
    """Sums over the games in which a power played a set of orders."""

    games: int = 0
    later: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    survived: int = 0
    solo: int = 0
    score: float = 0.0
    centres: int = 0

    def add(self, later: tuple[int | None, ...], end: End) -> None:
        """Count one more game."""
        self.games += 1
        for slot, count in enumerate(later):
            if count is not None:
                self.later[2 * slot] += count
                self.later[2 * slot + 1] += 1
        self.survived += end.survived
        self.solo += end.solo
        self.score += end.score
        self.centres += end.centres

    def record(self) -> Record:
        """The sums as means."""
        two, n_two, four, n_four = self.later
        return Record(
            self.games,
            Mean(two / n_two if n_two else 0.0, n_two),
            Mean(four / n_four if n_four else 0.0, n_four),
            self.survived / self.games,
            self.solo / self.games,
            self.score / self.games,
            self.centres / self.games,
        )


Tallies = dict[Orders, dict[str, Tally]]
"""By orders and source."""


class Gathered:
    """The traces of games of several sources, and counts over them.

    Whole traces are kept, a few kilobytes a game, since the positions to be counted exactly are known only
    once all games are read.
    """

    def __init__(self) -> None:
        self.traces: list[tuple[str, Trace]] = []
        self.faults: list[str] = []
        self._texts: dict[Orders, Orders] = {}
        self._views: dict[str, UnitView] = {}
        self._places: dict[str, tuple[Trace, int]] = {}

    def add(self, source: str, trace: Trace) -> None:
        """Add a game of a source (`human`, `selfplay`)."""
        steps = tuple(self._shared(step) for step in trace.steps)
        kept = trace._replace(steps=steps)
        self.traces.append((source, kept))
        for number, step in enumerate(steps):
            self._places.setdefault(step.key, (kept, number))
        if trace.fault:
            self.faults.append(trace.fault)

    def _shared(self, step: LineStep) -> LineStep:
        """The same step, with shared objects for equal sets of orders and views."""
        orders = {power: self._texts.setdefault(given, given) for power, given in step.orders.items()}
        views = {power: self._views.setdefault(view.key, view) for power, view in step.views.items()}
        return step._replace(orders=orders, views=views)

    def steps(self) -> Iterator[tuple[str, Trace, int, LineStep]]:
        """All phases of all games: source, trace, number of the step, step."""
        for source, trace in self.traces:
            for number, step in enumerate(trace.steps):
                yield source, trace, number, step

    def games(self) -> dict[str, int]:
        """Games by source."""
        return dict(Counter(source for source, _ in self.traces))

    def views(self) -> dict[str, tuple[str, str, UnitView, Tallies]]:
        """Phase, power, view and tallies of every view in which a power sent orders, by key."""
        views: dict[str, tuple[str, str, UnitView, Tallies]] = {}
        for source, trace, _, step in self.steps():
            for power, view in step.views.items():
                if power in step.sent:
                    *_, tallies = views.setdefault(view.key, (step.phase, power, view, {}))
                    count(tallies, step.orders[power], source, step, trace, power)
        return views

    def positions(self, wanted: Iterable[str]) -> dict[str, tuple[Counter[str], Ways, dict[str, Tallies]]]:
        """Games by source, ways and tallies by power of the positions with the `wanted` keys."""
        positions: dict[str, tuple[Counter[str], Ways, dict[str, Tallies]]] = {
            key: (Counter(), Counter(), {}) for key in wanted
        }
        for source, trace, number, step in self.steps():
            if step.key not in positions:
                continue
            games, ways, powers = positions[step.key]
            games[source] += 1
            if number:
                before = trace.steps[number - 1]
                ways[before.key, tuple(before.orders.items())] += 1
            for power in step.sent:
                tallies = powers.setdefault(power, {})
                count(tallies, step.orders[power], source, step, trace, power)
        return positions

    def repeated(self, least: int) -> list[str]:
        """Keys of the positions that occurred in so many games, and of those on a way to them."""
        times = Counter(step.key for _, _, _, step in self.steps())
        keys: dict[str, None] = {}
        for _, trace, number, step in self.steps():
            if times[step.key] >= least and step.key not in keys:
                keys.update(dict.fromkeys(step.key for step in trace.steps[: number + 1]))
        return list(keys)

    def position(self, key: str, map: Map) -> Position:
        """The position with a key, by playing a game up to it. Raises KeyError if no game has it."""
        trace, number = self._places[key]
        position = Position.start(map)
        for step in trace.steps[:number]:
            position = position.next(step.orders)
        return position

    def typical(self, count: int, chosen: Iterable[str]) -> list[str]:
        """Keys of `count` recorded positions that together show the powers' most frequent views.

        They are chosen greedily: the next is the one whose views cover most games, where each earlier choice
        of a view halves its weight. The positions before a chosen one are chosen with it and count; those in
        `chosen` already do not.
        """
        times = Counter(
            view.key
            for _, _, _, step in self.steps()
            for power, view in step.views.items()
            if power in step.sent
        )
        shown: Counter[str] = Counter()
        taken = set(chosen)
        typical: list[str] = []

        def gain(key: str) -> float:
            trace, number = self._places[key]
            views = [view.key for view in trace.steps[number].views.values()]
            return sum(times[view] * 0.5 ** shown[view] for view in views if times[view] > 1)

        heap = [(-gain(key), key) for key in self._places if key not in taken]
        heapq.heapify(heap)
        while heap and len(typical) < count:
            _, key = heapq.heappop(heap)
            if key in taken:
                continue
            now = gain(key)
            # What a position adds only ever falls: one that is still ahead of all the others is the best.
            if not now:
                continue
            if heap and -now > heap[0][0]:
                heapq.heappush(heap, (-now, key))
                continue
            trace, number = self._places[key]
            for step in trace.steps[: number + 1]:
                if step.key not in taken:
                    taken.add(step.key)
                    typical.append(step.key)
                    shown.update(view.key for view in step.views.values())
        return typical


def gather(
    map: Map,
    depth: int,
    sources: Mapping[str, Iterable[str]],
    processes: int,
    tell: Callable[[int], None] = lambda games: None,
) -> Gathered:
    """The traces of all games in files, which are given by source, read in so many processes. `tell` is
    called after every game with their number. Raises FormatError for a file without games, BordeauxError for
    a game on another map."""
    gathered = Gathered()
    done = 0
    for source, paths in sources.items():
        recorded = chain.from_iterable(read_games(path) for path in paths)
        with mapped(partial(trace_of, depth=depth, map=map), on_map(recorded, map), processes) as traces:
            for trace in traces:
                gathered.add(source, trace)
                done += 1
                tell(done)
    return gathered


def on_map(games: Iterable[Game], map: Map) -> Iterator[Game]:
    """The games unchanged. Raises BordeauxError for one on another map."""
    for game in games:
        if game.map != map.name:
            raise BordeauxError(f"game {game.id} is on map {game.map}; the book is on map {map.name}")
        yield game


def count(tallies: Tallies, orders: Orders, source: str, step: LineStep, trace: Trace, power: str) -> None:
    """Count one game for a set of orders."""
    tally = tallies.setdefault(orders, {}).setdefault(source, Tally())
    tally.add(step.later[power], trace.ends[power])
