"""The goals that orders force in a Fall against all replies: plans and their proofs."""

from bordeaux.search.forcing.field import parts
from bordeaux.search.forcing.planner import Planner
from bordeaux.search.forcing.proof import ANYBODY, Goal, Prover, TooMany, Verdict
from bordeaux.search.forcing.retreats import sure_after_retreats
from bordeaux.search.forcing.stage import SURE, Forcing, Stakes
from bordeaux.search.forcing.standing import PROOF_NODES, sure_centres

__all__ = [
    "ANYBODY",
    "PROOF_NODES",
    "SURE",
    "Forcing",
    "Goal",
    "Planner",
    "Prover",
    "Stakes",
    "TooMany",
    "Verdict",
    "parts",
    "sure_after_retreats",
    "sure_centres",
]
