"""One object that a user holds: it takes positions and gives orders."""

from __future__ import annotations

import os
import random
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Unpack

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluator
from bordeaux.metamap.goals import Goals, goals_within
from bordeaux.openings.assess import Searched
from bordeaux.openings.book import Book
from bordeaux.openings.guide import Guide
from bordeaux.policy.memory import memory_of
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import MOST_SETS, People
from bordeaux.search.agreements import Agreement
from bordeaux.search.answer import answer, explained, first_answers, texts
from bordeaux.search.beliefs import Beliefs, prior_of
from bordeaux.search.bonds import Bonds
from bordeaux.search.budget import Budget
from bordeaux.search.config import SearchConfig
from bordeaux.search.learnt_models import foreseen
from bordeaux.search.opponent_model import Scene
from bordeaux.search.paper.adjustments import AdjustmentSearch
from bordeaux.search.parallel.shares import MOST_PROCESSES
from bordeaux.search.parallel.task import Search, SearchTask
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.request import LINES, Analysis, Limit, Options, Request
from bordeaux.search.result import Found, Line
from bordeaux.search.scoring import CAUTION
from bordeaux.search.seeds import by_owner, from_orders, repeated

if TYPE_CHECKING:
    from bordeaux.search.parallel.pool import WorkerPool

__all__ = ["CAUTION", "Agreement", "Analysis", "Engine", "Found", "Limit", "Line", "Request"]

#: Nodes of the look that a book's orders get before they are played.
GLANCE = 700


