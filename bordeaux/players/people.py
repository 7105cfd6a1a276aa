"""A player who plays as people do."""

from __future__ import annotations

from collections.abc import Sequence

from bordeaux.board.code import codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, decoded
from bordeaux.players.protocol import Limit, Seat, Turn
from bordeaux.policy.memory import memory_of
from bordeaux.policy.people import People
from bordeaux.search.beliefs import given_in, note

__all__ = ["Person"]


class Person(Chair):
    """Draws its orders from what people are likely to order (`bordeaux.policy.people`), without any search.

    It remembers what all powers ordered in the last two movement phases. `temperature` is how far chance
    departs from the likeliest: at 1 it plays as people do on the whole; with less it errs less. Raises
    BordeauxError for one that is no number from 0.01 to 100.
    """

    def __init__(self, seat: Seat, *, temperature: float = 1.0) -> None:
        super().__init__(seat)
        self._people = People(seat.map, temperature=temperature, seed=self.chance.getrandbits(64))
        self._seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {}

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """A draw, for every unit or all that is due; limits are of no concern.

        Raises ValueError for a position on another map than the seat's.
        """
        memory = memory_of(position, self._seen)
        drawn = self._people.draw(position, self.seat.power, memory)
        return decoded(self.seat.map, codes_in(drawn))

    def observe(self, turn: Turn) -> None:
        """Remember the orders of a movement phase."""
        if turn.before.phase.kind == "M":
            note(self._seen, turn.before, given_in(turn.before, turn.orders))
