"""The base class of most players: power, random numbers, and empty methods to observe and close."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from random import Random

from bordeaux.board.map import Map
from bordeaux.board.order import Order
from bordeaux.board.submission import decode
from bordeaux.players.protocol import Seat, Turn

__all__ = ["Chair", "decoded"]


class Chair:
    """A base class for players: it stores the seat and makes the player's only random generator.

    `seat` has the power's name as the map spells it; `number` is the power's index in ``map.powers``.
    `chance` depends on the seat's seed and power only, so that the players of one table, who may share a
    seed, draw different numbers. Raises MapError for a power that is not on the map.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat._replace(power=seat.map.power(seat.power))
        self.number = seat.map.powers.index(self._seat.power)
        self.chance = Random(f"{seat.seed} {self._seat.power}")

    @property
    def seat(self) -> Seat:
        """The seat of the player."""
        return self._seat

    def observe(self, turn: Turn) -> None:
        """Ignore the phase: this player has no memory."""

    def close(self) -> None:
        """Nothing to close."""


def decoded(map: Map, codes: Iterable[int]) -> list[Order]:
    """The orders of codes of the core, cached, as orders recur often."""
    return [_decoded(map, code) for code in codes]


_decoded = functools.lru_cache(maxsize=1 << 16)(decode)
