"""Map files: what they may say, and that each contradiction is refused with its line."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import Map, Position, legal_orders
from bordeaux.board.errors import MapError
from bordeaux.board.map import load_map, parse_map
from bordeaux.board.mapfile import bundled_maps
from bordeaux.board.order import fold
from bordeaux.formats.text import position_from_text
from tests.patience import examples

SMALL = """\
name = "small"
phase = "S1901M"

[powers.REDS]
homes = "AAA"
units = ["F AAA"]

[powers.BLUES]
homes = "BBB"
units = ["A BBB"]

[provinces.AAA]
name = "Alpha"
aliases = ["First"]
kind = "coastal"
centre = true
army = "BBB CCC"
fleet = "CCC/NC SEA"

[provinces.BBB]
name = "Beta"
kind = "inland"
centre = true
army = "AAA"

[provinces.CCC]
name = "Gamma"
kind = "coastal"
army = "AAA"

[provinces.CCC.fleet]
NC = "AAA SEA"
WC = ""

[provinces.SEA]
name = "Sea"
kind = "sea"
fleet = "AAA CCC/NC"
"""


@pytest.mark.parametrize("name", bundled_maps())
def test_a_bundled_map_says_its_own_name_and_its_names_are_clear(name: str) -> None:
    board = Map.load(name)
    assert board.name == name
    assert board.title
    for province in board.provinces:
        for known in (province.name, province.full, *province.aliases):
            assert board.province(known) is province
            assert board.province(fold(known).lower()) is province
    assert Position.start(board).units


def test_a_base_may_be_changed_in_part() -> None:
    board = parse_map(
        'base = "standard"\nphase = "F1905M"\n'
        '[powers.FRANCE]\nhomes = "PAR RUH"\n[provinces.RUH]\ncentre = true\n'
        '[powers.NORSE]\nhomes = "NWY PAR"\ncentres = "NWY RUH"\nunits = ["F NWY"]'
    )
    assert board.powers == ("FRANCE", "NORSE")
    assert board.tags == {"FRANCE": "FRA", "NORSE": "NOR"}
    assert board.province("RUH").centre
    assert board.province("RUH").full == "Ruhr"
    assert board.province("PAR").homes == ("FRANCE", "NORSE")
    assert board.start_centres == {"NORSE": ("NWY", "RUH")}
    assert str(board.start_phase) == "F1905M"
    assert [str(unit) for unit in board.start_units] == ["F BRE", "A MAR", "A PAR", "F NWY"]


def test_the_largest_map_that_fits_loads_and_one_province_more_does_not() -> None:
    assert len(parse_map(chain(255)).provinces) == 255
    with pytest.raises(MapError, match=r"^map, line 1022: 256 provinces; a map has at most 255$"):
        parse_map(chain(256))


def chain(count: int) -> str:
    """A map of provinces in a row."""
    tags = [f"P{number:02X}" for number in range(count)]
    lines = ["[powers.REDS]"]
    for number, tag in enumerate(tags):
        near = [tags[other] for other in (number - 1, number + 1) if 0 <= other < count]
        lines += [f"[provinces.{tag}]", 'kind = "inland"', f'army = "{" ".join(near)}"', "centre = true"]
    return "\n".join(lines)


def star(count: int) -> str:
    """A map of one province in the middle of others."""
    tags = [f"P{number:02X}" for number in range(count)]
    lines = ["[powers.REDS]", "[provinces.MID]", 'kind = "inland"', f'army = "{" ".join(tags)}"']
    lines.append("centre = true")
    for tag in tags:
        lines += [f"[provinces.{tag}]", 'kind = "inland"', 'army = "MID"']
    return "\n".join(lines)


def test_too_many_borders_coasts_places_and_powers() -> None:
    assert len(parse_map(star(32)).adjacent("A", "MID")) == 32
    with pytest.raises(MapError, match="line 4: A MID has 33 borders; at most 32"):
        parse_map(star(33))
    coasts = 'fleet = { NC = "AAA SEA", WC = "", SC = "", EC = "", NEC = "" }'
    text = SMALL.replace('[provinces.CCC.fleet]\nNC = "AAA SEA"\nWC = ""', coasts)
    with pytest.raises(MapError, match="line 31: CCC has 5 coasts; a province has at most 4"):
        parse_map(text)
    powers = "".join(f"[powers.{'ABCDEFGH'[n // 8]}{'ABCDEFGH'[n % 8]}X]\n" for n in range(32))
    provinces = SMALL[SMALL.index("[provinces") :]
    assert len(parse_map(powers.replace("[powers.DHX]\n", "") + provinces).powers) == 31
    with pytest.raises(MapError, match="line 32: 32 powers; a map has at most 31"):
        parse_map(powers + provinces)
    four = 'fleet = { NC = "", SC = "", EC = "", WC = "" }'
    tags = [f"P{number:02X}" for number in range(255)]
    places = "".join(f'[provinces.{tag}]\nkind = "coastal"\narmy = ""\n{four}\n' for tag in tags)
    with pytest.raises(
        MapError, match=r"line 821: 1275 places for armies and fleets; a map has at most 1023"
    ):
        parse_map("[powers.REDS]\n" + places)


CONTRADICTIONS = [
    (
        'army = "AAA"\n\n[provinces.CCC]',
        'army = ""\n\n[provinces.CCC]',
        17,
        "A AAA - BBB is a one-way border",
    ),
    ('WC = ""', 'WC = "SEA"', 33, "F CCC/WC - SEA is a one-way border"),
    ('homes = "AAA"', 'homes = "AAA AAX"', 5, "unknown home 'AAX' of REDS; did you mean 'AAA'?"),
    ('homes = "AAA"', 'homes = "AAA CCC"', 5, "CCC is a home of REDS but no supply centre"),
    ('homes = "AAA"', 'home = "AAA"', 5, "power REDS has no key 'home'; did you mean 'homes'?"),
    ('homes = "AAA"', 'centres = "BBX"', 5, "unknown centre 'BBX' of REDS"),
    ('homes = "AAA"', 'centres = "CCC"', 5, "REDS owns CCC, which is no supply centre"),
    ('homes = "AAA"', 'tag = "UNO"', 5, "'UNO' is no tag for REDS"),
    ('homes = "AAA"', 'tag = "BLU"', 8, "both REDS and BLUES go by BLU"),
    ("[powers.REDS]", '[powers."The Reds"]', 4, "'The Reds' is no name for a power"),
    ('units = ["F AAA"]', 'units = ["F AAX"]', 6, "there is no province 'AAX'; did you mean 'AAA'?"),
    ('units = ["F AAA"]', 'units = ["F BBB"]', 6, "REDS cannot start with F BBB: BBB is inland"),
    ('units = ["F AAA"]', 'units = ["A SEA"]', 6, "SEA is a sea"),
    ('units = ["F AAA"]', 'units = ["F CCC"]', 6, "write CCC/NC or CCC/WC"),
    ('units = ["F AAA"]', 'units = ["A CCC/NC"]', 6, "armies do not tell coasts apart"),
    ('units = ["F AAA"]', 'units = ["X AAA"]', 6, "unknown kind of unit 'X'"),
    ('units = ["F AAA"]', 'units = ["AAA"]', 6, "'AAA' is no unit"),
    ('units = ["F AAA"]', 'units = ["F AAA", "A AAA"]', 6, "two units start in AAA"),
    ('units = ["A BBB"]', 'units = ["A BBB",\n  "F AAA"]', 11, "two units start in AAA"),
    ('army = "BBB CCC"', 'army = "BBB CCC XXX"', 17, "there is no province 'XXX'"),
    ('army = "BBB CCC"', 'army = "BBB CCC AAA"', 17, "A AAA borders on itself"),
    ('army = "BBB CCC"', 'army = "BBB CCC BBB"', 17, "lists its border on BBB twice"),
    ('army = "BBB CCC"', "army = 5", 17, "army must be a text"),
    ('NC = "AAA SEA"', 'XX = "AAA SEA"', 31, "unknown coast 'XX'"),
    ('NC = "AAA SEA"', 'NC = ["AAA"]', 32, "NC must be a text"),
    (
        'army = "AAA"\n\n[provinces.CCC]',
        'army = "AAA"\nfleet = "SEA"\n[provinces.CCC]',
        25,
        "BBB is inland and cannot",
    ),
    (
        'fleet = "AAA CCC/NC"',
        'fleet = "AAA CCC/NC"\narmy = "AAA"',
        39,
        "SEA is sea and cannot list army borders",
    ),
    ('kind = "sea"', 'kind = "lake"', 37, "SEA has kind 'lake'; write inland, coastal or sea"),
    ('name = "Beta"', 'name = "Alpha"', 21, "both AAA and BBB go by 'Alpha'"),
    ('name = "Beta"', 'aliases = ["Bee", "FIRST"]', 21, "both AAA and BBB go by 'FIRST'"),
    ('name = "Beta"', 'daide = "AAA"', 21, "both AAA and BBB are AAA in DAIDE"),
    ('name = "Beta"', 'name = "."', 21, "'.' is no name for BBB"),
    ('name = "Beta"', 'flet = "SEA"', 21, "province BBB has no key 'flet'; did you mean 'fleet'?"),
    ('centre = true\narmy = "AAA"', 'centre = 1\narmy = "AAA"', 23, "centre must be true or false"),
    ("[provinces.SEA]", "[provinces.AAA]", 35, "twice"),
    ("[provinces.SEA]", "[provinces.SEAS]", 35, "'SEAS' is no tag for a province"),
    ('phase = "S1901M"', 'phase = "S190"', 2, "unknown phase 'S190'"),
    ('phase = "S1901M"', "phase = 1901", 2, "phase '1901' is not text"),
    ('phase = "S1901M"', 'phase = "COMPLETED"', 2, "a game cannot begin in COMPLETED"),
    ('phase = "S1901M"', 'base = "standart"', 2, "unknown base 'standart'; did you mean 'standard'?"),
    ('phase = "S1901M"', 'phrase = "x"', 2, "a map has no key 'phrase'; did you mean 'phase'?"),
    ('phase = "S1901M"', "phase = S1901M", 2, "Invalid value"),
    ('name = "small"', 'name = "a small map"', 1, "'a small map' is no name for a map"),
]


@pytest.mark.parametrize(("old", "new", "line", "says"), CONTRADICTIONS)
def test_a_contradiction_is_refused_with_its_line(old: str, new: str, line: int, says: str) -> None:
    assert old in SMALL
    with pytest.raises(MapError) as caught:
        parse_map(SMALL.replace(old, new, 1), "small.toml")
    assert says in str(caught.value)
    assert str(caught.value).startswith(f"small.toml, line {line}: ")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "map: table 'powers' is missing or empty"),
        ("[powers]\nREDS = 3\n[provinces]", "map, line 2: table 'REDS' is '3', not a table"),
        ("[powers.REDS]", "map: table 'provinces' is missing or empty"),
        ("x = " + "[" * 100_000, "map: nested too deeply"),
        ("x = " + "9" * 10_000, "map: Exceeds the limit"),
        ("x = \x00", "map, line 1: "),
        ('base = "standard"\n[provinces.PAR]\narmy = "BRE"', "standard.toml, line "),
        (
            '[powers.REDS]\n[provinces.AAA]\nkind = "inland"\narmy = ""',
            "map, line 2: there are no supply centres",
        ),
    ],
)
def test_what_is_no_map_at_all(text: str, says: str) -> None:
    with pytest.raises(MapError) as caught:
        parse_map(text)
    assert str(caught.value).startswith(says)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes("name = 'Zürich'".encode("latin-1"))
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * (5 << 20))
    for name, says in (
        ("standart", "did you mean 'standard'?; maps: capitals, gulfs, pure, standard"),
        (tmp_path, "Is a directory"),
        (tmp_path / "nothing.toml", "No such file"),
        ("a\0b", "not a file name"),
        (latin, "is not UTF-8 text"),
        (large, "more than 4 MB"),
    ):
        with pytest.raises(MapError) as caught:
            load_map(name)
        assert says in str(caught.value)


def test_a_file_of_ones_own_loads_by_path(tmp_path: Path) -> None:
    path = tmp_path / "my small map.toml"
    path.write_text(SMALL.removeprefix('name = "small"\n'), "utf-8-sig")
    assert Map.load(path).name == "mysmallmap"


TEXTS = [SMALL, (resources.files("bordeaux.board") / "data" / "gulfs.toml").read_text("utf-8")]
TEXTS.append('base = "pure"\n[powers.FRANCE]\nhomes = "PAR"\n[provinces.ROM]\ncentre = false\n')
VALUES = ['"AAA"', '"BBB SEA"', '""', "3", "-1.5", "true", "[]", '["F AAA"]', "[[1]]", "{}", '{ NC = "SEA" }']
VALUES += ["{ NC = 1 }", "nan", "1979-05-27", '"sea"', '"coastal"', "'A\\u0000'", '"standard"', '"\\n"']
KEYS = ["name", "title", "phase", "base", "tag", "homes", "centres", "units", "aliases", "daide", "kind"]
KEYS += ["centre", "army", "fleet", "powers", "provinces", "fleet.NC", '""', "powers.REDS", "[powers]"]

edits = st.tuples(
    st.sampled_from(["drop", "double", "swap", "value", "add", "word", "character"]),
    st.integers(0, 300),
    st.integers(0, 300),
    st.sampled_from(VALUES),
    st.sampled_from(KEYS),
    st.characters(),
)


def damaged(text: str, damage: list[tuple[str, int, int, str, str, str]]) -> str:
    """The text after some small accidents."""
    lines = text.splitlines()
    for what, first, second, value, key, character in damage:
        at, other = first % len(lines), second % len(lines)
        head, equals, tail = lines[at].partition("=")
        match what:
            case "drop":
                lines[at] = ""
            case "double":
                lines.insert(other, lines[at])
            case "swap":
                lines[at], lines[other] = lines[other], lines[at]
            case "value" if equals:
                lines[at] = f"{head}= {value}"
            case "add":
                lines.insert(at, f"{key} = {value}")
            case "word":
                words = tail.split()
                lines[at] = f"{head}{equals} {' '.join(words[::-1])}"
            case "character":
                place = second % (len(lines[at]) + 1)
                lines[at] = lines[at][:place] + character + lines[at][place + 1 :]
    return "\n".join(lines)


@settings(max_examples=examples(200), deadline=None)
@given(text=st.sampled_from(TEXTS), damage=st.lists(edits, min_size=1, max_size=4))
def test_a_damaged_file_is_a_map_or_a_map_error(
    text: str, damage: list[tuple[str, int, int, str, str, str]]
) -> None:
    try:
        board = parse_map(damaged(text, damage))
    except MapError as error:
        assert str(error).startswith(("map", "pure.toml", "standard.toml"))
        assert "\n" not in str(error)
    else:
        start = Position.start(board)
        assert position_from_text(str(start), board) == start
        legal_orders(start)
