"""``bordeaux orders``: the engine's orders for one power, for several, or for all."""

from __future__ import annotations

from typing import Any

import click

from bordeaux.board.formats.load import read_position
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.cli.budget import Budget
from bordeaux.cli.options import (
    evaluation_option,
    json_option,
    map_option,
    phase_option,
    position_argument,
    powers_of,
    processes_option,
    seconds,
    whole,
)
from bordeaux.cli.output import print_json, print_table, print_text, table
from bordeaux.cli.progress import waiting
from bordeaux.cli.watch import watch
from bordeaux.engine import Engine, Found

__all__ = ["command"]

DEFAULT_SECONDS = 1.0
MOST_NODES = 2**62
MOST_SEED = 2**63 - 1


@click.command("orders")
@position_argument
@phase_option
@map_option
@click.option(
    "--power", "names", metavar="P|all", multiple=True, required=True, help="Whose orders; may be repeated."
)
@click.option("--time", type=seconds, metavar="S", help="Search S seconds; 1 without --nodes.")
@click.option("--nodes", type=whole(1, MOST_NODES), metavar="N", help="Search N nodes at most.")
@click.option(
    "--seed", type=whole(0, MOST_SEED), metavar="N", default=0, help="Seed of all chance.  [default: 0]"
)
@processes_option("Search in N processes, side by side.  [default: 1]")
@evaluation_option
@click.option("--watch", "watched", is_flag=True, help="Print every improvement when it is found.")
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    names: tuple[str, ...],
    time: float | None,
    nodes: int | None,
    seed: int,
    processes: int | None,
    evaluation: str,
    watched: bool,
    as_json: bool,
) -> None:
    """Find the best orders for POSITION.

    The time and the nodes are one budget for all powers asked for together. A search with --nodes,
    without --time and in one process gives the same answer every time.

    \b
    Examples:
      bordeaux orders start --power FRANCE
      bordeaux orders game.json --phase F1903M --power all --time 5 --json
      bordeaux orders start --power TUR --nodes 20000 --watch
    """
    where = read_position(position, phase=phase, map=board)
    powers = powers_of(where.map, names)
    if time is None and nodes is None:
        time = DEFAULT_SECONDS
    with Engine(seed=seed, processes=processes or 1, evaluation=evaluation, map=where.map) as engine:
        engine.warm_up(where)
        if watched:
            watch(engine, where, powers, time, nodes, as_json)
            return
        with waiting("searching", time):
            found = search(engine, where, powers, time, nodes)
    if as_json:
        answers = {power: as_dict(answer) for power, answer in found.items()}
        print_json({"phase": str(where.phase), "powers": answers})
    else:
        print_found(where, found)


def search(
    engine: Engine, position: Position, powers: tuple[str, ...], time: float | None, nodes: int | None
) -> dict[str, Found]:
    """Search for every one of `powers` within one budget."""
    if powers == position.map.powers:
        return engine.search_all(position, time=time, nodes=nodes)
    budget = Budget(len(powers), time, nodes)
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
        heading = f"{power}, {position.phase}: {answer.nodes:,} nodes in {answer.seconds:.2f} s"
        made = table("", "value", "probability", "orders", numbers=("value", "probability"))
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
        print_table(heading, made)
