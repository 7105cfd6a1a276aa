"""The registry of the models of play that a power may be believed to follow."""

from __future__ import annotations

import zlib

from bordeaux.board.errors import BordeauxError, nearest, quote
from bordeaux.search.beliefs.learnt import (
    ENGINES,
    LEAGUE,
    PEOPLE,
    PEOPLE_WIDE,
    LikeEngines,
    LikeLeague,
    LikeNet,
    LikePeople,
    LikePeopleWide,
    own_net,
)
from bordeaux.search.beliefs.models import (
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
from bordeaux.search.ideas import Ideas

__all__ = ["MODELS", "PHASES", "PRIOR", "Models", "check_model", "idea_of", "is_file", "opened", "played_on"]

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
"""All of them, by name. A file of a net (``.npz``) is the name of one more: that of a power which plays by
it."""


PHASES = {FAST: 2, LEAGUE: 1}
"""Movement phases of rollouts: DumbBot's are fast, and a net's are more informative."""

_SHARES = {name: model.prior for name, model in MODELS.items() if model.prior > 0}
PRIOR = {name: share / sum(_SHARES.values()) for name, share in _SHARES.items()}
"""The prior distribution over the models that a power may follow. A model with a prior of 0 only draws
candidates."""


class Models(dict[str, Model]):
    """The models of the registry in a scene; that of a file is opened when it is asked for."""

    def __init__(self, scene: Scene) -> None:
        super().__init__({name: model(scene) for name, model in MODELS.items()})
        self._scene = scene
        self._seed: int | None = None

    def __missing__(self, name: str) -> Model:
        if not is_file(name):
            raise KeyError(name)
        self[name] = LikeNet(self._scene, name)
        if self._seed is not None:
            self[name].reseed(_seed_of(name, self._seed))
        return self[name]

    def reseed(self, seed: int) -> None:
        """Begin another sequence of draws of each, which does not depend on the draws before."""
        self._seed = seed
        for name, model in self.items():
            model.reseed(_seed_of(name, seed))


def _seed_of(name: str, seed: int) -> int:
    """The seed of one of the models (64 bits)."""
    return seed ^ zlib.crc32(name.encode()) * 2**32


def opened(scene: Scene) -> Models:
    """All models, by name, in one position."""
    return Models(scene)


def is_file(name: str) -> bool:
    """Whether the name of a model is that of a file of a net."""
    return name.endswith(".npz")


def check_model(name: str) -> None:
    """Raise BordeauxError for the name of no model, and for a file of a net that cannot be read."""
    if is_file(name):
        own_net(name)
    elif name not in MODELS:
        known = ", ".join(MODELS)
        raise BordeauxError(
            f"no model of play {quote(name)}{nearest(name, MODELS)} (known: {known}, or a .npz file)"
        )


def idea_of(name: str) -> str | None:
    """The idea of the search without which a model is not used, if any."""
    return MODELS[name].idea if name in MODELS else None


def played_on(ideas: Ideas) -> str:
    """The model whose policy plays all powers in rollouts."""
    return LEAGUE if "league" in ideas else FAST
