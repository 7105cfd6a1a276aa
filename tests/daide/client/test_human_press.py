"""Press as people type it, and what it means."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position
from bordeaux.board.unit import Unit
from bordeaux.daide import Table, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.human_input import letter_of, may_follow, reply_to, talk_of, text_of
from bordeaux.daide.press import in_english
from tests.daide.client.scripted import START, VOCABULARY


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


def test_nobody_talks_before_the_game() -> None:
    with pytest.raises(BordeauxError, match="no press"):
        letter_of("FRA PRP (DRW)", Table(), VOCABULARY)


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
    assert str(talk_of(typed, seated(40))) == sent


def test_yes_answers_what_was_proposed_last() -> None:
    table = seated(40)
    letters = [
        heard("FRM (FRA) (ENG GER) (PRP (PCE (FRA ENG GER)))"),
        heard("FRM (RUS) (ENG) (PRP (DRW))"),
        heard("FRM (FRA) (ENG) (YES (PRP (DRW)))"),
    ]
    assert str(talk_of("fra yes", table, letters)) == "SND (FRA GER) (YES (PRP (PCE (FRA ENG GER))))"
    assert str(talk_of("no thanks", table, letters)) == "SND (RUS) (REJ (PRP (DRW)))"
    refused = d.SND(None, ("RUS",), d.REJ(d.PRP(d.DRW())))
    assert str(talk_of("yes", table, letters, [refused])).startswith("SND (FRA GER) (YES")
    assert str(talk_of("rus yes", table, letters, [refused])) == "SND (RUS) (YES (PRP (DRW)))"
    with pytest.raises(BordeauxError, match="no proposal to answer"):
        talk_of("tur yes", table, letters)


def test_what_was_proposed_can_be_taken_back() -> None:
    sent = d.SND(None, ("FRA", "GER"), d.PRP(d.DRW()))
    assert str(talk_of("fra never mind", seated(40), sent=[sent])) == "SND (FRA GER) (CCL (PRP (DRW)))"


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
        assert in_english("ENG", talk_of(typed, table).press, START.map) == said


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


def test_nothing_follows_what_is_no_daide() -> None:
    assert may_follow("PRP (&", 10, VOCABULARY) == []
    assert may_follow("PRP (FRA", 10, VOCABULARY) == []
