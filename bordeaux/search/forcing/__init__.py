"""What orders force in a Fall, whatever others reply: proofs, and plans to be proved."""

from bordeaux.search.forcing.planner import Planner
from bordeaux.search.forcing.proof import ANYBODY, Goal, Prover, TooMany, Verdict

__all__ = ["ANYBODY", "Goal", "Planner", "Prover", "TooMany", "Verdict"]
