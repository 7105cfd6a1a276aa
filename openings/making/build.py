"""Books made from recorded games, published counts and searches.

This module does not run searches. `Build.tasks` lists the positions to be searched, and `Build.book` takes
the answers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.formats.whole_files import GrowingFile
from bordeaux.jobs import pool
from bordeaux.openings.book import Book, phase_order
from bordeaux.openings.canonical import UnitView, canonical, position_key, unit_view
from bordeaux.openings.entry import Came, Entry, Node, Orders, Record, View
from bordeaux.openings.making.combine import Candidate, JudgedSet, Records, Searched, entries_of, judge
from bordeaux.openings.making.gathered import Gathered, Tallies, Ways
from bordeaux.openings.making.published import Published
from bordeaux.openings.making.rules import Rules
from bordeaux.openings.schema import KEY, BookError, line_of, read_line

# Searches of a build on disk: one JSON line each, append-only, so that a kill loses nothing.
# The first line has the limits of the searches. The same build continues from the contents of the file.

JOURNAL = "bordeaux book journal"
VERSION = 2
"""Version 1 had points as values, this one has shares."""


class SearchJournal(GrowingFile):
    """The journal in a file, which is created if necessary; a context manager.

    `setup` is all that determines the result of a search. `searched` are the answers in the file, by key of
    the position. An incomplete last line is dropped. Raises BookError for a file that is not a journal or has
    another set-up, or that another command is writing; OSError.
    """

    def __init__(self, path: str | Path, setup: Mapping[str, Any]) -> None:
        self.searched: dict[str, Searched] = {}
        self._head = {JOURNAL: VERSION, "setup": json.loads(json.dumps(dict(setup)))}
        super().__init__(path)

    def append(self, key: str, searched: Searched) -> None:
        """Write the answer for a position. Raises OSError."""
        lines = {
            power: [[list(orders), *rest] for orders, *rest in lines] for power, lines in searched.items()
        }
        self._write({"position": key, "lines": lines})
        self.searched[key] = searched

    def _begin(self) -> None:
        self._read(self._head, self._take)

    def _take(self, number: int, line: bytes) -> None:
        try:
            self._enter(number, read_line(line.decode()))
        except (UnicodeDecodeError, BordeauxError) as error:
            reason = error if isinstance(error, BordeauxError) else "not UTF-8"
            raise BookError(f"{self.path}, line {number}: {reason}") from None

    def _enter(self, number: int, fields: Mapping[str, Any]) -> None:
        if number > 1:
            key, lines = fields.get("position"), fields.get("lines")
            if not KEY.holds(key) or not isinstance(lines, dict):
                raise BookError("not a line of a journal; mend or remove it")
            self.searched[str(key)] = {
                power: [_candidate(candidate) for candidate in candidates]
                for power, candidates in lines.items()
            }
        elif JOURNAL not in fields:
            raise BookError("no journal of a book; name another file")
        elif fields[JOURNAL] != VERSION:
            raise BookError("a journal of an earlier version, with values of another kind; remove the file")
        elif fields != self._head:
            raise BookError(
                f"a journal of another search ({quote(line_of(fields.get('setup', {})), 200)});"
                " repeat that command, or remove the file"
            )


def _candidate(given: object) -> Candidate:
    match given:
        case [[*orders], float() | int() as value, float() | int() as share]:
            return tuple(str(order) for order in orders), float(value), float(share)
    raise BookError(f"not what a search found: {quote(given)}")


class SearchSettings(NamedTuple):
    """The settings of a search: seconds or nodes for all powers together, and the engine's options."""

    time: float | None
    nodes: int | None
    seed: int
    evaluation: str


Answer = tuple[str, Searched]
"""Key of the position, and what the search found there."""
Search = Callable[..., Answer]
"""Searches the position of a task, with `settings` by name."""


def searched(task: Task, settings: SearchSettings) -> Answer:
    """Search one position with the engine, in one process, and value what was played often as well."""
    with Engine(seed=settings.seed, evaluation=settings.evaluation, map=task.position.map) as engine:
        answers = engine.search_all(task.position, time=settings.time, nodes=settings.nodes)
        told = {}
        for power, answer in answers.items():
            if answer.orders:
                shares = {line.orders: line.probability for line in answer.lines}
                lines = engine.lines(task.position, power, [*shares, *task.sets.get(power, ())])
                told[power] = [(line.orders, line.value, shares.get(line.orders, 0.0)) for line in lines]
    return task.key, told


