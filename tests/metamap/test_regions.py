"""Regions and larger regions: the data of the standard map, and the clustering of others."""

from __future__ import annotations

from typing import Any

import pytest

from bordeaux import Map, Position
from bordeaux.board.map import parse_map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.metamap.atlas import atlas, clustered, larger_regions, regions
from bordeaux.metamap.goals import heights, translate
from tests.search.paper.boards import standing as board


def connected(map: Map, members: list[str]) -> bool:
    """Whether one step after another leads from a member to all, over members alone."""
    numbers = {map.province(tag).index for tag in members}
    reached, queue = set(), [min(numbers)]
    while queue:
        place = queue.pop()
        reached.add(place)
        steps = map.tables.steps(place)
        queue += [other for other in numbers - reached if steps[other] == 1]
    return reached == numbers


@pytest.mark.parametrize("name", bundled_maps())
def test_every_province_is_in_one_connected_region(name: str) -> None:
    map = Map.load(name)
    groups = regions(map)
    listed = [tag for region in groups for tag in region.members]
    assert sorted(listed) == sorted(province.name for province in map.provinces)
    assert all(connected(map, list(region.members)) for region in groups)
    above = atlas(map)[0].map
    larger = larger_regions(map, above)
    assert sorted(tag for region in larger for tag in region.members) == sorted(
        province.name for province in above.provinces
    )
    assert all(connected(above, list(region.members)) for region in larger)


@pytest.mark.parametrize("name", ["standard", "gulfs"])
def test_regions_are_of_land_or_of_sea(name: str) -> None:
    """So that an army walks, or a fleet sails, through all of one."""
    map = Map.load(name)
    for region in regions(map):
        kinds = {map.province(tag).kind == "sea" for tag in region.members}
        assert len(kinds) == 1, region


def test_clusters_are_few_even_and_repeatable() -> None:
    map = Map.standard()
    groups = clustered(map)
    assert groups == clustered(map)
    assert len(groups) == 19
    assert max(len(group) for group in groups) <= 8
    centres = [sum(map.provinces[place].centre for place in group) for group in groups]
    assert max(centres) <= 4
    assert clustered(map, 8) != groups and len(clustered(map, 8)) < len(groups)


def test_clusters_never_join_what_no_unit_can_pass_between() -> None:
    """Gulfs has an island, which stays alone; pure has no borders missing, and two regions."""
    gulfs = Map.load("gulfs")
    assert [gulfs.province("ISL").index] in clustered(gulfs)
    assert len(clustered(Map.load("pure"))) == 2


def test_a_map_with_the_same_provinces_and_borders_shares_the_regions() -> None:
    assert regions(Map.load("capitals")) == regions(Map.standard())


def test_a_map_with_another_border_has_regions_of_its_own() -> None:
    changed = '[provinces.SWE]\narmy = "FIN NWY"\n[provinces.DEN]\narmy = "KIE"\n'
    map = parse_map(f'base = "standard"\nname = "sound"\n{changed}')
    assert regions(map) != regions(Map.standard())
    assert atlas(map, 2)[0].map.provinces


def test_the_standard_map_has_about_twenty_regions_and_six_larger_ones() -> None:
    map = Map.standard()
    assert 16 <= len(regions(map)) <= 21
    assert 5 <= len(larger_regions(map, atlas(map)[0].map)) <= 7
    iberia = next(region for region in regions(map) if region.full == "Iberia")
    assert iberia.members == ("POR", "SPA")


# The meta-map: a real map, on which units pass as their provinces let them.

MAP = Map.standard()
REGIONS = atlas(MAP)[0]


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


# Positions as the meta-map shows them.


def seen(position: Position) -> dict[str, list[str]]:
    by_power: dict[str, list[str]] = {}
    for unit in translate(REGIONS, position).units:
        by_power.setdefault(unit.power, []).append(str(unit))
    return by_power


def test_the_start_is_a_game_of_seven_neighbours() -> None:
    above = translate(REGIONS, Position.start())
    assert {power: owned for power, owned in above.centres.items() if power != "RUSSIA"} == {
        "AUSTRIA": ("DAN",),
        "ENGLAND": ("BRI",),
        "FRANCE": ("GAU",),
        "GERMANY": ("GER",),
        "ITALY": ("ITA",),
        "TURKEY": ("ANA",),
    }
    assert above.phase == Position.start().phase
    assert len(above.units) == 7 and all(above.units_of(power) for power in MAP.powers)


def test_several_units_are_one_and_armies_or_fleets_by_what_most_are() -> None:
    assert seen(board(TURKEY=["A BUL", "A SER", "F GRE"])) == {"TURKEY": ["A BKN"]}
    assert seen(board(TURKEY=["F BUL/SC", "A SER", "F GRE"])) == {"TURKEY": ["F BKN/NC"]}
    assert seen(board(TURKEY=["F BUL/EC", "F RUM", "F GRE"])) == {"TURKEY": ["F BKN/SC"]}
    assert seen(board(TURKEY=["F WES", "F TYS"])) == {"TURKEY": ["F WSM"]}
    # Half and half: what walks can go further.
    assert seen(board(TURKEY=["F GRE", "A SER"])) == {"TURKEY": ["A BKN"]}


def test_a_contested_region_shows_the_stronger() -> None:
    assert seen(board(TURKEY=["A BUL", "A GRE"], AUSTRIA=["A SER"])) == {"TURKEY": ["A BKN"]}
    centres = {"AUSTRIA": ["SER", "GRE"], "TURKEY": ["BUL"]}
    position = board(centres=centres, TURKEY=["A BUL"], AUSTRIA=["A SER"])
    assert seen(position) == {"AUSTRIA": ["A BKN"]}
    assert translate(REGIONS, position).centres == {"AUSTRIA": ("BKN",)}


def test_a_garrison_outnumbered_by_one_neighbour_counts_as_none() -> None:
    two: dict[str, Any] = {"TURKEY": ["A BUL", "A SER"], "AUSTRIA": ["A VIE"]}
    assert seen(board(**two)) == {"TURKEY": ["A BKN"]}
    assert seen(board(TURKEY=["A BUL"], AUSTRIA=["A VIE"])) == {"TURKEY": ["A BKN"], "AUSTRIA": ["A DAN"]}
    # Two neighbours with one unit each are no majority of one power.
    spread: dict[str, Any] = {"TURKEY": ["A BUL"], "ITALY": ["A VEN"], "AUSTRIA": ["A VIE"]}
    assert set(seen(board(**spread))) == {"TURKEY", "ITALY", "AUSTRIA"}


def test_heights_count_provinces_and_centres_and_fall_away_from_home() -> None:
    every = heights(REGIONS)
    turkey = every["TURKEY"]
    assert turkey["BKN"] > turkey["IBE"] > turkey["ARC"]
    assert turkey["ANA"] == max(other["ANA"] for other in every.values()) > every["ENGLAND"]["ANA"]
