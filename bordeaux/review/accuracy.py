"""One number for how well a power was played.

Lichess gives a move of chess an accuracy that falls off with the points of winning chance that it lost, and a
game the mean of its moves. Here a set of orders loses a part of what the power could expect of the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from statistics import fmean, harmonic_mean

from bordeaux.review.result import Judged

__all__ = ["accuracy", "accuracy_of", "relative_loss"]

FALL = 4.35
"""How fast the accuracy of a set falls off: losing a tenth of what there was leaves 65, a half 11; lichess
has as much for winning chances."""
LEAST = 0.5
"""Part of an equal share of the end below which a loss counts as if the power could expect so much: who has
next to nothing left has next to nothing to lose."""


def relative_loss(judged: Judged, powers: int) -> float:
    """The part, from 0 to 1, that a set lost of what its power could expect, among so many powers."""
    return min(1.0, judged.loss / max(judged.expected, LEAST / powers))


def accuracy_of(judged: Judged, powers: int) -> float:
    """The accuracy of one set of orders, from 0 to 100."""
    return 100 * math.exp(-FALL * relative_loss(judged, powers))


def accuracy(phases: Iterable[Judged], powers: int) -> float | None:
    """The accuracy of a power over the movement phases in which it sent orders: the middle between their mean
    and their harmonic mean, which one blunder weighs heavily on, as lichess has it. Moves of the book count
    as if nothing was lost. None where there are no such phases."""
    each = [
        100.0 if judged.book else max(1.0, accuracy_of(judged, powers))
        for judged in phases
        if judged.sent and judged.phase.endswith("M")
    ]
    return round((fmean(each) + harmonic_mean(each)) / 2, 1) if each else None
