"""An evaluation as each power's share of the sum."""

from __future__ import annotations

from collections.abc import Mapping

from bordeaux.evaluation.evaluation import Evaluation

__all__ = ["apportioned", "shares"]

DIGITS = 4


def shares(values: Mapping[str, Evaluation]) -> dict[str, float]:
    """The share of every power in the sum of all values: numbers from 0 to 1 with four digits that add up to
    1.

    Negative values count as 0. If all values are 0, all shares are 0.
    """
    points = {power: max(term.value, 0.0) for power, term in values.items()}
    total = sum(points.values())
    if total <= 0:
        return dict.fromkeys(points, 0.0)
    units = apportioned({power: point / total for power, point in points.items()}, 10**DIGITS)
    return {power: count / 10**DIGITS for power, count in units.items()}


def apportioned(parts: Mapping[str, float], seats: int) -> dict[str, int]:
    """`seats` whole units divided in proportion to parts that sum up to 1, by largest remainders.

    If all parts are 0, all get 0.
    """
    quotas = {power: part * seats for power, part in parts.items()}
    dealt = {power: int(quota) for power, quota in quotas.items()}
    left = seats - sum(dealt.values()) if any(quotas.values()) else 0
    for power in sorted(quotas, key=lambda name: dealt[name] - quotas[name])[:left]:
        dealt[power] += 1
    return dealt
