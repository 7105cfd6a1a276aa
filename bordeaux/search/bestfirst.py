"""Best-first search for one power against fixed backgrounds (Hall and Loeb 1995, sections 3.2, 3.3 and
4.3.3).

First a greedy descent: always deeper, to the best successor, so that a complete set exists at once. Then the
agenda: take the best partial set anywhere in the tree, evaluate all of its successors, and keep the best of
them. Units without a choice follow the seed, so every node represents a full set.

Maxims exclude bad orders before they are evaluated. Order maxims look at the code of one order and the
terrain; set maxims look at an order among those already chosen and are applied by the core. Each has a name,
so that a search can run without it.
"""

from __future__ import annotations

import functools
import random
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np
from sortedcontainers import SortedKeyList

from bordeaux._ext.search.expand import Expander
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import destination_of, is_via, kind_of, target_of, unit_of
from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.board.order import HELPS, OrderKind
from bordeaux.board.position import Position
from bordeaux.search.agreements import Bond, Bonds


class AgendaNode(NamedTuple):
    """A partial order set in the form of `bordeaux._ext.search.expand.Expander`, with its value."""

    value: float
    choices: bytes


class Agenda:
    """Nodes sorted by value. The best is taken from one end; above the beam limit the worst is dropped from
    the other. Equal values leave in the order of their choices, for reproducible runs."""

    def __init__(self, beam: int) -> None:
        self.beam = beam
        self._nodes: SortedKeyList = SortedKeyList(key=_rank)
        self._taken: list[AgendaNode] = []

    def add(self, node: AgendaNode) -> None:
        """Put a node on the agenda, unless it is full of better ones."""
        if len(self._nodes) >= self.beam:
            if node.value <= self._nodes[0].value:
                return
            self._nodes.pop(0)
        self._nodes.add(node)

    def pop(self) -> AgendaNode:
        """Take the best node. Raises IndexError when there is none."""
        node: AgendaNode = self._nodes.pop()
        self._taken.append(node)
        return node

    def best(self, count: int) -> list[AgendaNode]:
        """The best `count` nodes, best first, of those on the agenda and those taken from it."""
        waiting = islice(reversed(self._nodes), count)
        return sorted((*waiting, *self._taken), key=_rank, reverse=True)[:count]

    def __len__(self) -> int:
        return len(self._nodes)


def _rank(node: AgendaNode) -> tuple[float, bytes]:
    return node.value, node.choices


class Terrain(NamedTuple):
    """The input of maxims: the provinces (numbers) of a power's own units, and for every location (number)
    the provinces that border on it for a unit there."""

    own: frozenset[int]
    near: tuple[frozenset[int], ...]
    province: tuple[int, ...]

    @classmethod
    def of(cls, position: Position, power: str) -> Terrain:
        """The terrain of a power in a position."""
        map = position.map
        own = frozenset(map.province(unit.province).index for unit in position.units_of(power))
        return cls(own, *_borders(map))


@functools.cache
def _borders(map: Map) -> tuple[tuple[frozenset[int], ...], tuple[int, ...]]:
    near = tuple(
        frozenset(map.province(name.partition("/")[0]).index for name in map.adjacent(place.kind, place.name))
        for place in map.locations
    )
    return near, tuple(place.province for place in map.locations)


def _supports_own(terrain: Terrain, code: int) -> bool:
    """Help own units only: without a treaty others' orders are unknown."""
    return kind_of(code) not in HELPS or terrain.province[target_of(code)] in terrain.own


def _needs_the_convoy(terrain: Terrain, code: int) -> bool:
    """Convoy no army to a place that it can reach by land; a swap by sea is left to given orders."""
    kind = kind_of(code)
    if kind == OrderKind.MOVE and is_via(code):
        return terrain.province[target_of(code)] not in terrain.near[unit_of(code)]
    if kind == OrderKind.CONVOY:
        return terrain.province[destination_of(code)] not in terrain.near[target_of(code)]
    return True


OrderMaxim = Callable[[Terrain, int], bool]

ORDER_MAXIMS: dict[str, OrderMaxim] = {
    "help only your own": _supports_own,
    "walk where you can walk": _needs_the_convoy,
}

#: Maxims on sets, with their bits in the core.
SET_MAXIMS: dict[str, int] = {
    "never send two units to one province": 1,
    "never cut your own support": 2,
    "never swap places by land": 4,
}

ALL_MAXIMS = (*ORDER_MAXIMS, *SET_MAXIMS)


class Maxims(NamedTuple):
    """The maxims that a search applies: functions on orders, and bits for the core."""

    on_orders: tuple[OrderMaxim, ...]
    on_sets: int

    @classmethod
    def named(cls, names: Iterable[str] = ALL_MAXIMS) -> Maxims:
        """The maxims of these names. Raises BordeauxError for an unknown one."""
        chosen = list(names)
        for name in chosen:
            if name not in ALL_MAXIMS:
                known = f"known: {', '.join(ALL_MAXIMS)}"
                raise BordeauxError(f"unknown maxim {quote(name)}{nearest(name, ALL_MAXIMS)} ({known})")
        return cls(
            tuple(ORDER_MAXIMS[name] for name in chosen if name in ORDER_MAXIMS),
            sum(SET_MAXIMS[name] for name in chosen if name in SET_MAXIMS),
        )


