"""Maps of the package `diplomacy`, against the package itself."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import diplomacy
import pytest
from diplomacy.engine.map import Map as PackageMap
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map
from bordeaux.board.errors import MapError, ReadingNote
from bordeaux.board.map import load_map, parse_map
from bordeaux.board.mapfile import map_text
from bordeaux.board.package_maps import package_map
from tests.patience import examples

FOLDER = Path(diplomacy.__file__).parent / "maps"
TOO_LARGE = "known_world_901"


@pytest.fixture(autouse=True)
def _notes_are_no_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadingNote)
        yield


def borders(map: Map) -> dict[str, set[str]]:
    return {f"{at.kind} {at.name}": set(map.adjacent(at.kind, at.name)) for at in map.locations}


def test_each_map_of_the_package_is_read_or_refused_in_one_line() -> None:
    names = sorted(path.name for path in FOLDER.glob("*.map"))
    refused = {}
    for name in names:
        try:
            # The name alone finds the installed package.
            load_map(name)
        except MapError as error:
            refused[name] = str(error)
    assert len(names) == 14
    assert list(refused) == [f"{TOO_LARGE}.map"]
    assert "269 provinces; a map has at most 255" in refused[f"{TOO_LARGE}.map"]


@pytest.mark.parametrize("name", ["standard", "ancmed", "standard_germany_italy"])
def test_a_map_of_the_package_is_what_the_package_makes_of_it(name: str) -> None:
    ours, theirs = load_map(f"{name}.map"), PackageMap(name)
    places = sorted({place.upper() for place in theirs.loc_type})
    stands = [
        f"{kind} {place}" for kind in "AF" for place in places if theirs.is_valid_unit(f"{kind} {place}")
    ]
    assert borders(ours) == {
        unit: {
            place
            for place in places
            if f"{unit[0]} {place}" in stands and theirs.abuts(unit[0], unit[2:], "-", place)
        }
        for unit in stands
    }
    assert list(ours.powers) == theirs.powers
    assert sorted(ours.centres) == sorted(set(theirs.scs))
    units = [unit for power in theirs.powers for unit in theirs.units[power]]
    assert sorted(str(unit) for unit in ours.start_units) == sorted(units)
    for power in ours.powers:
        assert sorted(ours.start_centres[power]) == sorted(theirs.centers[power])
        building = theirs.scs if "BUILD_ANY" in theirs.rules else theirs.homes[power]
        assert sorted(ours.homes[power]) == sorted(set(building))


def test_the_package_and_we_have_one_standard_map() -> None:
    assert borders(load_map("standard.map")) == borders(Map.standard())


def read(text: str, other: str = "# nothing") -> tuple[dict[str, Any], list[str]]:
    """The tables and the notes of a map, which may include files with this other text."""
    made = package_map(text, "x.map", lambda name: other)
    assert made is not None
    return made


SMALL = "FRANCE PAR\nA PAR\nLAND PAR ABUTS BUR\nLAND BUR ABUTS PAR\n"


@pytest.mark.parametrize(
    ("lines", "value"),
    [
        ("PORT BRE ABUTS PAR\nBrest = BRE", ["a fleet in Brest convoys in the package, and does not here"]),
        ("PORT bre ABUTS PAR", []),
        ("RULE SHARED", ["its rule SHARED is not known"]),
        ("RULE BUILD_ANY", ["powers build in every centre they own: each centre is a home of all"]),
        ("DUMMY", ["a power without a player is one like the others here"]),
        ("LAND SCS ABUTS PAR", ["other tags here: SCS is SCC"]),
    ],
)
def test_what_our_rules_do_not_have_is_noted(lines: str, value: list[str]) -> None:
    assert read(SMALL + lines)[1] == value


@pytest.mark.parametrize(
    ("lines", "units", "homes", "near"),
    [
        ("", ["A PAR"], "PAR", "BUR"),
        ("UNOWNED BUR\nRULE BUILD_ANY", ["A PAR"], "PAR BUR", "BUR"),
        ("UNPLAYED\nFRANCE BUR\nA BUR", ["A BUR"], "BUR", "BUR"),
        ("SHUT BUR ABUTS PAR", ["A PAR"], "PAR", ""),
        ("MAP a b c d e f g h", ["A PAR"], "PAR", "BUR"),
    ],
)
def test_words_of_a_map_of_the_package(lines: str, units: list[str], homes: str, near: str) -> None:
    tables, _ = read(SMALL + lines)
    france = tables["powers"]["FRANCE"]
    assert (france["units"], france["homes"]) == (units, homes)
    assert tables["provinces"]["PAR"]["army"] == near


@pytest.mark.parametrize("name", ["modern.map", "standard_age_of_empires.map"])
def test_the_text_in_our_form_is_the_same_map(name: str) -> None:
    map, again = load_map(name), parse_map(map_text(name), "again.toml")
    for what in ("name", "title", "powers", "tags", "provinces", "start_units", "start_centres", "aliases"):
        assert getattr(map, what) == getattr(again, what), what
    assert borders(map) == borders(again)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("MAP ../../secret.map", "it needs the file '../../secret.map', which is not in its folder"),
        ("MAP x.map", "it includes more than 8 files"),
        ("A PAR", "line 1: A before any power"),
        ("FRANCE PAR\nA PAR BUR", "line 2: 'A PAR BUR' is no unit"),
        ("BEGIN LATE 1901 MOVEMENT", "line 1: 'LATE 1901 MOVEMENT' is no first phase"),
        ("FRANCE PAR\nLAND PAR ABUTS BUR", "'par' borders on 'bur', which is no province"),
        ("FRANCE PAR\nA XYZ", "there is no province 'xyz', where a unit starts"),
        ("123 PAR", "line 1: '123' is no word of a map, and no power"),
        ("AMEND PAR ABUTS BUR", "line 1: AMEND is no word of the maps of the package"),
        ("UNPLAYED ITALY", "line 1: UNPLAYED 'ITALY', which is no power"),
    ],
)
def test_what_cannot_be_read_gives_one_line(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "x.map").write_text(text)
    with pytest.raises(MapError) as failed:
        load_map(tmp_path / "x.map")
    assert "x.map" in str(failed.value) and why in str(failed.value) and "\n" not in str(failed.value)


@settings(max_examples=examples(15), deadline=None)
@given(st.data())
def test_a_damaged_file_is_a_map_or_an_error(data: st.DataObject) -> None:
    text = "MAP x\nBEGIN SPRING 1901 MOVEMENT\nFRANCE PAR\nA PAR\nLAND PAR ABUTS BUR\nParis = par"
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, min(len(text), first + 80)))
    damaged = text[:first] + data.draw(st.text(max_size=8)) + text[last:]
    try:
        assert read(damaged, "LAND bur ABUTS par")[0]
    except MapError as error:
        assert "\n" not in str(error)
