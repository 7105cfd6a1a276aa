"""The search of Hall and Loeb (1995) in movement phases: best-first search for several powers, and mixtures
of the sets found."""

from bordeaux.search.paper.movement import MovementSearch, SetPools
from bordeaux.search.paper.state import Rendezvous, Situation
from bordeaux.search.task import SearchTask

__all__ = ["MovementSearch", "SetPools", "Situation", "paper_search"]

STRIDE = 0x9E3779B97F4A7C15
"""Distance of the random seeds of two processes of a search."""


def paper_search(task: SearchTask, rendezvous: Rendezvous | None = None, process: int = 0) -> MovementSearch:
    """The search of a task in a movement phase; process number 0 uses the seed itself."""
    task = task._replace(seed=(task.seed + process * STRIDE) % 2**63 if process else task.seed)
    return MovementSearch(Situation(task, task.evaluator(), task.value(), rendezvous or Rendezvous()))
