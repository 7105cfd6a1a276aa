"""One number for how well a power was played.

Lichess gives a move of chess an accuracy that falls off with the winning chance that it lost. Here the orders
of a whole game lose a part of all that the power could expect of the end, phase by phase. Sums are compared,
not the parts of single phases: a phase counts by what was at stake in it, and years in which there was
nothing left to lose make nothing good.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from bordeaux.review.result import Judged

__all__ = ["accuracy", "lost_part", "relative_loss"]

FALL = 2.0
"""How fast accuracy falls off: losing a tenth of what there was leaves 82, a half 37. Of people in recorded
games half come to more than 70, and half to less."""
LEAST = 0.5
"""Part of an equal share of the end below which a single loss is weighed as if there was so much."""


def relative_loss(judged: Judged, powers: int) -> float:
    """The part, from 0 to 1, that a set lost of what its power could expect, among so many powers: what says
    how grave it was. Who has next to nothing left has next to nothing to lose."""
    return min(1.0, judged.loss / max(judged.expected, LEAST / powers))


def lost_part(phases: Iterable[Judged]) -> float | None:
    """The part, from 0 to 1, that the orders of movement phases lost of all that could be expected in them,
    half by what could be known and half in hindsight. Phases without orders and moves of the book do
    not count; None where no others are left."""
    counted = [each for each in phases if each.sent and each.phase.endswith("M") and not each.book]
    if not counted:
        return None
    lost = math.fsum(each.loss + each.hindsight_loss for each in counted)
    had = math.fsum(each.expected + each.hindsight_expected for each in counted)
    return min(1.0, lost / had) if had > 0 else 0.0


def accuracy(phases: Iterable[Judged]) -> float | None:
    """The accuracy of a power over its movement phases, from 0 to 100. Who has sent orders of the book alone
    lost nothing; None where it sent none."""
    listed = [each for each in phases if each.sent and each.phase.endswith("M")]
    if not listed:
        return None
    return round(100 * math.exp(-FALL * (lost_part(listed) or 0.0)), 1)
