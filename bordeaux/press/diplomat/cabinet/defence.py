"""The minister of defence: searches under the current agreements, and the cost of a further agreement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bordeaux.board.errors import BordeauxError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.engine import Engine
from bordeaux.search.agreements import Agreement, Bonds, agreed
from bordeaux.search.analysis import Found
from bordeaux.search.task import Limit, Request

#: Nodes of one search while powers talk, and searches of one phase.
NODES, SEARCHES = 1500, 12
#: The cost of impossible orders.
IMPOSSIBLE = 10_000.0


class Defence:
    """Searches with `engine` for `power`. Results are kept until the next phase begins."""

    def __init__(self, engine: Engine, power: str) -> None:
        self.engine = engine
        self.power = power
        self._position: Position
        self._previous: Mapping[str, Sequence[Order]] = {}
        self._agreements: tuple[Agreement, ...] = ()
        self._found: dict[tuple[Agreement, ...], Found | None] = {}
        self._worth: dict[tuple[Agreement, ...], float | None] = {}

    def begin(self, position: Position, previous: Mapping[str, Sequence[Order]]) -> None:
        """Begin a phase; `previous` are the orders of all in the last movement phase."""
        self._position, self._previous = position, previous
        self._agreements = ()
        self._found.clear()
        self._worth.clear()

    def agree(self, agreements: Iterable[Agreement]) -> None:
        """Set the present agreements, which plans respect."""
        self._agreements = tuple(agreements)

    @property
    def plan(self) -> Found | None:
        """Our orders under the present agreements; None if there is nothing to order or to search."""
        agreements = self._agreements
        if self.power not in self._position.orderable():
            return None
        if agreements not in self._found:
            try:
                self._found[agreements] = self.engine.search(
                    self._position,
                    self.power,
                    nodes=NODES,
                    previous=self._previous,
                    agreements=agreements,
                )
            except BordeauxError:
                # What cannot be promised, or contradicts a promise.
                self._found[agreements] = None
        return self._found[agreements]

    @property
    def orders(self) -> list[Order]:
        """The orders of the plan."""
        plan, position = self.plan, self._position
        return [parse_order(order, position.map, position) for order in plan.orders] if plan else []

    def cost(self, extra: Agreement) -> float:
        """The points that one more agreement of ours would cost: at least 0, and 0 if the plan keeps it.
        `IMPOSSIBLE` if it cannot be kept, or if the cost is unknown: outside movement phases, without units,
        and when the search budget is used."""
        if self.plan is None or self._position.phase.kind != "M" or self._contradicts(extra):
            return IMPOSSIBLE
        if extra.kind == "promise" and set(extra.orders) <= set(self.orders):
            return 0.0
        free, bound = self._weighed(self._agreements), self._weighed((*self._agreements, extra))
        return IMPOSSIBLE if free is None or bound is None else max(0.0, free - bound)

    def _weighed(self, agreements: tuple[Agreement, ...]) -> float | None:
        """The value of the best set under agreements, in points of the evaluation. Rollouts are too noisy
        here: their difference between the two best sets exceeds the cost of an agreement."""
        if agreements not in self._worth:
            if len(self._worth) >= SEARCHES:
                return None
            request = Request(
                self._position,
                (self.power,),
                Limit(nodes=NODES),
                previous=self._previous,
                agreements=agreements,
            )
            try:
                self._worth[agreements] = self.engine.pools(request).lines(self.power, 1)[0][1]
            except BordeauxError:
                # What cannot be promised, or contradicts a promise.
                self._worth[agreements] = None
        return self._worth[agreements]

    def _contradicts(self, extra: Agreement) -> bool:
        """Whether our promises so far cannot all be kept."""
        try:
            together = agreed(self._position, (*self._agreements, extra))
            bonds = Bonds(self._position, together).own(self.power)
        except BordeauxError:
            return True
        return any(
            other.breaks(code)
            for bond in bonds
            for code in bond.promised.values()
            for other in bonds
            if other is not bond
        )
