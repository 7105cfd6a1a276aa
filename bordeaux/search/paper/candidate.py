"""A set of orders on its way through the stages of a decision, with what each of them has found it worth."""

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
    """A complete set (bytes of codes) with its `scores` by what they are of. `forced`: proofs have proposed
    it."""

    orders: bytes
    forced: bool = False
    scores: dict[str, float] = field(default_factory=dict)

    @property
    def value(self) -> float:
        """Points by all that is known of it, so that candidates of one decision compare."""
        return sum(self.scores.values())

    @property
    def rank(self) -> tuple[float, bytes]:
        """A key that sorts the best first, and equal ones by their orders, so that runs repeat."""
        return -self.value, self.orders

    def without(self, kind: str) -> float:
        """Points without those of one kind."""
        return sum(score for each, score in self.scores.items() if each != kind)
