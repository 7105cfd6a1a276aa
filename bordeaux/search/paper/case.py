"""One power's decision on its way through the stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bordeaux.search.forcing import Forcing
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.sequential_halving import SequentialHalving
from bordeaux.search.paper.trial import Trial

__all__ = ["Case"]


@dataclass(frozen=True, eq=False, slots=True)
class Case:
    """One power's decision: its `side`, its `trial`, its `halving` once candidates are in rollouts, and its
    search for proofs. `progress` is the used share of its budget, `left` the approximate number of nodes
    left, and `late` whether the time for proofs is over."""

    side: PowerSearch
    trial: Trial
    progress: Callable[[], float]
    left: float
    late: Callable[[], bool]
    forcing: Forcing | None = None
    halving: SequentialHalving | None = None
