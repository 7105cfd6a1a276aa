"""What ``bordeaux orders`` is asked to search, and the search of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.cli.budget import Budget
from bordeaux.engine import Engine, Found
from bordeaux.search.budget import Budget as Limit
from bordeaux.search.seeds import by_owner

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
        return together(engine, task, task.powers, Limit(task.time, task.nodes, stop))
    budget = Budget(len(task.powers), task.time, task.nodes)
    found: dict[str, Found] = {}
    for power in task.powers:
        time, nodes = budget.share()
        found |= together(engine, task, (power,), Limit(time, nodes, stop))
        budget.spend(found[power].nodes)
    return found


def together(engine: Engine, task: Task, powers: tuple[str, ...], limit: Limit) -> dict[str, Found]:
    """Search for some powers at once within one limit."""
    # `Engine.search` and `search_all` do the same, and cannot be stopped.
    seeds = by_owner(task.position, task.seeds)
    answers = engine._answers(
        task.position, list(powers), limit, seeds, task.previous, task.given, every=False
    )
    return deque(answers, maxlen=1).pop()
