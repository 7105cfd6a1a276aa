"""The map as people ask it: names, borders, distances, powers."""

from __future__ import annotations

import pickle
from collections.abc import Iterator

import pytest

from bordeaux import Map, Order, Phase, Position, Unit
from bordeaux.board.errors import MapError
from bordeaux.board.map import parse_map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.board.order import OrderKind, Province
from bordeaux.board.submission import may_convoy
from tests.oracle.scenarios import Seeded
from tests.rules.playing import small_map

MAP = Map.standard()


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("par", "PAR"),
        ("Paris", "PAR"),
        ("ech", "ENG"),
        ("st. petersburg", "STP"),
        ("St Petersburg", "STP"),
        ("  Mun ", "MUN"),
    ],
)
def test_a_province_goes_by_its_tag_its_name_and_its_aliases(name: str, tag: str) -> None:
    assert MAP.province(name).name == tag


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Pariss", "unknown province 'Pariss'; did you mean 'Paris'?"),
        ("", "unknown province ''"),
        ("x" * 1000, "unknown province"),
    ],
)
def test_an_unknown_province_gets_a_suggestion(name: str, says: str) -> None:
    with pytest.raises(MapError) as caught:
        MAP.province(name)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    ("kind", "start", "end", "moves"),
    [
        ("A", "PAR", "PAR", 0),
        ("A", "PAR", "MOS", 5),
        ("F", "STP/NC", "NTH", 2),
        ("F", "STP/SC", "NTH", 4),
        ("F", "SEV", "BAR", 10),
    ],
)
def test_distances_between_known_pairs(kind: str, start: str, end: str, moves: int) -> None:
    assert MAP.distance(kind, start)[end] == moves


@pytest.mark.parametrize(
    ("kind", "name", "location"),
    [("A", "spa", "SPA"), ("F", "Spain/nc", "SPA/NC"), ("F", "Gulf of Lyon", "LYO")],
)
def test_a_location_is_found_by_its_names(kind: str, name: str, location: str) -> None:
    assert MAP.location(kind, name).name == location


@pytest.mark.parametrize(
    ("kind", "name", "says"),
    [
        ("A", "NTH", "an army cannot stand in North Sea"),
        ("F", "MUN", "which has no coast"),
        ("F", "SPA", "write SPA/NC or SPA/SC"),
        ("F", "SPA/EC", "write SPA/NC or SPA/SC"),
        ("A", "SPA/NC", "write SPA"),
        ("F", "BRE/NC", "write BRE"),
        ("X", "PAR", "write A or F"),
        ("F", "Atlantis", "unknown province"),
    ],
)
def test_a_location_that_is_none_says_why(kind: str, name: str, says: str) -> None:
    with pytest.raises(MapError) as caught:
        MAP.location(kind, name)
    assert says in str(caught.value)


def test_an_unknown_power_gets_a_suggestion() -> None:
    with pytest.raises(MapError, match="did you mean 'FRANCE'"):
        MAP.power("FRANC")
    assert [MAP.known_power(name) for name in ("france", "FRA", "FRANC", "")] == ["FRANCE", "FRANCE", "", ""]


@pytest.mark.parametrize("name", bundled_maps())
def test_a_bundled_map_is_pickled_as_its_name(name: str) -> None:
    board = Map.load(name)
    packed = pickle.dumps(board)
    assert pickle.loads(packed) is board
    assert len(packed) < 200


def test_a_map_of_ones_own_is_pickled_whole() -> None:
    powers = '[powers.FRANCE]\nhomes = ""\ncentres = "PAR"\nunits = ["A PAR"]'
    board = parse_map(f'name = "standard"\nbase = "standard"\n{powers}')
    again = pickle.loads(pickle.dumps(Position.start(board))).map
    assert again is not Map.standard()
    for part in ("name", "powers", "provinces", "locations", "homes", "start_units", "start_centres"):
        assert getattr(again, part) == getattr(board, part)
    assert Position.start(again) == Position.start(board)


def test_positions_are_equal_on_like_maps_only() -> None:
    boards = [parse_map(f'name = "standard"\nbase = "standard"\n{more}') for more in ("", "", CORFU)]
    one, same, other = (Position(board, "S1901M", (), {}) for board in boards)
    assert one == same and hash(one) == hash(same)
    assert one != other


CORFU = '[provinces.CRF]\nname = "Corfu"\nkind = "inland"\narmy = ""'


def test_a_map_that_passes_a_limit_of_the_core_is_a_map_error() -> None:
    provinces = [
        Province(number, f"P{number}", f"Place {number}", "inland", (), (), False, (), f"P{number}")
        for number in range(256)
    ]
    borders: dict[tuple[str, str], tuple[str, ...]] = {("A", province.name): () for province in provinces}
    with pytest.raises(MapError, match="256 provinces"):
        Map("large", "", Phase.parse("S1901M"), {"FRANCE": "FRA"}, provinces, borders, ())


# Which fleets a given route could name, against a plain walk over all routes.


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
