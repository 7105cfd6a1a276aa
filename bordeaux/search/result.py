"""The results of a search."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bordeaux.board.pictures import picture_of
from bordeaux.board.position import Position

__all__ = ["Found", "Line"]


class Line(NamedTuple):
    """One set of orders with its value in points, and its probability if the power draws one of the lines."""

    orders: tuple[str, ...]
    value: float
    probability: float


class Found(NamedTuple):
    """The answer for one power: the best orders, their value, the best few distinct sets (best first), the
    nodes of the whole search, and its seconds.

    `depth` counts the phases that were looked ahead: this one, and the movement phases of rollouts. `goals`
    are the target regions, each with the points that were added to its altitudes. With `book` the orders come
    from a book: values are the book's (0 if it has none), and probabilities the weights.

    An engine with ``explain=True`` fills in the rest; see `bordeaux.search.answers.explain`. `expected`: for
    every other power that must give orders its most probable sets, in order. Each has its value for that
    power after this phase, if the others play as expected, and its probability. `terms`: for each term of the
    evaluation its points if nobody gave an order, and after these orders against the expected ones.
    `marginals`: for each order the loss in points without it. `position` is the one that was searched.
    """

    power: str
    orders: tuple[str, ...]
    value: float
    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    depth: int = 1
    expected: Mapping[str, tuple[Line, ...]] = {}
    goals: tuple[tuple[str, float], ...] = ()
    book: bool = False
    terms: Mapping[str, tuple[float, float]] = {}
    marginals: Mapping[str, float] = {}
    position: Position | None = None

    def _repr_svg_(self) -> str | None:
        """A picture of the orders for notebooks; none where the position is not known."""
        return picture_of("found", self)
