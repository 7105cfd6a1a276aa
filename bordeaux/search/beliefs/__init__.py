"""Beliefs about the other powers: models of play, their probabilities, and orders drawn from them."""

from bordeaux.search.beliefs.beliefs import REASON, Beliefs, Choices, given_in, note, prior_of
from bordeaux.search.beliefs.learnt import LEAGUE, foreseen, own_net
from bordeaux.search.beliefs.models import FAST, HOLD, SEARCH, Scene, Side
from bordeaux.search.beliefs.registry import MODELS, check_model, idea_of, is_file, played_on
from bordeaux.search.beliefs.sampler import OpponentSampler

__all__ = [
    "FAST",
    "HOLD",
    "LEAGUE",
    "MODELS",
    "REASON",
    "SEARCH",
    "Beliefs",
    "Choices",
    "OpponentSampler",
    "Scene",
    "Side",
    "check_model",
    "foreseen",
    "given_in",
    "idea_of",
    "is_file",
    "note",
    "own_net",
    "played_on",
    "prior_of",
]
