"""What a search hands back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from bordeaux.board.pictures import picture_of
from bordeaux.board.position import Position

__all__ = ["Found", "Line"]


class Line(NamedTuple):
    """One set of orders with its value in points and how likely the power is to do well to play it
    (shares of 1 over the lines of a search)."""

    orders: tuple[str, ...]
    value: float
    probability: float


class Found(NamedTuple):
    """The answer for one power: the best orders, their value, the best few distinct sets (best
    first), the nodes that the search as a whole has spent, and its seconds.

    `depth` counts the phases that were looked ahead: this one, and the movement phases played on.
    `goals` are the regions that were to be reached, each with the points by which its altitudes were
    raised. With `book` the orders come from a book: values are the book's (0 where it has none), and
    probabilities the weights.

    An engine with ``explain=True`` fills in the rest; see `bordeaux.search.explain`. `expected`: for
    every other power that owes orders its likeliest sets, likeliest first, each with its value for
    that power after this phase, if the others play what is expected, and its probability. `terms`:
    for each term of the evaluation its points if nobody gave an order, and after these orders against
    those that are expected. `marginals`: for each order the points that would be lost without it.
    `position` is the one that was searched.
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
