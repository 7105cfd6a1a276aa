"""Orders in DAIDE's text form, written and read."""

from __future__ import annotations

import pytest
from hypothesis import given

from bordeaux import BordeauxError, Order, Position, Unit
from bordeaux.board.errors import OrderError
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import convoy_route
from tests.board.positions import MAP, orders, positions
from tests.daide.recorded import order_from_daide, order_to_daide

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


def test_what_daide_cannot_say_is_an_error() -> None:
    with pytest.raises(OrderError, match="no fleets stand that could convoy"):
        order_to_daide(parse_order("A LON - NAP VIA", MAP), "ENGLAND", FLEETS)
    with pytest.raises(OrderError, match="no unit stands in PAR"):
        order_to_daide(parse_order("F ENG S A PAR", MAP), "FRANCE", FLEETS)


@given(orders(), positions())
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


@pytest.mark.parametrize(
    "text",
    ["", "()", "TUR", "(TUR FLT ANK)", "(TUR FLT ANK) XXX", "(TUR FLT ANK) MTO", "(TUR FLT ANK) MTO XXX",
     "(TUR FLT ANK) CTO BUL VIA ()", "(TUR FLT ANK) CTO BUL", "(TUR FLT ANK) SUP BLA", "TUR HLD", "XXX WVE",
     "((TUR FLT ANK) HLD) ((TUR AMY CON) HLD)", "(TUR FLT ANK) HLD HLD"],
)  # fmt: skip
def test_what_is_no_order_is_an_error(text: str) -> None:
    with pytest.raises(BordeauxError):
        order_from_daide(text, MAP)
