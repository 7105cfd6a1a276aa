"""Batch adjudication of one movement phase: from joint orders to the values of the units afterwards."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.position import Position

__all__ = ["Floats", "JointAdjudicator", "Orders", "token_of"]

Floats = npt.NDArray[np.float64]
Orders = npt.NDArray[np.uint64]

#: The byte ranges of the units and the dislodged units in a packed position. Each unit is a token, ``(power +
#: 1) << 10 | location``, 0 for no unit.
UNITS = slice(0, 512)
DISLODGED = slice(512, 1024)
SHIFT = 10
#: Positions that are adjudicated in one call.
ROWS = 512


def token_of(power: int, location: int) -> int:
    """The core's number for a unit of a power in a location."""
    return power + 1 << SHIFT | location


class JointAdjudicator:
    """Adjudicates joint orders of one movement position; `nodes` counts them."""

    def __init__(self, position: Position) -> None:
        self.nodes = 0
        self._tables = position.map.tables
        self._provinces = len(position.map.provinces)
        root = np.frombuffer(position.packed.tobytes(), np.uint8)
        self._before = np.tile(root, (ROWS, 1))
        self._after = np.zeros_like(self._before)

    def values(self, orders: Orders, standing: Floats, dislodged: Floats) -> Floats:
        """The values of N joint orders, an (N, units) array of codes: the sums of `standing` over the tokens
        of all undislodged units afterwards, and of `dislodged` over the dislodged ones.

        Both tables hold a value for each token, or K of them, (tokens, K), for K sums at once.
        """
        sums = [
            self._sums(orders[first : first + ROWS], standing, dislodged)
            for first in range(0, len(orders), ROWS)
        ]
        return np.concatenate(sums)

    def _sums(self, orders: Orders, standing: Floats, dislodged: Floats) -> Floats:
        count, width = orders.shape
        after: Any = self._after[:count]
        starts = np.arange(count + 1, dtype=np.int64) * width
        adjudicate_many(self._tables, self._before[:count], starts, orders.reshape(-1), after)
        self.nodes += count
        units = after[:, UNITS].view("<u2")[:, : self._provinces]
        driven = after[:, DISLODGED].view("<u2")[:, : self._provinces]
        sums: Floats = standing[units].sum(axis=1)
        rows, places = np.nonzero(driven)
        if len(rows):
            np.add.at(sums, rows, dislodged[driven[rows, places]])
        return sums
