"""What ``bordeaux orders`` is asked to search, and the search of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.cli.budget import Budget
from bordeaux.engine import Engine, Found

__all__ = ["Task", "search"]


class Task(NamedTuple):
    """What is to be searched: `powers` of a position, within one budget of seconds and nodes (None: no
    limit), from suggested sets of orders and those of the movement phase before, where some powers are
    known to give certain orders."""

    position: Position
    powers: tuple[str, ...]
    time: float | None
    nodes: int | None
    seeds: Iterable[Iterable[Order]]
    previous: Mapping[str, Iterable[Order]]
    given: Mapping[str, Iterable[Order]]


def search(engine: Engine, task: Task, stop: Callable[[], bool]) -> dict[str, Found]:
    """Search for every power of a task within one budget, until `stop` says so: then what is best so far
    is the answer, for every power."""
    if task.powers == task.position.map.powers:
        return engine.search_all(
            task.position,
            time=task.time,
            nodes=task.nodes,
            seeds=task.seeds,
            previous=task.previous,
            given=task.given,
            stop=stop,
        )
    budget = Budget(len(task.powers), task.time, task.nodes)
    found: dict[str, Found] = {}
    for power in task.powers:
        time, nodes = budget.share()
        found[power] = engine.search(
            task.position,
            power,
            time=time,
            nodes=nodes,
            seeds=task.seeds,
            previous=task.previous,
            given=task.given,
            stop=stop,
        )
        budget.spend(found[power].nodes)
    return found
