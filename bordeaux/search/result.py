"""What a search hands back."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Found", "Line"]


class Line(NamedTuple):
    """One set of orders with its value in points and how likely the power is to do well to play it
    (shares of 1 over the lines of a search)."""

    orders: tuple[str, ...]
    value: float
    probability: float


class Found(NamedTuple):
    """The answer for one power: the best orders, their value, the best few distinct sets (best
    first), the nodes that the search as a whole has spent, and its seconds. `goals` are the regions
    that the power was to strive for, with weights (shares of 1)."""

    power: str
    orders: tuple[str, ...]
    value: float
    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    goals: tuple[tuple[str, float], ...] = ()
