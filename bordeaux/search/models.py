"""The registry of the ways of playing that a power may be believed to follow."""

from __future__ import annotations

import itertools

from bordeaux._ext.policy import Chooser
from bordeaux.board.map import Map
from bordeaux.search.learnt_models import ENGINES, PEOPLE, LikeEngines, LikePeople
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

__all__ = ["MODELS", "PRIOR", "choosers", "opened"]

MODELS: dict[str, type[Model]] = {
    SEARCH: Searching,
    FAST: DumbBots,
    "crude": WeakPorts,
    REPEAT: Repeating,
    HOLD: Holding,
    PEOPLE: LikePeople,
    ENGINES: LikeEngines,
}
"""All of them, by name. Their order is that of the choosers of `choosers`."""


_SHARES = {name: model.prior for name, model in MODELS.items()}
PRIOR = {name: share / sum(_SHARES.values()) for name, share in _SHARES.items()}
"""Shares of 1 with which a power is believed to follow each before anything was seen."""


def opened(scene: Scene) -> dict[str, Model]:
    """All models, by name, in one position."""
    return {name: model(scene) for name, model in MODELS.items()}


def choosers(map: Map, count: int | None = None) -> list[Chooser]:
    """The policies by which powers that follow the models are played on, in the order of `MODELS`: all of
    them, or the first few."""
    return [model.chooser(map) for model in itertools.islice(MODELS.values(), count)]
