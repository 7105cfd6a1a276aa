"""The score of a game for a seat: the scores of the papers and common ones."""

from __future__ import annotations

from collections.abc import Callable

from bordeaux.arena.job import SOLO, Result

__all__ = [
    "SCORES",
    "Score",
    "centres",
    "drew",
    "eliminated",
    "points",
    "share",
    "solo",
    "sum_of_squares",
    "survived",
]

Score = Callable[[Result, int], float]
"""The score of a game for a seat."""


def solo(result: Result, seat: int) -> float:
    """1 for a seat with a solo."""
    return float(result.winner == seat)


def drew(result: Result, seat: int) -> float:
    """1 for a seat that is alive at the end of a game without a solo: all survivors share the draw."""
    return float(result.end != SOLO and result.alive[seat])


def share(result: Result, seat: int) -> float:
    """The game divided: all of it for a solo, else equal parts for the survivors."""
    if result.end == SOLO:
        return solo(result, seat)
    return 1.0 / sum(result.alive) if result.alive[seat] else 0.0


def points(result: Result, seat: int) -> float:
    """Paper 001, section 3.3: 7 for a solo, 7 / survivors for a draw; so many points as seats."""
    return len(result.seats) * share(result, seat)


def survived(result: Result, seat: int) -> float:
    """1 for a seat that has a unit or a centre at the end, also after another's solo."""
    return float(result.alive[seat])


def eliminated(result: Result, seat: int) -> float:
    """1 for a seat that has neither."""
    return float(not result.alive[seat])


def sum_of_squares(result: Result, seat: int) -> float:
    """The square of the seat's centres over the sum of all squares; a solo is 1. Par is 1 / seats."""
    if result.end == SOLO:
        return solo(result, seat)
    counts = result.centres[-1]
    total = sum(count * count for count in counts)
    return counts[seat] ** 2 / total if total else 1.0 / len(counts)


def centres(result: Result, seat: int) -> float:
    """The seat's centres at the end."""
    return float(result.centres[-1][seat])


SCORES = {
    "solo": solo,
    "draw": drew,
    "survived": survived,
    "eliminated": eliminated,
    "sum_of_squares": sum_of_squares,
    "share": share,
}
"""The scores that lie between 0 and 1, by the names that the command gives them."""