def candidates(
    position: Position,
    power: str,
    legal: dict[int, list[int]],
    maxims: Maxims,
    bonds: Bonds | None = None,
    word: Sequence[Bond] = (),
) -> list[list[int]]:
    """Codes of the orders of each unit that the maxims allow, the hold first.

    `legal` gives the legal codes of the power's units by location number. Promised orders in `bonds`, and
    help for the promised orders of others, are exempt from maxims. Of orders that break the power's
    obligations only the hold is left.
    """
    terrain = Terrain.of(position, power)
    result = []
    for unit, codes in legal.items():
        kept = [code for code in codes if kind_of(code) == OrderKind.HOLD]
        for code in codes:
            kind = kind_of(code)
            # A plain move offends against no maxim; there are so many that this saves time.
            plain = kind == OrderKind.MOVE and not is_via(code)
            if kind == OrderKind.HOLD:
                continue
            sensible = plain or all(maxim(terrain, code) for maxim in maxims.on_orders)
            if sensible or (bonds and bonds.helps(power, code)):
                kept.append(code)
        for bond in bonds.of(power) if bonds else ():
            promised = bond.promised.get(unit)
            if promised is not None and promised not in kept:
                kept.append(promised)
        result.append([kept[0], *(code for code in kept[1:] if not any(bond.breaks(code) for bond in word))])
    return result


def search_space(
    position: Position,
    power: str,
    evaluator: Valuer,
    maxims: Maxims,
    bonds: Bonds | None = None,
    word: Sequence[Bond] = (),
) -> Expander:
    """The expander for a power in a movement position, with all its units holding and no orders of others."""
    number = position.map.powers.index(power)
    legal = position.packed.legal().get(number, {})
    possible = candidates(position, power, legal, maxims, bonds, word)
    return Expander(position.packed, evaluator, number, possible, maxims.on_sets)


#: The share of a node's choices that `perturbed` redraws.
REDRAWN = 0.35


def perturbed(space: Expander, node: bytes, random: random.Random) -> bytes:
    """A complete node with about a third of its choices redrawn at random, as far as they are
    consistent."""
    choices = list(struct.unpack(f"<{space.n_units}H", node))
    for unit, count in enumerate(space.counts()):
        if random.random() < REDRAWN:
            choices[unit] = random.randrange(count)
    return space.completed(struct.pack(f"<{space.n_units}H", *choices))


#: Successors of one expansion that enter the agenda.
BRANCHES = 24
#: Sets besides the best one that a search returns.
BESIDE = 48
#: Values that differ by less are equal.
SAME = 1e-3


def beam_for(n_units: int) -> int:
    """Beam limit of the agenda; more units, more width (section 4.3.5)."""
    return 48 + 12 * n_units


def greedy_descent(space: Expander, agenda: Agenda | None = None) -> AgendaNode:
    """Descend to a complete set, several units at a time, as long as the value rises.

    The best successor of a node is taken, and with it all others, best first, that order other units and
    raise the value further. Units on different sides of the board hardly depend on each other, so a power of
    seventeen units needs few more expansions than one of five. Successors go on the agenda. Returns the
    deepest node, with gaps filled from the seed.
    """
    node = AgendaNode(space.value(space.root_node()), space.root_node())
    while True:
        successors = [
            AgendaNode(*successor) for successor in space.expand(node.choices, BRANCHES + 2 * space.n_units)
        ]
        if agenda is not None:
            for other in successors[:BRANCHES]:
                agenda.add(other)
        if not successors or successors[0].value < node.value - SAME:
            return complete(space, node.choices)
        base, node = node, successors[0]
        for other in successors[1:]:
            both = merged(base.choices, node.choices, other.choices)
            if both is None or other.value < base.value + SAME:
                continue
            value = space.value(both)
            if value > node.value + SAME:
                node = AgendaNode(value, both)


def merged(base: bytes, one: bytes, other: bytes) -> bytes | None:
    """The choices of two nodes beyond their common ancestor, combined; None if both order the same unit."""
    root, first, second = (np.frombuffer(node, dtype="<u2") for node in (base, one, other))
    new, newer = root != first, root != second
    return None if (new & newer).any() else np.where(newer, second, first).tobytes()


def best_first(
    space: Expander,
    seed: bytes,
    stop: Callable[[], bool],
    patience: int,
    beside: list[AgendaNode] | None = None,
) -> Iterator[AgendaNode]:
    """Complete sets, each better than all before, found from a seed.

    Stops when `stop` returns true, when the agenda is empty, or after `patience` expansions in a row without
    an improvement. At the end the nearly best sets are put into `beside`, since only improvements are
    yielded, often one or two sets.
    """
    space.set_seed(seed)
    agenda = Agenda(beam_for(space.n_units))
    best = AgendaNode(space.value(seed), seed)
    descended = greedy_descent(space, agenda)
    if descended.value > best.value + SAME:
        best = descended
    yield best
    idle = 0
    while len(agenda) and idle < patience and not stop():
        node = agenda.pop()
        idle += 1
        if node.value > best.value + SAME:
            full = complete(space, node.choices)
            if full.value > best.value + SAME:
                best = full
                idle = 0
                yield best
        for successor in space.expand(node.choices, BRANCHES):
            agenda.add(AgendaNode(*successor))
    if beside is not None:
        beside += [AgendaNode(near.value, space.completed(near.choices)) for near in agenda.best(BESIDE)]


def complete(space: Expander, choices: bytes) -> AgendaNode:
    """The full set of a node, with holds in place of inconsistent orders."""
    full = space.completed(choices)
    return AgendaNode(space.value(full), full)


def polish(space: Expander, node: bytes) -> AgendaNode:
    """Change one unit's orders at a time, together with its help, until nothing improves.

    Here units that still hold get supports (section 4.3.3).
    """
    value = space.value(node)
    while True:
        space.set_seed(node)
        for _, choices in space.expand(space.root_node(), 4):
            better = complete(space, choices)
            if better.value > value + SAME:
                value, node = better
                break
        else:
            return AgendaNode(value, node)
