"""A set of orders in the stages of a decision, with the score of each stage."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ALLIES", "REPLIES", "ROLLOUTS", "SURE", "TRIAL", "UNTESTED", "PaperCandidate"]

#: The parts of scores, all in points. The first is the value in a trial on sampled orders of the others. The
#: second is the cost of replies by enemies that see the set. The third is the value of what is proved, beyond
#: that of other candidates, and the fourth the same for a part of what allies hold. The fifth is the result
#: of rollouts beyond all that. The last is subtracted if replies were not evaluated.
TRIAL, REPLIES, SURE, ALLIES = "trial", "replies", "sure", "allies"
ROLLOUTS, UNTESTED = "rollouts", "untested"


@dataclass(eq=False, slots=True)
class PaperCandidate:
    """A complete set (bytes of codes) with its `scores` by kind. `forced`: proofs have proposed it."""

    orders: bytes
    forced: bool = False
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """The sum of the scores, in points; comparable within one decision."""
        return sum(self.scores.values())

    @property
    def rank(self) -> tuple[float, bytes]:
        """A key that sorts the best first, and equal ones by their orders, for reproducible runs."""
        return -self.value, self.orders

    def without(self, kind: str) -> float:
        """Points without those of one kind."""
        return sum(score for stage, score in self.scores.items() if stage != kind)
