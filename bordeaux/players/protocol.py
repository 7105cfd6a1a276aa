"""The protocol of players, and the information that a player receives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position
from bordeaux.search.request import Limit

__all__ = ["Limit", "Player", "Seat", "Turn"]


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
    """One player in one seat of one game, from its first phase to its last.

    The same seat, limits in nodes and turns give the same orders. An exception counts as missing orders.
    """

    @property
    def seat(self) -> Seat:
        """The seat of the player."""

    def orders(self, position: Position, limit: Limit) -> Sequence[Order | str]:
        """Orders of the power for a phase in which it must give some, in any notation that Bordeaux reads."""

    def observe(self, turn: Turn) -> None:
        """Process a phase that has been played; called once for every phase, in order."""

    def close(self) -> None:
        """Close processes and connections; called once, also after a failure."""


def _read(position: Position, orders: Sequence[Order | str]) -> list[Order]:
    """Orders as values, without unreadable ones."""
    read = []
    for order in orders:
        try:
            read.append(order if isinstance(order, Order) else parse_order(order, position.map, position))
        except BordeauxError:
            continue
    return read
