"""Compares sets of orders by the power's expected share of the final result after them.

All sets are evaluated on the same sampled orders of the others and the same random numbers. The policies of
the search's rollouts continue each joint set, and the learnt prospect gives the power's share. Some samples
choose the best set, and the others measure it, which avoids selection bias. What is measured is calibrated by
games, as all chances that people see.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

from bordeaux.board.code import as_bytes
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit, texts
from bordeaux.engine import Engine, Limit, Request
from bordeaux.evaluation.prospect import MOST_CHANCE, curve_of, prospect_value
from bordeaux.formats.games import Played
from bordeaux.search.analysis import Analysis
from bordeaux.search.sets import from_orders, in_full

__all__ = ["Attempt", "Compared", "Comparison", "Lead", "Weighed", "weighed"]

CHOOSING, MEASURING = 32, 64
"""Samples for choosing the best set, and separate samples for measuring its lead."""


class Compared(NamedTuple):
    """The index of the best candidate, the expected share after it, and its difference to the last candidate
    with the standard error; 0 if the last is the best."""

    best: int
    expected: float
    loss: float
    doubt: float


class Lead(NamedTuple):
    """The expected share after a set, and its difference to another set with the standard error."""

    expected: float
    mean: float
    doubt: float


class Comparison:
    """Compares candidates of one power in a position of any kind.

    The final `analysis` of a search draws the orders of the others, and says how all powers play on.
    `movements` is the number of movement phases of a rollout. `seed` determines all random choices except
    these draws.
    """

    def __init__(self, position: Position, power: str, analysis: Analysis, movements: int, seed: str) -> None:
        self.position = position
        self.number = position.map.powers.index(power)
        self.movements = movements
        self.curve = curve_of(position, power)
        self._rollout = analysis.rollouts(prospect_value(position.map, scale=1.0))
        chance = random.Random(seed)
        self.samples = [analysis.others(power) for _ in range(CHOOSING + MEASURING)]
        self.seeds = [chance.getrandbits(63) for _ in self.samples]

    def shares(
        self, candidates: Sequence[bytes], begin: int = 0, end: int | None = CHOOSING
    ) -> list[list[float]]:
        """For each candidate (bytes of codes) the power's expected share, from 0 to 1, after each of the
        samples of a range. Single samples are not calibrated."""
        samples = self.samples[begin:end]
        return self._rollout.compare(
            self.position.packed,
            self.number,
            candidates,
            samples,
            self.movements,
            self.seeds[begin:end],
        )

    def run(self, candidates: Sequence[bytes]) -> Compared:
        """The best of the candidates, and the distance of the last one to it."""
        means = [fmean(row) for row in self.shares(candidates)] if len(candidates) > 1 else [0.0]
        chosen = max(range(len(means)), key=lambda index: (means[index], -index))
        last = len(candidates) - 1
        lead = self.lead(candidates[chosen], candidates[last])
        if chosen == last or lead.mean <= 0:
            return Compared(last, lead.expected - lead.mean, 0.0, 0.0)
        return Compared(chosen, lead.expected, lead.mean, lead.doubt)

    def best(self, candidates: Sequence[bytes]) -> bytes:
        """The best of some candidates, on the samples for choosing."""
        rows = self.shares(candidates)
        return candidates[max(range(len(rows)), key=lambda index: (fmean(rows[index]), -index))]

    def lead(self, one: bytes, other: bytes) -> Lead:
        """The difference of one set to another, on the samples for measuring."""
        mine, theirs = self.shares([one, other], CHOOSING, None)
        return Lead(min(self.curve.of(fmean(mine)), MOST_CHANCE), *self.curve.lead(mine, theirs))


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


def weighed(attempt: Attempt, stop: Callable[[], bool] | None = None) -> list[Weighed]:
    """The sets of an attempt and the best sets of a search, best first.

    All are evaluated on the same sampled orders of the others and the same random numbers. Equal sets are
    evaluated once, under the first name. `stop` ends the search early, as for an engine. Raises
    OrderError for an illegal order.
    """
    position, power = attempt.position, attempt.power
    for given in attempt.sets.values():
        submit(position, {power: given}).legal()
    moves = position.phase.kind == "M"

    def full(orders: Sequence[Order]) -> bytes:
        codes = from_orders(position, power, orders)
        return as_bytes(in_full(position, power, codes).values()) if moves else codes

    named = {name: full(orders) for name, orders in attempt.sets.items()}
    with Engine(seed=attempt.seed, map=position.map) as engine:
        for before, orders in attempt.history:
            engine.observe(before, orders)
        seeds = list(attempt.sets.values()) if moves else []
        analysis = engine.examine(Request(position, (power,), attempt.limit, seeds=seeds), stop)
        ranked = [orders for orders, _ in analysis.lines(power, LINES)]
        if moves:
            ranked = [as_bytes(in_full(position, power, orders).values()) for orders in ranked]
        names: dict[bytes, str] = {}
        for name, codes in [*named.items(), *(("", codes) for codes in ranked)]:
            names.setdefault(codes, name)
        ahead = WINTER if position.phase.kind == "A" else SPRING
        comparison = Comparison(position, power, analysis, ahead, f"{attempt.seed} {power}")
        rows = comparison.shares(list(names), 0, None)
    best, curve = max(rows, key=fmean), comparison.curve
    weighed_sets = [
        Weighed(
            name,
            texts(position.map, codes),
            min(curve.of(fmean(row)), MOST_CHANCE),
            *curve.lead(best, row),
        )
        for (codes, name), row in zip(names.items(), rows, strict=True)
    ]
    return sorted(weighed_sets, key=lambda weighed_set: -weighed_set.expected)
