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
    for power, each in review.powers.items():
        accuracy = "" if each.accuracy is None else str(whole(each.accuracy))
        lost = percent(each.lost) if each.judged else ""
        point = _point(review.turning_points, power, each)
        worst = f"{each.worst.phase}, {percent(each.worst.loss)}" if each.worst and point else ""
        centres, silent = last.centres[power], len(each.silent)
        rows.append(SummaryRow(power, centres, accuracy, lost, worst, point, each.opening.name, silent))
    return rows


def _point(points: tuple[TurningPoint, ...], power: str, review: PowerReview) -> int:
    for number, point in enumerate(points, 1):
        if review.worst is not None and (point.power, point.number) == (power, review.worst.number):
            return number
    return 0
