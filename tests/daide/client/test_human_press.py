"""Press as people type it, and what it means."""

from __future__ import annotations

import pytest

from bordeaux.board.errors import BordeauxError
from bordeaux.daide import Table, translate
from bordeaux.daide import language as d
from bordeaux.daide.client.human_press import in_a_sentence, letter_of, may_follow, reply_to, text_of
from tests.daide.client.scripted import START, VOCABULARY


def seated(level: int) -> Table:
    table = Table()
    for message in (
        translate.mdf_of(START.map),
        d.HLO("ENG", 5, (d.Option("LVL", level),)),
        translate.sco_of(START),
        translate.now_of(START),
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


@pytest.mark.parametrize(
    ("press", "meaning"),
    [
        ("PRP (PCE (ENG FRA))", "proposes peace between ENGLAND and FRANCE"),
        (
            "PRP (ALY (ENG FRA) VSS (GER RUS))",
            "proposes an alliance of ENGLAND and FRANCE against GERMANY and RUSSIA",
        ),
        ("YES (PRP (DRW))", "agrees: a draw"),
        ("REJ (PRP (DRW (ENG FRA)))", "refuses: a draw of ENGLAND and FRANCE"),
        ("FCT (NOT (PCE (ENG FRA)))", "states not peace between ENGLAND and FRANCE"),
        ("INS (DMZ (ENG FRA) (ECH))", "insists on that ENGLAND and FRANCE keep out of ECH"),
        ("PRP (XDO ((FRA AMY PAR) MTO BUR))", "proposes that FRANCE orders A PAR - BUR"),
        ("PRP (AND (DRW) (SLO (ENG)))", "proposes a draw and a solo of ENGLAND"),
        ("PRP (AND (DRW) (SCD (ENG LON)))", ""),
        ("WHT (FRA AMY PAR)", ""),
        ("TRY ()", "understands no press"),
        ("'hello'", 'says "hello"'),
    ],
)
def test_common_press_in_plain_words(press: str, meaning: str) -> None:
    assert in_a_sentence(d.read_part("press", press), seated(130)) == meaning


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
    found = set(may_follow(begun, level, VOCABULARY))
    assert wanted <= found and not unwanted & found
    # And each of them can be completed: nothing stands behind it that could not.
    for word in found:
        begun_tokens = (*d.tokens_from_text(begun), word)
        closed = (*begun_tokens, *[")"] * (begun_tokens.count("(") - begun_tokens.count(")")))
        try:
            d.read_part("press", closed, level=level)
        except d.LanguageError as error:
            assert error.at >= len(begun_tokens)


def test_nothing_follows_what_is_no_daide() -> None:
    assert may_follow("PRP (&", 10, VOCABULARY) == []
    assert may_follow("PRP (FRA", 10, VOCABULARY) == []
