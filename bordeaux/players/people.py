"""Players that draw their orders from a learnt policy, without a search."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from bordeaux._ext.net.memory import Memory
from bordeaux.board.code import codes_in
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.players.base import Chair, Limit, Seat, Turn, decoded
from bordeaux.players.limits import Level
from bordeaux.policy.net import WIDE, load_net, memory_of
from bordeaux.policy.people import People
from bordeaux.search.beliefs import given_in, note

net_of = functools.lru_cache(maxsize=8)(load_net)
"""Policies by name or file; each is read once."""


class Remembering(Chair):
    """A player that remembers all orders of the last two movement phases."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat)
        self._seen: dict[str, dict[str, tuple[int, dict[int, int]]]] = {}

    def memory(self, position: Position) -> Memory | None:
        """The remembered orders at a position."""
        return memory_of(position, self._seen)

    def observe(self, turn: Turn) -> None:
        """Remember the orders of a movement phase."""
        if turn.before.phase.kind == "M":
            note(self._seen, turn.before, given_in(turn.before, turn.orders))


class PolicyPlayer(Remembering):
    """Draws its orders from a learnt policy: a bundled one (`bordeaux.policy.net.BUNDLED`), or a `file` of
    weights (``*.npz``). At a `temperature` of 1 it draws from the net's probabilities; with less it prefers
    the most probable orders. Raises BordeauxError unless it is a number from 0.01 to 100, and for a file that
    cannot be read."""

    def __init__(self, seat: Seat, *, file: str = "engines", temperature: float = 0.5) -> None:
        super().__init__(seat)
        seed = self.chance.getrandbits(64)
        self._policy = People(seat.map, temperature=temperature, seed=seed, net=net_of(file))

    def orders(self, position: Position, limit: Limit) -> Sequence[Order]:
        """A random draw for every unit, or for everything that is due; limits have no effect. Raises
        ValueError for a position on another map than the seat's."""
        drawn = self._policy.draw(position, self.seat.power, self.memory(position))
        return decoded(self.seat.map, codes_in(drawn))


class Person(PolicyPlayer):
    """Draws its orders from the net of people (`bordeaux.policy.people`), with its probabilities at a
    `temperature` of 1; with `wide` from the wide net, which predicts people better. Raises as `PolicyPlayer`
    does."""

    def __init__(self, seat: Seat, *, temperature: float = 1.0, wide: bool = False) -> None:
        super().__init__(seat, file=WIDE if wide else "people", temperature=temperature)


def person_of(level: Level, seat: Seat) -> Person | None:
    """The player of a level without a search in a seat; None if the engine searches at this level."""
    if level.temperature is None:
        return None
    return Person(seat, temperature=level.temperature, wide=True)
