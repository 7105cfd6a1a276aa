"""Single orders from players, and what the orders of one that thinks of its units together hold to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bordeaux import Order, Position
from bordeaux.board.order import OrderKind
from bordeaux.players.base import Limit, Seat
from bordeaux.players.registry import create
from tests.players.playing import Played, faults, read_orders

__all__ = ["assert_sound", "assert_sound_game", "orders_for", "standard"]

HELP = (OrderKind.SUPPORT_HOLD, OrderKind.SUPPORT_MOVE, OrderKind.CONVOY)


def standard(
    phase: str, units: Mapping[str, Sequence[str]], centres: Mapping[str, Sequence[str]] | None = None
) -> Position:
    """A position on the standard map, ``{"FRANCE": ["A PAR"]}``."""
    return Position.from_json({"name": phase, "units": units, "centers": centres or {}})


def orders_for(spec: str, position: Position, power: str, seed: int = 0) -> list[Order]:
    """What a player that has just sat down orders for a power."""
    player = create(spec, Seat(power, position.map, seed))
    orders = player.orders(position, Limit())
    player.close()
    return read_orders(position, orders)


def assert_sound(position: Position, power: str, orders: Sequence[Order | str]) -> None:
    """The orders are legal, complete, and do not cross each other: no two units go to one province,
    none goes where another stays, no two change places, and help for own units is for what is ordered."""
    given = read_orders(position, orders)
    shown = f"{power}, {position.phase}: {'; '.join(map(str, given))}"
    assert faults(position, power, orders) == [], shown
    goals = [
        (order.destination if order.kind in (OrderKind.MOVE, OrderKind.RETREAT) else order.location)
        for order in given
        if order.kind not in (OrderKind.DISBAND, OrderKind.WAIVE)
    ]
    assert len({goal.partition("/")[0] for goal in goals}) == len(goals), shown
    moves = {order.location: order.destination for order in given if order.kind == OrderKind.MOVE}
    assert not any(moves.get(goal) == start for start, goal in moves.items()), shown
    for order in given:
        target = position.unit_at(order.target.partition("/")[0]) if order.kind in HELP else None
        # What another power's unit does is not ours to order.
        if target is not None and target.power == power:
            assert moves.get(order.target, "") == order.destination, shown


def assert_sound_game(played: Played) -> None:
    """All orders of a game are sound."""
    for turn in played.turns:
        for power, orders in turn.orders.items():
            assert_sound(turn.before, power, orders)
