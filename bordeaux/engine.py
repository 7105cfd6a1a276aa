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
from bordeaux.search.budget import Budget
from bordeaux.search.explain import explain
from bordeaux.search.lines import CAUTION, likeliest, probabilities
from bordeaux.search.maxims import ALL_MAXIMS, Maxims
from bordeaux.search.movement import MovementSearch
from bordeaux.search.result import Found, Line
from bordeaux.search.seeds import by_owner, repeated
from bordeaux.search.small import SmallSearch

__all__ = ["CAUTION", "Engine", "Found", "Line"]

Lines = list[tuple[bytes, float]]


class Engine:
    """Searches orders for positions; a context manager.

    `seed` fixes the random element: with a limit in nodes the same seed gives the same result.
    `evaluation` is the name of an evaluation, `maxims` the names of the maxims to obey, `map` the
    map that positions must be on (any, if left out). `processes` is an upper limit; this version
    searches in one. `caution` says how sets are judged by the enemies' replies: 0 by the mean over
    them, 1 by the worst. With `explain` answers carry what is expected of the other powers and what
    each order is for, which takes some milliseconds more for each of them; see `Found`. Raises
    BordeauxError for values that make no sense.
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
        judge = evaluator(position.map, self.evaluation)
        if position.phase.kind == "M":
            seeds = {power: list(sets) for power, sets in given.items()}
            for power, orders in repeated(position, previous or {}).items():
                seeds.setdefault(power, []).append(orders)
            search = MovementSearch(
                position, judge, maxims=self.maxims, seed=self.seed, seeds=seeds, caution=self.caution
            )
            for changed in search.run(powers, budget):
                if every and changed in powers:
                    yield {power: self._found(position, power, search, budget) for power in powers}
            yield {power: self._found(position, power, search, budget) for power in powers}
        elif position.phase.kind in ("R", "A"):
            small = SmallSearch(position, judge)
            small.run(budget)
            yield {power: self._found(position, power, small, budget) for power in powers}
        else:
            yield {power: Found(power, (), 0.0, (), 0, budget.seconds()) for power in powers}

    def _found(
        self, position: Position, power: str, search: MovementSearch | SmallSearch, budget: Budget
    ) -> Found:
        lines = _lines(position, power, search)
        shown = _shown(position.map, lines)
        best = shown[0] if shown else Line((), 0.0, 0.0)
        found = Found(power, best.orders, best.value, shown, search.nodes, budget.seconds())
        return self._explained(position, found, lines, search) if self.explain else found

    def _explained(
        self,
        position: Position,
        found: Found,
        lines: Lines,
        search: MovementSearch | SmallSearch,
    ) -> Found:
        """The answer with what is expected of the others, and what the orders do against that."""
        sets, expected = {}, {}
        for other in position.map.powers:
            theirs = _lines(position, other, search) if other != found.power else []
            shown = _shown(position.map, theirs)
            likely = likeliest([line.probability for line in shown])
            if likely:
                sets[other] = [(theirs[place][0], shown[place].probability) for place in likely]
                expected[other] = tuple(shown[place] for place in likely)
        judge = evaluator(position.map, self.evaluation)
        chosen = lines[0][0] if lines else b""
        terms, marginals = explain(position, judge, found.power, chosen, sets)
        return found._replace(
            expected=expected,
            terms={term: (round(before, 3), round(after, 3)) for term, (before, after) in terms.items()},
            marginals={
                order: round(points, 3) for order, points in zip(found.orders, marginals, strict=True)
            },
        )


def _lines(position: Position, power: str, search: MovementSearch | SmallSearch) -> Lines:
    """The best few sets of a power with their values, best first; none where it owes no orders."""
    if isinstance(search, MovementSearch):
        return search.lines(power) if power in search.sides else []
    number = position.map.powers.index(power)
    return search.lines(number) if number in search.choices else []


def _shown(map: Map, lines: Lines) -> tuple[Line, ...]:
    shares = probabilities([value for _, value in lines])
    return tuple(
        Line(_texts(map, orders), round(value, 3), round(share, 4))
        for (orders, value), share in zip(lines, shares, strict=True)
    )


def _texts(map: Map, orders: bytes) -> tuple[str, ...]:
    codes = struct.unpack(f"<{len(orders) // 8}Q", orders)
    return tuple(str(decode(map, code)) for code in codes)
