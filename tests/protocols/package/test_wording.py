"""The package's news in DAIDE's words."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bordeaux import Position
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.protocols.package.gateway import hello, order_text, played_in, result_of, seconds_left

MAP = Map.standard()


def test_a_deadline_is_a_second_shorter() -> None:
    assert d.text(hello("FRA", 0, 30)) == "HLO (FRA) (0) ((LVL 0) (MTL 29) (RTL 29) (BTL 29))"
    assert d.text(hello("FRA", 8000, 0)) == "HLO (FRA) (0) ((LVL 8000))"
    assert hello("FRA", 0, 86_400).options[1].number == 8191
    schedule = SimpleNamespace(time_unit=1, time_added=10, delay=30, current_time=25)
    assert seconds_left(schedule) == 14


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("Victory by: FRA", "SLO (FRA)"),
        ("Victory by: AUS, TUR", "DRW (AUS TUR)"),
        ("", "DRW"),
    ],
)
def test_the_result_stands_in_the_note(note: str, message: str) -> None:
    assert d.text(result_of(note, MAP)) == message


def test_orders_and_results() -> None:
    data = SimpleNamespace(
        orders={
            "FRANCE": ["A PAR - BUR", "F BRE C A LON - BUL/XC"],
            "GERMANY": None,
            "ITALY": ["A VEN - TRI"],
        },
        results={"A PAR": [], "A VEN": ["bounce", "dislodged"]},
    )
    texts = [d.text(message) for message in played_in(Position.start(), data)]
    assert texts == [
        "ORD (SPR 1901) ((FRA AMY PAR) MTO BUR) (SUC)",
        "ORD (SPR 1901) ((ITA AMY VEN) MTO TRI) (BNC RET)",
    ]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("(ENG AMY LON) CTO NWY VIA (NTH)", "A LON - NWY VIA"),
        ("(ENG FLT NWY) MTO (STP NCS)", "F NWY - STP/NC"),
        ("(ENG AMY LON) RTO YOR", "A LON R YOR"),
        ("ENG WVE", "WAIVE"),
        ("(ENG FLT LON) BLD", "F LON B"),
        ("(ENG FLT LON) REM", "F LON D"),
    ],
)
def test_orders_as_the_package_reads_them(words: str, text: str) -> None:
    assert order_text(d.read_part("order", words), MAP) == text
