"""The paper's best-first search as a source of candidates (paper 002, sections 3.2 and 3.3).

It starts from seeds, such as draws of a policy, and evaluates against a few samples of the others' orders
with any value. Its sets complement draws: a policy rarely draws what it has not learnt.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from bordeaux._ext.expand import Expander
from bordeaux.search.paper.agenda import AgendaNode
from bordeaux.search.paper.bestfirst import best_first

__all__ = ["found_from"]

#: Expansions without an improvement, in addition to one for each unit, after which a seed is abandoned.
PATIENCE = 2


def found_from(space: Expander, seeds: Sequence[bytes], count: int, nodes: int) -> list[bytes]:
    """The best `count` sets (bytes of codes), best first, of searches from each of the seeds.

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
