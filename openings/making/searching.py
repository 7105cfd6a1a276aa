"""The searches of a build: on the cores of this machine, or on a Dask cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from multiprocessing import active_children
from typing import Any, NamedTuple

from bordeaux.arena.dask import PATIENCE, connect, dask, fetch
from bordeaux.board.errors import BordeauxError
from bordeaux.engine import Engine
from bordeaux.jobs.mapped import end, serve
from bordeaux.openings.assess import Searched
from bordeaux.openings.making.build import Task

__all__ = ["Answer", "Settings", "answers", "on_cluster", "on_cores", "searched"]

DEATHS = 3
"""Deaths of processes after which a build gives up."""
AHEAD = 4
"""Tasks for each process that are under way."""
WINDOW = 1000
"""Tasks that a cluster has at most."""


class Settings(NamedTuple):
    """How a position is searched: seconds or nodes for all powers together, and the engine's options."""

    time: float | None
    nodes: int | None
    seed: int
    evaluation: str


Answer = tuple[str, Searched]
"""Key of the position, and what the search found there."""
Search = Callable[[Task, Settings], Answer]


def searched(task: Task, settings: Settings) -> Answer:
    """Search one position with the engine, in one process."""
    with Engine(seed=settings.seed, evaluation=settings.evaluation, map=task.position.map) as engine:
        found = engine.search_all(task.position, time=settings.time, nodes=settings.nodes)
    return task.key, {
        power: [(line.orders, line.value, line.probability) for line in answer.lines]
        for power, answer in found.items()
        if answer.orders
    }


def answers(
    tasks: Sequence[Task], settings: Settings, processes: int, scheduler: str | None
) -> AbstractContextManager[Iterator[Answer]]:
    """The answers for positions, as `on_cores` gives them or, with a scheduler, as `on_cluster` does."""
    if not tasks:
        return nullcontext(iter(()))
    if scheduler is None:
        return on_cores(tasks, settings, processes)
    return on_cluster(tasks, settings, scheduler)


@contextmanager
def on_cores(
    tasks: Sequence[Task], settings: Settings, processes: int, search: Search = searched
) -> Iterator[Iterator[Answer]]:
    """Search the positions in `processes` processes and give each answer as soon as it is there.

    Positions whose process dies are searched again in new ones. Leaving the context ends the processes,
    whatever they are at. Answering raises BordeauxError if they die again and again, and what a
    search raises.
    """
    if processes == 1 or len(tasks) < 2:
        yield (search(task, settings) for task in tasks)
        return
    crew = Crew(tasks, settings, processes, search)
    try:
        yield crew.answers()
    finally:
        crew.end()


class Crew:
    """Processes that search; they fork when this is made, before any thread of a progress bar starts."""

    def __init__(self, tasks: Sequence[Task], settings: Settings, processes: int, search: Search) -> None:
        self._left = {task.key: task for task in tasks}
        self._settings = settings
        self._processes = processes
        self._search = search
        self._begin()

    def _begin(self) -> None:
        before = set(active_children())
        self._pool = ProcessPoolExecutor(self._processes, initializer=serve, initargs=(os.getpid(),))
        self._stream = iter(list(self._left.values()))
        self._waiting: set[Future[Answer]] = set()
        self._submit()
        self._children = set(active_children()) - before

    def _submit(self) -> None:
        room = AHEAD * self._processes - len(self._waiting)
        for task in islice(self._stream, room):
            self._waiting.add(self._pool.submit(self._search, task, self._settings))

    def answers(self) -> Iterator[Answer]:
        """Answers until there are no more."""
        deaths = 0
        while self._left:
            try:
                done, self._waiting = wait(self._waiting, return_when=FIRST_COMPLETED)
                for key, answer in [future.result() for future in done]:
                    del self._left[key]
                    yield key, answer
                self._submit()
            except BrokenProcessPool:
                deaths += 1
                if deaths == DEATHS:
                    raise BordeauxError(
                        f"processes that search died {DEATHS} times; is memory short? try fewer --processes"
                    ) from None
                self.end()
                self._begin()

    def end(self) -> None:
        """End the processes; a search that has begun may take long, and is not waited for."""
        if not self._left:
            self._pool.shutdown()
        end(self._pool, self._children)


@contextmanager
def on_cluster(
    tasks: Sequence[Task],
    settings: Settings,
    address: str,
    patience: float = PATIENCE,
    search: Search = searched,
) -> Iterator[Iterator[Answer]]:
    """Search the positions on the Dask cluster whose scheduler has this address, and give each answer as
    soon as it is there.

    Workers may come and go meanwhile; leaving the context takes back what has not been begun. Raises
    BordeauxError as `bordeaux.arena.dask.run_on_dask` does.
    """
    distributed = dask()
    with connect(distributed, address, patience) as client:
        stream = iter(tasks)
        under_way: dict[str, Any] = {}
        arriving = distributed.as_completed(loop=client.loop)

        def submit(count: int) -> None:
            for task in islice(stream, count):
                future = client.submit(search, task, settings, pure=False)
                under_way[future.key] = future
                arriving.add(future)

        def answers() -> Iterator[Answer]:
            for future in arriving:
                answer: Answer = fetch(future, "a search", address)
                del under_way[future.key]
                submit(1)
                yield answer

        submit(WINDOW)
        try:
            yield answers()
        finally:
            if client.status == "running":
                client.cancel(list(under_way.values()))
