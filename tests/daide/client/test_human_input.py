"""A person's orders: reading, checking, what is legal instead, and what goes to the server when."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bordeaux import Position
from bordeaux.board.errors import BordeauxError, OrderError
from bordeaux.board.order import Unit
from bordeaux.daide import Table, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.human_input import (
    Delivery,
    OrderSheet,
    addressed,
    letter_of,
    may_follow,
    reply_to,
    talk_of,
    text_of,
)
from bordeaux.daide.press import in_english
from tests.daide.client.house import board
from tests.daide.client.scripted import START, VOCABULARY

FIVE = {"FRANCE": ["BRE", "MAR", "PAR", "SPA", "POR"]}


def refusal(sheet: OrderSheet, text: str) -> str:
    with pytest.raises(OrderError) as caught:
        sheet.give(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("A PAR - BUR", "A PAR - BUR"),
        ("par-bur", "A PAR - BUR"),
        ("army Paris to Burgundy", "A PAR - BUR"),
        ("a mar supports a par -> bur", "A MAR S A PAR - BUR"),
        ("(FRA FLT BRE) MTO MAO", "F BRE - MAO"),
        ("(fra amy mar) sup (fra amy par) mto bur", "A MAR S A PAR - BUR"),
        ("  F BRE hold ", "F BRE H"),
    ],
)
def test_any_notation_is_read(text: str, order: str) -> None:
    sheet = OrderSheet(START, "FRANCE")
    assert str(sheet.give(text)) == order
    assert [str(order) for order in sheet.orders] == [order]


@pytest.mark.parametrize(
    ("text", "why", "instead"),
    [
        ("A PAR - MUN", "A PAR cannot go to MUN", "A PAR - BUR"),
        ("A MAR - LON", "A MAR cannot go to LON", "A MAR - "),
        ("F BRE - SPA", "F BRE cannot go to SPA", "F BRE - GAS, F BRE - MAO"),
        ("A PAR S A MAR - PIE", "cannot support A MAR to PIE", "A PAR S A MAR"),
        ("A PAR C F BRE - ENG", "cannot be part of a convoy", "A PAR S F BRE - PIC"),
        ("A PAR R BUR", "no such order in phase S1901M", "A PAR - BUR"),
    ],
)
def test_an_illegal_order_is_refused_with_the_nearest_legal_ones(text: str, why: str, instead: str) -> None:
    sheet = OrderSheet(START, "FRANCE")
    said = refusal(sheet, text)
    assert why in said and f"; legal: {instead}" in said
    assert "\n" not in said and not sheet.orders
    for order in said.partition("; legal: ")[2].split(", "):
        sheet.give(order)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("A MUN - BUR", "A MUN belongs to GERMANY"),
        ("(GER AMY MUN) HLD", "you are FRANCE, not GERMANY"),
        ("(FRA AMY PAR) MTO", "order '(FRA AMY PAR) MTO'"),
        ("A BUR H", "no unit in BUR"),
        ("A PAR", "the order ends"),
        ("WAIVE", "no such order"),
    ],
)
def test_what_is_no_order_of_ours(text: str, why: str) -> None:
    assert why in refusal(OrderSheet(START, "FRANCE"), text)


@pytest.mark.parametrize("text", ["A PAR", "PAR", "paris", "A PAR - BUR"])
def test_an_order_is_struck_out_by_its_unit(text: str) -> None:
    sheet = OrderSheet(START, "FRANCE")
    sheet.give("A PAR - BUR")
    sheet.give("F BRE - MAO")
    assert list(map(str, sheet.clear(text))) == ["A PAR - BUR"]
    with pytest.raises(OrderError, match="there is no order for"):
        sheet.clear(text)
    assert list(map(str, sheet.clear())) == ["F BRE - MAO"]
    assert sheet.orders == ()


def test_a_convoyed_army_goes_by_way_of_the_fleet_that_is_ordered_to_convoy() -> None:
    sheet = OrderSheet(board("F1901M", {"ENGLAND": "A LON, F NTH, F ENG"}), "ENGLAND")
    sheet.give("A LON - BEL")
    sheet.give("F NTH C A LON - BEL")
    assert "(ENG AMY LON) CTO BEL VIA (NTH)" in map(str, sheet.values())
    sheet.give("F NTH H")
    sheet.give("F ENG C A LON - BEL")
    assert "(ENG AMY LON) CTO BEL VIA (ECH)" in map(str, sheet.values())


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
    assert list(map(str, sheet.values())) == ["(FRA AMY PAR) BLD", "(FRA FLT MAR) BLD"]
    sheet.clear("MAR")
    assert list(map(str, sheet.fill())) == ["WAIVE"]
    assert list(map(str, sheet.values())) == ["(FRA AMY PAR) BLD", "FRA WVE"]
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
    assert list(map(str, sheet.values())) == ["(ITA AMY VEN) RTO TUS"]
    sheet.clear()
    assert list(map(str, sheet.fill())) == ["A VEN D"]
    assert list(map(str, sheet.values())) == ["(ITA AMY VEN) DSB"]


# What goes to the server.

TURN = d.SeasonYear("SPR", 1901)


def said(messages: list[d.Value]) -> list[str]:
    return [str(message) for message in messages]


def values(*texts: str) -> tuple[d.Order, ...]:
    return tuple(d.read_part("order", text) for text in texts)


PARIS, BREST, HOLD = "(FRA AMY PAR) MTO BUR", "(FRA FLT BRE) MTO MAO", "(FRA AMY PAR) HLD"


def test_orders_go_out_when_the_server_waits_and_again_when_they_change() -> None:
    delivery = Delivery(TURN)
    assert said(delivery.begin()) == ["NOT (GOF)"]
    assert delivery.changed(values(PARIS)) == []
    assert said(delivery.heard(d.YES(d.NOT(d.GOF())), values(PARIS))) == [f"SUB (SPR 1901) ({PARIS})"]
    assert said(delivery.changed(values(HOLD, BREST))) == [f"SUB (SPR 1901) ({HOLD}) ({BREST})"]
    assert delivery.changed(values(HOLD, BREST)) == []
    assert said(delivery.finish(values(HOLD, BREST))) == ["GOF"]
    assert said(delivery.wait(values(HOLD, BREST))) == ["NOT (GOF)"]


def test_an_order_that_was_struck_out_is_taken_back() -> None:
    delivery = Delivery(TURN)
    delivery.heard(d.YES(d.NOT(d.GOF())), values(PARIS, BREST))
    assert said(delivery.changed(values(BREST))) == ["NOT (SUB)", f"SUB (SPR 1901) ({BREST})"]
    assert said(delivery.changed(())) == ["NOT (SUB)"]


def test_builds_do_not_replace_each_other() -> None:
    delivery = Delivery(d.SeasonYear("WIN", 1901))
    delivery.heard(d.YES(d.NOT(d.GOF())), values("(FRA AMY PAR) BLD"))
    changed = delivery.changed(values("(FRA AMY PAR) BLD", "FRA WVE"))
    assert said(changed) == ["NOT (SUB)", "SUB (WIN 1901) ((FRA AMY PAR) BLD) (FRA WVE)"]


def test_where_the_server_does_not_wait_orders_stay_until_the_person_is_done() -> None:
    delivery = Delivery(TURN)
    delivery.begin()
    assert delivery.heard(d.REJ(d.NOT(d.GOF())), values(PARIS)) == []
    assert delivery.changed(values(PARIS, BREST)) == []
    assert said(delivery.finish(values(PARIS, BREST))) == [f"SUB (SPR 1901) ({PARIS}) ({BREST})", "GOF"]
    # A change of mind after that goes out at once.
    assert said(delivery.changed(values(HOLD, BREST))) == [f"SUB (SPR 1901) ({HOLD}) ({BREST})"]


def test_before_the_deadline_everything_goes_out_although_nobody_is_done() -> None:
    delivery = Delivery(TURN)
    delivery.begin()
    assert said(delivery.now(values(PARIS))) == [f"SUB (SPR 1901) ({PARIS})"]


def seated(level: int, position: Position = START) -> Table:
    table = Table()
    for message in (
        translate.mdf_of(position.map),
        d.HLO("ENG", 5, (d.Option("LVL", level),)),
        translate.sco_of(position),
        translate.now_of(position),
    ):
        table.take(message, 0.0)
    return table


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("FRA PRP (PCE (ENG FRA))", "SND (FRA) (PRP (PCE (ENG FRA)))"),
        ("fra ger prp (pce (eng fra ger))", "SND (FRA GER) (PRP (PCE (ENG FRA GER)))"),
        ("France,Germany PRP (DRW)", "SND (FRA GER) (PRP (DRW))"),
        ("(FRA GER) (PRP (DRW))", "SND (FRA GER) (PRP (DRW))"),
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
        ("FRA PRP (PCE (ENG))", 10, "PRP (PCE (ENG ERR)): what stands behind ERR is not DAIDE"),
        ("FRA PRP (XDO ((ENG FLT LON) HLD))", 10, "PRP (ERR XDO"),
        ("FRA PRP (XDO ((ENG FLT LON) HLD))", 10, "above level 10"),
        ("FRA PRP (PCE (ENG FRA)", 10, "brackets"),
        ("FRA PRP (PCE (ENG FRX))", 10, "ERR FRX"),
        ("FRA", 10, "press needs powers and a message"),
        ("", 10, "press needs powers and a message"),
        ("PRP (DRW)", 10, "'PRP' is no power"),
        ("Frans PRP (DRW)", 10, "did you mean 'FRANCE'?"),
        ("(FRX) (PRP (DRW))", 10, "unknown power 'FRX'"),
        ("FRA hello & welcome", 10, "not DAIDE"),
    ],
)
def test_press_that_cannot_be_sent(typed: str, level: int, why: str) -> None:
    with pytest.raises(BordeauxError) as caught:
        letter_of(typed, seated(level), VOCABULARY)
    assert why in str(caught.value) and "\n" not in str(caught.value)


def test_free_text_needs_its_level() -> None:
    assert str(text_of("FRA it's late", seated(8000))) == "SND (FRA) ('it''s late')"
    assert text_of("fra ger hello France", seated(8000)).press == d.Text("hello France")
    with pytest.raises(BordeauxError, match="free text needs level 8000; this game has 30"):
        text_of("FRA hello", seated(30))
    with pytest.raises(BordeauxError, match="say needs powers and a text"):
        text_of("FRA", seated(8000))


def test_replies_go_to_the_sender_and_all_who_got_it() -> None:
    message = d.read("FRM (FRA) (ENG GER) (PRP (PCE (FRA ENG GER)))", side="server", level=10)
    assert isinstance(message, d.FRM)
    assert str(reply_to(message, True, seated(10))) == "SND (FRA GER) (YES (PRP (PCE (FRA ENG GER))))"
    assert str(reply_to(message, False, seated(10))) == "SND (FRA GER) (REJ (PRP (PCE (FRA ENG GER))))"


def heard(text: str) -> d.FRM:
    message = d.read(text, side="server", level=130)
    assert isinstance(message, d.FRM)
    return message


@pytest.mark.parametrize(
    ("typed", "sent"),
    [
        ("FRA peace?", "SND (FRA) (PRP (PCE (ENG FRA)))"),
        ("france, germany: let's have peace", "SND (FRA GER) (PRP (PCE (ENG FRA GER)))"),
        ("FRA GER ally against russia", "SND (FRA GER) (PRP (ALY (ENG FRA GER) VSS (RUS)))"),
        ("fra dmz eng", "SND (FRA) (PRP (DMZ (ENG FRA) (ECH)))"),
        ("fra england gets bel", "SND (FRA) (PRP (SCD (ENG BEL)))"),
        ("all draw?", "SND (AUS FRA GER ITA RUS TUR) (PRP (DRW))"),
        ("ger I move to the north sea with lon", "SND (GER) (PRP (XDO ((ENG FLT LON) MTO NTH)))"),
    ],
)
def test_english_is_sent_as_press(typed: str, sent: str) -> None:
    assert str(talk_of(typed, seated(40))[0]) == sent


@pytest.mark.parametrize(
    ("typed", "spoken"),
    [
        ("france, peace?", "france: peace?"),
        ("To Germany: peace?", "Germany: peace?"),
        ("to France and Germany: peace?", "France Germany: peace?"),
        ("England: A LON - NTH", ""),
        ("France: F BRE - MAO", ""),
        ("A PAR - BUR, A MAR - SPA", ""),
        ("Paris: hold", ""),
        ("France, a truce?", "France: a truce?"),
        ("Italy: army Venice - Trieste", ""),
        ("Germany: MUN - TYR", ""),
    ],
)
def test_a_line_that_begins_with_a_power_is_spoken_to_it(typed: str, spoken: str) -> None:
    assert addressed(typed, seated(40)) == spoken


def test_yes_answers_what_was_proposed_last() -> None:
    table = seated(40)
    letters = [
        heard("FRM (FRA) (ENG GER) (PRP (PCE (FRA ENG GER)))"),
        heard("FRM (RUS) (ENG) (PRP (DRW))"),
        heard("FRM (FRA) (ENG) (YES (PRP (DRW)))"),
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
        ("FRA", 40, "talk needs powers and what to say"),
        ("ENG peace?", 40, "that is yourself"),
        ("peace?", 40, "talk needs powers"),
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


@pytest.mark.parametrize(
    ("begun", "level", "wanted", "unwanted"),
    [
        ("", 10, {"PRP", "FCT", "YES", "CCL"}, {"INS", "PCE", "FRA", "("}),
        ("", 60, {"PRP", "INS"}, {"WHT"}),
        ("PRP", 10, {"("}, {")", "PCE"}),
        ("PRP (", 10, {"PCE", "ALY", "DRW"}, {"XDO", "FRA"}),
        ("PRP (", 20, {"XDO", "DMZ"}, {"SCD"}),
        ("PRP (PCE (", 10, {"ENG", "FRA"}, {"PAR", ")"}),
        ("PRP (PCE (ENG", 10, {"FRA"}, {")"}),
        ("PRP (PCE (ENG FRA", 10, {"GER", ")"}, {"("}),
        ("PRP (DMZ (ENG) (", 20, {"PAR", "LON"}, {"FRA"}),
    ],
)
def test_what_may_follow_in_press(begun: str, level: int, wanted: set[str], unwanted: set[str]) -> None:
    words = set(may_follow(begun, level, VOCABULARY))
    assert wanted <= words and not unwanted & words
    # And each of them can be completed: nothing stands behind it that could not.
    for word in words:
        begun_tokens = (*d.tokens_from_text(begun), word)
        closed = (*begun_tokens, *[")"] * (begun_tokens.count("(") - begun_tokens.count(")")))
        try:
            d.read_part("press", closed, level=level)
        except d.LanguageError as error:
            assert error.at >= len(begun_tokens)
