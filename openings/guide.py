"""Playing from a book: a set is drawn by weight, and rejected if it would lose something at once."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluator
from bordeaux.openings.book import Book, phase_number
from bordeaux.openings.canonical import canonical, position_key
from bordeaux.openings.entry import Orders
from bordeaux.search.analysis import Found, Line
from bordeaux.search.task import LINES, Request

# Values of sets of orders against a mixture of all others, by adjudicating and evaluating the phase. This is
# not a search: it values sets that a search did not list, and finds moves that lose something at once.

SAMPLES = 8
"""Draws of everybody else's orders that a set is played against."""

Candidate = tuple[Sequence[str], float, float]
"""What a search says of a set: orders, value in points, share in its mixture."""
Searched = Mapping[str, Sequence[Candidate]]
"""The answer of a search for every power, the best set first."""


class Outlook(NamedTuple):
    """The mean result of a set: points of the evaluation, and holdings (see `holdings`); and the holdings in
    the worst quarter of the draws."""

    points: float
    holdings: float
    worst: float


def holdings(position: Position, power: str) -> int:
    """The holdings of a power: its centres without a foreign unit and those that it occupies, and its
    undislodged units."""
    standing = {unit.province: unit.power for unit in position.units}
    held = 0
    for centre, owner in zip(position.map.centres, position.owners, strict=True):
        held += standing.get(centre, owner) == power
    return held + len(position.units_of(power))


def outlooks(
    position: Position,
    power: str,
    sets: Iterable[Orders],
    searched: Searched,
    *,
    evaluation: str = "default",
    samples: int = SAMPLES,
) -> dict[Orders, Outlook]:
    """The results of a power's `sets` when the others draw theirs from `searched`.

    All sets are evaluated on the same draws, which depend only on the position. Powers that `searched` does
    not list hold. Raises MapError for an unknown power and OrderError for unreadable orders.
    """
    map = position.map
    name = map.power(power)
    number = map.powers.index(name)
    judge_of = evaluator(map, evaluation)
    draws = _draws(position, name, searched, samples)
    by_orders = {}
    for orders in sets:
        own = _codes(position, {name: orders})
        points = 0.0
        held = []
        for others in draws:
            after, *_ = position.packed.adjudicate(own + others)
            points += judge_of.evaluate(after, number)[0]
            held.append(holdings(Position.from_packed(map, after), name))
        by_orders[orders] = Outlook(points / len(draws), sum(held) / len(held), worst_quarter(held))
    return by_orders


def _draws(position: Position, power: str, searched: Searched, samples: int) -> list[list[tuple[int, int]]]:
    """Codes of all others' orders, `samples` times; one draw suffices if nobody else orders."""
    chance = random.Random(int(position_key(position), 16))
    pools = {
        other: ([tuple(orders) for orders, _, _ in lines], [share for _, _, share in lines])
        for other, lines in searched.items()
        if lines and other != power
    }
    return [
        _codes(position, {other: _drawn(chance, *pool) for other, pool in pools.items()})
        for _ in range(samples if pools else 1)
    ]


def worst_quarter(values: Sequence[float]) -> float:
    """The mean of the worst quarter of some values, rounded up."""
    worst = sorted(values)[: math.ceil(len(values) / 4)]
    return math.fsum(worst) / len(worst)


def _drawn(chance: random.Random, sets: Sequence[Orders], shares: Sequence[float]) -> Orders:
    return chance.choices(sets, shares)[0] if sum(shares) > 0 else sets[0]


def _codes(position: Position, orders: Mapping[str, Orders]) -> list[tuple[int, int]]:
    return submit(position, orders).codes()


SOUND_SAMPLES = 24
"""Draws of the others that a set is played against."""
MARGIN = 0.75
"""Holdings that a set may lose at once, or lie behind the best: what half of the draws take is too much."""


