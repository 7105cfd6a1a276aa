"""A person's orders: reading, checking, what is legal instead, and what goes to the server when."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError, OrderError
from bordeaux.board.order import Unit
from bordeaux.daide import Table
from bordeaux.daide import language as d
from bordeaux.daide.client.human_input import OrderSheet, letter_of, talk_of, text_of
from bordeaux.daide.press import in_english
from tests.daide.client.house import board
from tests.daide.client.scripted import START, VOCABULARY
from tests.daide.client.test_envoy import frm
from tests.daide.client.test_units import position, told

FIVE = {"FRANCE": ["BRE", "MAR", "PAR", "SPA", "POR"]}


def refusal(sheet: OrderSheet, text: str) -> str:
    with pytest.raises(OrderError) as caught:
        sheet.give(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "why", "legal"),
    [
        ("A PAR - MUN", "A PAR cannot go to MUN", True),
        ("A PAR S A MAR - PIE", "cannot support A MAR to PIE", True),
        ("A PAR R BUR", "no such order in phase S1901M", True),
        ("A MUN - BUR", "A MUN belongs to GERMANY", False),
        ("A BUR H", "no unit in BUR", False),
        ("A PAR", "the order ends", False),
        ("WAIVE", "no such order", False),
    ],
)
def test_an_illegal_order_is_refused_with_legal_ones_for_its_unit(text: str, why: str, legal: bool) -> None:
    sheet = OrderSheet(START, "FRANCE")
    said = refusal(sheet, text)
    assert why in said and "\n" not in said and not sheet.orders
    assert ("; legal: A PAR " in said) == legal
    for order in said.partition("; legal: ")[2].split(", ") if legal else ():
        sheet.give(order)


@pytest.mark.parametrize("text", ["A PAR", "PAR", "paris", "A PAR - BUR"])
def test_an_order_is_struck_out_by_its_unit(text: str) -> None:
    sheet = OrderSheet(START, "FRANCE")
    assert str(sheet.give("army Paris to Burgundy")) == "A PAR - BUR"
    sheet.give("F BRE - MAO")
    assert list(map(str, sheet.clear(text))) == ["A PAR - BUR"]
    with pytest.raises(OrderError, match="there is no order for"):
        sheet.clear(text)
    assert list(map(str, sheet.clear())) == ["F BRE - MAO"]
    assert sheet.orders == ()


def test_builds_are_counted_and_the_rest_is_waived() -> None:
    where = board("W1901A", {"FRANCE": "A BUR, F MAO, A GAS"}, FIVE)
    sheet = OrderSheet(where, "FRANCE")
    assert sheet.owed == 2 and sheet.missing() == ["2 builds"]
    sheet.give("build army Paris")
    assert sheet.missing() == ["1 build"]
    sheet.give("A PAR B")
    assert sheet.missing() == ["1 build"]
    assert "not a home centre" in refusal(sheet, "A SPA B")
    sheet.give("F MAR B")
    assert sheet.missing() == [] and sheet.left() == 0
    assert "all are ordered; clear one first" in refusal(sheet, "F BRE B")
    assert list(map(str, sheet.orders)) == ["A PAR B", "F MAR B"]
    sheet.clear("MAR")
    assert list(map(str, sheet.fill())) == ["WAIVE"]
    assert list(map(str, sheet.orders)) == ["A PAR B", "WAIVE"]
    assert list(map(str, sheet.clear("waive"))) == ["WAIVE"]


def retreats() -> Position:
    first = START.next({"GERMANY": ["A MUN - TYR"], "ITALY": ["A VEN H"], "AUSTRIA": ["F TRI H"]})
    return first.next({"GERMANY": ["A TYR - VEN"], "AUSTRIA": ["F TRI S A TYR - VEN"]})


def test_retreats() -> None:
    where = retreats()
    assert where.phase.kind == "R"
    sheet = OrderSheet(where, "ITALY")
    assert sheet.missing() == ["A VEN"]
    said = refusal(sheet, "A VEN - TRI")
    assert "cannot retreat to TRI" in said and "legal: A VEN R " in said
    sheet.give("ven to tuscany")
    assert list(map(str, sheet.clear())) == ["A VEN R TUS"]
    assert list(map(str, sheet.fill())) == ["A VEN D"]


def seated(level: int, of: Position = START) -> Table:
    return told(*position(of), power="ENG", options=f"(LVL {level})")


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("FRA PRP (PCE (ENG FRA))", "SND (FRA) (PRP (PCE (ENG FRA)))"),
        ("FRA GER prp (pce (eng fra ger))", "SND (FRA GER) (PRP (PCE (ENG FRA GER)))"),
        ("France,Germany PRP (DRW)", "SND (FRA GER) (PRP (DRW))"),
        ("RUS (FCT (SLO (ENG)))", "SND (RUS) (FCT (SLO (ENG)))"),
        ("all TRY ()", "SND (AUS FRA GER ITA RUS TUR) (TRY ())"),
    ],
)
def test_press_is_read(typed: str, sent: str) -> None:
    assert str(letter_of(typed, seated(10), VOCABULARY)) == sent


@pytest.mark.parametrize(
    ("typed", "level", "why"),
    [
        ("FRA PRP (PCE (ENG FRA))", 0, "no press"),
        ("FRA PRP (PCE (ENG))", 10, "in 'PRP (PCE (ENG ERR))'"),
        ("FRA PRP (XDO ((ENG FLT LON) HLD))", 10, "above the level of the game in 'PRP (ERR XDO"),
        ("FRA PRP (PCE (ENG FRA)", 10, "brackets do not match"),
        ("FRA PRP (PCE (ENG FRX))", 10, "ERR FRX"),
        ("FRA", 10, "name the powers first"),
        ("", 10, "name the powers first"),
        ("PRP (DRW)", 10, "press FRA PRP (PCE (ENG FRA))"),
    ],
)
def test_press_that_cannot_be_sent(typed: str, level: int, why: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        letter_of(typed, seated(level), VOCABULARY)
    assert why in str(caught.value) and "\n" not in str(caught.value)


def test_free_text_needs_its_level() -> None:
    assert str(text_of("FRA it's late", seated(8000))) == "SND (FRA) ('it''s late')"
    assert text_of("FRA GER hello France", seated(8000)).press == d.Text("hello France")
    with pytest.raises(BordeauxError, match="this game has press up to level 30; text needs 8000"):
        text_of("FRA hello", seated(30))


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("FRA peace?", "SND (FRA) (PRP (PCE (ENG FRA)))"),
        ("france, germany: let's have peace", "SND (FRA GER) (PRP (PCE (ENG FRA GER)))"),
        ("FRA GER ally against russia", "SND (FRA GER) (PRP (ALY (ENG FRA GER) VSS (RUS)))"),
        ("to France and Germany: draw?", "SND (FRA GER) (PRP (DRW))"),
        ("all draw?", "SND (AUS FRA GER ITA RUS TUR) (PRP (DRW))"),
        ("ger I move to the north sea with lon", "SND (GER) (PRP (XDO ((ENG FLT LON) MTO NTH)))"),
    ],
)
def test_english_is_sent_as_press(typed: str, sent: str) -> None:
    assert str(talk_of(typed, seated(40))[0]) == sent


def test_yes_answers_what_was_proposed_last() -> None:
    table = seated(40)
    letters = [
        frm("FRM (FRA) (ENG GER) (PRP (PCE (FRA ENG GER)))"),
        frm("FRM (RUS) (ENG) (PRP (DRW))"),
        frm("FRM (FRA) (ENG) (YES (PRP (DRW)))"),
    ]
    assert str(talk_of("fra yes", table, letters)[0]) == "SND (FRA GER) (YES (PRP (PCE (FRA ENG GER))))"
    assert str(talk_of("no thanks", table, letters)[0]) == "SND (RUS) (REJ (PRP (DRW)))"
    refused = d.SND(None, ("RUS",), d.REJ(d.PRP(d.DRW())))
    assert str(talk_of("yes", table, letters, [refused])[0]).startswith("SND (FRA GER) (YES")
    assert str(talk_of("rus yes", table, letters, [refused])[0]) == "SND (RUS) (YES (PRP (DRW)))"
    with pytest.raises(BordeauxError, match="no proposal to answer"):
        talk_of("tur yes", table, letters)


def test_what_was_proposed_can_be_taken_back() -> None:
    sent = d.SND(None, ("FRA", "GER"), d.PRP(d.DRW()))
    assert str(talk_of("fra never mind", seated(40), sent=[sent])[0]) == "SND (FRA GER) (CCL (PRP (DRW)))"


@pytest.mark.parametrize(
    ("typed", "level", "why"),
    [
        ("FRA peace?", 0, "no press"),
        ("FRA dmz eng", 10, "takes level 20, and this game has 10"),
        ("FRA", 40, "talk FRA peace?"),
        ("ENG peace?", 40, "name the powers first"),
        ("FRA I move to nth", 40, "F EDI - NTH, F LON - NTH"),
        ("FRA, GER: you take bel", 40, "name France or Germany"),
        ("FRA blah", 40, "write it like: peace?"),
    ],
)
def test_english_that_cannot_be_sent(typed: str, level: int, why: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        talk_of(typed, seated(level))
    assert why in str(caught.value) and "\n" not in str(caught.value)


def test_the_examples_of_the_guide() -> None:
    units = [Unit("FRANCE", "A", "BUR"), Unit("ENGLAND", "F", "NTH"), Unit("FRANCE", "F", "MAO")]
    table = seated(40, Position(START.map, "F1901M", units, START.centres))
    guide = (Path(__file__).parents[3] / "docs" / "daide.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `talk ([^`]+)` \| (England .+\.) \|$", guide, re.MULTILINE)
    assert len(rows) == 5
    for typed, said in rows:
        assert in_english("ENG", talk_of(typed, table)[0].press, START.map) == said
