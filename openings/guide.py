"""Playing from a book: its best set, or one drawn by weight, unless others are clearly better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from bordeaux.board.position import Position
from bordeaux.openings.book import Book, phase_number
from bordeaux.openings.canonical import canonical, position_key
from bordeaux.openings.entry import Orders
from bordeaux.search.analysis import Found, Line
from bordeaux.search.task import LINES, Request

Values = Callable[[Position, str, Sequence[Orders]], tuple[float, Sequence[Line]]]
"""Values sets of a power as lines, best first. Before them the best value, of what people play most too."""
KEPT = 0.75
"""The part of the best set's value that a set must have to be played."""


class Guide:
    """Plays sets of orders from a book: the one with the highest value, or with `draw` one drawn by weight.

    `phases` is the number of phases, retreats not counted, for which the book is used; None: no limit. The
    same `seed`, position and power give the same orders, regardless of the sequence of calls.
    """

    def __init__(self, book: Book, *, seed: int = 0, phases: int | None = None, draw: bool = False) -> None:
        self.book = book
        self.seed = seed
        self.phases = phases
        self.draw = draw

    def lines(self, position: Position, power: str, values: Values | None = None) -> list[Line]:
        """The sets of the book that may be played, with their values and weights: what is played first, then
        by value; none if out of book. Raises MapError for an unknown power.

        `values` are those of the engine: a set is left out if its value is less than `KEPT` times the best
        one's. Without them nothing is checked, and values are those of the book. Illegal sets are never
        played.
        """
        name = position.map.power(power)
        if position.map is not self.book.map or not self._within(position):
            return []
        # A book that nobody has verified may hold anything.
        entries = [
            entry
            for entry in self.book.entries(position, name)
            if entry.weight and canonical(position, name, entry.orders) == entry.orders
        ]
        if not entries:
            return []
        valued = {entry.orders: Line(entry.orders, entry.value or 0.0) for entry in entries}
        if values is not None:
            best, measured = values(position, name, [*valued])
            valued = {
                orders: line
                for line in measured
                if line.value >= KEPT * best and (orders := canonical(position, name, line.orders)) in valued
            }
        kept = [entry for entry in entries if entry.orders in valued]
        kept.sort(key=lambda entry: (-valued[entry.orders].value, -entry.weight))
        if kept and self.draw:
            chance = Random(f"{self.seed} {position_key(position)} {name}")
            drawn = chance.choices(kept, [entry.weight for entry in kept])[0]
            kept.sort(key=lambda entry: entry is not drawn)
        return [
            valued[entry.orders]._replace(orders=entry.orders, probability=round(entry.weight, 4))
            for entry in kept
        ]

    def answers(self, request: Request, values: Values, seconds: Callable[[], float]) -> dict[str, Found]:
        """The answers for the powers of a request for which the book has one that is not clearly worse than
        others by the engine's `values`, with `seconds` since the search began. Their lines are `LINES` sets
        of the book, or as many as the request wants, if it has so many."""
        position, answers = request.position, dict[str, Found]()
        for power in request.powers:
            lines = tuple(self.lines(position, power, values)[: max(LINES, request.lines)])
            if lines:
                answers[power] = Found(
                    power, lines[0].orders, lines[0].value, lines, 0, seconds(), book=True, position=position
                )
        return answers

    def _within(self, position: Position) -> bool:
        """Whether the book is still used in a phase."""
        reached = phase_number(position.phase, position.map.start_phase)
        return self.phases is None or reached < self.phases
