"""The parameters of HaAI: data, one file for each variant (paper 001, table 3.1)."""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import NamedTuple

__all__ = ["HaaiWeights", "weights"]


class HaaiWeights(NamedTuple):
    """Table 3.1. Centres are valued in points; `eval_scope` is in steps, `range_decline` in per cent,
    the others are factors."""

    eval_scope: int
    range_decline: float
    enemy_centre_fall: int
    enemy_centre_spring: int
    own_centre_threat_fall: int
    own_centre_threat_spring: int
    own_home_centre: int
    enemy_home_centre: int
    retry_factor: float
    own_occupied_unthreatened: float
    own_occupied_threatened: float


@functools.cache
def weights(variant: str) -> HaaiWeights:
    """The weights of a variant, ``vanilla`` or ``berserk``."""
    text = (resources.files("bordeaux.players.haai") / f"{variant}.toml").read_text("utf-8")
    return HaaiWeights(**tomllib.loads(text))
