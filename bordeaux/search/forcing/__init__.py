"""The goals that orders force in a Fall against all replies: plans and their proofs."""

from bordeaux.search.forcing.planner import Planner
from bordeaux.search.forcing.proof import ANYBODY, Goal, Prover, TooMany, Verdict

__all__ = ["ANYBODY", "Goal", "Planner", "Prover", "TooMany", "Verdict"]
