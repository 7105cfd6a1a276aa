"""The search of Hall and Loeb (1995): best-first search for several powers, and a decision between the sets
found."""

from bordeaux.search.paper.adjustments import AdjustmentSearch
from bordeaux.search.paper.movement import MovementSearch, SetPools
from bordeaux.search.paper.state import Rendezvous, Situation
from bordeaux.search.task import SearchTask

__all__ = ["AdjustmentSearch", "MovementSearch", "SetPools", "Situation", "paper_search"]

STRIDE = 0x9E3779B97F4A7C15
"""Distance of the random seeds of two processes of a search."""


def paper_search(
    task: SearchTask, rendezvous: Rendezvous | None = None, process: int = 0
) -> MovementSearch | AdjustmentSearch:
    """The search of a task; process number 0 uses the seed itself. Retreats and adjustments are searched in
    one process."""
    task = task._replace(seed=(task.seed + process * STRIDE) % 2**63 if process else task.seed)
    judge, ends = task.evaluator(), task.value()
    if task.position.phase.kind != "M":
        return AdjustmentSearch(task, judge, ends)
    return MovementSearch(Situation(task, judge, ends, rendezvous or Rendezvous()))
