"""The object that a user holds: it takes positions and gives orders."""

from __future__ import annotations

import importlib
import os
import random
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Unpack

from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError, PositionError, flag, nearest, of_kind, quote, whole
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position, checked
from bordeaux.board.submission import by_power, texts
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.prospect import expected_shares
from bordeaux.policy.net import WIDE, load_net, memory_of
from bordeaux.policy.people import MOST_SETS, People
from bordeaux.search.agreements import Agreement
from bordeaux.search.analysis import Analysis, Found, complete, first_answers, reasons, with_expected
from bordeaux.search.beliefs import Beliefs, Choices
from bordeaux.search.candidates import Candidates
from bordeaux.search.config import LEARNT, PAPER, SearchConfig
from bordeaux.search.expectation import Expectation
from bordeaux.search.models import Scene, foreseen
from bordeaux.search.sets import from_orders
from bordeaux.search.settle import Line, Measure, settle
from bordeaux.search.task import MOST_THREADS, Budget, Limit, Options, Request, SearchTask, task_of

# What an answer does not need is not loaded for it: the book, the meta-map, the search of the paper.
if TYPE_CHECKING:
    from bordeaux.metamap.goals import Goals
    from bordeaux.openings.book import Book
    from bordeaux.openings.guide import Guide
    from bordeaux.search.paper import SetPools
    from bordeaux.search.paper.processes import WorkerPool
    from bordeaux.search.paper.state import Rendezvous

__all__ = ["Agreement", "Analysis", "Engine", "Found", "Limit", "Line", "Request"]

#: Sets that people play most, with which a book's are compared before they are played.
USUAL = 4
#: The share of the limit in which candidates are found, and samples that value the first of them.
FINDING, FEW = 0.5, 8
#: The same where only the sets of the paper's search are compared, and the part of that for its search; the
#: rest is for proofs.
FINDING_ALONE, SEARCHING = 0.75, 0.7

Foretold = tuple[Position, dict[str, list[tuple[bytes, float]]], dict[str, Choices]]
"""A position with the predictions of a search: what powers play that search, and what others choose among."""


