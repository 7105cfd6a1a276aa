"""One power in the search of a movement phase: its space, its pool of sets, its current best."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence

from bordeaux._ext.expand import Expander
from bordeaux.board.code import unit_of
from bordeaux.search.bestfirst import AgendaNode
from bordeaux.search.paper.diversity import diverse, room_for

__all__ = ["PowerSearch"]


class PowerSearch:
    """The state of one power's search. `pool` maps orders (bytes of codes) to their last value; `best` are
    the orders for everybody else's background. `room` is the number of sets in the pool: good ones that
    differ. `offered` are sets of the pool from another process that were not judged here, `heard` all from
    there. `word` are promised orders that the power keeps, by the location of their units: every set of the
    pool has them."""

    def __init__(
        self, power: str, number: int, space: Expander, word: Mapping[int, int] | None = None
    ) -> None:
        self.power = power
        self.number = number
        self.space = space
        self.room = room_for(space.n_units)
        self.pool: dict[bytes, float] = {}
        self.best: bytes = space.orders(space.node_of(b""))
        self.offered: list[bytes] = []
        self.heard: dict[bytes, None] = {}
        #: The indices of promised orders in a node, with their choices.
        self._fixed: list[tuple[int, int]] = []
        for unit in range(space.n_units) if word else ():
            choices = space.choices(unit)
            promised = (word or {}).get(unit_of(choices[0]))
            # A promise that breaks another agreement of the power is no choice.
            if promised in choices:
                self._fixed.append((unit, choices.index(promised)))

    def fitted(self, orders: bytes) -> bytes:
        """A set in the form of the space: complete, of consistent orders within the space."""
        fitting: bytes = self.space.orders(self.space.completed(self.space.node_of(orders)))
        return fitting

    def bound(self, orders: bytes) -> bytes:
        """A set with the orders that the power has promised."""
        if not self._fixed:
            return orders
        node: bytes = self.space.orders(self._bound(self.space.node_of(orders)))
        return node

    def _bound(self, node: bytes) -> bytes:
        """A complete node with the promised orders, and the rest made consistent with them if possible."""
        if not self._fixed:
            return node
        form = f"<{self.space.n_units}H"
        choices = list(struct.unpack(form, node))
        for unit, choice in self._fixed:
            choices[unit] = choice
        bound = struct.pack(form, *choices)
        mended: bytes = self.space.completed(bound)
        fits = struct.unpack(form, mended)
        return mended if all(fits[unit] == choice for unit, choice in self._fixed) else bound

    def _keeping(self, node: AgendaNode) -> AgendaNode:
        """A complete set with the promised orders, valued again if that changes it."""
        choices = self._bound(node.choices)
        return node if choices == node.choices else AgendaNode(self.space.value(choices), choices)

    def keep(self, node: AgendaNode) -> bytes:
        """Put a complete set into the pool; returns its orders.

        When the pool is too full, the worst and the most redundant sets are dropped, one in six at once, but
        neither the best nor the new one.
        """
        node = self._keeping(node)
        orders: bytes = self.space.orders(node.choices)
        self.pool[orders] = node.value
        self._trim(orders)
        return orders

    def widen(self, breadth: float) -> None:
        """Give the pool more room, a multiple of the usual for a power of this many units."""
        self.room = max(self.room, round(breadth * room_for(self.space.n_units)))

    def keep_all(self, nodes: Iterable[AgendaNode]) -> None:
        """Put complete sets into the pool that are not there yet."""
        for node in map(self._keeping, nodes):
            self.pool.setdefault(self.space.orders(node.choices), node.value)
        self._trim(self.best)

    def offer(self, orders: bytes, value: float) -> None:
        """Put another process's best set into the pool."""
        if orders != self.best:
            self.pool.setdefault(orders, value)
            self.offered.append(orders)
            self.heard[orders] = None
            self._trim(orders)

    def take(self, sets: Sequence[tuple[bytes, float]]) -> None:
        """Take over the sets and values, best first, of a process that searches for this power."""
        self.pool = dict(sets)
        self.best = sets[0][0]
        self.offered.clear()

    def _trim(self, newcomer: bytes) -> None:
        if len(self.pool) > self.room:
            kept = {self.best, newcomer, *self.offered, *diverse(self.pool, self.room - self.room // 6)}
            for orders in [orders for orders in self.pool if orders not in kept]:
                del self.pool[orders]

    def _rank(self, orders: bytes) -> tuple[float, bytes]:
        return self.pool[orders], orders

    def ranked(self) -> list[bytes]:
        """The pool, best first."""
        return sorted(self.pool, key=self._rank, reverse=True)
