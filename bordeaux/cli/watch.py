"""``bordeaux orders --watch``: one line for every improvement, the best few lines at the end,
and then the best orders."""

from __future__ import annotations

import sys

import click

from bordeaux.board.position import Position
from bordeaux.cli.budget import Budget
from bordeaux.cli.output import print_json
from bordeaux.engine import Engine, Found, Line

__all__ = ["watch"]

DEPTH = 1
"""Phases that the search looks ahead."""


def watch(
    engine: Engine,
    position: Position,
    powers: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    as_json: bool,
) -> None:
    """Search `powers` in turn within one budget and print what is found while it is found."""
    budget = Budget(len(powers), seconds, nodes)
    for power in powers:
        time_share, node_share = budget.share()
        found: Found | None = None
        for found in engine.improvements(position, power, time=time_share, nodes=node_share):
            for line in found.lines[:1]:
                print_info(found, 1, line, as_json)
        if found is None:
            continue
        for rank, line in enumerate(found.lines[1:], start=2):
            print_info(found, rank, line, as_json)
        budget.spend(found.nodes)
        if as_json:
            print_json({"power": power, "bestorders": list(found.orders)})
        else:
            click.echo(f"bestorders power {power} orders {'; '.join(found.orders)}".rstrip())


def print_info(found: Found, rank: int, line: Line, as_json: bool) -> None:
    """Print one line of what is found so far; the keys keep their order."""
    info = {
        "depth": DEPTH,
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
