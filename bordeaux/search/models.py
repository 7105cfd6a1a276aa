"""The registry of the models of play that a power may be believed to follow."""

from __future__ import annotations

from bordeaux.search.ideas import Ideas
from bordeaux.search.learnt_models import (
    ENGINES,
    LEAGUE,
    PEOPLE,
    PEOPLE_WIDE,
    LikeEngines,
    LikeLeague,
    LikePeople,
    LikePeopleWide,
)
from bordeaux.search.opponent_model import (
    FAST,
    HOLD,
    REPEAT,
    SEARCH,
    DumbBots,
    Holding,
    Model,
    Repeating,
    Scene,
    Searching,
    WeakPorts,
)

__all__ = ["MODELS", "PHASES", "PRIOR", "opened", "played_on"]

MODELS: dict[str, type[Model]] = {
    SEARCH: Searching,
    FAST: DumbBots,
    "crude": WeakPorts,
    REPEAT: Repeating,
    HOLD: Holding,
    PEOPLE: LikePeople,
    PEOPLE_WIDE: LikePeopleWide,
    ENGINES: LikeEngines,
    LEAGUE: LikeLeague,
}
"""All of them, by name."""


PHASES = {FAST: 2, LEAGUE: 1}
"""Movement phases that rollouts play on: DumbBot's are quick, and those of a net say more."""

_SHARES = {name: model.prior for name, model in MODELS.items() if model.prior > 0}
PRIOR = {name: share / sum(_SHARES.values()) for name, share in _SHARES.items()}
"""Shares of 1 with which a power is believed to follow each before anything was seen; a model with a prior
of 0 draws candidates alone."""


def opened(scene: Scene) -> dict[str, Model]:
    """All models, by name, in one position."""
    return {name: model(scene) for name, model in MODELS.items()}


def played_on(ideas: Ideas) -> str:
    """The model whose policy plays all powers in rollouts."""
    return LEAGUE if "league" in ideas else FAST
