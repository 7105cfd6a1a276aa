"""``bordeaux orders --watch``: one line for every improvement, the best few lines at the end,
and then the best orders."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from bordeaux.cli.budget import Budget
from bordeaux.cli.output import print_json
from bordeaux.cli.progress import waiting
from bordeaux.cli.task import Task
from bordeaux.engine import Engine, Found, Line

__all__ = ["watch"]


def watch(engine: Engine, task: Task, as_json: bool, stop: Callable[[], bool]) -> None:
    """Search the powers of a task in turn within its budget and print what is found while it is found.

    Once `stop` says so, what is best so far is printed for every power.
    """
    budget = Budget(len(task.powers), task.time, task.nodes)
    # Where the lines go to a terminal they show themselves how the search gets on.
    with waiting("searching", task.time, shown=not sys.stdout.isatty()):
        for power in task.powers:
            time, nodes = budget.share()
            found: Found | None = None
            shown: tuple[Line | None, int] = None, 0
            for found in engine.improvements(
                task.position,
                power,
                time=time,
                nodes=nodes,
                seeds=task.seeds,
                previous=task.previous,
                given=task.given,
                stop=stop,
            ):
                # Only what is new: a search begins with what a first glance has found.
                if found.lines and found.lines[0] != shown[0]:
                    shown = found.lines[0], found.nodes
                    print_info(found, 1, found.lines[0], as_json)
            if found is None:
                continue
            for rank, line in enumerate(found.lines, start=1):
                if (line, found.nodes) != shown:
                    print_info(found, rank, line, as_json)
            budget.spend(found.nodes)
            if as_json:
                print_json({"power": power, "bestorders": list(found.orders)})
            else:
                click.echo(f"bestorders power {power} orders {'; '.join(found.orders)}".rstrip())


def print_info(found: Found, rank: int, line: Line, as_json: bool) -> None:
    """Print one line of what is found so far; the keys keep their order."""
    info = {
        "depth": found.depth,
        "nodes": found.nodes,
        "nps": round(found.nodes / found.seconds) if found.seconds > 0 else 0,
        "time": round(found.seconds * 1000),
        "power": found.power,
        "multipv": rank,
        "prob": line.probability,
        "value": line.value,
        "orders": list(line.orders),
    }
    if as_json:
        print_json(info)
    else:
        shown = {**info, "orders": "; ".join(line.orders)}
        click.echo("info " + " ".join(f"{key} {value}" for key, value in shown.items()))
    sys.stdout.flush()
