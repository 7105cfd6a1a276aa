"""The part of a budget for one stage."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Allotment"]


@dataclass(frozen=True)
class Allotment:
    """A part of a budget, from `begin` to `end` (shares of the whole). `spent` gives the used share of the
    whole, `size` the approximate number of nodes of the whole."""

    spent: Callable[[], float]
    size: float
    begin: float = 0.0
    end: float = 1.0

    @property
    def nodes(self) -> float:
        """The approximate number of nodes of the part."""
        return max(0.0, self.size * (self.end - self.begin))

    def progress(self) -> float:
        """The used share of the part: 0 to 1, and more when it is over."""
        if self.end <= self.begin:
            return 1.0
        return (self.spent() - self.begin) / (self.end - self.begin)

    def left(self, share: float = 1.0) -> Allotment:
        """A share of the rest of the part, from now on."""
        now = max(self.begin, min(self.spent(), self.end))
        return Allotment(self.spent, self.size, now, now + share * (self.end - now))