@contextmanager
def answers(
    tasks: Sequence[Task], settings: SearchSettings, processes: int, search: Search = searched
) -> Iterator[Iterator[Answer]]:
    """Search the positions in `processes` processes and yield each answer as soon as it is there.

    Positions whose process dies are searched again in new ones. Leaving the context ends the processes at
    once. Iterating raises BordeauxError if they die repeatedly, and exceptions of a search.
    """
    if processes == 1 or len(tasks) < 2:
        yield (search(task, settings) for task in tasks)
        return
    with closing(pool.run(partial(search, settings=settings), tasks, processes=processes)) as outcomes:
        yield (outcome.result() for outcome in outcomes)


MOST_WAYS = 2
"""Ways to a position that a book tells, the most played."""

RecordTable = dict[Orders, dict[str, Record]]
T = TypeVar("T")


class Task(NamedTuple):
    """A position that is to be searched, with the sets of each power that are to be valued besides."""

    key: str
    position: Position
    sets: Mapping[str, Sequence[Orders]]


@dataclass
class Spot:
    """A position for the book, with the records of games by power."""

    position: Position
    games: Mapping[str, int]
    came: tuple[Came, ...]
    records: Mapping[str, RecordTable]


@dataclass
class ViewStats:
    """A view that may enter the book. It has its records, the games of published counts with other sets than
    the listed ones, and the values of each set from searches of positions with this view. `bests` are the
    values of the best set in each, `judged` the values of others behind it."""

    power: str
    phase: str
    view: UnitView
    records: RecordTable
    unlisted: int = 0
    bests: list[float] = field(default_factory=list)
    judged: dict[Orders, list[JudgedSet]] = field(default_factory=dict)

    def take(self, verdicts: Mapping[Orders, JudgedSet]) -> None:
        """Add the result of one search."""
        best = max(verdict.value for verdict in verdicts.values())
        self.bests.append(best)
        for orders, verdict in verdicts.items():
            self.judged.setdefault(orders, []).append(verdict._replace(value=verdict.value - best))

    def verdicts(self) -> dict[Orders, JudgedSet]:
        """The combined result of all searches: means, where a set that was not searched has a share of 0."""
        if not self.bests:
            return {}
        level = sum(self.bests) / len(self.bests)
        return {
            orders: JudgedSet(
                level + sum(verdict.value for verdict in said) / len(said),
                sum(verdict.probability for verdict in said) / len(self.bests),
            )
            for orders, said in self.judged.items()
        }


