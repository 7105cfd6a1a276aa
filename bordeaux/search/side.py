"""One power in the search of a movement phase: its space, its pool of sets, its current best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bordeaux._ext.expand import Expander
from bordeaux.search.agenda import Node
from bordeaux.search.diversity import diverse, room_for

__all__ = ["Side"]


class Side:
    """What one power's search knows. `pool` maps orders (bytes of codes) to their last value;
    `best` are the orders that everybody else's background takes from here. `room` is how many sets
    the pool holds: good ones that differ. `offered` are sets of the pool that come from another
    process and have not been judged here."""

    def __init__(self, power: str, number: int, space: Expander) -> None:
        self.power = power
        self.number = number
        self.space = space
        self.room = room_for(space.n_units)
        self.pool: dict[bytes, float] = {}
        self.best: bytes = space.orders(space.node_of(b""))
        self.offered: list[bytes] = []

    def keep(self, node: Node) -> bytes:
        """Put a complete set into the pool; returns its orders.

        From a pool that is too full the worst and the most redundant sets fall out, one in six at once,
        but neither the best nor the newcomer.
        """
        orders: bytes = self.space.orders(node.choices)
        self.pool[orders] = node.value
        self._trim(orders)
        return orders

    def widen(self, breadth: float) -> None:
        """Give the pool more room, so many times what a power of this many units needs."""
        self.room = max(self.room, round(breadth * room_for(self.space.n_units)))

    def keep_all(self, nodes: Iterable[Node]) -> None:
        """Put complete sets into the pool that are not there yet."""
        for node in nodes:
            self.pool.setdefault(self.space.orders(node.choices), node.value)
        self._trim(self.best)

    def offer(self, orders: bytes, value: float) -> None:
        """Put a set into the pool that another process holds for the best."""
        if orders != self.best:
            self.pool.setdefault(orders, value)
            self.offered.append(orders)
            self._trim(orders)

    def take(self, sets: Sequence[tuple[bytes, float]]) -> None:
        """Take over the sets and values, best first, of a process that searches for this power."""
        self.pool = dict(sets)
        self.best = sets[0][0]
        self.offered.clear()

    def _trim(self, newcomer: bytes) -> None:
        if len(self.pool) > self.room:
            kept = {self.best, newcomer, *self.offered, *diverse(self.pool, self.room - self.room // 6)}
            for each in [each for each in self.pool if each not in kept]:
                del self.pool[each]

    def _rank(self, orders: bytes) -> tuple[float, bytes]:
        return self.pool[orders], orders

    def ranked(self) -> list[bytes]:
        """The pool, best first."""
        return sorted(self.pool, key=self._rank, reverse=True)
