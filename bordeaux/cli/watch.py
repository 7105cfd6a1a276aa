"""``bordeaux orders --watch``: one line for every improvement, then the best orders."""

from __future__ import annotations

import click

from bordeaux.board.position import Position
from bordeaux.cli.budget import Budget
from bordeaux.cli.output import print_json
from bordeaux.engine import Engine, Found

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
        best: tuple[str, ...] = ()
        spent = 0
        for found in engine.improvements(position, power, time=time_share, nodes=node_share):
            print_info(found, as_json)
            best, spent = found.orders, found.nodes
        budget.spend(spent)
        if as_json:
            print_json({"power": power, "bestorders": list(best)})
        else:
            click.echo(f"bestorders power {power} orders {'; '.join(best)}".rstrip())


def print_info(found: Found, as_json: bool) -> None:
    """Print the lines of one improvement, the best first; the keys keep their order."""
    for rank, line in enumerate(found.lines, start=1):
        info = {
            "depth": DEPTH,
            "nodes": found.nodes,
            "nps": round(found.nodes / found.seconds) if found.seconds > 0 else 0,
            "time": round(found.seconds * 1000),
            "power": found.power,
            "multipv": rank,
            "prob": round(line.probability, 4),
            "value": round(line.value, 4),
            "orders": list(line.orders),
        }
        if as_json:
            print_json(info)
        else:
            shown = {**info, "orders": "; ".join(line.orders)}
            click.echo("info " + " ".join(f"{key} {value}" for key, value in shown.items()))