def sound(
    position: Position, power: str, orders: Orders, searched: Searched, *, margin: float = MARGIN
) -> bool:
    """Whether a set of orders loses no material at once.

    It is played against the expected orders of the others from a short search (`searched`). The result is
    half the mean, half the worst quarter, since so short a search predicts the others poorly. It is unsound
    if the power then holds at least `margin` centres and units less than now, and as much less than with
    another set that the search lists. Without a search every set is sound. Raises MapError for an unknown
    power and OrderError for unreadable orders.
    """
    name = position.map.power(power)
    listed = [tuple(given) for given, *_ in searched.get(name, ())]
    if not listed:
        return True
    seen = outlooks(position, name, dict.fromkeys([orders, *listed]), searched, samples=SOUND_SAMPLES)
    kept = {orders: (outlook.holdings + outlook.worst) / 2 for orders, outlook in seen.items()}
    if kept[orders] > holdings(position, name) - margin:
        return True
    return kept[orders] > max(kept[orders] for orders in listed) - margin


class Guide:
    """Plays sound sets of orders from a book: the most trusted one, or with `draw` one drawn by weight.

    `search` is a short search that gives the expected orders of each power, ``{power: [(orders, value,
    share)]}``; without one nothing is checked. `phases` is the number of phases, retreats not counted, for
    which the book is used; None: no limit. The same `seed`, position and power give the same orders,
    regardless of the sequence of calls.
    """

    def __init__(
        self,
        book: Book,
        search: Callable[[Position], Searched] | None = None,
        *,
        seed: int = 0,
        phases: int | None = None,
        draw: bool = False,
    ) -> None:
        self.book = book
        self.search = search
        self.seed = seed
        self.phases = phases
        self.draw = draw
        self._last: tuple[Position, Searched] | None = None

    def orders(
        self, position: Position, power: str, search: Callable[[Position], Searched] | None = None
    ) -> Orders | None:
        """The orders of the book for a power; None if out of book and if the book has nothing sound. `search`
        replaces the guide's own.

        An unsound set is rejected and another one drawn; illegal sets are never drawn. Raises MapError for an
        unknown power.
        """
        name = position.map.power(power)
        if position.map is not self.book.map or not self._within(position):
            return None
        # A book that nobody has verified may hold anything.
        entries = [
            entry
            for entry in self.book.entries(position, name)
            if entry.weight and canonical(position, name, entry.orders) == entry.orders
        ]
        if not entries:
            return None
        chance = Random(f"{self.seed} {position_key(position)} {name}")
        searched = self._searched(position, search or self.search)
        while entries:
            drawn = max(entries, key=lambda entry: (entry.trust, entry.weight))
            if self.draw:
                drawn = chance.choices(entries, [entry.weight for entry in entries])[0]
            if sound(position, name, drawn.orders, searched):
                return drawn.orders
            entries.remove(drawn)
        return None

    def answers(
        self, request: Request, search: Callable[[Position], Searched], seconds: Callable[[], float]
    ) -> dict[str, Found]:
        """The answers for the powers of a request for which the book has one, with `seconds` since the search
        began. They have at least `LINES` lines, so that one can be chosen among them."""
        position, answers = request.position, dict[str, Found]()
        for power in request.powers:
            orders = self.orders(position, power, search)
            if orders is None:
                continue
            entries = sorted(
                self.book.entries(position, power),
                key=lambda entry: (entry.orders != orders, -entry.trust, -entry.weight),
            )
            lines = tuple(
                Line(entry.orders, 0.0, round(entry.weight, 4))
                for entry in entries[: max(LINES, request.lines)]
            )
            answers[power] = Found(
                power, orders, lines[0].value, lines, 0, seconds(), book=True, position=position
            )
        return answers

    def _searched(self, position: Position, search: Callable[[Position], Searched] | None) -> Searched:
        """The result of the short search, cached, since all powers may be asked about one position in
        turn."""
        if search is None:
            return {}
        if self._last is None or self._last[0] != position:
            self._last = position, search(position)
        return self._last[1]

    def _within(self, position: Position) -> bool:
        """Whether the book is still used in a phase."""
        reached = phase_number(position.phase, position.map.start_phase)
        return self.phases is None or reached < self.phases
