"""What a search does with more nodes: its candidates, who proposed the chosen sets, and what it still loses.

    python benchmarks/budgets.py [--nodes 4000,13500,67500] [--positions 20] [--samples 1000] [--seed 1]
                                 [--json]

Each power with the most units of a movement position of `bordeaux bench` is searched for with each number of
nodes. Then the search with most nodes values all sets that were chosen in the position, each against the same
draws of the others' orders (`Analysis.values`). The loss of a choice is its distance to the best of them, in
points (3,000 are the whole game). So it shows what is lost to the search's own beliefs, not to opponents:
matches show that. Losses are means over positions with 95 % intervals.
"""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field

import click

from bordeaux import Position
from bordeaux.arena.bench import positions
from bordeaux.arena.statistics import bootstrap
from bordeaux.cli.options import MOST_SEED, json_option, node_limits, whole
from bordeaux.cli.program import Script
from bordeaux.engine import Analysis, Engine, Limit, Request


@dataclass
class Row:
    """The figures of one number of nodes, one for each position: seconds of processor time, numbers of
    candidates, nodes, and points lost; and how many candidates and choices each proposer had."""

    seconds: list[float] = field(default_factory=list)
    candidates: list[int] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    lost: list[float] = field(default_factory=list)
    proposed: Counter[str] = field(default_factory=Counter)
    chosen: Counter[str] = field(default_factory=Counter)


def cases(count: int) -> list[tuple[Position, str]]:
    """Movement positions, each with the power that has the most units."""
    movements = [position for position, _ in positions() if position.phase.kind == "M"][:count]
    chosen = []
    for position in movements:
        owing = position.orderable()
        chosen.append((position, max(owing, key=lambda power: (len(owing[power]), power))))
    return chosen


def searched(position: Position, power: str, nodes: int, seed: int) -> tuple[Analysis, float]:
    """The analysis, and the seconds of processor time that it took."""
    begun = time.process_time()
    analysis = Engine(seed=seed).examine(Request(position, (power,), Limit(nodes=nodes)))
    return analysis, time.process_time() - begun


def measured(limits: list[int], count: int, samples: int, seed: int) -> dict[int, Row]:
    """The rows by number of nodes."""
    rows = {nodes: Row() for nodes in limits}
    for position, power in cases(count):
        choices = {}
        for nodes, row in rows.items():
            analysis, seconds = searched(position, power, nodes, seed)
            best, *_ = pool = analysis.candidates(power)
            choices[nodes] = best.orders
            row.seconds.append(seconds)
            row.candidates.append(len(pool))
            row.nodes.append(analysis.nodes)
            row.proposed.update(candidate.proposer for candidate in pool)
            row.chosen[best.proposer] += 1
        sets = list(dict.fromkeys(choices.values()))
        points = analysis.values(power, sets, samples, seed)
        means = dict(zip(sets, map(statistics.fmean, points), strict=True))
        for nodes, row in rows.items():
            row.lost.append(max(means.values()) - means[choices[nodes]])
    return rows


def shares(counts: Counter[str]) -> str:
    """What part of a count each name has, most first."""
    total = sum(counts.values())
    return ", ".join(f"{name} {100 * count / total:.0f} %" for name, count in counts.most_common())


@click.command(cls=Script)
@click.option(
    "--nodes", type=node_limits, default="4000,13500,67500", metavar="N,...", help="Nodes of the searches."
)
@click.option("--positions", "count", type=whole(2, 100), default=20, metavar="N", help="Positions at most.")
@click.option("--samples", type=whole(1, 10**6), default=1000, metavar="N", help="Draws of the others.")
@click.option("--seed", type=whole(0, MOST_SEED), default=1, metavar="N", help="Seed of chance.")
@json_option
def main(nodes: list[int], count: int, samples: int, seed: int, as_json: bool) -> None:
    """Measure what a search does with more nodes, and what it still loses to its own beliefs."""
    rows = measured(nodes, count, samples, seed)
    figures = {
        limit: {
            "seconds": statistics.fmean(row.seconds),
            "candidates": statistics.fmean(row.candidates),
            "nodes": statistics.fmean(row.nodes),
            "lost": bootstrap(row.lost, bounds=None).to_json(),
            "proposed": dict(row.proposed),
            "chosen": dict(row.chosen),
        }
        for limit, row in rows.items()
    }
    if as_json:
        print(json.dumps(figures))
        return
    for limit, row in rows.items():
        lost = bootstrap(row.lost, bounds=None)
        seconds, candidates = statistics.fmean(row.seconds), statistics.fmean(row.candidates)
        print(f"{limit} nodes, {seconds:.3f} s, {candidates:.0f} candidates")
        print(f"  lost      {lost.mean:.1f} points ({lost.low:.1f} to {lost.high:.1f})")
        print(f"  proposed  {shares(row.proposed)}")
        print(f"  chosen    {shares(row.chosen)}")


if __name__ == "__main__":
    main()
