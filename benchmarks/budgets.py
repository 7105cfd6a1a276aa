"""What more nodes give: the value of the answer, and how often two seeds give the same one.

    python benchmarks/budgets.py [--nodes 5000,20000,100000] [--positions 12] [--seeds 3] [--json]

Each power with the most units of a movement position of `bordeaux bench` is searched for with each number of
nodes and each seed. A set has the same value in every answer (`bordeaux.search.settle`), so that values of
different searches compare.
"""

from __future__ import annotations

import itertools
import json
import statistics
import time

import click

from bordeaux import Engine, Position
from bordeaux.arena.bench import positions
from bordeaux.cli.options import json_option, node_limits, whole
from bordeaux.cli.program import Script


def cases(count: int) -> list[tuple[Position, str]]:
    """Movement positions, each with the power that has the most units."""
    movements = [position for position, _ in positions() if position.phase.kind == "M"][:count]
    chosen = []
    for position in movements:
        owing = position.orderable()
        chosen.append((position, max(owing, key=lambda power: (len(owing[power]), power))))
    return chosen


def measured(nodes: int, count: int, seeds: int) -> dict[str, float]:
    """The means with a number of nodes: the value of the star, the share of pairs of seeds with the same
    star, the nodes that were of use, and the seconds of processor time."""
    values, used, agreed, begun = [], [], [], time.process_time()
    for position, power in cases(count):
        stars = []
        for seed in range(seeds):
            with Engine(seed=seed) as engine:
                found = engine.search(position, power, nodes=nodes)
            stars.append(found.orders)
            values.append(found.value)
            used.append(found.nodes)
        agreed += [one == other for one, other in itertools.combinations(stars, 2)]
    return {
        "value": statistics.fmean(values),
        "same": statistics.fmean(agreed),
        "nodes": statistics.fmean(used),
        "seconds": (time.process_time() - begun) / len(values),
    }


@click.command(cls=Script)
@click.option("--nodes", type=node_limits, default="5000,20000,100000", metavar="N,...", help="Nodes.")
@click.option("--positions", "count", type=whole(2, 100), default=12, metavar="N", help="Positions at most.")
@click.option("--seeds", type=whole(2, 100), default=3, metavar="N", help="Seeds of each position.")
@json_option
def main(nodes: list[int], count: int, seeds: int, as_json: bool) -> None:
    """Measure what more nodes give."""
    figures = {limit: measured(limit, count, seeds) for limit in nodes}
    if as_json:
        print(json.dumps(figures))
        return
    for limit, row in figures.items():
        print(f"{limit} nodes: value {row['value']:.2%}, same star {row['same']:.0%}", end=", ")
        print(f"{row['nodes']:.0f} nodes used, {row['seconds']:.3f} s")


if __name__ == "__main__":
    main()
