"""Objects of the PyPI package ``diplomacy``: sets their position and orders.

`Position.from_game` is the opposite direction. This module does not import the package: any object with its
methods is accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from bordeaux.board.errors import PositionError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.position import Position

__all__ = ["PackageGame", "give_orders", "set_game"]


class PackageGame(Protocol):
    """The part of ``diplomacy.Game`` that is used."""

    map_name: str

    def get_state(self) -> dict[str, Any]:
        """The position as JSON."""

    def set_state(self, state: dict[str, Any]) -> None:
        """Set the position."""

    def set_orders(self, power_name: str, orders: list[str]) -> None:
        """Set the orders of a power."""


def set_game(game: PackageGame, position: Position) -> None:
    """Set the position of a game. Raises PositionError if the game is on another map."""
    if game.map_name != position.map.name:
        raise PositionError(f"the game is on map {game.map_name}, the position on {position.map.name}")
    game.set_state(position.to_json())


def give_orders(game: PackageGame, orders: Mapping[str, Iterable[Order | str]]) -> None:
    """Set the orders of powers in a game, by name or tag, in any notation that Bordeaux reads.

    A convoyed move has ``VIA`` there, without the seas. Raises MapError for an unknown power, OrderError for
    unreadable text. The game checks whether an order is legal.
    """
    position = Position.from_game(game)
    for name, given in orders.items():
        read = [
            order if isinstance(order, Order) else parse_order(order, position.map, position)
            for order in given
        ]
        game.set_orders(position.map.power(name), [str(order._replace(route=())) for order in read])
