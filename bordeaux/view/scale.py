"""Scales of plots, and round numbers on them."""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["Scale", "brief", "ticks"]


def ticks(low: float, high: float, most: int, whole: bool = False) -> list[float]:
    """At most so many round numbers from `low` on, equally spaced, the last one not below `high`; `whole`
    uses whole numbers only."""
    span = high - low if high > low else 1.0
    raw = max(span / max(1, most - 1), 1.0 if whole else 0.0)
    magnitude = 10.0 ** math.floor(math.log10(raw))
    steps = [factor * magnitude * grade for grade in (1, 10) for factor in (1, 2, 2.5, 5)]
    for step in steps:
        if whole and step != round(step):
            continue
        first = math.floor(low / step + 1e-9)
        last = math.ceil(high / step - 1e-9)
        if step >= raw * 0.999 and last - first + 1 <= most:
            return [number * step for number in range(first, max(last, first + 1) + 1)]
    return [low, low + span]


def brief(value: float) -> str:
    """A number for a scale: 0.25, 10, 250k, 1M."""
    for unit, letter in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= unit:
            return f"{value / unit:g}{letter}"
    return f"{value:g}"


class Scale(NamedTuple):
    """Values from `low` to `high`, mapped to `begin` to `end` on the sheet; with `logarithmic`, equal ratios
    have equal distances."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """The place of a value; values beyond the ends are clamped."""
        value = min(max(value, self.low), self.high)
        if self.logarithmic:
            part = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            part = (value - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)
