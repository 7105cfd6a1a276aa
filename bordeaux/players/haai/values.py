"""The values of places for a unit agent of HaAI (paper 001, section 3.2.6).

The value of a location is its own value (figure 3.13), which only centres have, and a fraction of its
neighbours' values. The body of figure 3.12, which computes the second part, is missing from the copy of the
paper used here. Two facts remain. The value of provinces is increased with a fraction, RANGE_DECLINE, of
their neighbours' value. EVAL_SCOPE is the range of an agent. Chosen here::

    value(0) = own value
    value(k) = own value + RANGE_DECLINE x sum of value(k - 1) over the adjacent locations

up to k = EVAL_SCOPE. Adjacent are the locations that a unit of the kind can move to, so armies see value
over land and fleets over water. Values are rounded to whole points.
"""

from __future__ import annotations

import numpy as np

from bordeaux.players.diffusion import diffusion
from bordeaux.players.haai.weights import HaaiWeights
from bordeaux.players.map_index import MapSituation

__all__ = ["own_values", "values"]


def own_values(situation: MapSituation, power: int, weights: HaaiWeights) -> list[int]:
    """The own value of each province, in points (figure 3.13).

    The source does not define threats. Here a centre is threatened if a unit of another power is in it or
    could move there next, without convoys. Spring's values apply to all seasons except Fall. A threatened
    home of ours that we own has the extra value for own homes. Any home that is not ours to hold, including
    one that we lost, has the value for enemy homes.
    """
    ground = situation.ground
    worth = [0] * len(ground.map.provinces)
    ours = ground.homes[power]
    for centre in ground.centres:
        if situation.owner[centre] != power:
            value = weights.enemy_centre_fall if situation.fall else weights.enemy_centre_spring
            worth[centre] = value + (weights.enemy_home_centre if ground.map.provinces[centre].homes else 0)
        elif situation.threatened(centre, power):
            value = weights.own_centre_threat_fall if situation.fall else weights.own_centre_threat_spring
            worth[centre] = value + (weights.own_home_centre if centre in ours else 0)
    return worth


def values(situation: MapSituation, power: int, weights: HaaiWeights) -> list[int]:
    """The value of each location to the unit agents of a power, in points."""
    own = np.array(own_values(situation, power, weights), dtype=np.float64)
    matrix = diffusion(situation.ground.map, weights.eval_scope, weights.range_decline / 100)
    values: list[int] = np.rint(matrix @ own).astype(np.int64).tolist()
    return values
