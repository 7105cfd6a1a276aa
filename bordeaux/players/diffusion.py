"""Values that spread over a map from province to province, for players that value provinces."""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from bordeaux.board.map import Map
from bordeaux.players.map_index import map_index

__all__ = ["diffusion"]


@functools.lru_cache(maxsize=32)
def diffusion(map: Map, scope: int, share: float) -> npt.NDArray[np.float64]:
    """The matrix (locations, provinces) that maps values of provinces to values of locations::

        value(0) = own value
        value(k) = own value + share x sum of value(k - 1) over the adjacent locations

    up to k = `scope`. Value spreads along the moves of units of the location's kind. The result is linear in
    the own values: the sum of the powers 0 to `scope` of share x adjacency.
    """
    ground = map_index(map)
    count = len(ground.neighbours)
    step = np.zeros((count, count))
    for location, neighbours in enumerate(ground.neighbours):
        step[location, list(neighbours)] = share
    total = np.eye(count)
    for _ in range(scope):
        total = np.eye(count) + step @ total
    stands = np.zeros((count, len(map.provinces)))
    stands[np.arange(count), ground.province] = 1
    matrix = total @ stands
    matrix.setflags(write=False)
    return matrix
