"""Between DAIDE's values and Bordeaux's, both ways."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from bordeaux import Map, Order, Phase, Position, Unit
from bordeaux.board.errors import FormatError, MapError, OrderError, PositionError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind, Province
from bordeaux.board.submission import convoy_route
from bordeaux.daide import language as d
from bordeaux.daide.server import GameSettings, ServerGame
from bordeaux.daide.tokens import Vocabulary
from bordeaux.daide.translate import (
    adjustments_owed,
    map_of,
    mdf_of,
    now_of,
    order_of,
    phase_of,
    position_of,
    sco_of,
    turn_of,
    value_of,
)
from bordeaux.formats.daide import map_to_mdf, position_to_daide
from tests.board.positions import MAP, positions
from tests.board.positions import orders as some_orders
from tests.daide.recorded import order_from_daide, order_to_daide
from tests.oracle.scenarios import FLAVOURS, Seeded
from tests.rules.playing import listed_orders, phases, scene

MAPS = ["standard", "pure", "capitals", "gulfs"]


def told(text: str) -> Any:
    """A message of a server."""
    return d.read(text, side="server")


def test_what_is_no_turn() -> None:
    with pytest.raises(FormatError, match="no turn"):
        turn_of(Phase.COMPLETED)
    for turn in (d.SeasonYear("SPR", -1), d.SeasonYear("MAY", 1901)):
        with pytest.raises(FormatError, match="unknown turn"):
            phase_of(turn)


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
def test_positions_and_orders_go_both_ways(flavour: str) -> None:
    """And read the same as the text forms of `bordeaux.formats`, which know nothing of values."""
    choose = Seeded(flavour)
    start, _ = scene(MAP, flavour, choose)
    for position, _ in phases(start, choose, 4):
        now, sco = now_of(position), sco_of(position)
        assert f"{now}\n{sco}".replace("( ", "(") == position_to_daide(position)
        assert position_of(now, sco, MAP) == position
        for power, places in listed_orders(position).items():
            for order in (order for orders in places.values() for order in orders):
                value = value_of(order, power, position)
                back = order_of(value, MAP)
                assert value_of(back[1], back[0], position) == value
                assert back[0] == power and back[1].kind == order.kind


def test_orders_that_cannot_be_written() -> None:
    position = Position.start(MAP)
    with pytest.raises(OrderError, match="no fleets"):
        value_of(Order(OrderKind.MOVE, "A", "VIE", destination="LON", via=True), "AUSTRIA", position)
    with pytest.raises(OrderError, match="no unit stands in BOH"):
        value_of(Order(OrderKind.SUPPORT_HOLD, "A", "VIE", "A", "BOH"), "AUSTRIA", position)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("(GRN FLT TRI) HLD", "unknown power 'GRN'"),
        ("(AUS FLT XYZ) HLD", "unknown province 'XYZ'"),
        ("(AUS AMY TRI) CTO XYZ VIA (ADR)", "unknown province 'XYZ'"),
    ],
)
def test_names_that_the_map_does_not_have(text: str, says: str) -> None:
    words = Vocabulary({"AUS": 0x4100, "GRN": 0x4101}, {"TRI": 0x5500, "XYZ": 0x5001, "ADR": 0x5202})
    value = d.read_part("order", text, vocabulary=words)
    with pytest.raises(OrderError, match=rf"^order '.*': {says}"):
        order_of(value, MAP)


def test_a_unit_with_nowhere_to_go_is_kept() -> None:
    now = told("NOW (AUT 1902) (AUS FLT ADR MRT ()) (ITA AMY TYR MRT (VEN PIE))")
    sco = told("SCO (AUS BUD) (UNO VEN)")
    position = position_of(now, sco, MAP)
    assert [(str(unit), retreats) for unit, retreats in position.dislodged] == [
        ("F ADR", ()),
        ("A TYR", ("PIE", "VEN")),
    ]
    assert position.orderable() == {"AUSTRIA": ("ADR",), "ITALY": ("TYR",)}
    assert "(AUS FLT ADR MRT ())" in str(now_of(position))


@pytest.mark.parametrize(
    ("now", "sco", "error"),
    [
        ("NOW (SPR 1901) (AUS FLT VIE)", "SCO (AUS VIE)", "NOW: .*a fleet cannot stand in Vienna"),
        ("NOW (SPR 1901) (AUS AMY VIE) (ITA AMY VIE)", "SCO (AUS VIE)", "two units"),
        ("NOW (SPR 1901) (AUS AMY VIE MRT (BOH))", "SCO (AUS VIE)", "not a retreat phase"),
        ("NOW (SPR 1901) (AUS AMY VIE)", "SCO (AUS BOH)", "not a supply centre"),
        ("NOW (SPR 1901) (AUS AMY VIE)", "SCO (AUS VIE) (ITA VIE)", "belongs to both"),
    ],
)
def test_positions_that_cannot_be(now: str, sco: str, error: str) -> None:
    with pytest.raises(PositionError, match=error):
        position_of(told(now), told(sco), MAP)


def test_centres_of_nobody_we_know() -> None:
    now = told("NOW (SPR 1901) (AUS AMY VIE)")
    for owned in (d.Owned("GRN", ("VIE",)), d.Owned("AUS", ("XYZ",))):
        with pytest.raises(PositionError, match="SCO: unknown"):
            position_of(now, d.SCO((owned,)), MAP)


@pytest.mark.parametrize("name", MAPS)
def test_maps_go_both_ways(name: str) -> None:
    map = Map.load(name)
    mdf = mdf_of(map)
    assert str(mdf) == map_to_mdf(map)
    vocabulary = Vocabulary.for_map(map)
    assert d.read(d.tokens(mdf), side="server", vocabulary=vocabulary) == mdf
    again = map_of(mdf, map.name, like=map)
    assert again.powers == map.powers
    assert [province.daide for province in again.provinces] == [province.daide for province in map.provinces]
    assert mdf_of(again) == mdf
    stranger = map_of(mdf)
    assert stranger.powers == tuple(map.tags.values())
    assert mdf_of(stranger) == mdf


def test_homes_that_powers_share() -> None:
    text = (
        "MDF (AUS TUR) (((AUS TRI) ((AUS TUR) BUL)) (ADR))"
        " ((TRI (AMY BUL) (FLT ADR)) (BUL (AMY TRI) ((FLT SCS) ADR)) (ADR (FLT TRI (BUL SCS))))"
    )
    mdf = told(text)
    map = map_of(mdf, "shared")
    assert map.province("BUL").homes == ("AUS", "TUR")
    assert mdf_of(map) == mdf


def test_a_coast_that_daide_has_no_word_for() -> None:
    provinces = [
        Province(0, "AAA", "Aaa", "coastal", ("DELTA",), (), True, ("REDS",), "AAA"),
        Province(1, "BBB", "Bbb", "sea", (), (), False, (), "BBB"),
    ]
    borders = {("A", "AAA"): (), ("F", "AAA/DELTA"): ("BBB",), ("F", "BBB"): ("AAA/DELTA",)}
    units = [Unit("REDS", "F", "AAA/DELTA")]
    map = Map("delta", "", Phase.parse("S1901M"), {"REDS": "RED"}, provinces, borders, units)
    with pytest.raises(MapError, match="no token for coast 'DELTA'"):
        mdf_of(map)
    with pytest.raises(MapError, match="no token for coast 'DELTA'"):
        ServerGame(GameSettings(), map)
    with pytest.raises(PositionError, match="no token for coast 'DELTA'"):
        now_of(Position.start(map))


def test_maps_that_contradict_themselves() -> None:
    mdf = mdf_of(MAP)
    with pytest.raises(MapError, match="MDF"):
        map_of(d.MDF(mdf.powers, mdf.centres, mdf.others, mdf.adjacencies[1:]))
    with pytest.raises(MapError):
        map_of(d.MDF())


def test_builds_that_no_home_is_open_for_are_owed_too() -> None:
    position = Position(MAP, "W1901A", [], {"ITALY": ["ROM", "TUN"], "AUSTRIA": ["GRE"]})
    assert [adjustments_owed(position, power) for power in ("ITALY", "AUSTRIA", "FRANCE")] == [2, 1, 0]
    assert [position.adjustments(power) for power in ("ITALY", "AUSTRIA")] == [1, 0]
    assert adjustments_owed(Position.start(MAP), "RUSSIA") == 0


PAGE = (Path(__file__).parents[2] / "docs" / "daide.md").read_text("utf-8")


def test_python_runs() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for text in blocks:
        exec(compile(text, "docs/daide.md", "exec"), {})


# Orders in DAIDE's text form, written and read.

FLEETS = Position(
    MAP,
    "S1901M",
    [
        Unit("ENGLAND", "A", "LON"),
        Unit("ENGLAND", "F", "NTH"),
        Unit("GERMANY", "F", "SKA"),
        Unit("FRANCE", "F", "ENG"),
        Unit("FRANCE", "F", "GAS"),
        Unit("RUSSIA", "F", "STP/SC"),
        Unit("TURKEY", "F", "ANK"),
    ],
    {},
)

ORDERS = [
    ("TURKEY", "F ANK H", "(TUR FLT ANK) HLD"),
    ("TURKEY", "F ANK - BLA", "(TUR FLT ANK) MTO BLA"),
    ("FRANCE", "F GAS - SPA/NC", "(FRA FLT GAS) MTO (SPA NCS)"),
    ("RUSSIA", "F STP/SC - BOT", "(RUS FLT (STP SCS)) MTO GOB"),
    ("FRANCE", "F ENG S F NTH", "(FRA FLT ECH) SUP (ENG FLT NTH)"),
    ("FRANCE", "F ENG S F NTH - BEL", "(FRA FLT ECH) SUP (ENG FLT NTH) MTO BEL"),
    ("GERMANY", "F SKA C A LON - SWE", "(GER FLT SKA) CVY (ENG AMY LON) CTO SWE"),
    ("ENGLAND", "A LON - SWE VIA", "(ENG AMY LON) CTO SWE VIA (NTH SKA)"),
    ("ENGLAND", "A LON - YOR VIA", "(ENG AMY LON) CTO YOR VIA (NTH)"),
    ("ENGLAND", "A LON - YOR", "(ENG AMY LON) MTO YOR"),
]
LATER = [
    ("S1902R", "ITALY", "F WES R SPA/SC", "(ITA FLT WES) RTO (SPA SCS)"),
    ("S1902R", "ITALY", "A TYR D", "(ITA AMY TYR) DSB"),
    ("W1902A", "RUSSIA", "F STP/SC B", "(RUS FLT (STP SCS)) BLD"),
    ("W1902A", "RUSSIA", "A MOS D", "(RUS AMY MOS) REM"),
    ("W1902A", "RUSSIA", "WAIVE", "RUS WVE"),
]


@pytest.mark.parametrize(
    ("position", "power", "order", "daide"),
    [
        *((FLEETS, *order) for order in ORDERS),
        *((Position(MAP, phase, [], {}), *rest) for phase, *rest in LATER),
    ],
)
def test_orders_are_written_and_read(position: Position, power: str, order: str, daide: str) -> None:
    assert order_to_daide(parse_order(order, MAP), power, position) == daide
    for text in (daide, daide.lower()):
        who, read = order_from_daide(text, MAP)
        # Routes are told by DAIDE alone.
        assert (who, read._replace(route=())) == (power, parse_order(order, MAP))


def test_a_support_does_not_say_the_coast_of_the_goal() -> None:
    order = parse_order("F ENG S F GAS - SPA/NC", MAP)
    assert order_to_daide(order, "FRANCE", FLEETS) == "(FRA FLT ECH) SUP (FRA FLT GAS) MTO SPA"


def test_a_route_may_be_given() -> None:
    order = parse_order("A LON - BEL VIA", MAP)
    assert convoy_route(FLEETS, "LON", "BEL") == ("ENG",)
    routed = order._replace(route=("NTH",))
    assert order_to_daide(routed, "ENGLAND", FLEETS) == "(ENG AMY LON) CTO BEL VIA (NTH)"


@given(some_orders(), positions())
def test_orders_that_can_be_written_read_back(order: Order, position: Position) -> None:
    filled = parse_order(str(order), MAP, position)
    try:
        text = order_to_daide(filled, "ITALY", position)
    except OrderError:
        return
    power, read = order_from_daide(text, MAP)
    assert power == "ITALY"
    if filled.kind in (OrderKind.SUPPORT_MOVE, OrderKind.CONVOY) or filled.via:
        filled = filled._replace(destination=filled.destination.partition("/")[0])
    if filled.kind == OrderKind.MOVE:
        read = read._replace(via=filled.via)
    assert read == filled
