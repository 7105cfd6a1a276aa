"""Letters as text, both ways."""

from __future__ import annotations

import pytest

from bordeaux import Position
from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.protocols.package.gateway import Correspondence

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
