"""Evaluates a user's sets of orders for one power in place of the played ones."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev
from typing import NamedTuple

from bordeaux.board.code import as_bytes
from bordeaux.board.errors import OrderError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit, texts
from bordeaux.engine import Engine, Limit, Request
from bordeaux.formats.games import Played
from bordeaux.review.comparison import Comparison
from bordeaux.search.sets import from_orders, in_full

__all__ = ["Attempt", "Weighed", "weighed"]

LINES = 3
"""Sets of a search that are compared in addition to the sets of the question."""
SPRING, WINTER = 1, 2
"""Movement phases of rollouts after movements and retreats, and after adjustments, as in reviews."""


class Attempt(NamedTuple):
    """Sets of orders of a power in a position, each with a name, and the movement phases before it. `limit`
    is that of the search for sets to compare with, `seed` determines all random choices."""

    position: Position
    power: str
    sets: dict[str, tuple[Order, ...]]
    history: tuple[Played, ...] = ()
    limit: Limit = Limit(1.0)
    seed: int = 0


class Weighed(NamedTuple):
    """A set with its expected share after it, from 0 to 1, its difference to the best set, and the standard
    error of this difference. `name` is "" for a set that the search found."""

    name: str
    orders: tuple[str, ...]
    expected: float
    behind: float
    doubt: float


def weighed(attempt: Attempt) -> list[Weighed]:
    """The sets of an attempt and the best sets of a search, best first.

    All are evaluated on the same sampled orders of the others and the same random numbers. Equal sets are
    evaluated once, under the first name. Raises OrderError for an illegal order.
    """
    position, power = attempt.position, attempt.power
    for given in attempt.sets.values():
        for submitted in submit(position, {power: given}).orders:
            if submitted.fault:
                raise OrderError(f"{submitted.order} is illegal in {position.phase}: {submitted.fault}")
    moves = position.phase.kind == "M"

    def full(orders: Sequence[Order]) -> bytes:
        codes = from_orders(position, power, orders)
        return as_bytes(in_full(position, power, codes).values()) if moves else codes

    named = {name: full(orders) for name, orders in attempt.sets.items()}
    with Engine(seed=attempt.seed, map=position.map) as engine:
        for before, orders in attempt.history:
            engine.observe(before, orders)
        seeds = list(attempt.sets.values()) if moves else []
        analysis = engine.examine(Request(position, (power,), attempt.limit, seeds=seeds))
        ranked = [orders for orders, _ in analysis.lines(power, LINES)]
        if moves:
            ranked = [as_bytes(in_full(position, power, orders).values()) for orders in ranked]
        names: dict[bytes, str] = {}
        for name, codes in [*named.items(), *(("", codes) for codes in ranked)]:
            names.setdefault(codes, name)
        ahead = WINTER if position.phase.kind == "A" else SPRING
        rows = Comparison(position, power, analysis, ahead, f"{attempt.seed} {power}").shares(
            list(names), 0, None
        )
    means = [fmean(row) for row in rows]
    best = rows[max(range(len(means)), key=means.__getitem__)]
    weighed_sets = [
        Weighed(
            name,
            texts(position.map, codes),
            mean,
            max(means) - mean,
            stdev(one - other for one, other in zip(best, row, strict=True)) / len(row) ** 0.5,
        )
        for (codes, name), mean, row in zip(names.items(), means, rows, strict=True)
    ]
    return sorted(weighed_sets, key=lambda weighed_set: -weighed_set.expected)
