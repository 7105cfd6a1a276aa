"""The protocol of players, what a player is told, and the base class of most players."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import NamedTuple, Protocol, runtime_checkable

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.search.task import Limit as Limit


class Seat(NamedTuple):
    """A seat: the power to play, the map, and the seed of the player's random numbers."""

    power: str
    map: Map
    seed: int = 0


class Turn(NamedTuple):
    """A phase that has been played: the position, the valid orders of every power (powers without orders are
    left out or empty), and the next position."""

    before: Position
    orders: Mapping[str, Sequence[Order | str]]
    after: Position

    def read(self) -> dict[str, list[Order]]:
        """The orders as values, without unreadable ones."""
        return {power: _read(self.before, given) for power, given in self.orders.items()}


@runtime_checkable
class Player(Protocol):
    """One player in one seat of one game, from its first phase to its last. The same seat, limits in nodes
    and turns give the same orders. An exception counts as missing orders."""

    @property
    def seat(self) -> Seat:
        """The seat of the player."""

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders of the power for a phase in which it must give some, in any notation that Bordeaux reads."""

    def observe(self, turn: Turn) -> None:
        """Process a phase that has been played; called once for every phase, in order."""

    def close(self) -> None:
        """Close processes and connections; called once, also after a failure."""


@runtime_checkable
class Guest(Player, Protocol):
    """A player that may be late or lost without losing its seat, such as a program that connects to us."""

    def arrive(self) -> None:
        """Wait until it is at the table, and fetch it again if it is gone. Raises BordeauxError if it does
        not come (any more)."""


def as_order(position: Position, order: Order | str) -> Order:
    """An order, read if it is a text. Raises BordeauxError for an unreadable one."""
    return order if isinstance(order, Order) else parse_order(order, position.map, position)


def _read(position: Position, orders: Sequence[Order | str]) -> list[Order]:
    """Orders as values, without unreadable ones."""
    read = []
    for order in orders:
        with contextlib.suppress(BordeauxError):
            read.append(as_order(position, order))
    return read


class Chair:
    """A base class for players: it stores the seat and makes the player's only random generator. `seat` has
    the power's name as the map spells it; `number` is the power's index in ``map.powers``. `chance` depends
    on the seat's seed and power only, so that the players of one table, who may share a seed, draw different
    numbers. Raises MapError for a power that is not on the map."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat._replace(power=seat.map.power(seat.power))
        self.number = seat.map.powers.index(self.seat.power)
        self.chance = Random(f"{seat.seed} {self.seat.power}")

    def observe(self, turn: Turn) -> None:
        """Ignore the phase: this player has no memory."""

    def close(self) -> None:
        """Nothing to close."""


def decoded(map: Map, codes: Iterable[int]) -> list[Order]:
    """The orders of codes of the core, cached, as orders recur often."""
    return [_decoded(map, code) for code in codes]


_decoded = functools.lru_cache(maxsize=1 << 16)(decode)
