"""One object that a user holds: it takes positions and gives orders."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.metamap.goals import Goals, goals_within
from bordeaux.search.budget import Budget
from bordeaux.search.lines import probabilities
from bordeaux.search.maxims import ALL_MAXIMS, Maxims
from bordeaux.search.movement import MovementSearch
from bordeaux.search.result import Found, Line
from bordeaux.search.seeds import from_orders, repeated
from bordeaux.search.small import SmallSearch

__all__ = ["Engine", "Found", "Line"]


class Engine:
    """Searches orders for positions; a context manager.

    `seed` fixes the random element: with a limit in nodes the same seed gives the same result.
    `evaluation` is the name of an evaluation, `maxims` the names of the maxims to obey, `map` the
    map that positions must be on (any, if left out). `metamap` says whether movement phases are
    searched on the map's regions first, for goals (paper 002, section 4.3.4). `processes` is an
    upper limit; this version searches in one. Raises BordeauxError for values that make no sense.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        processes: int = 1,
        evaluation: str = "default",
        maxims: Iterable[str] = ALL_MAXIMS,
        map: Map | None = None,
        metamap: bool = True,
    ) -> None:
        if processes < 1:
            raise BordeauxError(f"processes must be a positive number, not {processes}")
        self.seed = seed
        self.processes = processes
        self.evaluation = evaluation
        self.map = map
        self.metamap = metamap
        self.maxims = Maxims.named(maxims)
        evaluator(map or Map.standard(), evaluation)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what the engine holds."""

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
        goals = goals_within(budget, position, powers, self.seed) if self.metamap else {}
        raised = {power: each.raised for power, each in goals.items()}
        judge = evaluator(position.map, self.evaluation, raised=raised)
        if position.phase.kind == "M":
            seeds = {power: list(sets) for power, sets in given.items()}
            for power, orders in repeated(position, previous or {}).items():
                seeds.setdefault(power, []).append(orders)
            search = MovementSearch(position, judge, maxims=self.maxims, seed=self.seed, seeds=seeds)
            for changed in search.run(powers, budget):
                if every and changed in powers:
                    yield {power: self._found(position, power, search, budget, goals) for power in powers}
            yield {power: self._found(position, power, search, budget, goals) for power in powers}
        elif position.phase.kind in ("R", "A"):
            small = SmallSearch(position, judge)
            small.run(budget)
            yield {power: self._found(position, power, small, budget, goals) for power in powers}
        else:
            yield {power: Found(power, (), 0.0, (), 0, budget.seconds()) for power in powers}

    def _found(
        self,
        position: Position,
        power: str,
        search: MovementSearch | SmallSearch,
        budget: Budget,
        goals: Mapping[str, Goals],
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
        own = goals.get(power, Goals())
        nodes = search.nodes + own.nodes
        return Found(power, best.orders, best.value, shown, nodes, budget.seconds(), own.regions)


def _texts(map: Map, orders: bytes) -> tuple[str, ...]:
    codes = struct.unpack(f"<{len(orders) // 8}Q", orders)
    return tuple(str(decode(map, code)) for code in codes)
