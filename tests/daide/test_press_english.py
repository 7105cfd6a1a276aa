"""DAIDE's press in English."""

from __future__ import annotations

import pytest

from bordeaux.board.map import Map
from bordeaux.daide import language as d
from bordeaux.daide.press import add_messages, in_english

STANDARD = Map.standard()


@pytest.mark.parametrize(
    ("press", "said"),
    [
        ("PRP (PCE (ENG FRA))", "France proposes peace between England and France."),
        ("YES (PRP (DRW))", "France says yes to the proposal of a draw."),
        ("FCT (NOT (PCE (ENG FRA)))", "France says that England and France are not at peace."),
        (
            "INS (DMZ (ENG FRA) (ECH))",
            "France demands that England and France keep out of the English Channel.",
        ),
        (
            "PRP (XDO ((FRA AMY PAR) MTO BUR))",
            "France proposes that France's army in Paris moves to Burgundy.",
        ),
        ("'hello'", "France says: “hello”."),
        ("HUH (PRP (ERR DRW))", "France does not understand the proposal of a draw."),
        ("HUH (PRP ERR ZZZ)", "France does not understand PRP ZZZ."),
        ("TRY ()", "France can talk about nothing."),
        ("TRY (PRP PCE DRW YES)", "France can talk about peace and draws."),
    ],
)
def test_press_is_told_in_english(press: str, said: str) -> None:
    for sender in ("FRA", "FRANCE"):
        assert in_english(sender, d.read_part("press", press), STANDARD) == said


def test_what_is_not_on_the_map_is_told_in_the_words_of_daide() -> None:
    gulfs = Map.load("gulfs")
    press = d.read_part("press", "PRP (PCE (ENG FRA))")
    assert in_english("EST", press, gulfs) == "Estria says: PRP (PCE (ENG FRA))"


def test_messages_stand_with_their_phases() -> None:
    game = {"phases": [{"name": "S1901M"}, {"name": "F1901M"}]}
    letter = {
        "turn": "FAL 1901",
        "from": "ENG",
        "to": ["FRA", "GER"],
        "press": "PRP (DRW)",
        "english": "A draw.",
    }
    add_messages(game, [letter, {**letter, "turn": "WIN 1901"}, {**letter, "turn": ""}], STANDARD)
    assert game["phases"][0] == {"name": "S1901M"}
    first = {"sender": "ENGLAND", "phase": "F1901M", "message": "A draw."}
    assert game["phases"][1]["messages"] == [
        {**first, "recipient": "FRANCE", "time_sent": 1},
        {**first, "recipient": "GERMANY", "time_sent": 2},
    ]
