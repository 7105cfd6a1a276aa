"""The scores of complete sets, and the selection of the few distinct ones that are shown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bordeaux.board.code import codes_in, kind_of
from bordeaux.board.order import OrderKind

__all__ = ["distinct", "likeliest", "probabilities", "worst_quarter"]

#: Points that make one line e times as likely as another.
TEMPERATURE = 15.0
#: The number of sets of a power that others expect, and the lowest probability of all but the first.
RECKONED = 3
UNLIKELY = 0.02


def _moves(orders: bytes) -> frozenset[int]:
    codes = codes_in(orders)
    return frozenset(code for code in codes if kind_of(code) == OrderKind.MOVE)


def distinct(
    scores: Mapping[bytes, float], best: bytes, count: int, by_moves: bool = True
) -> list[tuple[bytes, float]]:
    """The `best` set and then others by score, each with other moves than those before it.

    A set with the same moves and another useless support is not a separate line. Without `by_moves`, as in
    retreats and adjustments, each set is a line.
    """
    ranked = sorted(scores, key=lambda orders: (orders == best, scores[orders], orders), reverse=True)
    lines: list[tuple[bytes, float]] = []
    seen: set[frozenset[int]] = set()
    for orders in ranked:
        moves = _moves(orders) if by_moves else frozenset(codes_in(orders))
        if moves not in seen:
            seen.add(moves)
            lines.append((orders, scores[orders]))
        if len(lines) >= count:
            break
    return lines


def worst_quarter(values: Sequence[float]) -> float:
    """The mean of the worst quarter of some values, rounded up."""
    worst = sorted(values)[: math.ceil(len(values) / 4)]
    return math.fsum(worst) / len(worst)


def probabilities(values: list[float], temperature: float = TEMPERATURE) -> list[float]:
    """Shares of 1 that fall exponentially with the points behind the best: `temperature` points make a share
    e times as large as another."""
    if not values:
        return []
    top = max(values)
    weights = [math.exp((value - top) / temperature) for value in values]
    total = sum(weights)
    return [weight / total for weight in weights]


def likeliest(shares: list[float]) -> list[int]:
    """The indices of the few sets to be considered, the most probable first."""
    ranked = sorted(range(len(shares)), key=lambda place: -shares[place])
    return [place for place in ranked[:RECKONED] if place == ranked[0] or shares[place] >= UNLIKELY]
