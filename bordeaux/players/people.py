"""Players that draw their orders from a learnt policy, without any search."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from bordeaux._ext.memory import Memory
from bordeaux.board.code import codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, decoded
from bordeaux.players.protocol import Limit, Seat, Turn
from bordeaux.policy.memory import memory_of
from bordeaux.policy.net import WIDE, load_net
from bordeaux.policy.people import People
from bordeaux.search.beliefs import given_in, note

__all__ = ["Person", "PolicyPlayer", "Remembering", "net_of"]

net_of = functools.lru_cache(maxsize=8)(load_net)
"""Policies by name or file, each read once."""


class Remembering(Chair):
    """A player who remembers what all powers ordered in the last two movement phases."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self._seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {}

    def memory(self, position: Position) -> Memory | None:
        """What is remembered at a position."""
        return memory_of(position, self._seen)

    def observe(self, turn: Turn) -> None:
        """Remember the orders of a movement phase."""
        if turn.before.phase.kind == "M":
            note(self._seen, turn.before, given_in(turn.before, turn.orders))


class PolicyPlayer(Remembering):
    """Draws its orders from a learnt policy: one that comes with the package (`bordeaux.policy.net.BUNDLED`),
    or a `file` of weights (``*.npz``).

    `temperature` is how far chance departs from the likeliest: at 1 it plays as what it has learnt from, with
    less it errs less. Raises BordeauxError for one that is no number from 0.01 to 100, and for a file that
    cannot be read.
    """

    def __init__(self, seat: Seat, *, file: str = "engines", temperature: float = 0.5) -> None:
        super().__init__(seat)
        seed = self.chance.getrandbits(64)
        self._policy = People(seat.map, temperature=temperature, seed=seed, net=net_of(file))

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """A draw, for every unit or all that is due; limits are of no concern.

        Raises ValueError for a position on another map than the seat's.
        """
        drawn = self._policy.draw(position, self.seat.power, self.memory(position))
        return decoded(self.seat.map, codes_in(drawn))


class Person(PolicyPlayer):
    """Draws its orders from what people are likely to order (`bordeaux.policy.people`), as often as they do
    at a `temperature` of 1; with `wide` by the wide net, which foretells them better. Raises as
    `PolicyPlayer` does."""

    def __init__(self, seat: Seat, *, temperature: float = 1.0, wide: bool = False) -> None:
        super().__init__(seat, file=WIDE if wide else "people", temperature=temperature)
