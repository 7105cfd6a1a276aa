"""The search that a task gets: the default one, or that of the paper."""

from __future__ import annotations

from bordeaux.search.paper import AdjustmentSearch, MovementSearch, Situation
from bordeaux.search.rendezvous import Rendezvous
from bordeaux.search.response import ResponseSearch
from bordeaux.search.task import SearchTask

__all__ = ["Search", "paper_search", "search_of"]

Search = ResponseSearch | MovementSearch | AdjustmentSearch
"""A search of any kind."""

STRIDE = 0x9E3779B97F4A7C15
"""Distance of the random seeds of two processes of a search."""


def search_of(task: SearchTask, rendezvous: Rendezvous | None = None, process: int = 0) -> Search:
    """The search of the process with this number: the paper's if candidates are not drawn."""
    if "draws" not in task.config.ideas:
        return paper_search(task, rendezvous, process)
    return ResponseSearch(task, rendezvous or Rendezvous(), process)


def paper_search(
    task: SearchTask, rendezvous: Rendezvous | None = None, process: int = 0
) -> MovementSearch | AdjustmentSearch:
    """The search of the paper; process number 0 uses the seed itself. Retreats and adjustments are searched
    in one process."""
    task = task._replace(seed=(task.seed + process * STRIDE) % 2**63 if process else task.seed)
    judge, ends = task.evaluator(), task.value()
    if task.position.phase.kind != "M":
        return AdjustmentSearch(task, judge, ends)
    return MovementSearch(Situation(task, judge, ends, rendezvous or Rendezvous()))
