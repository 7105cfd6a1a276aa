"""One object that a user holds: it takes positions and gives orders."""

from __future__ import annotations

import os
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.budget import Budget
from bordeaux.search.lines import probabilities
from bordeaux.search.maxims import ALL_MAXIMS, Maxims
from bordeaux.search.movement import MovementSearch
from bordeaux.search.parallel.task import Task
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.result import Found, Line
from bordeaux.search.seeds import from_orders, repeated
from bordeaux.search.small import SmallSearch

if TYPE_CHECKING:
    from bordeaux.search.parallel.pool import Pool

__all__ = ["Engine", "Found", "Line"]


class Engine:
    """Searches orders for positions; a context manager.

    `seed` fixes the random element: with a limit in nodes the same seed gives the same result.
    `evaluation` is the name of an evaluation, `maxims` the names of the maxims to obey, `map` the
    map that positions must be on (any, if left out). Raises BordeauxError for values that make no
    sense.

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
        evaluation: str = "default",
        maxims: Iterable[str] = ALL_MAXIMS,
        map: Map | None = None,
    ) -> None:
        if processes < 1:
            raise BordeauxError(f"processes must be a positive number, not {processes}")
        self.seed = seed
        self.processes = processes
        self.evaluation = evaluation
        self.map = map
        self.maxims = Maxims.named(maxims)
        self._pool: Pool | None = None
        self._starting = threading.Lock()
        evaluator(map or Map.standard(), evaluation)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

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

    def search(
        self,
        position: Position,
        power: str,
        *,
        time: float | None = None,
        nodes: int | None = None,
        seeds: Iterable[Iterable[str | Order]] = (),
        previous: Mapping[str, Iterable[str | Order]] | None = None,
    ) -> Found:
        """The best orders for a power, within `time` seconds or `nodes` nodes.

        `seeds` are sets of orders for the power to start from, suggested or promised; `previous`
        the orders of all powers in the last movement phase, which units that stayed may repeat.
        A power that owes no orders gets none. Raises BordeauxError for limits that make no sense
        and MapError for an unknown power.
        """
        found = self.improvements(position, power, time=time, nodes=nodes, seeds=seeds, previous=previous)
        return deque(found, maxlen=1).pop()

    def improvements(
        self,
        position: Position,
        power: str,
        *,
        time: float | None = None,
        nodes: int | None = None,
        seeds: Iterable[Iterable[str | Order]] = (),
        previous: Mapping[str, Iterable[str | Order]] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Found]:
        """Like `search`, but yields what is best so far whenever that changes, and at the end.

        `stop` is asked often whether to end before the limit: from another thread, an Event's
        ``is_set`` does. What is best by then is yielded as the last answer.
        """
        name = position.map.power(power)
        given = {name: [from_orders(position, name, orders) for orders in seeds]}
        for answers in self._answers(position, [name], Budget(time, nodes, stop), given, previous):
            yield answers[name]

    def search_all(
        self,
        position: Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        previous: Mapping[str, Iterable[str | Order]] | None = None,
    ) -> dict[str, Found]:
        """The best orders for every power of the map, with one limit for all of them together."""
        budget = Budget(time, nodes)
        answers = self._answers(position, list(position.map.powers), budget, {}, previous, every=False)
        return deque(answers, maxlen=1).pop()

    def _answers(
        self,
        position: Position,
        powers: list[str],
        budget: Budget,
        given: Mapping[str, list[bytes]],
        previous: Mapping[str, Iterable[str | Order]] | None,
        every: bool = True,
    ) -> Iterator[dict[str, Found]]:
        """Answers for the powers: with `every`, at each change, and in any case at the end."""
        if self.map is not None and position.map is not self.map:
            raise PositionError(f"the position is on map {position.map.name}, the engine on {self.map.name}")
        judge = evaluator(position.map, self.evaluation)
        if position.phase.kind == "M":
            seeds = {power: list(sets) for power, sets in given.items()}
            for power, orders in repeated(position, previous or {}).items():
                seeds.setdefault(power, []).append(orders)
            task = Task(position, self.evaluation, self.maxims, self.seed, seeds)
            with self._meet(task, powers, budget) as rendezvous:
                search = task.search(rendezvous)
                for changed in search.run(powers, budget):
                    if every and changed in powers:
                        yield {power: self._found(position, power, search, budget) for power in powers}
                last = {power: self._found(position, power, search, budget) for power in powers}
            yield last
        elif position.phase.kind in ("R", "A"):
            small = SmallSearch(position, judge)
            small.run(budget)
            yield {power: self._found(position, power, small, budget) for power in powers}
        else:
            yield {power: Found(power, (), 0.0, (), 0, budget.seconds()) for power in powers}

    def _meet(
        self, task: Task, powers: list[str], budget: Budget
    ) -> AbstractContextManager[Rendezvous]:
        """The rendezvous of a search with the workers, if there are to be any."""
        if self.processes == 1:
            return nullcontext(Rendezvous())
        return self._crew(task.position.map).meet(task, powers, budget)

    def _crew(self, map: Map) -> Pool:
        """The workers for a map, which are started where they are not there yet."""
        # Here, because it takes longer to load than all the rest, and one process needs none of it.
        from bordeaux.search.parallel.pool import Pool

        with self._starting:
            if self._pool is None or self._pool.map is not map or self._pool.owner != os.getpid():
                self.close()
                self._pool = Pool(map, self.processes)
            return self._pool

    def _found(
        self, position: Position, power: str, search: MovementSearch | SmallSearch, budget: Budget
    ) -> Found:
        if isinstance(search, MovementSearch):
            lines = search.lines(power) if power in search.sides else []
        else:
            number = position.map.powers.index(power)
            lines = search.lines(number) if number in search.choices else []
        shares = probabilities([value for _, value in lines])
        shown = tuple(
            Line(_texts(position.map, orders), round(value, 3), round(share, 4))
            for (orders, value), share in zip(lines, shares, strict=True)
        )
        best = shown[0] if shown else Line((), 0.0, 0.0)
        return Found(power, best.orders, best.value, shown, search.nodes, budget.seconds())


def _texts(map: Map, orders: bytes) -> tuple[str, ...]:
    codes = struct.unpack(f"<{len(orders) // 8}Q", orders)
    return tuple(str(decode(map, code)) for code in codes)
