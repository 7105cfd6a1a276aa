"""The game year: Spring and Fall movement and retreats, Winter adjustments (paper 002, section 2.1)."""

from __future__ import annotations

import re
from typing import ClassVar, NamedTuple

from bordeaux.board.errors import PositionError, quote

__all__ = ["Phase"]

_PATTERN = re.compile(r"([SF])(\d{1,4})([MR])|(W)(\d{1,4})(A)", re.ASCII)
_WORDS = re.compile(r"(SPRING|SUMMER|FALL|AUTUMN|WINTER)[\s,]*(\d{1,4})[\s,]*(?:\(?([A-Z-]+)\)?)?", re.ASCII)
_SEASONS = {"SPRING": "S", "SUMMER": "S", "FALL": "F", "AUTUMN": "F", "WINTER": "W"}
_KINDS = {
    **dict.fromkeys(("DIPLOMACY", "MOVEMENT", "MOVEMENTS", "MOVES", "ORDERS"), "M"),
    **dict.fromkeys(("RETREAT", "RETREATS"), "R"),
    **dict.fromkeys(("BUILD", "BUILDS", "ADJUSTMENT", "ADJUSTMENTS", "UNIT-PLACING"), "A"),
}


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
        """Read ``S1901M``, ``F1901R``, ``W1901A`` or ``COMPLETED``, in any case. In words: ``Spring 1901``,
        ``Autumn, 1901, Retreats``; without a kind it is movement, or in Winter adjustments.

        Raises PositionError for other text.
        """
        if not isinstance(text, str):
            raise PositionError(f"phase {quote(text)} is not text; write it like 'S1901M' or 'W1901A'")
        upper = text.strip().upper()
        if upper == "COMPLETED":
            return cls.COMPLETED
        if (phase := cls._in_words(upper)) is not None:
            return phase
        match = _PATTERN.fullmatch(upper)
        if match is None:
            raise PositionError(f"unknown phase {quote(text)}; write it like 'S1901M', 'F1901R' or 'W1901A'")
        season, year, kind = (group for group in match.groups() if group is not None)
        return cls(int(year), season, kind)

    @classmethod
    def _in_words(cls, upper: str) -> Phase | None:
        """The phase of ``SPRING 1901``, with or without its kind, if it is one."""
        match = _WORDS.fullmatch(upper)
        if match is None:
            return None
        season, kind_named = _SEASONS[match[1]], _KINDS.get(match[3]) if match[3] else ""
        # Builds come after the Fall; some programs call that Autumn still.
        season = "W" if kind_named == "A" and season == "F" else season
        kind = kind_named if kind_named else "A" if season == "W" else "R" if match[1] == "SUMMER" else "M"
        known = kind_named is not None and (kind == "A") == (season == "W")
        return cls(int(match[2]), season, kind) if known else None

    def __str__(self) -> str:
        return "COMPLETED" if self.kind == "-" else f"{self.season}{self.year}{self.kind}"


Phase.COMPLETED = Phase(0, "-", "-")
