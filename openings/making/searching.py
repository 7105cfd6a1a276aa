"""The searches of a build: on the cores of this machine, or on a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import partial
from typing import NamedTuple

from bordeaux import jobs
from bordeaux.engine import Engine
from bordeaux.jobs.cluster import PATIENCE, run_on_dask
from bordeaux.openings.guide import Searched
from bordeaux.openings.making.build import Task


class SearchSettings(NamedTuple):
    """The settings of a search: seconds or nodes for all powers together, and the engine's options."""

    time: float | None
    nodes: int | None
    seed: int
    evaluation: str


POINTS = 3000
"""The points of the whole result in a book's values."""

Answer = tuple[str, Searched]
"""Key of the position, and what the search found there."""
Search = Callable[..., Answer]
"""Searches the position of a task, with `settings` by name."""


def searched(task: Task, settings: SearchSettings) -> Answer:
    """Search one position with the engine, in one process."""
    with Engine(seed=settings.seed, evaluation=settings.evaluation, map=task.position.map) as engine:
        answers = engine.search_all(task.position, time=settings.time, nodes=settings.nodes)
    return task.key, {
        power: [(line.orders, POINTS * line.value, line.probability) for line in answer.lines]
        for power, answer in answers.items()
        if answer.orders
    }


def answers(
    tasks: Sequence[Task], settings: SearchSettings, processes: int, scheduler: str | None
) -> AbstractContextManager[Iterator[Answer]]:
    """The answers for positions, from `on_cores` or, with a scheduler, from `on_cluster`."""
    if not tasks:
        return nullcontext(iter(()))
    if scheduler is None:
        return on_cores(tasks, settings, processes)
    return on_cluster(tasks, settings, scheduler)


@contextmanager
def on_cores(
    tasks: Sequence[Task], settings: SearchSettings, processes: int, search: Search = searched
) -> Iterator[Iterator[Answer]]:
    """Search the positions in `processes` processes and yield each answer as soon as it is there.

    Positions whose process dies are searched again in new ones. Leaving the context ends the processes at
    once. Iterating raises BordeauxError if they die repeatedly, and exceptions of a search.
    """
    if processes == 1 or len(tasks) < 2:
        yield (search(task, settings) for task in tasks)
        return
    with closing(jobs.run(partial(search, settings=settings), tasks, processes=processes)) as outcomes:
        yield (outcome.result() for outcome in outcomes)


@contextmanager
def on_cluster(
    tasks: Sequence[Task],
    settings: SearchSettings,
    address: str,
    patience: float = PATIENCE,
    search: Search = searched,
) -> Iterator[Iterator[Answer]]:
    """Search the positions on the Dask cluster whose scheduler has this address, and yield each answer as
    soon as it is there.

    Workers may come and go meanwhile; leaving the context cancels searches that have not begun. Iterating
    raises BordeauxError as `bordeaux.jobs.cluster.run_on_dask` does, and exceptions of a search.
    """
    work = partial(search, settings=settings)
    with closing(run_on_dask(work, tasks, address, patience=patience)) as outcomes:
        yield (outcome.result() for outcome in outcomes)
