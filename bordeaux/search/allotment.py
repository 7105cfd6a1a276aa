"""A stage's own part of a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Allotment"]


@dataclass(frozen=True)
class Allotment:
    """A part of a budget, from `begin` to `end` (shares of the whole). `spent` tells the share of the whole
    that is spent now, `size` how many nodes the whole comes to, about."""

    spent: Callable[[], float]
    size: float
    begin: float = 0.0
    end: float = 1.0

    @property
    def nodes(self) -> float:
        """About how many nodes the part comes to."""
        return max(0.0, self.size * (self.end - self.begin))

    def progress(self) -> float:
        """The share of the part that is spent: 0 to 1, and more when it is over."""
        if self.end <= self.begin:
            return 1.0
        return (self.spent() - self.begin) / (self.end - self.begin)

    def left(self, share: float = 1.0) -> Allotment:
        """A share of what is left of the part, from now on."""
        now = max(self.begin, min(self.spent(), self.end))
        return Allotment(self.spent, self.size, now, now + share * (self.end - now))
