"""``bordeaux orders``: the engine's orders for one power, for several, or for all."""

from __future__ import annotations

from typing import Any

import click

from bordeaux.board.formats.load import read_position
from bordeaux.board.position import Position
from bordeaux.cli.budget import Budget
from bordeaux.cli.options import (
    SECONDS,
    evaluation_option,
    json_option,
    phase_option,
    position_argument,
    powers_of,
)
from bordeaux.cli.output import print_json, print_table, print_text, table
from bordeaux.cli.progress import waiting
from bordeaux.cli.watch import watch
from bordeaux.engine import Engine, Found

__all__ = ["command"]

DEFAULT_SECONDS = 1.0
MOST_NODES = 2**62
MOST_SEED = 2**63 - 1
MOST_PROCESSES = 256


@click.command("orders")
@position_argument
@phase_option
@click.option(
    "--power", "names", metavar="P|all", multiple=True, required=True, help="Whose orders; may be repeated."
)
@click.option("--time", "seconds", type=SECONDS, metavar="S", help="Search S seconds; 1 without --nodes.")
@click.option("--nodes", type=click.IntRange(1, MOST_NODES), metavar="N", help="Search N nodes at most.")
@click.option(
    "--seed", type=click.IntRange(0, MOST_SEED), metavar="N", default=0, help="Seed of all chance. [default: 0]"
)
@click.option(
    "--processes",
    type=click.IntRange(1, MOST_PROCESSES),
    metavar="N",
    default=1,
    help="Processes that search. [default: 1]",
)
@evaluation_option
@click.option("--watch", "watched", is_flag=True, help="Print every improvement when it is found.")
@json_option
def command(
    position: str,
    phase: str | None,
    names: tuple[str, ...],
    seconds: float | None,
    nodes: int | None,
    seed: int,
    processes: int,
    evaluation: str,
    watched: bool,
    as_json: bool,
) -> None:
    """Find orders for POSITION.

    The time and the nodes are one budget for all powers asked for together. A search with --nodes,
    without --time and in one process gives the same answer every time.

    \b
    Examples:
      bordeaux orders start --power FRANCE
      bordeaux orders game.json --phase F1903M --power all --time 5 --json
      bordeaux orders start --power TUR --nodes 20000 --watch
    """
    where = read_position(position, phase=phase)
    powers = powers_of(where.map, names)
    if seconds is None and nodes is None:
        seconds = DEFAULT_SECONDS
    with Engine(seed=seed, processes=processes, evaluation=evaluation, map=where.map) as engine:
        if watched:
            watch(engine, where, powers, seconds, nodes, as_json)
            return
        with waiting("searching", seconds):
            found = search(engine, where, powers, seconds, nodes)
    if as_json:
        answers = {power: as_dict(answer) for power, answer in found.items()}
        print_json({"phase": str(where.phase), "powers": answers})
    else:
        print_found(where, found)


def search(
    engine: Engine, position: Position, powers: tuple[str, ...], seconds: float | None, nodes: int | None
) -> dict[str, Found]:
    """Search for every one of `powers` within one budget."""
    if powers == position.map.powers:
        return engine.search_all(position, time=seconds, nodes=nodes)
    budget = Budget(len(powers), seconds, nodes)
    found = {}
    for power in powers:
        time_share, node_share = budget.share()
        found[power] = engine.search(position, power, time=time_share, nodes=node_share)
        budget.spend(found[power].nodes)
    return found


def as_dict(found: Found) -> dict[str, Any]:
    """What one search found, as the command gives it in JSON."""
    lines = [
        {"orders": list(line.orders), "value": line.value, "probability": line.probability}
        for line in found.lines
    ]
    return {
        "orders": list(found.orders),
        "value": found.value,
        "lines": lines,
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def print_found(position: Position, found: dict[str, Found]) -> None:
    """Print a table of lines for every power, the chosen one first."""
    for power, answer in found.items():
        if not answer.orders:
            print_text(f"{power} owes no orders in {position.phase}.")
            continue
        title = f"{power}, {position.phase}: {answer.nodes:,} nodes in {answer.seconds:.2f} s"
        made = table("", "value", "probability", "orders", numbers=("value", "probability"), title=title)
        for line in answer.lines:
            chosen = tuple(line.orders) == tuple(answer.orders)
            made.add_row(
                "*" if chosen else "",
                f"{line.value:.2f}",
                f"{line.probability:.0%}",
                "\n".join(line.orders),
                style="bold" if chosen else "",
                end_section=True,
            )
        print_table(made)
