"""The search of paper 002: best-first search for several powers, and a decision between the sets found."""

from bordeaux.search.paper.adjustments import AdjustmentSearch
from bordeaux.search.paper.movement import MovementSearch, SetPools
from bordeaux.search.paper.state import Situation
from bordeaux.search.paper.trial import Trial

__all__ = ["AdjustmentSearch", "MovementSearch", "SetPools", "Situation", "Trial"]
