"""Best-first search for one power against fixed backgrounds (paper 002, sections 3.2 and 3.3).

First a dive: always deeper, to the best successor, so that a complete set exists at once. Then the
agenda: take the best partial set wherever it lies in the tree, evaluate all of its successors, keep
the best of them. Units without a choice follow the seed, so every node stands for a full set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bordeaux._ext.expand import Expander
from bordeaux.search.agenda import Agenda, Node

__all__ = ["best_first", "complete", "dive", "harvest", "polish"]

#: Successors of one expansion that enter the agenda.
BRANCHES = 24
#: Values nearer than this are the same.
SAME = 1e-3


def beam_for(n_units: int) -> int:
    """Beam limit of the agenda; more units, more width (section 4.3.5)."""
    return 48 + 12 * n_units


def dive(space: Expander, agenda: Agenda | None = None) -> Node:
    """Go down to the best successor as long as none is worse than where we stand.

    Successors passed by go on the agenda. Returns the deepest node, its gaps filled by the seed.
    """
    node = Node(space.value(space.root_node()), space.root_node())
    while True:
        successors = [Node(*each) for each in space.expand(node.choices, BRANCHES)]
        if agenda is not None:
            for other in successors[1:]:
                agenda.add(other)
        if not successors or successors[0].value < node.value - SAME:
            if agenda is not None and successors:
                agenda.add(successors[0])
            return complete(space, node.choices)
        node = successors[0]


def best_first(
    space: Expander,
    seed: bytes,
    stop: Callable[[], bool],
    patience: int,
    agenda: Agenda | None = None,
) -> Iterator[Node]:
    """Complete sets, each better than all before, found from a seed.

    Stops when `stop` says so, when the agenda is empty, or after `patience` expansions in a row
    without an improvement. What is left on the `agenda` (a new one, if none is given) at the end stands
    for sets that are nearly as good: see `harvest`.
    """
    space.set_seed(seed)
    agenda = Agenda(beam_for(space.n_units)) if agenda is None else agenda
    best = Node(space.value(seed), seed)
    found = dive(space, agenda)
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


def harvest(space: Expander, agenda: Agenda, count: int) -> list[Node]:
    """The best `count` nodes of an agenda as complete sets, best first, each with the value of the node.

    A search hands on only what was better than all before, which may be a set or two; the sets beside
    them are what the tests that follow choose from. The seed must still be that of the search.
    """
    return [Node(node.value, space.completed(node.choices)) for node in agenda.best(count)]


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
