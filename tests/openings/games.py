"""Small games for the tests: named openings, then whatever is legal, all from a seed."""

import random
from typing import Any

from bordeaux import Position, legal_orders
from bordeaux.formats.games import Game, game_from_json
from bordeaux.openings.names import names

FIRST = {
    power: [o for o in names() if o.power == power and len(o.orders) > 2][:2]
    for power in ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
}


def orders_by_chance(position: Position, chance: random.Random) -> dict[str, list[str]]:
    """Legal orders for everybody: a known opening at the start."""
    orders_by_power: dict[str, list[str]] = {}
    for power in position.orderable():
        if position == Position.start():
            orders_by_power[power] = sorted(chance.choice(FIRST[power]).orders)
        else:
            orders_by_power[power] = [
                chance.choice(orders[:4]) for orders in legal_orders(position, power).values()
            ]
    return orders_by_power


def played(seed: int, phases: int = 12, silent: tuple[str, ...] = ()) -> dict[str, Any]:
    """A saved game of so many phases in which the `silent` powers never send orders."""
    chance = random.Random(seed)
    position = Position.start()
    recorded = []
    for _ in range(phases):
        orders = orders_by_chance(position, chance)
        orders |= {power: [] for power in silent}
        recorded.append({"name": str(position.phase), "state": position.to_json(), "orders": orders})
        position = position.next(orders)
    recorded.append({"name": str(position.phase), "state": position.to_json(), "orders": {}})
    return {"id": f"game{seed}", "map": "standard", "phases": recorded}


def game(seed: int, phases: int = 12, silent: tuple[str, ...] = ()) -> Game:
    """The same, read."""
    return game_from_json(played(seed, phases, silent))
