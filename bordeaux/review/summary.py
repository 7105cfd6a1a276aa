"""The summary of a review, one row for each power, for the page and the command."""

from __future__ import annotations

from typing import NamedTuple

from bordeaux.review.result import PowerReview, Review, TurningPoint
from bordeaux.review.telling import percent, whole

__all__ = ["SummaryRow", "summary"]


class SummaryRow(NamedTuple):
    """A power: its `centres` at the end, and as texts its `accuracy`, its mean loss per movement phase
    (`lost`), and its `worst` phase with the loss. `point` is the number of the turning point of that phase
    from 1, or 0. Texts are "" if there is no value."""

    power: str
    centres: int
    accuracy: str
    lost: str
    worst: str
    point: int
    opening: str
    silent: int


def summary(review: Review) -> list[SummaryRow]:
    """The rows of all powers that were judged, in the order of the map."""
    last = review.moments[-1]
    rows = []
    for power, of_power in review.powers.items():
        accuracy = "" if of_power.accuracy is None else str(whole(of_power.accuracy))
        lost = percent(of_power.lost) if of_power.judged else ""
        point = _point(review.turning_points, power, of_power)
        worst = f"{of_power.worst.phase}, {percent(of_power.worst.loss)}" if of_power.worst and point else ""
        centres, silent = last.centres[power], len(of_power.silent)
        rows.append(SummaryRow(power, centres, accuracy, lost, worst, point, of_power.opening.name, silent))
    return rows


def _point(points: tuple[TurningPoint, ...], power: str, review: PowerReview) -> int:
    for number, point in enumerate(points, 1):
        if review.worst is not None and (point.power, point.number) == (power, review.worst.number):
            return number
    return 0
