"""The probability that each power keeps a promise, learnt from promises kept and broken."""

from __future__ import annotations

from collections import defaultdict

from bordeaux.board.errors import BordeauxError, nearest, quote

KINDS = ("peace", "alliance", "promise", "demilitarised", "support", "draw", "other")
"""Kinds of agreements for which a power's reliability may differ."""
#: The prior for a power without observations: kept and broken promises.
KEPT, BROKEN = 2.0, 1.0
#: The weight of observations of one kind of promise for another kind.
SHARED = 0.3
#: The factor on the counts after each further observation of the kind, since powers change.
MEMORY = 0.97
#: The factor on the trend after each further observation.
TREND = 0.8


class Reliability:
    """Counts of promises kept and broken, by power and kind. The probability that the next one is kept is the
    mean of a Beta distribution. Powers are named; a power without observations has the prior."""

    def __init__(self) -> None:
        self._kept: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._broken: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._honesty: dict[str, float] = {}

    def note(self, power: str, kind: str, kept: bool, weight: float = 1.0) -> None:
        """Record whether a power kept an agreement; `weight` is the weight of the observation, 1 for a full
        one. Raises BordeauxError for an unknown kind, or a weight that is negative or not a number."""
        _check(kind)
        if not 0 <= weight < float("inf"):
            raise BordeauxError(f"weight must be a number from 0 on, not {weight!r}")
        for counts in (self._kept, self._broken):
            counts[power, kind] *= MEMORY**weight
        counts = self._kept if kept else self._broken
        counts[power, kind] += weight
        left = TREND**weight
        self._honesty[power] = left * self.honesty(power) + (1 - left) * (1 if kept else -1)

    def chance(self, power: str, kind: str) -> float:
        """The probability, above 0 and below 1, that a power keeps its next promise of a kind. Raises
        BordeauxError for an unknown kind."""
        _check(kind)
        kept, broken = KEPT, BROKEN
        for other in KINDS:
            part = 1.0 if other == kind else SHARED
            kept += part * self._kept.get((power, other), 0.0)
            broken += part * self._broken.get((power, other), 0.0)
        return kept / (kept + broken)

    def honesty(self, power: str) -> float:
        """A power's recent record of promises of all kinds, from -1 (broken all) to 1 (kept all); 0 without
        any."""
        return self._honesty.get(power, 0.0)


def _check(kind: str) -> None:
    if kind not in KINDS:
        raise BordeauxError(f"unknown kind {quote(kind)}{nearest(kind, KINDS)} (known: {', '.join(KINDS)})")
