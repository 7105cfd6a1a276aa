"""One power in the search of a movement phase: its space, its pool of different sets, its current best.

The distance of two sets is the number of units with different destinations. A set that leads to the same
position as a better one in all cases, because it differs in a useless support, is not distinct.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.joint import consequences
from bordeaux.board.code import as_codes, fields_of, unit_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position
from bordeaux.search.bestfirst import AgendaNode

#: The number of sets for each unit of a power (public experience with regret matching), and their bounds.
SETS_PER_UNIT = 6
FEWEST, MOST = 24, 96
#: Points by which a set must be better to be preferred to one that has nothing in common with the chosen
#: ones. Each unit with another goal halves this number.
PENALTY = 20.0
#: The distance of two units that stay and help different units; it is 1 if they have different goals.
HELP = 0.5


def room_for(n_units: int) -> int:
    """The number of sets to keep for a power of this many units: 24 to 96."""
    return max(FEWEST, min(MOST, math.ceil(SETS_PER_UNIT * n_units)))


def distances(sets: Sequence[bytes]) -> npt.NDArray[np.float64]:
    """The distances between all sets, (n, n): units with different goals, and half of those that stay in both
    but help different units.

    Sets are bytes of order codes for the same units in the same order.
    """
    codes = as_codes(b"".join(sets)).reshape(len(sets), -1)
    # A goal is a province's location, or none; the flag of a convoyed move says only how it gets there.
    fields = fields_of(codes)
    goals = np.where(fields["kind"] == OrderKind.MOVE, fields["target"], 0xFFFF)
    moved = np.zeros((len(sets), len(sets)))
    for unit in range(codes.shape[1]):
        elsewhere = goals[:, None, unit] != goals[None, :, unit]
        otherwise = codes[:, None, unit] != codes[None, :, unit]
        moved += np.where(elsewhere, 1.0, np.where(otherwise, HELP, 0.0))
    return moved


def distinct_in_effect(
    position: Position, scores: Mapping[bytes, float], backgrounds: Sequence[bytes]
) -> list[bytes]:
    """The sets without those that lead to the same positions as a better one, best first.

    Compared on each of `backgrounds`, orders of all the others.
    """
    ranked = sorted(scores, key=lambda orders: (scores[orders], orders), reverse=True)
    seen: dict[int, bytes] = {}
    for orders, effect in zip(ranked, consequences(position.packed, ranked, backgrounds), strict=True):
        seen.setdefault(effect, orders)
    return list(seen.values())


def diverse(scores: Mapping[bytes, float], count: int, penalty: float = PENALTY) -> list[bytes]:
    """Up to `count` of the sets: the best, and then repeatedly the one with the highest value after a penalty
    (in points) for its similarity to the nearest chosen one.

    `scores` are points. Reproducible: equal sets are taken in the order of their bytes.
    """
    ranked = sorted(scores, key=lambda orders: (scores[orders], orders), reverse=True)
    if len(ranked) <= count:
        return ranked
    likeness = penalty * 0.5 ** distances(ranked)
    worth = np.array([scores[orders] for orders in ranked])
    nearest = np.zeros(len(ranked))
    chosen: list[int] = []
    for _ in range(count):
        best = int(np.argmax(worth - nearest))
        chosen.append(best)
        nearest = np.maximum(nearest, likeness[best])
        worth[best] = -math.inf
    return [ranked[index] for index in chosen]


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
