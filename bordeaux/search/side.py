"""One power in the search of a movement phase: its space, its pool of sets, its current best."""

from __future__ import annotations

from bordeaux._ext.expand import Expander
from bordeaux.search.agenda import Node

__all__ = ["Side"]

#: Complete sets that a side keeps.
POOL = 20


class Side:
    """What one power's search knows. `pool` maps orders (bytes of codes) to their last value;
    `best` are the orders that everybody else's background takes from here."""

    def __init__(self, power: str, number: int, space: Expander) -> None:
        self.power = power
        self.number = number
        self.space = space
        self.pool: dict[bytes, float] = {}
        self.best: bytes = space.orders(space.node_of(b""))

    def keep(self, node: Node) -> bytes:
        """Put a complete set into the pool, from which the worst falls out; returns its orders."""
        orders: bytes = self.space.orders(node.choices)
        self.pool[orders] = node.value
        if len(self.pool) > POOL:
            worst = min((each for each in self.pool if each != self.best), key=self._rank)
            del self.pool[worst]
        return orders

    def _rank(self, orders: bytes) -> tuple[float, bytes]:
        return self.pool[orders], orders

    def ranked(self) -> list[bytes]:
        """The pool, best first."""
        return sorted(self.pool, key=self._rank, reverse=True)
