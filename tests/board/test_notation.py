"""Orders as text: exact on output, forgiving on input, clear where they cannot be read."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Map, Order, Position, Unit
from bordeaux.board.errors import OrderError
from bordeaux.board.mapfile import bundled_maps
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Dislodged, OrderKind, Province, fold
from bordeaux.formats.games import read_games
from tests.board.positions import MAP

CANONICAL = [
    "A PAR H",
    "A PAR - BUR",
    "A LON - NWY VIA",
    "F MAO - SPA/SC",
    "A MAR S A PAR",
    "F WES S F MAO - SPA/SC",
    "A MOS S F STP/SC",
    "F NTH C A LON - NWY",
    "A PAR R GAS",
    "A PAR D",
    "F STP/NC B",
    "WAIVE",
]

FORGIVEN = [
    ("a par-bur", "A PAR - BUR"),
    ("A Paris -> Burgundy", "A PAR - BUR"),
    ("Army Paris to Burgundy.", "A PAR - BUR"),
    ("A PAR \u2192 BUR", "A PAR - BUR"),
    ("army in Paris moves to Burgundy", "A PAR - BUR"),
    ("A MAR supports A PAR to hold", "A MAR S A PAR"),
    ("F North Sea convoys A London - Norway", "F NTH C A LON - NWY"),
    ("F NTH CONVOY A LON - NWY VIA", "F NTH C A LON - NWY"),
    ("A LON - NWY (via convoy)", "A LON - NWY VIA"),
    ("A LON - NTH - NWY", "A LON - NWY VIA"),
    ("A LON - SWE VIA NTH SKA", "A LON - SWE VIA"),
    ("F NTH C A LON - NTH - NWY", "F NTH C A LON - NWY"),
    ("F MAO - Spain (south coast)", "F MAO - SPA/SC"),
    ("F MAO - SPA SC", "F MAO - SPA/SC"),
    ("F Stp(nc) - Bar", "F STP/NC - BAR"),
    ("F Mid-Atlantic Ocean - English Channel", "F MAO - ENG"),
    ("A PAR RETREATS TO GAS", "A PAR R GAS"),
    ("remove A PAR", "A PAR D"),
    ("build F Stp/nc", "F STP/NC B"),
    ("A RUM S Turkish F CON - BUL(sc)", "A RUM S F CON - BUL/SC"),
    ("A RUM S TURKEY F CON - BUL", "A RUM S F CON - BUL"),
    ("F NTH S ENG A LON - BEL", "F NTH S A LON - BEL"),
    ("F NTH S F ENG", "F NTH S F ENG"),
    ("F NTH S ENG", "F NTH S F ENG"),
    ("F NTH S ENG - BEL", "F NTH S F ENG - BEL"),
    ("A MAR S the French army in Paris - Burgundy", "A MAR S A PAR - BUR"),
    ("The army at Marseilles support move to Burgundy from Paris.", "A MAR S A PAR - BUR"),
    ("Fleet at North Sea convoy to Norway from army at London.", "F NTH C A LON - NWY"),
    ("Mun Support Bur Par", "A MUN S A BUR - PAR"),
    ("Destroy the unit at Paris.", "A PAR D"),
    ("Mos Build Army", "A MOS B"),
    ("PAR - BUR", "A PAR - BUR"),
    ("STP/NC B", "F STP/NC B"),
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_notation_reads_and_writes_alike(text: str) -> None:
    assert str(parse_order(text, MAP)) == text
    assert str(parse_order(text.lower(), MAP)) == text


@pytest.mark.parametrize(("text", "canonical"), FORGIVEN)
def test_input_is_forgiven(text: str, canonical: str) -> None:
    assert str(parse_order(text, MAP)) == canonical


@pytest.mark.parametrize("province", MAP.provinces, ids=lambda province: province.name)
def test_every_name_of_a_province_is_understood(province: Province) -> None:
    names = (province.name, province.full, *province.aliases, province.daide)
    kind = "F" if province.kind == "sea" else "A"
    for name in names:
        for spelling in (name, name.lower(), fold(name), name.replace("-", " ")):
            order = parse_order(f"{kind} {spelling} h", MAP)
            assert MAP.province(order.location) == province, spelling


def test_the_names_of_all_maps_are_understood() -> None:
    for board in map(Map.load, bundled_maps()):
        for province in board.provinces:
            assert parse_order(f"{'F' if province.kind == 'sea' else 'A'} {province.full} H", board).location


WORDS = ["A", "F", "-", "/", "(", ")", "S", "C", "H", "VIA", "PAR", "BUR", "ENG", "SPA", "NC", "TO", "FRENCH"]


@given(st.text(max_size=80) | st.lists(st.sampled_from(WORDS)).map(" ".join))
def test_rubbish_gives_one_short_line(text: str) -> None:
    try:
        order = parse_order(text, MAP)
    except OrderError as error:
        assert "\n" not in str(error)
        assert len(str(error)) < 300
    else:
        assert parse_order(str(order), MAP) == order


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A PARR - BUR", "unknown province 'PARR'; did you mean 'PAR'?"),
        ("A XYZ VWX STU QRS - BUR", "unknown province 'XYZ VWX STU'"),
        ("", "nothing in it"),
        ("A PAR", "the order ends"),
        ("A PAR FOO BUR", "not 'FOO BUR'"),
        ("A PAR -", "a province is missing at its end"),
        ("A PAR - BUR BUR", "cannot read 'BUR' at its end"),
        ("A LON - BEL - NWY", "Belgium (BEL) is no sea"),
        ("F SPA/XX H", "unknown coast 'XX'; SPA has NC and SC"),
        ("BRE - ENG", "write 'A BRE' or 'F BRE'"),
        ("A" * 3000, "too long"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(OrderError) as caught:
        parse_order(text, MAP)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def place(phase: str, *units: str) -> Position:
    """A position with units like "FRANCE A PAR"."""
    made = [Unit(*unit.split()) for unit in units]
    return Position(MAP, phase, made, {})


@pytest.mark.parametrize(
    ("units", "text", "filled"),
    [
        pytest.param(["FRANCE F GAS"], "F GAS - SPA", "F GAS - SPA/NC", id="4.B.2 the one coast in reach"),
        pytest.param(["FRANCE F POR"], "F POR - SPA", "F POR - SPA", id="4.B.1 two coasts in reach"),
        pytest.param(["FRANCE F GAS"], "F GAS - SPA/SC", "F GAS - SPA/SC", id="4.B.3 a coast out of reach"),
        pytest.param(
            ["ITALY F SPA/SC"], "F SPA/NC - LYO", "F SPA/SC - LYO", id="4.B.5 wrong coast of the unit"
        ),
        pytest.param(["ITALY F SPA/SC"], "F SPA - LYO", "F SPA/SC - LYO", id="the unit's coast left out"),
        pytest.param(["FRANCE A GAS"], "A GAS - SPA/NC", "A GAS - SPA", id="4.B.6 an army needs no coast"),
        pytest.param(["FRANCE F MAO"], "F MAO - BRE/EC", "F MAO - BRE", id="4.B.6 a coast that is not there"),
        pytest.param(["FRANCE F BRE"], "BRE - ENG", "F BRE - ENG", id="4.C.1 kind left out"),
        pytest.param(["FRANCE F BRE"], "A BRE - ENG", "F BRE - ENG", id="4.C.2 wrong kind"),
        pytest.param(
            ["FRANCE A MAR", "ITALY F SPA/SC"], "A MAR S SPA - GAS", "A MAR S F SPA/SC - GAS", id="of others"
        ),
        pytest.param(
            ["FRANCE F MAR"], "F MAR S F GAS - SPA", "F MAR S F GAS - SPA", id="4.B.4 support may omit"
        ),
        pytest.param(["ENGLAND A LON"], "A LON - NWY", "A LON - NWY VIA", id="convoy needed"),
        pytest.param(["ENGLAND A LON"], "A LON - YOR", "A LON - YOR", id="convoy not needed"),
        pytest.param(["FRANCE A PAR"], "A PAR - MOS", "A PAR - MOS", id="no convoy inland"),
        pytest.param(["FRANCE F BRE"], "F BRE - ENG VIA", "F BRE - ENG", id="no convoy of fleets"),
    ],
)
def test_a_position_fills_in_what_can_be_meant_in_one_way(units: list[str], text: str, filled: str) -> None:
    assert str(parse_order(text, MAP, place("S1901M", *units))) == filled


def test_a_retreat_is_for_the_dislodged_unit_and_may_be_written_as_a_move() -> None:
    driven_out = Dislodged(Unit("FRANCE", "F", "SPA/SC"), ("LYO", "MAO"))
    position = Position(MAP, "S1902R", [Unit("ITALY", "A", "SPA")], {}, [driven_out])
    for text in ("F SPA/SC R MAO", "SPA - MAO", "F Spain retreats to Mid-Atlantic Ocean"):
        assert str(parse_order(text, MAP, position)) == "F SPA/SC R MAO"
    assert str(parse_order("SPA D", MAP, position)) == "F SPA/SC D"


def test_a_map_may_have_coasts_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text(
        """
