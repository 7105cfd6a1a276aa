"""Games of the PyPI package ``diplomacy`` as objects: a position into one, and orders.

The way back is `Position.from_game`. Nothing here imports the package: any object with its methods will do.
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
    """What is used of a ``diplomacy.Game``."""

    map_name: str

    def get_state(self) -> dict[str, Any]:
        """The position as JSON."""

    def set_state(self, state: dict[str, Any]) -> None:
        """Take a position over."""

    def set_orders(self, power_name: str, orders: list[str]) -> None:
        """Take the orders of a power."""


def set_game(game: PackageGame, position: Position) -> None:
    """Make a position the game's. Raises PositionError where the game is on another map."""
    if game.map_name != position.map.name:
        raise PositionError(f"the game is on map {game.map_name}, the position on {position.map.name}")
    game.set_state(position.to_json())


def give_orders(game: PackageGame, orders: Mapping[str, Iterable[Order | str]]) -> None:
    """Give a game the orders of powers, named by name or tag, in any notation that Bordeaux reads.

    A convoyed move says ``VIA`` there and names no seas. Raises MapError for a power that is none, OrderError
    for text that is no order; whether an order is legal is the game's to say.
    """
    position = Position.from_game(game)
    for name, given in orders.items():
        read = [
            each if isinstance(each, Order) else parse_order(each, position.map, position) for each in given
        ]
        game.set_orders(position.map.power(name), [str(order._replace(route=())) for order in read])
