"""The meta-map: a real map, on which units pass as their provinces let them."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position, legal_orders
from bordeaux.board.mapfile import bundled_maps
from bordeaux.formats.text import position_from_text
from bordeaux.metamap.atlas import atlas

MAP = Map.standard()
REGIONS, LARGER = atlas(MAP, 2)


@pytest.mark.parametrize("name", bundled_maps())
def test_every_map_has_an_atlas_on_which_a_game_can_be_played(name: str) -> None:
    map = Map.load(name)
    for above in atlas(map, 2):
        assert set(above.map.powers) == set(map.powers)
        assert above.map.centres
        position = Position(above.map, "S1901M", [], {})
        assert position.next({}).phase.kind in "MRA"
        for power, homes in map.homes.items():
            assert bool(homes) == bool(above.map.homes[power])


def test_regions_border_where_their_provinces_do() -> None:
    """Independently of how the map is built: a step between members is a border of regions."""
    for kind in "AF":
        passed = set()
        for place in MAP.locations:
            if place.kind == kind:
                for name in MAP.adjacent(kind, place.name):
                    other = MAP.location(kind, name)
                    ends = REGIONS.region_of[place.province], REGIONS.region_of[other.province]
                    if ends[0] != ends[1]:
                        passed.add(ends)
        borders = {
            (place.province, REGIONS.map.location(kind, name).province)
            for place in REGIONS.map.locations
            if place.kind == kind
            for name in REGIONS.map.adjacent(kind, place.name)
        }
        assert borders == passed


def test_fleets_do_not_cross_a_region_overland() -> None:
    """Russia has three coasts: Black Sea, Baltic and Barents Sea."""
    russia = REGIONS.map.province("RUS")
    assert len(russia.coasts) == 3
    seas = [set(REGIONS.map.adjacent("F", place.name)) for place in REGIONS.map.locations_in("F", "RUS")]
    assert sorted("PNT" in sea for sea in seas) == [False, False, True]
    assert sorted("BLT" in sea for sea in seas) == [False, False, True]
    assert not any({"PNT", "BLT"} <= sea for sea in seas)


def test_kinds_centres_and_homes_follow_the_provinces() -> None:
    provinces = REGIONS.map.provinces
    kinds = {province.name: province.kind for province in provinces}
    assert kinds["LEV"] == "sea" and kinds["DAN"] == "coastal"
    assert not REGIONS.map.province("LEV").centre and REGIONS.map.province("IBE").centre
    assert REGIONS.map.homes["RUSSIA"] == ("PLD", "RUS")
    assert {province.kind for province in atlas(Map.load("pure"))[0].map.provinces} == {"inland"}


def test_armies_are_convoyed_by_fleets_in_regions_of_sea() -> None:
    position = position_from_text("S1901M\nTURKEY: A ANA, F LEV; centres ANA\n", map=REGIONS.map)
    orders = legal_orders(position, "TURKEY")
    assert "A ANA - ITA VIA" in orders["ANA"]
