"""Letters as text, both ways."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bordeaux import BordeauxError, Position
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.protocols.package import AccountSeat
from bordeaux.protocols.package.connection import place_of
from bordeaux.protocols.package.gateway import (
    Correspondence,
    hello,
    order_text,
    played_in,
    result_of,
    seconds_left,
)

MAP = Map.standard()
START = Position.start()
PEACE = d.PRP(d.PCE(("FRA", "ENG")))


def pair() -> tuple[Correspondence, Correspondence]:
    return Correspondence(MAP, "FRANCE"), Correspondence(MAP, "ENGLAND")


def test_people_get_and_write_english() -> None:
    france, england = pair()
    text = france.write(PEACE, "ENGLAND")
    assert text == "France proposes peace between France and England."
    assert england.read("FRANCE", text, START) == PEACE
    assert france.read("ENGLAND", "Agreed, thanks!", START) == d.YES(PEACE)


@pytest.mark.parametrize(
    "press",
    [
        PEACE,
        d.PRP(d.ALY(("FRA", "ENG"), ("GER",))),
        d.PRP(d.DMZ(("FRA", "ENG"), ("ECH",))),
        d.PRP(d.XDO(d.MTO(d.Unit("ENG", "FLT", d.Place("LON", None)), d.Place("NTH", None)))),
        d.FCT(d.NOT(d.PCE(("FRA", "ENG")))),
    ],
)
def test_what_one_writes_the_other_reads(press: d.Press) -> None:
    france, england = pair()
    text = france.write(press, "ENGLAND")
    assert text is not None and not text.startswith(("PRP", "FCT"))
    assert england.read("FRANCE", text, START) == press


def test_who_writes_in_daides_words_is_answered_in_them() -> None:
    france, _ = pair()
    # As the package's DAIDE port puts press into a message.
    assert france.read("ENGLAND", "PRP ( PCE ( ENG FRA ) )", START) == d.PRP(d.PCE(("ENG", "FRA")))
    assert france.write(d.YES(d.PRP(d.PCE(("ENG", "FRA")))), "ENGLAND") == "YES (PRP (PCE (ENG FRA)))"
    assert france.write(PEACE, "GERMANY") == "France proposes peace between France and England."


# Addresses of servers.


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("localhost", ("localhost", 8432, False)),
        ("127.0.0.1:9000", ("127.0.0.1", 9000, False)),
        ("ws://example.org:80/", ("example.org", 80, False)),
        ("wss://example.org", ("example.org", 8432, True)),
        (" [::1]:8433 ", ("::1", 8433, False)),
    ],
)
def test_an_address_is_read(text: str, place: tuple[str, int, bool]) -> None:
    assert place_of(text) == place


@pytest.mark.parametrize("text", ["", ":", "host:0", "host:70000", "ftp://host", "host:port", "two hosts"])
def test_what_is_no_address_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BordeauxError, match="is no address of a server"):
        place_of(text)


def test_a_seat_shows_its_address() -> None:
    assert AccountSeat("::1", 5, "g", "FRA", "n", "p").address == "[::1]:5"


# The package's news in DAIDE's words.


def test_a_deadline_is_a_second_shorter() -> None:
    assert d.text(hello("FRA", 0, 30)) == "HLO (FRA) (0) ((LVL 0) (MTL 29) (RTL 29) (BTL 29))"
    assert d.text(hello("FRA", 8000, 0)) == "HLO (FRA) (0) ((LVL 8000))"
    assert hello("FRA", 0, 86_400).options[1].number == 8191
    schedule = SimpleNamespace(time_unit=1, time_added=10, delay=30, current_time=25)
    assert seconds_left(schedule) == 14


@pytest.mark.parametrize(
    ("note", "message"),
    [("Victory by: FRA", "SLO (FRA)"), ("Victory by: AUS, TUR", "DRW (AUS TUR)"), ("", "DRW")],
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
