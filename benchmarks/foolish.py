"""How often advice is foolish, and how often it differs from seed to seed: positions with rules of what a
good player would not do there.

    python benchmarks/foolish.py [--nodes N]... [--seed N] [--seeds N] [--processes N] [--json]
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import click

from bordeaux.board.position import Position
from bordeaux.cli.options import json_option, processes_option, whole
from bordeaux.cli.program import Script
from bordeaux.cli.report.output import print_json, print_table, table
from bordeaux.cli.report.progress import estimating
from bordeaux.engine import Engine
from bordeaux.jobs import available_cores
from bordeaux.jobs.pool import mapped

BUDGETS = (5_000, 20_000)
"""Nodes of the searches, unless others are asked for."""
SEEDS = 5
"""Seeds of the searches of each position, unless others are asked for."""

Orders = tuple[str, ...]


class Refrain(NamedTuple):
    """What is foolish: all orders of `given` and none of `missing` are in the answer. They are patterns, in
    which ``*`` stands for any text."""

    given: Orders
    missing: Orders

    def broken_by(self, orders: Sequence[str]) -> bool:
        """Whether orders are foolish by this rule."""

        def has(pattern: str) -> bool:
            return any(fnmatchcase(order, pattern) for order in orders)

        return all(map(has, self.given)) and not any(map(has, self.missing))


class Temptation(NamedTuple):
    """A position in which a `power` was advised to be foolish, `why`, and the `rules` of a good player.

    `game` is its source, or empty. What is `held_out` was not looked at while the search was changed.
    """

    id: str
    game: str
    power: str
    why: str
    held_out: bool
    rules: tuple[Refrain, ...]
    position: Position

    def foolish(self, orders: Sequence[str]) -> bool:
        """Whether orders break a rule."""
        return any(rule.broken_by(orders) for rule in self.rules)


def shipped() -> list[Temptation]:
    """The positions beside this file."""
    text = (Path(__file__).parent / "data" / "foolish.jsonl").read_text("utf-8")
    return [_temptation(json.loads(line)) for line in text.splitlines()]


def _temptation(data: dict[str, Any]) -> Temptation:
    return Temptation(
        data["id"],
        data["game"],
        data["power"],
        data["why"],
        data["held_out"],
        tuple(Refrain(tuple(rule["given"]), tuple(rule["missing"])) for rule in data["foolish"]),
        Position.from_json(data["state"]),
    )


def advice(temptation: Temptation, budgets: Sequence[int], seeds: Sequence[int]) -> list[list[Orders]]:
    """The orders that are advised with each budget, in nodes, and each seed, without the opening book."""
    answers = []
    for nodes in budgets:
        row = []
        for seed in seeds:
            with Engine(seed=seed, explain=True, reasons=False) as engine:
                found = engine.search(temptation.position, temptation.power, nodes=nodes)
                row.append(found.orders)
        answers.append(row)
    return answers


def report(
    temptations: Sequence[Temptation], answers: Sequence[Sequence[Sequence[Orders]]], budgets: Sequence[int]
) -> dict[str, Any]:
    """The figures of --json, from the answers to each position with each budget and seed.

    For each budget: the shares of foolish answers of all positions and of those that are held out, the
    shares of pairs of seeds with the same set and of orders that are the same, and the foolish answers by
    position as ``by_position``.
    """
    rows = []
    for place, nodes in enumerate(budgets):
        given = [by_budget[place] for by_budget in answers]
        marks = [
            [temptation.foolish(orders) for orders in row]
            for temptation, row in zip(temptations, given, strict=True)
        ]
        held_out = [row for temptation, row in zip(temptations, marks, strict=True) if temptation.held_out]
        pairs = [pair for row in given for pair in itertools.combinations(map(frozenset, row), 2)]
        rows.append(
            {
                "nodes": nodes,
                "answers": sum(map(len, given)),
                "foolish": _share(itertools.chain.from_iterable(marks)),
                "held_out": _share(itertools.chain.from_iterable(held_out)),
                "same_set": _share(one == other for one, other in pairs),
                "same_orders": _share(order in other for one, other in pairs for order in one),
                "by_position": {
                    temptation.id: sum(row)
                    for temptation, row in zip(temptations, marks, strict=True)
                    if any(row)
                },
            }
        )
    return {"positions": len(temptations), "budgets": rows}


def _share(counted: Iterable[bool]) -> float | None:
    """The share of those that are true, from 0 to 1; None of none."""
    made = list(counted)
    return round(sum(made) / len(made), 4) if made else None


@click.command(cls=Script)
@click.option(
    "--nodes",
    type=whole(1, 1_000_000_000),
    metavar="N",
    multiple=True,
    default=BUDGETS,
    help="Of a search.",
)
@click.option("--seed", type=whole(0, 2**63 - 1), metavar="N", default=0, help="The first seed.")
@click.option(
    "--seeds", type=whole(1, 1_000_000_000), metavar="N", default=SEEDS, help="Seeds of each position."
)
@processes_option("Positions at once.  [default: one a core]")
@json_option
def main(nodes: tuple[int, ...], seed: int, seeds: int, processes: int | None, as_json: bool) -> None:
    """Ask for advice where it was foolish, and print how often it still is."""
    chosen, budgets = shipped(), tuple(dict.fromkeys(nodes))
    asked = partial(advice, budgets=budgets, seeds=range(seed, seed + seeds))
    given = []
    with (
        estimating("positions", 0, len(chosen)) as counter,
        mapped(asked, chosen, processes or available_cores()) as answers,
    ):
        for answer in answers:
            given.append(answer)
            counter.update(len(given))
    figures = report(chosen, given, budgets)
    if as_json:
        print_json(figures)
        return
    columns = ("answers", "foolish", "held out", "same set", "same orders")
    made = table("nodes", *columns, numbers=("nodes", *columns))
    for row in figures["budgets"]:
        shares = (row["foolish"], row["held_out"], row["same_set"], row["same_orders"])
        cells = ("-" if share is None else f"{share:.1%}" for share in shares)
        made.add_row(f"{row['nodes']:,}", f"{row['answers']:,}", *cells)
    print_table("Foolish advice", made)


if __name__ == "__main__":
    main()
