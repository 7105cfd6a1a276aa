"""Best-first search over partial sets of orders (paper 002): the space, the maxims, the agenda."""

from bordeaux.search.bestfirst.agenda import AgendaNode
from bordeaux.search.bestfirst.bestfirst import SAME, best_first, complete, found_from, greedy_descent, polish
from bordeaux.search.bestfirst.pruning import ALL_MAXIMS, Maxims
from bordeaux.search.bestfirst.space import candidates, perturbed, search_space

__all__ = [
    "ALL_MAXIMS",
    "SAME",
    "AgendaNode",
    "Maxims",
    "best_first",
    "candidates",
    "complete",
    "found_from",
    "greedy_descent",
    "perturbed",
    "polish",
    "search_space",
]
