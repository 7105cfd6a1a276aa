"""The state of `book explore`: a position, the power shown, sets chosen for some powers, and the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import submit
from bordeaux.engine import Engine
from bordeaux.openings.book import Book, Row, counts, rows_of
from bordeaux.openings.canonical import canonical
from bordeaux.openings.entry import Orders
from bordeaux.openings.names import alliances_of

NODES = 2000
"""Nodes of the engine for a power about which the book knows nothing."""
CHOSEN, MOST_PLAYED, ELSEWHERE = "chosen", "most played", "not in the book"

Advice = Callable[[Position, str], Iterable[str | Order]]
"""What a power does where the book knows nothing."""


def advised(engine: Engine) -> Advice:
    """The advice of an engine after a short search."""
    return lambda position, power: engine.search(position, power, nodes=NODES).orders


class WalkStep(NamedTuple):
    """A phase that was played: its name, the orders by power, their origin (`CHOSEN`, `MOST_PLAYED`,
    `ELSEWHERE`), and the names of the openings of several powers together."""

    phase: str
    orders: dict[str, Orders]
    how: dict[str, str]
    alliances: list[str]


class Walk:
    """A place in a book, and the navigation from it.

    `position` is the first position, `power` the selected one (by default the first that must give orders).
    `advice` gives orders where the book has none, by default holds or disbands. Raises MapError for an
    unknown power.
    """

    def __init__(
        self, book: Book, position: Position, power: str | None = None, advice: Advice | None = None
    ) -> None:
        self.book = book
        self.position = position
        self.chosen: dict[str, Orders] = {}
        self._advice = advice or (lambda position, power: ())
        self._trail: list[tuple[Position, str, dict[str, Orders]]] = []
        self.power = position.map.power(power) if power else next(iter(self.powers), position.map.powers[0])

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that must give orders, in the order of the map."""
        due = self.position.orderable()
        return tuple(power for power in self.position.map.powers if due.get(power))

    @property
    def depth(self) -> int:
        """The number of phases since the beginning."""
        return len(self._trail)

    def look(self, power: str) -> None:
        """Select another power. Raises MapError."""
        self.power = self.position.map.power(power)

    def rows(self, power: str | None = None) -> list[Row]:
        """The sets of a power here, by default of the selected one; the most played first, equal ones by
        weight."""
        name = self.power if power is None else self.position.map.power(power)
        listed, total = self.book.entries(self.position, name), self.book.games(self.position, name)
        all_rows = rows_of(self.position.map, listed, name, str(self.position.phase), total=total)
        return sorted(all_rows, key=lambda row: (-(row.share or 0.0), -row.weight))

    def games(self) -> int:
        """The games behind the shares of the selected power: those in which it sent orders here, as far as
        the book has them, else those of its sets."""
        source, counted = counts(self.book.entries(self.position, self.power))
        return max(sum(counted.values()), self.book.games(self.position, self.power).get(source, 0))

    def choose(self, power: str, orders: Iterable[str | Order]) -> Orders:
        """Choose these orders for a power in the next step; returns them in canonical form. Raises
        BordeauxError unless all are legal."""
        name = self.position.map.power(power)
        given = list(orders)
        submit(self.position, {name: given}).legal()
        self.chosen[name] = canonical(self.position, name, given)
        return self.chosen[name]

    def pick(self, number: int, power: str | None = None) -> Orders:
        """Choose a set by its number in `rows`, from 1 on. Raises BordeauxError."""
        name = self.power if power is None else self.position.map.power(power)
        rows = self.rows(name)
        if not 1 <= number <= len(rows):
            said = f"it has {len(rows)}" if rows else "the book knows none"
            raise BordeauxError(f"there is no set {number} of {name} in {self.position.phase}: {said}")
        self.chosen[name] = rows[number - 1].orders
        return self.chosen[name]

    def go(self) -> WalkStep:
        """Play the phase: the chosen orders, else the most played ones, else the advice. Phases without
        orders are skipped. Raises BordeauxError when the game is over."""
        if self.position.phase.kind == "-":
            raise BordeauxError("the game is over here; go up")
        orders: dict[str, Orders] = {}
        how: dict[str, str] = {}
        for power in self.powers:
            if power in self.chosen:
                orders[power], how[power] = self.chosen[power], CHOSEN
            elif usual := favourite(self.rows(power)):
                orders[power], how[power] = usual.orders, MOST_PLAYED
            else:
                given = self._advice(self.position, power)
                orders[power], how[power] = canonical(self.position, power, given), ELSEWHERE
        phase = str(self.position.phase)
        together = alliances_of(orders) if self.position == Position.start() else []
        self._trail.append((self.position, self.power, dict(self.chosen)))
        following = self.position.next(orders)
        while following.phase.kind != "-" and not following.orderable():
            following = following.next({})
        self.position, self.chosen = following, {}
        return WalkStep(phase, orders, how, together)

    def up(self) -> None:
        """Back to the phase before. Raises BordeauxError at the beginning."""
        if not self._trail:
            raise BordeauxError("this is where the walk began")
        self.position, self.power, self.chosen = self._trail.pop()

    def top(self) -> None:
        """Back to the beginning."""
        while self._trail:
            self.up()
        self.chosen = {}


def favourite(rows: Iterable[Row], engine: bool = False) -> Row | None:
    """The row that is played most, or with `engine` the one with the engine's highest value; without games or
    a search, the one with the largest weight."""
    listed = list(rows)
    if engine:
        valued = [row for row in listed if row.value is not None]
        if valued:
            return max(valued, key=lambda row: (row.value or 0.0, row.weight))
    return max(listed, key=lambda row: (row.share or 0.0, row.weight), default=None)
