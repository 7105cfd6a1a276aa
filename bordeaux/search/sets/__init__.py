"""Sets of orders of one power: as codes, as candidates with scores, and whether they are consistent."""

from bordeaux.search.sets.candidate import (
    FORCED,
    SURE,
    WORTH,
    Candidate,
    Candidates,
    MixedSets,
    Mixtures,
    PhaseGame,
    drawn_from,
    joined,
    ranked,
    scored,
)
from bordeaux.search.sets.scoring import distinct, likeliest, probabilities, worst_quarter
from bordeaux.search.sets.seeds import by_owner, from_orders, in_full, repeated
from bordeaux.search.sets.soundness import fits, mended

__all__ = [
    "FORCED",
    "SURE",
    "WORTH",
    "Candidate",
    "Candidates",
    "MixedSets",
    "Mixtures",
    "PhaseGame",
    "by_owner",
    "distinct",
    "drawn_from",
    "fits",
    "from_orders",
    "in_full",
    "joined",
    "likeliest",
    "mended",
    "probabilities",
    "ranked",
    "repeated",
    "scored",
    "worst_quarter",
]
