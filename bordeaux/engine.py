"""One object that a user holds: it takes positions and gives orders."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType

from bordeaux.board.errors import BordeauxError, PositionError
from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluator
from bordeaux.metamap.goals import Goals, goals_within
from bordeaux.search.answer import answer, explained
from bordeaux.search.budget import Budget
from bordeaux.search.ideas import Ideas
from bordeaux.search.lines import CAUTION
from bordeaux.search.maxims import ALL_MAXIMS, Maxims
from bordeaux.search.movement import MovementSearch
from bordeaux.search.opponents import Beliefs
from bordeaux.search.result import Found, Line
from bordeaux.search.seeds import by_owner, repeated
from bordeaux.search.small import SmallSearch

__all__ = ["CAUTION", "Engine", "Found", "Line"]


class Engine:
    """Searches orders for positions; a context manager.

    `seed` fixes the random element: with a limit in nodes the same seed gives the same result.
    `evaluation` is the name of an evaluation, `maxims` the names of the maxims to obey, `map` the
    map that positions must be on (any, if left out). `processes` is an upper limit; this version
    searches in one. `caution` says how sets are judged by the enemies' replies: 0 by the mean over
    them, 1 by the worst. With `explain` answers carry what is expected of the other powers and what
    each order is for, which takes some milliseconds more for each of them; see `Found`. `without`
    names ideas of the search to leave out (`bordeaux.search.ideas`). Raises BordeauxError for values
    that make no sense.
    """

    def __init__(
        self,
        *,
        seed: int = 0,
        processes: int = 1,
        evaluation: str = "default",
        maxims: Iterable[str] = ALL_MAXIMS,
        map: Map | None = None,
        caution: float = CAUTION,
        explain: bool = False,
        without: Iterable[str] = (),
    ) -> None:
        if processes < 1:
            raise BordeauxError(f"processes must be a positive number, not {processes}")
        self.seed = seed
        self.processes = processes
        self.evaluation = evaluation
        self.map = map
        if not 0 <= caution <= 1:
            raise BordeauxError(f"caution must be a number from 0 to 1, not {caution}")
        self.caution = caution
        self.explain = explain
        self.ideas = Ideas.without(without)
        self.maxims = Maxims.named(maxims)
        self._beliefs: dict[Map, Beliefs] = {}
        self._pools: tuple[Position, dict[str, list[tuple[bytes, float]]]] | None = None
        evaluator(map or Map.standard(), evaluation)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def observe(self, position: Position, orders: Mapping[str, Iterable[str | Order]]) -> None:
        """Learn from the orders that were given in a position what the powers are like.

        Every phase of a game may be told, in turn; only movement phases teach anything.
        """
        pools = self._pools[1] if self._pools is not None and self._pools[0] == position else None
        self._believed(position.map).observe(position, orders, pools)

    def forget(self) -> None:
        """Think of all powers as before a game."""
        self._beliefs.clear()

    def _believed(self, map: Map) -> Beliefs:
        return self._beliefs.setdefault(map, Beliefs(map))

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

        `seeds` are sets of orders to start from, suggested or promised, by this power or others, each
        order for whoever has its unit; `previous` the orders of all powers in the last movement phase,
        which units that stayed may repeat.
        A power that owes no orders gets none. Raises BordeauxError for limits that make no sense
        and MapError for an unknown power.
        """
        name, budget = position.map.power(power), Budget(time, nodes)
        given = by_owner(position, seeds)
        answers = self._answers(position, [name], budget, given, previous, every=False)
        return deque(answers, maxlen=1).pop()[name]

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
        given = by_owner(position, seeds)
        for answers in self._answers(position, [name], Budget(time, nodes, stop), given, previous):
            yield answers[name]

    def search_all(
        self,
        position: Position,
        *,
        time: float | None = None,
        nodes: int | None = None,
        seeds: Iterable[Iterable[str | Order]] = (),
        previous: Mapping[str, Iterable[str | Order]] | None = None,
    ) -> dict[str, Found]:
        """The best orders for every power of the map, with one limit for all of them together."""
        budget = Budget(time, nodes)
        powers, given = list(position.map.powers), by_owner(position, seeds)
        answers = self._answers(position, powers, budget, given, previous, every=False)
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
        if position.phase.kind == "-":
            yield {power: Found(power, (), 0.0, (), 0, budget.seconds()) for power in powers}
            return
        goals = goals_within(budget, position, powers, self.seed) if "metamap" in self.ideas else {}
        search = self._search_of(position, given, previous, goals)
        for changed in search.run(powers, budget):
            if every and changed in powers:
                yield {power: self._found(position, power, search, budget, goals) for power in powers}
        if isinstance(search, MovementSearch):
            self._pools = position, search.pools()
        yield {power: self._found(position, power, search, budget, goals) for power in powers}

    def _search_of(
        self,
        position: Position,
        given: Mapping[str, list[bytes]],
        previous: Mapping[str, Iterable[str | Order]] | None,
        goals: Mapping[str, Goals],
    ) -> MovementSearch | SmallSearch:
        """The search that a phase asks for."""
        raised = {power: each.raised for power, each in goals.items()}
        judge = evaluator(position.map, self.evaluation, raised=raised)
        beliefs = self._believed(position.map)
        if position.phase.kind != "M":
            return SmallSearch(position, judge, seed=self.seed, beliefs=beliefs)
        seeds = {power: list(sets) for power, sets in given.items()}
        for power, orders in repeated(position, previous or {}).items():
            seeds.setdefault(power, []).append(orders)
        return MovementSearch(
            position,
            judge,
            maxims=self.maxims,
            seed=self.seed,
            seeds=seeds,
            beliefs=beliefs,
            caution=self.caution,
            ideas=self.ideas,
        )

    def _found(
        self,
        position: Position,
        power: str,
        search: MovementSearch | SmallSearch,
        budget: Budget,
        goals: Mapping[str, Goals],
    ) -> Found:
        own = goals.get(power, Goals())
        found = answer(position, power, search, budget.seconds())
        found = found._replace(goals=own.regions, nodes=found.nodes + own.nodes)
        if not self.explain:
            return found
        return explained(position, found, search, evaluator(position.map, self.evaluation))
