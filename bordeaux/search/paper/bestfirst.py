"""Best-first search for one power against fixed backgrounds (paper 002, sections 3.2 and 3.3).

First a greedy descent: always deeper, to the best successor, so that a complete set exists at once. Then the
agenda: take the best partial set wherever it lies in the tree, evaluate all of its successors, keep
the best of them. Units without a choice follow the seed, so every node stands for a full set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bordeaux._ext.expand import Expander
from bordeaux.search.paper.agenda import Agenda, Node

__all__ = ["best_first", "complete", "greedy_descent", "polish"]

#: Successors of one expansion that enter the agenda.
BRANCHES = 24
#: Sets beside the best that a search hands on.
BESIDE = 48
#: Values nearer than this are the same.
SAME = 1e-3


def beam_for(n_units: int) -> int:
    """Beam limit of the agenda; more units, more width (section 4.3.5)."""
    return 48 + 12 * n_units


def greedy_descent(space: Expander, agenda: Agenda | None = None) -> Node:
    """Go down to a complete set, several units at a time, as long as it gets better.

    Of the successors of a node the best is taken, and with it all others, best first, that order other
    units and make the whole better still: what units on different sides of the board do hardly depends
    on each other, so that a power of seventeen units needs not much more expansions than one of five.
    Successors go on the agenda. Returns the deepest node, its gaps filled by the seed.
    """
    node = Node(space.value(space.root_node()), space.root_node())
    while True:
        successors = [Node(*each) for each in space.expand(node.choices, BRANCHES + 2 * space.n_units)]
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
                node = Node(value, both)


def merged(base: bytes, one: bytes, other: bytes) -> bytes | None:
    """What two nodes chose beyond the one they come from, together; None where both order a unit."""
    root, first, second = (np.frombuffer(node, dtype="<u2") for node in (base, one, other))
    new, newer = root != first, root != second
    return None if (new & newer).any() else np.where(newer, second, first).tobytes()


def best_first(
    space: Expander,
    seed: bytes,
    stop: Callable[[], bool],
    patience: int,
    beside: list[Node] | None = None,
) -> Iterator[Node]:
    """Complete sets, each better than all before, found from a seed.

    Stops when `stop` says so, when the agenda is empty, or after `patience` expansions in a row
    without an improvement. At the end the sets that are nearly as good are put into `beside`: what is
    handed on is only what was better than all before, which may be a set or two.
    """
    space.set_seed(seed)
    agenda = Agenda(beam_for(space.n_units))
    best = Node(space.value(seed), seed)
    found = greedy_descent(space, agenda)
    if found.value > best.value + SAME:
        best = found
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
        for each in space.expand(node.choices, BRANCHES):
            agenda.add(Node(*each))
    if beside is not None:
        beside += [Node(near.value, space.completed(near.choices)) for near in agenda.best(BESIDE)]


def complete(space: Expander, choices: bytes) -> Node:
    """The full set that a node comes to, with orders that do not fit each other turned into holds."""
    full = space.completed(choices)
    return Node(space.value(full), full)


def polish(space: Expander, node: bytes) -> Node:
    """Change one unit's orders at a time, with the help they bring, until nothing gets better.

    This is where units that still hold are given supports (section 4.3.3).
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
            return Node(value, node)
