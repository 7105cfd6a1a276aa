"""Best-first search for one power against fixed backgrounds (paper 002, sections 3.2 and 3.3).

First a greedy descent: always deeper, to the best successor, so that a complete set exists at once. Then the
agenda: take the best partial set anywhere in the tree, evaluate all of its successors, and keep the best of
them. Units without a choice follow the seed, so every node represents a full set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from bordeaux._ext.expand import Expander
from bordeaux.search.bestfirst.agenda import Agenda, AgendaNode

__all__ = ["best_first", "complete", "found_from", "greedy_descent", "polish"]

#: Successors of one expansion that enter the agenda.
BRANCHES = 24
#: Sets besides the best one that a search returns.
BESIDE = 48
#: Values that differ by less are equal.
SAME = 1e-3
#: Expansions without an improvement, in addition to one for each unit, after which one of many seeds is
#: abandoned.
PATIENCE = 2


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


def found_from(space: Expander, seeds: Sequence[bytes], count: int, nodes: int) -> list[bytes]:
    """The best `count` sets (bytes of codes), best first, of searches from each of the seeds, such as draws
    of a policy. A policy rarely draws what it has not learnt, so these sets complement its draws.

    `space` has its backgrounds. `seeds` are sets of orders. The searches share `nodes` evaluations evenly. A
    greedy descent that has begun is completed, so a search with very few nodes exceeds its part.
    """
    values: dict[bytes, float] = {}
    starts = list(dict.fromkeys(space.completed(space.node_of(seed)) for seed in seeds))
    for done, start in enumerate(starts):
        until = space.nodes + (nodes - space.nodes) / (len(starts) - done)
        beside: list[AgendaNode] = []
        better = best_first(space, start, partial(_spent, space, until), PATIENCE + space.n_units, beside)
        for node in better:
            values.setdefault(space.orders(node.choices), node.value)
        # The value of a partial set holds with the seed's orders for the rest, before they are made to fit.
        for node in beside[:count]:
            values.setdefault(space.orders(node.choices), space.value(node.choices))
        if space.nodes >= nodes:
            break
    return sorted(values, key=lambda orders: (-values[orders], orders))[:count]


def _spent(space: Expander, until: float) -> bool:
    return space.nodes >= until
