"""Compares sets of orders by what they are worth: the values of the engine's last stage.

All sets are valued on one sample that hangs on the position and on what is known (`bordeaux.search.settle`),
so that a set has the same value in an answer, here, and in reviews.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from bordeaux.board.code import codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.engine import Engine, Limit, Request
from bordeaux.formats.games import Played
from bordeaux.search.analysis import complete
from bordeaux.search.sets import from_orders

LINES = 3
"""Sets of a search that are compared in addition to the sets of the question."""


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

    All are valued by the measure of the search, as `orders` values lines. Equal sets are valued once, under
    the first name. `stop` ends the search early, as for an engine. Raises OrderError for an illegal order.
    """
    position, power = attempt.position, attempt.power
    for given in attempt.sets.values():
        submit(position, {power: given}).legal()
    named = {
        name: complete(position, power, codes_in(from_orders(position, power, orders)))
        for name, orders in attempt.sets.items()
    }
    with Engine(seed=attempt.seed, map=position.map) as engine:
        for before, orders in attempt.history:
            engine.observe(before, orders)
        seeds = list(attempt.sets.values()) if position.phase.kind == "M" else []
        analysis = engine.examine(Request(position, (power,), attempt.limit, seeds=seeds, lines=LINES), stop)
        names: dict[bytes, str] = {}
        found = [line.codes for line in analysis.answers[power].lines]
        for name, codes in [*named.items(), *(("", codes) for codes in found)]:
            names.setdefault(codes, name)
        lines = analysis.measure(power).lines(names)
    return [Weighed(names[line.codes], line.orders, line.value, line.behind, line.doubt) for line in lines]
