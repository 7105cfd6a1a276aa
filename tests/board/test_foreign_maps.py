"""Maps of other programs: the package's against the package itself, jDip's and godip's as small files."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path

import diplomacy
import pytest
from diplomacy.engine.map import Map as PackageMap
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map
from bordeaux.board.errors import MapError, ReadingNote
from bordeaux.board.foreign_maps import sketch_of
from bordeaux.board.map import load_map, parse_map
from bordeaux.board.mapfile import map_text
from tests.patience import examples

FOLDER = Path(diplomacy.__file__).parent / "maps"
TOO_LARGE = "known_world_901"

VARIANTS = """<?xml version="1.0"?>
<!DOCTYPE VARIANTS [ <!ATTLIST VARIANT default (true|false) "false"> ]>
<VARIANTS>
 <VARIANT name="Two Isles" default="true">
  <MAP adjacencyURI="isles.xml"/>
  <POWER name="Red Men" altnames="Reds"/> <POWER name="Blue"/> <POWER name="Grey" active="false"/>
  <STARTINGTIME turn="Spring, 1700, Movement"/>
  <VICTORYCONDITIONS><WINNING_SUPPLY_CENTERS value="2"/></VICTORYCONDITIONS>
  <SUPPLYCENTER province="all" homepower="reds" owner="reds"/>
  <SUPPLYCENTER province="nea" homepower="blue" owner="blue"/> <SUPPLYCENTER province="far"/>
  <INITIALSTATE province="all" power="red men" unit="fleet" unitcoast="nc"/>
  <INITIALSTATE province="nea" power="blue" unit="army"/>
  <INITIALSTATE province="far" power="grey" unit="army"/>
 </VARIANT>
 <VARIANT name="Crowded"><MAP adjacencyURI="isles.xml"/><POWER name="Blue"/>
  <RULEOPTIONS><RULEOPTION name="OPTION_BUILDS" value="VALUE_BUILDS_ANY_OWNED"/></RULEOPTIONS>
  <SUPPLYCENTER province="all" homepower="blue" owner="blue"/> <SUPPLYCENTER province="far"/>
 </VARIANT>
</VARIANTS>
"""
ISLES = """<PROVINCES>
 <PROVINCE shortname="all" fullname="Alland"><ADJACENCY type="mv" refs="nea"/>
  <ADJACENCY type="nc" refs="sea nea"/><ADJACENCY type="sc" refs="bay"/></PROVINCE>
 <PROVINCE shortname="nea" fullname="Near"><UNIQUENAME name="nigh"/>
  <ADJACENCY type="mv" refs="all far"/><ADJACENCY type="xc" refs="all-nc sea"/></PROVINCE>
 <PROVINCE shortname="far" fullname="Far" isConvoyableCoast="true"><ADJACENCY type="mv" refs="nea"/>
  <ADJACENCY type="xc" refs="sea"/></PROVINCE>
 <PROVINCE shortname="sea" fullname="Sea"><ADJACENCY type="xc" refs="all-nc nigh far bay"/></PROVINCE>
 <PROVINCE shortname="bay" fullname="Bay"><ADJACENCY type="xc" refs="all-sc sea"/></PROVINCE>
 <PROVINCE shortname="swi" fullname="Nobody's"><ADJACENCY type="mv" refs="swi"/></PROVINCE>
