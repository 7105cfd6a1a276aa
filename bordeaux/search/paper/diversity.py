"""Selects a few different sets: good ones with different purposes.

The distance of two sets is the number of units with different destinations. A set that leads to the same
position as a better one in all cases, because it differs in a useless support, is not distinct.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bordeaux._ext.joint import consequences
from bordeaux.board.code import as_codes, fields_of
from bordeaux.board.order import OrderKind
from bordeaux.board.position import Position

__all__ = ["distances", "distinct_in_effect", "diverse", "room_for"]

#: The number of sets for each unit of a power (public experience with regret matching), and their bounds.
SETS_PER_UNIT = 6
FEWEST, MOST = 24, 96
#: Points by which a set must be better to be preferred to one that has nothing in common with the chosen
#: ones. Each unit with another goal halves this number.
PENALTY = 20.0
#: The distance of two units that stay and help different units; it is 1 if they have different goals.
HELP = 0.5


def room_for(n_units: int) -> int:
    """The number of sets to keep for a power of this many units: 24 to 96."""
    return max(FEWEST, min(MOST, math.ceil(SETS_PER_UNIT * n_units)))


def distances(sets: Sequence[bytes]) -> npt.NDArray[np.float64]:
    """The distances between all sets, (n, n): units with different goals, and half of those that stay in both
    but help different units.

    Sets are bytes of order codes for the same units in the same order.
    """
    if not sets:
        return np.zeros((0, 0))
    codes = as_codes(b"".join(sets)).reshape(len(sets), -1)
    # A goal is a province's location, or none; the flag of a convoyed move says only how it gets there.
    fields = fields_of(codes)
    goals = np.where(fields["kind"] == OrderKind.MOVE, fields["target"], 0xFFFF)
    moved = np.zeros((len(sets), len(sets)))
    for unit in range(codes.shape[1]):
        elsewhere = goals[:, None, unit] != goals[None, :, unit]
        otherwise = codes[:, None, unit] != codes[None, :, unit]
        moved += np.where(elsewhere, 1.0, np.where(otherwise, HELP, 0.0))
    return moved


def distinct_in_effect(
    position: Position, scores: Mapping[bytes, float], backgrounds: Sequence[bytes]
) -> list[bytes]:
    """The sets without those that lead to the same positions as a better one, best first.

    Compared on each of `backgrounds`, orders of all the others.
    """
    ranked = sorted(scores, key=lambda orders: (scores[orders], orders), reverse=True)
    seen: dict[int, bytes] = {}
    for orders, effect in zip(ranked, consequences(position.packed, ranked, backgrounds), strict=True):
        seen.setdefault(effect, orders)
    return list(seen.values())


def diverse(scores: Mapping[bytes, float], count: int, penalty: float = PENALTY) -> list[bytes]:
    """Up to `count` of the sets: the best, and then repeatedly the one with the highest value after a penalty
    (in points) for its similarity to the nearest chosen one.

    `scores` are points. Reproducible: equal sets are taken in the order of their bytes.
    """
    ranked = sorted(scores, key=lambda orders: (scores[orders], orders), reverse=True)
    if len(ranked) <= count:
        return ranked
    likeness = penalty * 0.5 ** distances(ranked)
    worth = np.array([scores[orders] for orders in ranked])
    nearest = np.zeros(len(ranked))
    chosen: list[int] = []
    for _ in range(count):
        best = int(np.argmax(worth - nearest))
        chosen.append(best)
        nearest = np.maximum(nearest, likeness[best])
        worth[best] = -math.inf
    return [ranked[index] for index in chosen]
