"""The scores of the stages of a decision, by kind."""

from __future__ import annotations

from bordeaux.search.sets import SURE, Candidate

__all__ = ["ALLIES", "PAPER", "REPLIES", "ROLLOUTS", "SURE", "TRIAL", "UNTESTED", "score_without"]

#: The parts of scores, all in points. The first is the value in a trial on sampled orders of the others. The
#: second is the cost of replies by enemies that see the set. `SURE` is the value of what is proved, beyond
#: that of other candidates, and the third the same for a part of what allies hold. The fourth is the result
#: of rollouts beyond all that. The last is subtracted if replies were not evaluated.
TRIAL, REPLIES, ALLIES, ROLLOUTS, UNTESTED = "trial", "replies", "allies", "rollouts", "untested"
#: The proposer of all sets that were not forced.
PAPER = "paper"


def score_without(candidate: Candidate, *kinds: str) -> float:
    """Points of a candidate without those of some kinds."""
    return sum(points for kind, points in candidate.scores if kind not in kinds)
