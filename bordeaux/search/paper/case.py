"""One power's decision on its way through the stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bordeaux.search.forcing.stage import Forcing
from bordeaux.search.paper.power_search import PowerSearch
from bordeaux.search.paper.sequential_halving import SequentialHalving
from bordeaux.search.paper.trial import Trial

__all__ = ["Case"]


@dataclass(eq=False, slots=True)
class Case:
    """One power's decision: its `side`, its `trial`, its `halving` once candidates are played out, and what
    it looks for by proofs. `progress` is the share spent of what it may take, `left` about how many nodes
    that is, and `late` whether the clock says that proofs have had enough."""

    side: PowerSearch
    trial: Trial
    progress: Callable[[], float]
    left: float
    late: Callable[[], bool]
    forcing: Forcing | None = None
    halving: SequentialHalving | None = None
