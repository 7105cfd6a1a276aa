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
"""Movement phases of rollouts: DumbBot's are fast, and a net's are more informative."""

_SHARES = {name: model.prior for name, model in MODELS.items() if model.prior > 0}
PRIOR = {name: share / sum(_SHARES.values()) for name, share in _SHARES.items()}
"""The prior distribution over the models that a power may follow. A model with a prior of 0 only draws
candidates."""


def opened(scene: Scene) -> dict[str, Model]:
    """All models, by name, in one position."""
    return {name: model(scene) for name, model in MODELS.items()}


def played_on(ideas: Ideas) -> str:
    """The model whose policy plays all powers in rollouts."""
    return LEAGUE if "league" in ideas else FAST