</PROVINCES>
"""
GODIP = """package isles
import "github.com/zond/godip"
const (
	RedMen godip.Nation = "Red Men"
	Blue   godip.Nation = "Blue"
)
var Nations = []godip.Nation{RedMen, Blue}
var V = common.Variant{ SoloWinner: common.SCCountWinner(2), Parser: classical.Parser }
func Start() {
	startPhase := classical.NewPhase(1700, godip.Spring, godip.Movement)
	result.SetUnits(map[godip.Province]godip.Unit{
		"all/nc": godip.Unit{godip.Fleet, RedMen},
		"nea": godip.Unit{godip.Army, Blue},
	})
	result.SetSupplyCenters(map[godip.Province]godip.Nation{
		"all": RedMen,
		"nea": Blue,
	})
}
func Graph() *graph.Graph {
	return graph.New().
		Prov("all").Conn("nea", godip.Land).Conn("sea", godip.Sea).Flag(godip.Land).SC(RedMen).
		Prov("all/nc").Conn("sea", godip.Sea).Conn("nea", godip.Sea).Flag(godip.Sea).
		Prov("all/sc").Conn("bay", godip.Sea).Flag(godip.Sea).
		Prov("nea").Conn("all", godip.Land).Conn("all/nc", godip.Sea).Conn("sea", godip.Sea).
			Conn("far", godip.Land).Flag(godip.Coast...).SC(Blue).
		Prov("far").Conn("nea", godip.Land).Conn("sea", godip.Sea).
			Flag(godip.Archipelago...).SC(godip.Neutral).
		Prov("sea").Conn("all", godip.Sea).Conn("all/nc", godip.Sea).Conn("nea", godip.Sea).
			Conn("far", godip.Sea).Conn("bay", godip.Sea).Flag(godip.Sea).
		Prov("bay").Conn("all/sc", godip.Sea).Conn("sea", godip.Sea).Flag(godip.Sea).
		Done()
}
var provinceLongNames = map[godip.Province]string{
	"all": "Alland",
	"nea": "Near",
	"far": "Far",
	"sea": "Sea",
	"bay": "Bay",
}
"""


@pytest.fixture(autouse=True)
def _notes_are_no_errors() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadingNote)
        yield


@pytest.fixture
def isles(tmp_path: Path) -> Path:
    """A folder with the two isles in the forms of jDip and godip."""
    (tmp_path / "variants.xml").write_text(VARIANTS)
    (tmp_path / "isles.xml").write_text(ISLES)
    (tmp_path / "isles.go").write_text(GODIP)
    return tmp_path


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


@pytest.mark.parametrize("name", ["standard", "ancmed", "modern", "standard_germany_italy"])
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


SMALL = "FRANCE PAR\nA PAR\nLAND PAR ABUTS BUR\nLAND BUR ABUTS PAR\n"


@pytest.mark.parametrize(
    ("lines", "what", "value"),
    [
        (
            "PORT BRE ABUTS PAR\nBrest = BRE",
            "notes",
            ["a fleet in Brest convoys in the other program, and does not here"],
        ),
        ("PORT bre ABUTS PAR", "notes", []),
        ("COAST BRE ABUTS PAR", "notes", []),
        ("RULE BUILD_ANY\nRULE SHARED", "build_any", True),
        ("RULE BUILD_ANY\nRULE SHARED", "notes", ["its rule SHARED is not known"]),
        ("OWNS BUR", "owners", {"bur": "FRANCE"}),
        ("OWNS BUR\nCENTERS PAR", "owners", {"par": "FRANCE"}),
        ("OWNS BUR\nUNPLAYED", "owners", {}),
        ("UNPLAYED", "homes", {"par": []}),
        ("UNITS\nA BUR", "units", [("FRANCE", "A", "bur")]),
        ("DROP BUR", "borders", {("A", "par"): []}),
        ("AMEND PAR ABUTS -BUR", "borders", {("A", "par"): [], ("A", "bur"): ["par"]}),
        ("SHUT BUR ABUTS PAR", "borders", {("A", "par"): []}),
        ("VICTORY 3", "winning", 3),
        ("USE a b c d e f g h", "powers", {"FRANCE": []}),
    ],
)
def test_words_of_a_map_of_the_package(lines: str, what: str, value: object) -> None:
    sketch = sketch_of(f"{SMALL}{lines}\n", "x.map", lambda other: "# nothing\n")
    assert sketch is not None and getattr(sketch, what) == value


@pytest.mark.parametrize("file", ["variants.xml", "isles.go"])
def test_jdip_and_godip_say_the_same(isles: Path, file: str) -> None:
    with pytest.warns(ReadingNote) as noted:
        map = load_map(isles / file)
    assert borders(map) == {
        "A ALA": {"NEA"},
        "F ALA/NC": {"SEA", "NEA"},
        "F ALA/SC": {"BAY"},
        # By land alone, though fleets come to both.
        "A NEA": {"ALA", "FAR"},
        "F NEA": {"ALA/NC", "SEA"},
        "A FAR": {"NEA"},
        "F FAR": {"SEA"},
        "F SEA": {"ALA/NC", "NEA", "FAR", "BAY"},
        "F BAY": {"ALA/SC", "SEA"},
    }
    assert map.tags == {"REDMEN": "RED", "BLUE": "BLU"}
    assert map.homes == {"REDMEN": ("ALA",), "BLUE": ("NEA",)} == map.start_centres
    assert [(unit.power, str(unit)) for unit in map.start_units] == [
        ("REDMEN", "F ALA/NC"),
        ("BLUE", "A NEA"),
    ]
    assert str(map.start_phase) == "S1700M"
    assert map.centres == ("ALA", "NEA", "FAR")
    # ALL is a word of DAIDE, so the province has another tag here.
    assert {str(note.message).partition(": ")[2] for note in noted} == {
        "a fleet in Far convoys in the other program, and does not here",
        "other tags here: ALL is ALA",
    }


def test_a_variant_of_several_is_named_after_the_file(isles: Path) -> None:
    map = load_map(f"{isles / 'variants.xml'}#crowded")
    assert (map.name, map.powers) == ("Crowded", ("BLUE",))
    assert map.homes == {"BLUE": ("ALA", "FAR")}, "it builds in any centre that it owns"
    assert map.start_centres == {"BLUE": ("ALA",)}
    with pytest.raises(
        MapError, match="no variant 'x' in it; write FILE#NAME with one of: Two Isles, Crowded"
    ):
        load_map(f"{isles / 'variants.xml'}#x")


@pytest.mark.parametrize("name", ["ancmed.map", "modern.map", "variants.xml", "isles.go"])
def test_the_text_in_our_form_is_the_same_map(isles: Path, name: str) -> None:
    path = isles / name if (isles / name).exists() else FOLDER / name
    map, again = load_map(path), parse_map(map_text(path), "again.toml")
    for what in ("name", "title", "powers", "tags", "provinces", "start_units", "start_centres", "aliases"):
        assert getattr(map, what) == getattr(again, what), what
    assert borders(map) == borders(again)


REFUSED = {
    "x.map": [
        ("MAP ../../secret.map", "it names '../../secret.map', which is no file in its folder"),
        ("MAP x.map", "it includes more than 8 files"),
        ("A PAR", "line 1: A before any power"),
        ("FRANCE PAR\nA PAR BUR", "line 2: 'A PAR BUR' is no unit"),
        ("BEGIN LATE 1901 MOVEMENT", "line 1: 'LATE 1901 MOVEMENT' is no first phase"),
        ("FRANCE PAR\nLAND PAR ABUTS BUR", "'par' borders on 'bur', which is no province"),
        ("123 PAR", "line 1: '123' is no word of a map, and no power"),
        ("AMEND PAR ABUTS BUR", "line 1: AMEND of 'PAR', which is no province"),
    ],
    "variants.xml": [
        ("<VARIANTS>", "it is no XML"),
        ("<html></html>", "it is XML of the kind 'html'; expected VARIANTS"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><VARIANTS/>", "it declares entities"),
        ("<VARIANTS/>", "0 variants in it"),
        (
            VARIANTS.replace("isles.xml", "none.xml"),
            "it needs the file 'none.xml', which is not in its folder",
        ),
        (VARIANTS.replace("isles.xml", "../isles.xml"), "no file in its folder"),
        (VARIANTS.replace('unit="army"', 'unit="wing"'), "it has units of the kind 'wing'"),
        (VARIANTS.replace('province="nea" power', 'province="mor" power'), "there is no province 'mor'"),
    ],
    "isles.go": [
        ("package fleetrome // godip", "this Go file has no graph and nations of its own"),
        (GODIP.replace("godip.Fleet", "godip.Wing"), "it has units of the kind 'Wing'"),
        (GODIP.replace('Conn("bay"', 'Conn("gone"'), "'all/sc' borders on 'gone', which is no province"),
    ],
}

CASES = [(name, *case) for name, cases in REFUSED.items() for case in cases]


@pytest.mark.parametrize(("name", "text", "why"), CASES)
def test_what_cannot_be_read_gives_one_line(isles: Path, name: str, text: str, why: str) -> None:
    (isles / name).write_text(text)
    with pytest.raises(MapError) as failed:
        load_map(isles / name)
    assert name in str(failed.value) and why in str(failed.value) and "\n" not in str(failed.value)


TEXTS = (
    VARIANTS,
    GODIP,
    "MAP x\nBEGIN SPRING 1901 MOVEMENT\nFRANCE PAR\nA PAR\nLAND PAR ABUTS BUR\nParis = par",
)


@settings(max_examples=examples(15), deadline=None)
@given(st.sampled_from(TEXTS), st.data())
def test_a_damaged_file_is_a_map_or_an_error(text: str, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, min(len(text), first + 80)))
    damaged = text[:first] + data.draw(st.text(max_size=8)) + text[last:]
    for name in ("x.map", "variants.xml", "isles.go"):
        try:
            sketch = sketch_of(damaged, name, lambda other: ISLES)
            assert sketch is None or sketch.tables()
        except MapError as error:
            assert "\n" not in str(error)
