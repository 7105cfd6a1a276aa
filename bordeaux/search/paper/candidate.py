"""A set of orders in the stages of a decision, with the score of each stage."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ALLIES", "REPLIES", "ROLLOUTS", "SURE", "TRIAL", "UNTESTED", "Candidate"]

#: What scores are of, all in points: the value in a trial on sampled orders of the others; what replies of
#: enemies who see the set cost; what is proved, beyond what other candidates have; the same of a part of
#: what allies hold; what rollouts say beyond all that; what is taken off
#: where replies were not looked at.
TRIAL, REPLIES, SURE, ALLIES = "trial", "replies", "sure", "allies"
ROLLOUTS, UNTESTED = "rollouts", "untested"


@dataclass(eq=False, slots=True)
class Candidate:
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
        return sum(score for each, score in self.scores.items() if each != kind)