class Engine:
    """Searches orders for positions; a context manager.

    `seed` fixes the random element: with a limit in nodes the same seed gives the same result. `config` has
    the settings of the search; each can be given by its name as well, ``Engine(caution=0.5,
    without="people")``, and then replaces that of the config. `map` is the map that positions must be on
    (any, if left out). With `explain` answers carry what is expected of the other powers and what each order
    is for, which takes some milliseconds more for each of them; see `Found`. Raises BordeauxError for values
    that make no sense.

    With a `book` the engine plays from it while it can, at most for `book_phases` phases (retreats not
    counted), choosing by weight and `seed`; a set that loses material at once against what a glance
    expects of the others is not played, and where nothing is left the engine searches. So it does where
    the orders of others are given, of which no book knows.

    With `processes` above 1 the powers of a movement phase are searched side by side (paper 002,
    section 3.3): by this process and by workers beside it, which are started with the first such
    search, serve all that follow, and end with `close`, with this process, or with the last reference
    to the engine. A limit in nodes is then one for all of them together, and results do not repeat
    exactly. A worker that dies or gets stuck costs its share of one search and is replaced.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        processes: int = 1,
        config: SearchConfig | None = None,
        map: Map | None = None,
        explain: bool = False,
        book: Book | None = None,
        book_phases: int | None = None,
        **settings: object,
    ) -> None:
        if processes < 1:
            raise BordeauxError(f"processes must be a positive number, not {processes}")
        if processes > MOST_PROCESSES or processes != int(processes):
            raise BordeauxError(f"processes must be a whole number up to {MOST_PROCESSES}, not {processes}")
        if book_phases is not None and book_phases < 0:
            raise BordeauxError(f"book_phases must be a number from 0 on, not {book_phases}")
        self.seed = seed
        self.processes = processes
        self.map = map
        self.config = (config or SearchConfig()).changed(settings)
        self.explain = explain
        self._beliefs: dict[Map, Beliefs] = {}
        self._foretold: tuple[Position, dict[str, list[tuple[bytes, float]]]] | None = None
        self._guide: Guide | None = None
        if book is not None:
            self._guide = Guide(book, seed=seed, phases=book_phases)
        self._pool: WorkerPool | None = None
        self._starting = threading.Lock()
        evaluator(map or Map.standard(), self.config.evaluation)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def observe(self, position: Position, orders: Mapping[str, Iterable[str | Order]]) -> None:
        """Learn from the orders that were given in a position what the powers are like. Every phase of a game
        may be told, in turn; only movement phases teach anything. Raises OrderError for what cannot be read.
        """
        pools = self._foretold[1] if self._foretold is not None and self._foretold[0] == position else None
        self._believed(position.map).observe(position, orders, pools)

    def forget(self) -> None:
        """Think of all powers as before a game."""
        self._beliefs.clear()

    def _believed(self, map: Map) -> Beliefs:
        return self._beliefs.setdefault(map, Beliefs(map, prior_of(self.config.ideas), self.config.policy))

    def people(
        self, position: Position, power: str, lines: int = 10, *, temperature: float = 1.0
    ) -> list[tuple[tuple[str, ...], float]]:
        """What people would play: the likeliest sets of a power with their probabilities, likeliest first, at
        most so many `lines` (64 at the most); none for a power that owes no orders.

        They come of a net that has learnt from recorded games (`bordeaux.policy.people`), which takes into
        account what was observed in the last two movement phases. A `temperature` below 1 makes the likely
        likelier. Raises MapError for an unknown power, and BordeauxError for numbers out of range.
        """
        power = position.map.power(power)
        if not 1 <= lines <= MOST_SETS:
            raise BordeauxError(f"lines must be a number from 1 to {MOST_SETS}, not {lines}")
        people = People(position.map, temperature=temperature, net=load_net(WIDE))
        memory = memory_of(position, self._believed(position.map).seen)
        found = people.sets(position, power, lines, memory)
        return [(texts(position.map, orders), probability) for orders, probability in found]

    def foreseen(self, position: Position, power: str, orders: Iterable[str | Order]) -> dict[str, float]:
        """For each order of a set of a power the probability that people give it, whatever else they order:
        what is near 0 nobody would foresee. In Winter it is that of at least one such draw among those that
        are due. Illegal orders are left out. Raises MapError for an unknown power, and OrderError for orders
        that cannot be read."""
        power = position.map.power(power)
        codes = from_orders(position, power, orders)
        seen = self._believed(position.map).seen
        if not codes:
            return {}
        scene = Scene(position, random.Random(self.seed), {}, {}, seed=self.seed, seen=seen)
        return dict(zip(texts(position.map, codes), foreseen(scene, power, codes), strict=True))

    def warm_up(self, position: Position) -> None:
        """Start the workers that a search of a position would start, and wait until they are ready, so
        that they have the whole of its time."""
        if self.processes > 1 and position.phase.kind == "M":
            self._crew(position.map).wait()

    def close(self) -> None:
        """End the workers; a search in more than one process would start new ones."""
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    @property
    def workers(self) -> tuple[int, ...]:
        """The process ids of the workers that search beside this process."""
        return self._pool.process_ids if self._pool is not None else ()

    def analyse(self, request: Request, stop: Callable[[], bool] | None = None) -> Iterator[Analysis]:
        """Answer a request better and better: at once by what a fast policy plays, then whenever a search has
        found a better set for a wanted power, and a last time at the limit.

        `stop` is asked often, from the thread that takes the analyses, whether to end before the limit, and
        what is best by then is the last answer: from another thread, an Event's ``is_set`` does. A power
        that owes no orders gets none. Raises BordeauxError for limits that make no sense, PositionError for
        a position of another map than the engine's, and OrderError for orders that cannot be read.
        """
        position = request.position
        if self.map is not None and position.map is not self.map:
            raise PositionError(f"the position is on map {position.map.name}, the engine on {self.map.name}")
        budget = Budget(*request.limit, stop)
        return self._analyses(request, self.task(request), budget)

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

        `options` are further fields of a `Request`: `seeds`, `previous`, `given`, `agreements`,
        `rules`, `lines`. For `stop`, and what is raised, see `analyse`.
        """
        if not power:
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
        """Like `search`, but yields what is best so far whenever that changes, and at the end, which
        `stop` may bring early."""
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
        """The best orders for every power of the map, with one limit for all of them together, as
        `search` finds them for one."""
        request = Request(position, limit=Limit(time, nodes), **options)
        return dict(deque(self.analyse(request, stop), maxlen=1).pop().answers)

    def _of_one(
        self,
        position: Position,
        power: str,
        limit: Limit,
        stop: Callable[[], bool] | None,
        options: Options,
    ) -> Generator[Found, None, None]:
        request = Request(position, (power,), limit, **options)
        return (analysis.answers[request.powers[0]] for analysis in self.analyse(request, stop))

    def _analyses(self, request: Request, task: SearchTask, budget: Budget) -> Iterator[Analysis]:
        position, powers = request.position, request.powers
        if position.phase.kind == "-":
            nothing = {power: Found(power, (), 0.0, (), 0, 0.0, position=position) for power in powers}
            yield Analysis(nothing, powers, final=True)
            return
        opened = {} if request.given or request.agreements else self._opened(request, budget)
        rest = [power for power in powers if power not in opened]
        if not rest:
            yield Analysis(opened, powers, final=True)
            return
        found = (
            first_answers(position, rest, task.evaluator(), task.bonds(), self.seed, budget.seconds())
            | opened
        )
        found = {power: found[power] for power in powers}
        yield Analysis(found, powers)
        for answers, final in self._searched(task, rest, budget, request):
            changed = tuple(power for power in answers if answers[power].orders != found[power].orders)
            found = {**found, **answers}
            yield Analysis(found, changed, final)

    def _opened(self, request: Request, budget: Budget) -> dict[str, Found]:
        """What the book answers, for the powers that it has something for; never fewer lines than `LINES`, so
        that one can be chosen among them."""
        position, found = request.position, dict[str, Found]()
        if self._guide is None:
            return found
        for power in request.powers:
            orders = self._guide.orders(position, power, partial(self._glance, budget))
            if orders is None:
                continue
            entries = sorted(
                self._guide.book.entries(position, power),
                key=lambda each: (each.orders != orders, -each.weight),
            )
            lines = tuple(
                Line(each.orders, round(each.value or 0.0, 3), round(each.weight, 4))
                for each in entries[: max(LINES, request.lines)]
            )
            value, seconds = lines[0].value, budget.seconds()
            found[power] = Found(power, orders, value, lines, 0, seconds, book=True, position=position)
        return found

    def glanced(self, position: Position) -> Searched:
        """What a tiny search expected of all powers when orders of the book were held against it: nothing, if
        another position or none was looked at last."""
        return {} if self._guide is None else self._guide.searched(position)

    def _glance(self, budget: Budget, position: Position) -> Searched:
        """What a tiny search expects of all powers, its own lines and those of other models of them, in at
        most half of the time. Values are 0: so short a look knows none that were worth telling."""
        tiny = Budget(None if budget.time is None else budget.time / 2, GLANCE, budget.stop)
        search = self.task(Request(position)).search()
        deque(search.run(position.map.powers, tiny), maxlen=0)
        self._foretell(position, search)
        return {
            power: [(texts(position.map, orders), 0.0, share) for orders, share in search.forecast(power)]
            for power in position.orderable()
        }

    def _searched(
        self, task: SearchTask, powers: Sequence[str], budget: Budget, request: Request
    ) -> Iterator[tuple[dict[str, Found], bool]]:
        """Answers of a search: that of a power whenever its best set has changed, and those of all at the
        end, which is marked."""
        position = task.position
        # Goals raise the altitudes of the evaluation, which has a say in the paper's search alone.
        raising = "metamap" in self.config.ideas and "draws" not in self.config.ideas
        goals = goals_within(budget, position, powers, self.seed) if raising else {}
        task = task._replace(raised={power: each.raised for power, each in goals.items()})
        with self._meet(task, powers, budget) as rendezvous:
            search = task.search(rendezvous)
            for changed in search.run(powers, budget):
                if changed in powers:
                    found = answer(position, changed, search, budget.seconds(), request.lines)
                    yield {changed: found}, False
            last = {}
            for power in powers:
                own = goals.get(power, Goals())
                found = answer(position, power, search, budget.seconds(), request.lines)
                last[power] = found._replace(goals=own.regions, nodes=found.nodes + own.nodes)
                if self.explain:
                    # Draws what the others may play, as nothing must before the search is over.
                    last[power] = explained(position, last[power], search, task.evaluator(), request.rules)
        self._foretell(position, search)
        yield last, True

    def _foretell(self, position: Position, search: Search) -> None:
        """Keep what a search foretold, for when the orders are known."""
        if not isinstance(search, AdjustmentSearch):
            self._foretold = position, search.pools()

    def task(self, request: Request) -> SearchTask:
        """What the search of a request is made from, without regional goals: for who wants more of a search
        than its answer. The engine remembers nothing of a search that is made from it elsewhere."""
        position, rules = request.position, request.rules
        starts = by_owner(position, request.seeds, rules)
        for power, orders in repeated(position, request.previous or {}, rules).items():
            starts.setdefault(power, []).append(orders)
        for power, orders in Bonds(position, tuple(request.agreements), rules).seeds().items():
            starts.setdefault(power, []).append(orders)
        return SearchTask(
            position,
            self.config,
            self.seed,
            starts,
            self._believed(position.map),
            {
                power: from_orders(position, power, orders, rules)
                for power, orders in (request.given or {}).items()
            },
            tuple(request.agreements),
            rules,
        )

    def _meet(
        self, task: SearchTask, powers: Sequence[str], budget: Budget
    ) -> AbstractContextManager[Rendezvous]:
        """The rendezvous of a search with the workers, if there are to be any."""
        if self.processes == 1 or task.position.phase.kind != "M":
            return nullcontext(Rendezvous())
        return self._crew(task.position.map).meet(task, powers, budget)

    def _crew(self, map: Map) -> WorkerPool:
        """The workers for a map, which are started where they are not there yet."""
        # Here, because it takes longer to load than all the rest, and one process needs none of it.
        from bordeaux.search.parallel.pool import WorkerPool

        with self._starting:
            if self._pool is None or self._pool.map is not map or self._pool.owner != os.getpid():
                self.close()
                self._pool = WorkerPool(map, self.processes)
            return self._pool