class Build:
    """Builds a book.

    It contains the positions that occurred in `min_games` games, `typical` more that show the most frequent
    views, and those on the way to them. It contains the views with a set that was played in `min_games`
    games. Positions and views list the sets that were played so often, or that the engine plays.
    """

    def __init__(
        self,
        gathered: Gathered,
        published: Published | None = None,
        *,
        map: Map | None = None,
        rules: Rules | None = None,
        min_games: int = 5,
        typical: int = 0,
    ) -> None:
        self.map = map or Map.standard()
        self.rules = rules or Rules.load()
        self.min_games = min_games
        self._sources = dict(sorted(gathered.games().items()))
        root = Position.start(self.map)
        wanted = [position_key(root), *gathered.repeated(min_games)]
        wanted += gathered.typical(typical, wanted)
        self._views = {
            key: ViewStats(power, phase, view, records_of(tallies))
            for key, (phase, power, view, tallies) in gathered.views().items()
        }
        if published is not None:
            self._publish(published, gathered)
        counted = gathered.positions(wanted)
        self._spots = {}
        for key in dict.fromkeys(wanted):
            games, ways, powers = counted[key]
            self._spots[key] = Spot(
                root if key == wanted[0] else gathered.position(key, self.map),
                dict(games),
                came_by(ways, counted),
                {power: records_of(tallies) for power, tallies in powers.items()},
            )

    def _publish(self, published: Published, gathered: Gathered) -> None:
        """Add published counts, as deep as the games go."""
        phases = {step.phase for _, _, _, step in gathered.steps()} | {str(self.map.start_phase)}
        for key, (phase, power, units) in published.views.items():
            if phase in phases:
                stats = self._views.setdefault(key, ViewStats(power, phase, UnitView(key, units, ()), {}))
                stats.unlisted = published.unlisted.get(key, 0)
                for orders, record in published.records[key].items():
                    stats.records.setdefault(orders, {})["statistics"] = record

    def tasks(self) -> list[Task]:
        """The positions to be searched, from the first phase on."""
        ordered = sorted(self._spots, key=lambda key: (phase_order(self._spots[key].position.phase), key))
        spots = [(key, self._spots[key]) for key in ordered]
        return [Task(key, spot.position, self._played(spot)) for key, spot in spots]

    def _played(self, spot: Spot) -> dict[str, list[Orders]]:
        """The sets of each power that were played often, here or with the same view."""
        position, played = spot.position, {}
        for power, places in position.orderable().items():
            if places:
                stats = self._stats(position, power)
                records = self._legal(position, power, stats.records) if stats else {}
                played[power] = self._often(records or spot.records.get(power, {}))
        return played

    def book(self, searched: Mapping[str, Searched], search: Mapping[str, Any] | None = None) -> Book:
        """The book, with the results of searches for positions, by key. `search` is their description in the
        head of the book."""
        nodes = [self._node(key, spot, searched.get(key)) for key, spot in self._spots.items()]
        views = [view for stats in self._views.values() if (view := self._view(stats)) is not None]
        header = {
            "sources": self._sources,
            "min_games": self.min_games,
            "rules": self.rules.to_json(),
            "search": dict(search) if search else None,
        }
        return Book.make(self.map, header, nodes, views)

    def _node(self, key: str, spot: Spot, lines: Searched | None) -> Node:
        """A position with its entries, and the games by source in which its powers sent orders."""
        position = spot.position
        first = position.phase == self.map.start_phase
        verdicts = {} if lines is None else judge(position, lines)
        powers: dict[str, tuple[Entry, ...]] = {}
        sent: dict[str, dict[str, int]] = {}
        for power in (power for power, places in position.orderable().items() if places):
            said, seen = verdicts.get(power, {}), self._stats(position, power)
            if said and seen is not None:
                seen.take(said)
            # In the first phase there is one position only, so that the view's games are its games.
            records = seen.records if seen and first else spot.records.get(power, {})
            unlisted = seen.unlisted if seen else 0
            entries = entries_of(
                records,
                said,
                self.rules,
                min_games=self.min_games,
                wider=self._legal(position, power, seen.records) if seen else None,
                unlisted=unlisted,
                listed=int(self.rules.listed) if first else 0,
            )
            if entries:
                games = games_of(records)
                if unlisted and first:
                    games["statistics"] += unlisted
                powers[power], sent[power] = entries, dict(games)
        return Node(key, position, spot.games, spot.came, powers, sent)

    def _often(self, records: Records) -> list[Orders]:
        """The sets that were played in `min_games` games."""
        counted = ((orders, by_source.values()) for orders, by_source in records.items())
        return [orders for orders, of in counted if sum(record.games for record in of) >= self.min_games]

    def _stats(self, position: Position, power: str) -> ViewStats | None:
        if position.phase.kind not in "MA":
            return None
        return self._views.get(unit_view(position, power).key)

    def _legal(self, position: Position, power: str, by_orders: Mapping[Orders, T]) -> dict[Orders, T]:
        """What there is by set in a view, without sets that are illegal at a position."""
        kept = (orders for orders in by_orders if canonical(position, power, orders) == orders)
        return {orders: by_orders[orders] for orders in kept}

    def _view(self, stats: ViewStats) -> View | None:
        """A view with its entries; None if no set was played often enough, and for the first phase."""
        often = {orders: stats.records[orders] for orders in self._often(stats.records)}
        if not often or stats.phase == str(self.map.start_phase):
            return None
        games, power = dict(games_of(stats.records)), stats.power
        view = View(stats.view.key, self.map, power, stats.phase, *stats.view[1:], games, ())
        # Sets that lean on somebody else's units are no part of a view.
        often = self._legal(view.position, power, often)
        said = self._legal(view.position, power, stats.verdicts())
        entries = entries_of(often, said, self.rules, min_games=self.min_games, unlisted=stats.unlisted)
        return replace(view, entries=entries) if often and entries else None


def games_of(records: Records) -> Counter[str]:
    """Games by source, with any of the sets."""
    games: Counter[str] = Counter()
    for by_source in records.values():
        for source, record in by_source.items():
            games[source] += record.games
    return games


def records_of(tallies: Tallies) -> RecordTable:
    """Tallies as records, by orders and source."""
    return {
        orders: {source: tally.record() for source, tally in by_source.items()}
        for orders, by_source in tallies.items()
    }


def came_by(ways: Ways, known: Iterable[str]) -> tuple[Came, ...]:
    """The most played ways to a position from `known` ones."""
    there = set(known)
    from_known = [(way, games) for way, games in ways.items() if way[0] in there]
    from_known.sort(key=lambda way: (-way[1], way[0]))
    return tuple(Came(parent, games, dict(joint)) for (parent, joint), games in from_known[:MOST_WAYS])