name = "two"
[powers.RED]
tag = "RED"
homes = "ISL"
units = ["F ISL/UPPER"]
[provinces.ISL]
name = "The Isle"
kind = "coastal"
centre = true
[provinces.ISL.fleet]
UPPER = "SEA"
LOWER = ""
[provinces.SEA]
name = "All the Sea"
kind = "sea"
fleet = "ISL/UPPER"
""",
        encoding="utf-8",
    )
    other = Map.load(path)
    assert parse_order("f sea - isl/upper", other) == Order(
        OrderKind.MOVE, "F", "SEA", destination="ISL/UPPER"
    )
    assert str(parse_order("all the sea - the isle", other)) == "F SEA - ISL/UPPER"


@pytest.mark.parametrize(("name", "games"), [("human", 300), ("selfplay", 20)])
def test_recorded_orders_read_back(recorded_games: Path, name: str, games: int) -> None:
    seen = set()
    for game in islice(read_games(recorded_games / f"{name}.jsonl.gz"), games):
        for phase in game.phases:
            for given_orders in phase.orders.values():
                seen.update(given_orders)
    assert len(seen) > (2500 if recorded_games.name == "games" else 1000)
    changed = {text for text in seen if str(parse_order(text, MAP)) != text}
    # Coasts that an army needs not, and the only one in reach of a fleet, left out by a person.
    assert all(" R " in text for text in changed), changed
    for text in seen:
        order = parse_order(text, MAP)
        assert parse_order(str(order), MAP) == order
