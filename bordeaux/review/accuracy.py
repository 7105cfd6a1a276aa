"""The accuracy of a power: one number for its play in a game.

Lichess gives each chess move an accuracy that falls with the lost winning chance. Here the losses of all
phases of a game are added up, and divided by the sum of the shares that the power could expect. So a phase
counts by the share at stake in it, and years with nothing to lose do not raise the accuracy.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from bordeaux.review.result import Judged

__all__ = ["accuracy", "lost_part", "relative_loss"]

FALL = 2.0
"""The rate at which accuracy falls with losses: a loss of a tenth of the expected share leaves 82, a half 37.
Half of the people in recorded games have more than 70."""
LEAST = 0.5
"""The part of an equal share that is the smallest divisor of a single loss."""


def relative_loss(judged: Judged, powers: int) -> float:
    """The part, from 0 to 1, of the power's expected share that a set lost, among `powers` powers. It
    measures how grave the loss is: a power with almost nothing has almost nothing to lose."""
    return min(1.0, judged.loss / max(judged.expected, LEAST / powers))


def lost_part(phases: Iterable[Judged]) -> float | None:
    """The part, from 0 to 1, of the expected share that the orders of movement phases lost. Half of it is the
    loss by what could be known, half the loss in hindsight. Phases without orders and book moves do not
    count; None if no others are left."""
    counted = [phase for phase in phases if phase.sent and phase.phase.endswith("M") and not phase.book]
    if not counted:
        return None
    lost = math.fsum(phase.loss + phase.hindsight_loss for phase in counted)
    had = math.fsum(phase.expected + phase.hindsight_expected for phase in counted)
    return min(1.0, lost / had) if had > 0 else 0.0


def accuracy(phases: Iterable[Judged]) -> float | None:
    """The accuracy of a power over its movement phases, from 0 to 100. A power with book moves only lost
    nothing. None if it sent no orders."""
    listed = [phase for phase in phases if phase.sent and phase.phase.endswith("M")]
    if not listed:
        return None
    return round(100 * math.exp(-FALL * (lost_part(listed) or 0.0)), 1)
