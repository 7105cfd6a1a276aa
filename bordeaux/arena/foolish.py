"""The bench of foolish orders: positions with what a good player would not do there, and how often advice is
foolish or differs from seed to seed."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from importlib import resources
from typing import Any, NamedTuple

from bordeaux.board.position import Position
from bordeaux.engine import Engine

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
    """The bundled positions."""
    text = (resources.files("bordeaux.arena") / "data" / "foolish.jsonl").read_text("utf-8")
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
    """The figures, from the answers to each position with each budget and seed, in the form of ``bordeaux
    bench --foolish --json``.

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
