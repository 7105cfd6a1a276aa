"""The core and the oracle must agree on retreats and adjustments as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bordeaux.board.map import Map
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.unit import Unit
from bordeaux.rules import adjudicate
from tests import oracle
from tests.oracle.board import province_of
from tests.oracle.choosers import Seeded
from tests.oracle.scenarios import FLAVOURS, scenario
from tests.rules.bridge import board, core

PHASES = 400


def test_retreats() -> None:
    game_map = Map.standard()
    seen = 0
    for seed in range(PHASES):
        choose = Seeded(seed)
        flavour = FLAVOURS[choose.choice(("supports", "knots", "coasts", "paradoxes"))]
        position = core(scenario(board(game_map), game_map.powers, flavour, choose), game_map).after
        if position.phase.kind != "R":
            continue
        seen += 1
        orders: dict[str, list[Order]] = {}
        for dislodged in position.dislodged:
            unit = dislodged.unit
            goals = [*dislodged.retreats, "", choose.choice(game_map.adjacent(unit.kind, unit.location))]
            # Two units that may go to the same place are to try it often.
            others = {goal for other in position.dislodged if other != dislodged for goal in other.retreats}
            wanted = [goal for goal in dislodged.retreats if goal in others]
            goal = choose.choice(wanted if wanted and choose.chance(50) else goals)
            kind = OrderKind.RETREAT if goal else OrderKind.DISBAND
            orders.setdefault(unit.power, []).append(Order(kind, unit.kind, unit.location, destination=goal))
        truth = oracle.retreat(
            [oracle.Unit(*unit) for unit in position.units],
            {dislodged.unit.province: oracle.Unit(*dislodged.unit) for dislodged in position.dislodged},
            {dislodged.unit.province: dislodged.retreats for dislodged in position.dislodged},
            {power: list(map(str, given)) for power, given in orders.items()},
        )
        after = adjudicate(position, orders).after
        assert names(after.units) == names(truth.units), (seed, orders)
    assert seen > PHASES // 4


def test_adjustments() -> None:
    game_map = Map.standard()
    places = [(location.kind, location.name) for location in game_map.locations]
    for seed in range(PHASES):
        choose = Seeded(seed)
        units: dict[str, Unit] = {}
        for _ in range(choose.choice((5, 20, 35))):
            kind, place = choose.choice(places)
            units.setdefault(province_of(place), Unit(choose.choice(game_map.powers), kind, place))
        centres: dict[str, list[str]] = {}
        for centre in game_map.centres:
            own = [power for power in game_map.powers if centre in game_map.homes[power]]
            if centre in units:
                centres.setdefault(units[centre].power, []).append(centre)
            elif choose.chance(70):
                power = own[0] if own and choose.chance(60) else choose.choice(game_map.powers)
                centres.setdefault(power, []).append(centre)
        position = Position(game_map, "W1901A", units.values(), centres)
        orders = {power: adjustment_orders(game_map, power, units, choose) for power in game_map.powers}
        resolution = adjudicate(position, orders)
        standing = [oracle.Unit(*unit) for unit in position.units]
        for power, given in orders.items():
            truth = oracle.adjust(board(game_map), power, standing, centres, list(map(str, given)))
            standing = truth.units
        assert names(resolution.after.units) == names(standing), (seed, orders)


def adjustment_orders(game_map: Map, power: str, units: dict[str, Unit], choose: Seeded) -> list[Order]:
    """Some builds at home and some removals, more or fewer than are due."""
    orders = []
    for home in game_map.homes[power]:
        options = [location for location in game_map.locations if province_of(location.name) == home]
        place = choose.choice(options)
        if choose.chance(60):
            orders.append(Order(OrderKind.BUILD, place.kind, place.name))
    for unit in units.values():
        if choose.chance(40 if unit.power == power else 2):
            orders.append(Order(OrderKind.DISBAND, unit.kind, unit.location))
    return orders


def names(units: Iterable[Any]) -> set[tuple[str, str]]:
    return {(unit.power, str(unit)) for unit in units}
