"""Sets of orders of one power: as codes, as candidates with scores, and whether they are consistent."""

from bordeaux.search.sets.candidate import (
    FORCED,
    SURE,
    WORTH,
    Candidate,
    Candidates,
    Mixtures,
    PhaseGame,
    joined,
    ranked,
    scored,
)
from bordeaux.search.sets.scoring import SetScore, distinct, likeliest, probabilities, worst_quarter
from bordeaux.search.sets.seeds import by_owner, from_orders, in_full, perturbed, repeated
from bordeaux.search.sets.soundness import fits, mended

__all__ = [
    "FORCED",
    "SURE",
    "WORTH",
    "Candidate",
    "Candidates",
    "Mixtures",
    "PhaseGame",
    "SetScore",
    "by_owner",
    "distinct",
    "fits",
    "from_orders",
    "in_full",
    "joined",
    "likeliest",
    "mended",
    "perturbed",
    "probabilities",
    "ranked",
    "repeated",
    "scored",
    "worst_quarter",
]