class Engine:
    """Searches orders for positions; a context manager.

    `seed` determines the random numbers of the paper's search, of a book and of `draw`: with a limit in nodes
    the same seed gives the same result, and the learnt search the same with any seed. `config` has the
    settings of the search; each can also be given by name, ``Engine(caution=0.5, without="people")``, which
    overrides the config. `map` is the map of all positions, or its name (by default any). `beliefs` are the
    first ones about the powers of a map (by default those before a game), which `observe` changes.
    With `explain` answers also have the expected orders of the other powers and, unless `reasons` is False,
    the effect of each order, which takes some milliseconds a power; see `Found`. Raises BordeauxError for
    invalid values.

    With a `book` the engine plays from it while it can, at most for `book_phases` phases (retreats not
    counted): the set with the highest value. A set that is worth less than three quarters of the best one is
    not played; if none is left, the engine searches. It also searches if orders of others or agreements are
    given, which no book considers. With `draw` it is harder to foresee: it draws from a book by weight, and
    else among the lines that are as good within the error, by `seed`.

    The learnt search runs on so many `threads`, and with a limit in nodes its results do not depend on how
    many there are. With `processes` above 1 the paper's search of a movement phase runs in parallel (paper
    002, section 3.3): in this process and in workers. These are started with the first such search, serve all
    later ones, and end with `close`, with this process, or with the last reference to the engine. A limit in
    nodes is then for all of them together, and results are not exactly reproducible. A worker that dies or
    gets stuck costs its share of one search and is replaced.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        threads: int = 1,
        processes: int = 1,
        config: SearchConfig | None = None,
        map: Map | str | None = None,
        beliefs: Beliefs | None = None,
        explain: bool = False,
        reasons: bool = True,
        book: Book | None = None,
        book_phases: int | None = None,
        draw: bool = False,
        **settings: object,
    ) -> None:
        if book_phases is not None:
            whole("book_phases", book_phases, 0)
        self.seed = whole("seed", seed, 0, 2**64 - 1)
        self.threads = whole("threads", threads, 1, MOST_THREADS)
        self.processes = whole("processes", processes, 1, MOST_THREADS)
        self.map = None if map is None else Map.load(map)
        config = SearchConfig() if config is None else config
        self.config = of_kind("config", config, SearchConfig, "a SearchConfig").changed(settings)
        if processes > 1 and self.config.search != PAPER:
            raise BordeauxError(f"processes are for search {PAPER}; search {self.config.search} has threads")
        if threads > 1 and self.config.search != LEARNT:
            raise BordeauxError(f"threads are for search {LEARNT}; search {self.config.search} has processes")
        self.explain, self.reasons = flag("explain", explain), flag("reasons", reasons)
        self.draw = flag("draw", draw)
        self._beliefs: dict[Map, Beliefs] = {}
        if beliefs is not None:
            self._beliefs[of_kind("beliefs", beliefs, Beliefs, "Beliefs").map] = beliefs
        self._foretold: Foretold | None = None
        self._guide: Guide | None = None
        if book is not None:
            from bordeaux.openings.book import Book
            from bordeaux.openings.guide import Guide

            of_kind("book", book, Book, "a Book, as by Book.load()")
            self._guide = Guide(book, seed=seed, phases=book_phases, draw=draw)
        if processes > 1:
            # Now, as this takes a tenth of a second: no search has to wait for it.
            importlib.import_module("bordeaux.search.paper.processes")
        self._pool: WorkerPool | None = None
        self._starting = threading.Lock()
        evaluator(self.map or Map.standard(), self.config.evaluation)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def observe(self, position: Position, orders: Mapping[str, Iterable[str | Order]]) -> None:
        """Update the beliefs about the powers from the orders given in a position. All phases of a game may
        be passed, in order; only movement phases have an effect. Raises OrderError for unreadable orders."""
        listed = by_power(checked(position).map, orders)
        searched, pools, choices = self._foretold or (None, None, None)
        if searched != position:
            pools, choices = None, None
        self._believed(position.map).observe(position, listed, pools, choices)

    def forget(self) -> None:
        """Reset the beliefs about all powers."""
        self._beliefs.clear()

    def _believed(self, map: Map) -> Beliefs:
        config = self.config
        return self._beliefs.setdefault(map, Beliefs(map, config.prior, net=config.policy))

    def people(
        self, position: Position, power: str, lines: int = 10, *, temperature: float = 1.0
    ) -> list[tuple[tuple[str, ...], float]]:
        """The most probable sets of a power under the net of people, with their probabilities, in order, at
        most `lines` (64 at most); none for a power that need not give orders.

        The net was trained on recorded games (`bordeaux.policy.people`). The observed orders of the last two
        movement phases are an input. A `temperature` below 1 favours the most probable sets. Raises MapError
        for an unknown power, and BordeauxError for numbers out of range.
        """
        power = checked(position).map.power(power)
        count = whole("lines", lines, 1, MOST_SETS)
        people = People(position.map, temperature=temperature, net=load_net(WIDE))
        sets = people.sets(position, power, count, memory_of(position, self._believed(position.map).seen))
        return [(texts(position.map, orders), probability) for orders, probability in sets]

    def lines(
        self,
        position: Position,
        power: str,
        sets: Iterable[Iterable[str | Order]],
        **options: Unpack[Options],
    ) -> list[Line]:
        """Any sets of a power as lines, best first, each once: valued as those of an answer are, so that a
        set has the same value in both. `options` are as for `search`. Illegal orders are left out, and units
        without an order hold. Raises MapError for an unknown power, and OrderError for unreadable orders."""
        power = checked(position).map.power(power)
        measure = self.measure(_request(position, (power,), Limit(), options))
        return measure.lines(_completed(position, power, sets))

    def measure(self, request: Request) -> Measure:
        """What values sets of the first power of a request. Raises PositionError for a finished game."""
        task = self.task(request)
        if task.position.phase.kind == "-":
            raise PositionError("the game is over: there are no orders to value")
        return Measure(task, request.powers[0], Expectation(task), self.threads)

    def foreseen(self, position: Position, power: str, orders: Iterable[str | Order]) -> dict[str, float]:
        """The marginal probability of each order of a power's set under the net of people; near 0 it is
        unexpected. In Winter it is that of at least one such draw among those that are due. Illegal orders
        are left out. Raises MapError for an unknown power, and OrderError for unreadable orders."""
        power = checked(position).map.power(power)
        codes = from_orders(position, power, orders)
        seen = self._believed(position.map).seen
        if not codes:
            return {}
        scene = Scene(position, random.Random(self.seed), {}, {}, seed=self.seed, seen=seen)
        return dict(zip(texts(position.map, codes), foreseen(scene, power, codes), strict=True))

    def warm_up(self, position: Position) -> None:
        """Start the workers and read the nets that a search of a position needs, and wait until they are
        ready, so that a later search has its whole time."""
        if checked(position).phase.kind != "-":
            load_net(WIDE)
        if self.processes > 1 and position.phase.kind == "M":
            self._crew(position.map).wait()

    def close(self) -> None:
        """End the workers; a search in more than one process would start new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    @property
    def workers(self) -> tuple[int, ...]:
        """The process ids of the workers beside this process, as of the last search or `warm_up`."""
        return self._pool.process_ids if self._pool is not None else ()

    def analyse(self, request: Request, stop: Callable[[], bool] | None = None) -> Iterator[Analysis]:
        """Answer a request with improving results: at once the orders of a fast policy, then whenever a
        search has found a better set for a wanted power, and a last time at the limit.

        `stop` is called often, from the thread that takes the analyses, to end before the limit with the best
        result so far; for another thread, use an Event's ``is_set``. A power that need not give orders gets
        no answer. Raises BordeauxError for invalid limits, PositionError for a position of another map than
        the engine's, and OrderError for unreadable orders.
        """
        task = self.task(request)
        return self._analyses(request, task, Budget(*request.limit, stop))

    def search(
        self,
        position: Position,
        power: str = "",
        *,
        time: float | None = None,
        nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
        **options: Unpack[Options],
    ) -> Found:
        """The best orders for a power, within `time` seconds or `nodes` nodes.

        `options` are further fields of a `Request`: `seeds`, `previous`, `given`, `agreements`, `rules`,
        `lines`. For `stop` and exceptions, see `analyse`.
        """
        if not isinstance(power, str) or not power:
            raise BordeauxError("a search needs a position and a power: search(position, 'FRANCE', time=1)")
        return deque(self._of_one(position, power, Limit(time, nodes), stop, options), maxlen=1).pop()

    def improvements(
        self,
        position: Position,
        power: str,
        *,
        time: float | None = None,
        nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
        **options: Unpack[Options],
    ) -> Generator[Found, None, None]:
        """Like `search`, but yields the best result so far whenever it changes, and at the end, which `stop`
        may bring forward."""
        return self._of_one(position, power, Limit(time, nodes), stop, options)

    def search_all(
        self,
        position: Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
        **options: Unpack[Options],
    ) -> dict[str, Found]:
        """The best orders for every power of the map, with one limit for all of them together; otherwise as
        `search`."""
        request = _request(position, (), Limit(time, nodes), options)
        return dict(deque(self.analyse(request, stop), maxlen=1).pop().answers)

    def _of_one(
        self, position: Position, power: str, limit: Limit, stop: Callable[[], bool] | None, options: Options
    ) -> Generator[Found, None, None]:
        request = _request(position, (power,), limit, options)
        return (analysis.answers[request.powers[0]] for analysis in self.analyse(request, stop))

    def _analyses(self, request: Request, task: SearchTask, budget: Budget) -> Iterator[Analysis]:
        position, powers = request.position, request.powers
        if position.phase.kind == "-":
            yield _of_finished_game(request)
            return
        opened = self._of_book(request, task, budget)
        rest = [power for power in powers if power not in opened]
        if not rest:
            yield Analysis(opened, powers, final=True)
            return
        answers_so_far = first_answers(position, rest, task.bonds, budget.seconds()) | opened
        answers_so_far = {power: answers_so_far[power] for power in powers}
        yield Analysis(answers_so_far, powers)
        measures = dict[str, Measure]()
        for answers in self._searched(task, rest, budget, request, measures):
            changed = tuple(
                power for power in answers if answers[power].orders != answers_so_far[power].orders
            )
            answers_so_far = {**answers_so_far, **answers}
            if changed:
                yield Analysis(answers_so_far, changed)
        yield Analysis(answers_so_far, (), True, measures)

    def _of_book(self, request: Request, task: SearchTask, budget: Budget) -> dict[str, Found]:
        """The answers of the book, if it is in use and has any, with the engine's values."""
        if self._guide is None or request.given or request.agreements:
            return {}
        expected: list[Expectation] = []

        def values(position: Position, power: str, sets: Sequence[Sequence[str]]) -> tuple[float, list[Line]]:
            if not expected:
                expected.append(Expectation(task))
                self._foretold = position, {}, expected[0].choices
            measure = Measure(task, power, expected[0], self.threads)
            asked = _completed(position, power, sets)
            people = map(task.sound(power), measure.probable[:USUAL])
            best, *_ = measure.lines([*asked, *people])
            # Anew, since distances are from the best of those that are asked for.
            return best.value, measure.lines(asked)

        return self._guide.answers(request, values, budget.seconds)

    def _searched(
        self,
        task: SearchTask,
        powers: Sequence[str],
        budget: Budget,
        request: Request,
        measures: dict[str, Measure],
    ) -> Iterator[dict[str, Found]]:
        """The answer for a power whenever it has been improved, and at the end those of all; enters the
        measures of the powers. Candidates of a search are found first, then settled."""
        position = task.position
        # Goals raise the altitudes of the evaluation. Only the paper's search uses it.
        goals: Mapping[str, Goals] = {}
        if "metamap" in self.config.ideas:
            from bordeaux.metamap.goals import goals_within

            goals = goals_within(budget, position, powers, self.seed)
        task = task._replace(raised={power: goal.raised for power, goal in goals.items()})
        expectation = Expectation(task, budget.size)
        measures |= {power: Measure(task, power, expectation, self.threads) for power in powers}
        spent = expectation.nodes + sum(goal.nodes for goal in goals.values())

        def found(power: str, lines: Sequence[Line]) -> Found:
            shown = tuple(lines[: request.lines])
            best = self._chosen(position, power, shown)
            return Found(
                power,
                best.orders,
                best.value,
                shown,
                budget.used,
                budget.seconds(),
                measures[power].depth,
                goals=goals[power].regions if power in goals else (),
                position=position,
            )

        budget.used = spent
        search = Candidates(task, measures)
        # The paper's search has no other sets among the last ones beside its own.
        alone = self.config.search == PAPER and position.phase.kind == "M"
        finding = budget.part(FINDING_ALONE if alone else FINDING)
        steps = self._by_paper(task, powers, finding, search) if alone else search.find(powers, finding)
        for power in steps:
            if power in powers and (sets := search.sets(power)):
                yield {power: found(power, measures[power].lines(sets[:1], FEW, budget.late))}
        budget.used = spent + finding.used
        last = {}
        owing = [power for power in powers if search.sets(power)]
        for number, power in enumerate(owing):
            measure, part, sound = measures[power], budget.part(1 / (len(owing) - number)), task.sound(power)
            candidates, proved, before = search.sets(power), search.proved(power), measure.nodes
            for lines in settle(measure, candidates, proved, part, sound, alone=alone):
                budget.used += measure.nodes - before
                before = measure.nodes
                last[power] = found(power, lines)
                yield {power: last[power]}
        if position.phase.kind == "M" and not alone:
            self._foretold = position, {}, expectation.choices
        for power in powers:
            if power not in last:
                last[power] = Found(
                    power,
                    (),
                    expected_shares(position)[power],
                    (),
                    budget.used,
                    budget.seconds(),
                    position=position,
                )
            if self.explain:
                told = with_expected(position, last[power], expectation)
                if self.reasons and told.lines:
                    chosen = next((line for line in told.lines if line.orders == told.orders), told.lines[0])
                    told = told._replace(effects=reasons(measures[power], chosen.codes))
                last[power] = told
        yield last

    def _chosen(self, position: Position, power: str, lines: Sequence[Line]) -> Line:
        """The best line; with `draw` one of those that are as good, by their probabilities."""
        if not self.draw:
            return lines[0]
        level = [line for line in lines if line.level and line.probability > 0] or [lines[0]]
        chance = random.Random(f"{self.seed} {position.phase} {power} drawn")
        return chance.choices(level, [line.probability for line in level])[0]

    def _by_paper(
        self, task: SearchTask, powers: Sequence[str], budget: Budget, search: Candidates
    ) -> Iterator[str]:
        """Find candidates by the search of the paper, and prove what is certain of them by `search`, which
        holds them; yields a power whenever its best set has changed, and at its end."""
        from bordeaux.search.paper import paper_search

        beside: AbstractContextManager[Rendezvous | None] = nullcontext()
        if self.processes > 1:
            beside = self._crew(task.position.map).meet(task, powers, budget)
        with beside as rendezvous:
            paper = paper_search(task, rendezvous)
            for power in paper.run(powers, budget.part(SEARCHING)):
                if power in powers:
                    search.take(power, paper.sets(power))
                    yield power
        budget.used = paper.nodes
        # A power that searches plays from its pool.
        self._foretold = task.position, paper.pools(), {}
        owing = [power for power in powers if paper.sets(power)]
        for number, power in enumerate(owing):
            search.take(power, paper.sets(power))
            part = budget.part(1 / (len(owing) - number))
            search.prove(power, part)
            budget.used += part.used
            yield power

    def examine(self, request: Request, stop: Callable[[], bool] | None = None) -> Analysis:
        """The final analysis of a request, for callers that need more of a search than its answers. It is
        searched in this process and without the book, and the engine does not remember it. In a finished game
        nothing is searched, as by `analyse`. Raises what `analyse` raises."""
        guide, foretold = self._guide, self._foretold
        self._guide = None
        try:
            return deque(self.analyse(request, stop), maxlen=1).pop()
        finally:
            self._guide, self._foretold = guide, foretold

    def pools(self, request: Request) -> SetPools:
        """The pools of sets that the search of the paper finds for the powers of a request in a movement
        phase; the engine does not remember it. Raises PositionError for another phase, and what `analyse`
        raises."""
        from bordeaux.search.paper import SetPools, paper_search

        task = self.task(request)._replace(config=self.config.changed({"search": PAPER}))
        if request.position.phase.kind != "M":
            raise PositionError(f"{request.position.phase} is no movement phase")
        search = paper_search(task)
        deque(search.run(request.powers, Budget(*request.limit)), maxlen=0)
        return SetPools(search)

    def task(self, request: Request) -> SearchTask:
        """All inputs of the search of a request, without regional goals. Raises PositionError for a position
        of another map than the engine's."""
        position = of_kind("request", request, Request, "a Request").position
        if self.map is not None and position.map is not self.map:
            raise PositionError(f"the position is on map {position.map.name}, the engine on {self.map.name}")
        return task_of(request, self.config, self.seed, self._believed(position.map))

    def _crew(self, map: Map) -> WorkerPool:
        """The workers for a map, started if necessary."""
        from bordeaux.search.paper.processes import WorkerPool

        with self._starting:
            if self._pool is None or self._pool.map is not map or self._pool.owner != os.getpid():
                self.close()
                self._pool = WorkerPool(map, self.processes)
            return self._pool


def _request(position: Position, powers: tuple[str, ...], limit: Limit, options: Options) -> Request:
    known = Options.__annotations__
    for name in options:
        if name not in known:
            raise BordeauxError(f"no option {quote(name)}{nearest(name, known)}; options: {', '.join(known)}")
    return Request(position, powers, limit, **options)


def _completed(position: Position, power: str, sets: Iterable[Iterable[str | Order]]) -> list[bytes]:
    """Sets of orders as codes: units without an order hold, illegal orders are left out."""
    listed = of_kind("sets", sets, Iterable, "a list of sets of orders")
    codes = (from_orders(position, power, orders) for orders in listed)
    return [complete(position, power, codes_in(orders)) for orders in codes]


def _of_finished_game(request: Request) -> Analysis:
    """The only analysis of a request after the end of a game: no orders, and no search."""
    position, powers = request.position, request.powers
    nothing = {power: Found(power, (), 0.0, (), 0, 0.0, position=position) for power in powers}
    return Analysis(nothing, powers, final=True)
