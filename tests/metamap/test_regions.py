"""Regions and larger regions: the data of the standard map, and the clustering of others."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import pytest

from bordeaux import Map
from bordeaux.board.map import parse_map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.metamap.atlas import atlas, clustered, larger_regions, regions

DATA = {
    entry.name: tomllib.loads(entry.read_text("utf-8"))
    for entry in (resources.files("bordeaux.metamap") / "data").iterdir()
    if entry.name.endswith(".toml")
}


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


@pytest.mark.parametrize("name", sorted(DATA))
def test_data_files_have_the_form_and_cover_their_map(name: str) -> None:
    data = DATA[name]
    assert set(data) == {"map", "regions", "larger"}
    map = Map.load(data["map"])
    for table, key, below in (
        (data["regions"], "provinces", [province.name for province in map.provinces]),
        (data["larger"], "regions", list(data["regions"])),
    ):
        listed = [tag for entry in table.values() for tag in entry[key].split()]
        assert sorted(listed) == sorted(below)
        assert all(set(entry) == {"name", key} and entry["name"] for entry in table.values())
        assert all(re.fullmatch("[A-Z]{3}", tag) for tag in table)
        assert len({entry["name"] for entry in table.values()}) == len(table)


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
