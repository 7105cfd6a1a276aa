"""Which fleets a given route could name, against a plain walk over all routes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from bordeaux import Map, Order, Position, Unit
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import may_convoy
from tests.oracle.choosers import Seeded
from tests.rules.maps import small_map


def routes(position: Position, army: str, goal: str) -> Iterator[tuple[str, ...]]:
    """Every route from an army to its goal, over each fleet at most once."""
    map = position.map
    touch = {
        province.name: {
            place.partition("/")[0]
            for location in map.locations_in("F", province.name)
            for place in map.adjacent("F", location.name)
        }
        for province in map.provinces
    }
    at_sea = [unit.province for unit in position.units if map.province(unit.province).kind == "sea"]

    def walk(route: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if route and goal in touch[route[-1]]:
            yield route
        for sea in at_sea:
            if sea not in route and sea in touch[route[-1] if route else army]:
                yield from walk((*route, sea))

    yield from walk(())


def convoy(fleet: str, army: str, goal: str) -> Order:
    return Order(OrderKind.CONVOY, "F", fleet, "A", army, goal)


@pytest.mark.parametrize("seed", range(12))
def test_against_all_routes(seed: int) -> None:
    choose = Seeded(f"routes {seed}")
    for _ in range(6):
        map = small_map(choose)
        units = []
        for province in map.provinces:
            kind = "F" if province.kind == "sea" else "A"
            if choose.chance(85):
                units.append(Unit(choose.choice(map.powers), kind, province.name))
        position = Position(map, "S1901M", units, {})
        armies = [unit.province for unit in units if map.province(unit.province).kind == "coastal"]
        goals = [province.name for province in map.provinces if province.kind == "coastal"]
        for army in armies:
            for goal in goals:
                if army == goal:
                    continue
                over = {sea for route in routes(position, army, goal) for sea in route}
                for fleet in (unit.province for unit in units if unit.kind == "F"):
                    assert may_convoy(position, convoy(fleet, army, goal)) == (fleet in over)


def test_a_dead_end_is_on_no_route() -> None:
    map = Map.standard()
    units = [Unit("ENGLAND", "A", "WAL"), *(Unit("ENGLAND", "F", sea) for sea in ("ENG", "NTH", "NWG"))]
    position = Position(map, "S1901M", units, {})
    assert may_convoy(position, convoy("NTH", "WAL", "BEL"))
    assert not may_convoy(position, convoy("NWG", "WAL", "BEL"))
    assert may_convoy(position, convoy("NWG", "WAL", "CLY"))
    assert not may_convoy(position, convoy("NTH", "WAL", "MUN"))
    assert not may_convoy(position, convoy("NTH", "YOR", "BEL"))
    assert not may_convoy(position, convoy("HEL", "WAL", "BEL"))
