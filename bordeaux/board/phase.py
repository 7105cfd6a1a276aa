"""The game year: Spring and Fall movement and retreats, Winter adjustments (paper 002, section 2.1)."""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

from bordeaux.board.errors import PositionError, quote

__all__ = ["Phase"]

_PATTERN = re.compile(r"([SF])(\d{1,4})([MR])|(W)(\d{1,4})(A)", re.ASCII)


class _Fields(NamedTuple):
    year: int
    season: str
    kind: str


class Phase(_Fields):
    """A phase such as ``S1901M``.

    `season` is S, F or W; `kind` is M (movement), R (retreats) or A (adjustments). The end of a
    game is the one value `Phase.COMPLETED`, written ``COMPLETED``.
    """

    __slots__ = ()

    COMPLETED: ClassVar[Phase]

    @classmethod
    def parse(cls, text: str) -> Phase:
        """Read ``S1901M``, ``F1901R``, ``W1901A`` or ``COMPLETED``, in any case.

        Raises PositionError when the text is none of these.
        """
        if not isinstance(text, str):
            raise PositionError(f"phase {quote(text)} is not text; write it like 'S1901M' or 'W1901A'")
        upper = text.strip().upper()
        if upper == "COMPLETED":
            return cls.COMPLETED
        match = _PATTERN.fullmatch(upper)
        if match is None:
            raise PositionError(f"unknown phase {quote(text)}; write it like 'S1901M', 'F1901R' or 'W1901A'")
        season, year, kind = (group for group in match.groups() if group is not None)
        return cls(int(year), season, kind)

    def __str__(self) -> str:
        return "COMPLETED" if self.kind == "-" else f"{self.season}{self.year}{self.kind}"


Phase.COMPLETED = Phase(0, "-", "-")
