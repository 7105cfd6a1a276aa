"""Press on its way: levels, times, recipients, TRY. LANGUAGE.md, sections 8 and 11."""

from __future__ import annotations

from bordeaux.daide import language as d
from tests.daide.server.scene import Scene, place

SCO = "SCO (ENG LON) (FRA PAR) (GER BER) (ITA ROM) (AUS VIE) (RUS MOS) (UNO BUD)"
UNITS = "(ENG FLT LON) (FRA AMY PAR) (GER AMY BER) (ITA AMY ROM) (AUS AMY VIE) (RUS AMY MOS)"
# Turkey is out of the game.
SPRING = place(f"NOW (SPR 1905) {UNITS} {SCO}")
SUMMER = place(f"NOW (SUM 1905) {UNITS} (FRA AMY BUR MRT (GAS)) {SCO}")
PEACE = "(PRP (PCE (ENG FRA)))"


def test_press_is_confirmed_and_reaches_its_recipients_alone() -> None:
    scene = Scene.started(level=20, observers=1)
    text = "SND (GER FRA) (PRP (PCE (ENG FRA GER)))"
    assert scene.say("ENG", text) == [f"YES ({text})"]
    letter = ["FRM (ENG) (GER FRA) (PRP (PCE (ENG FRA GER)))"]
    assert scene.hears("GER") == scene.hears("FRA") == letter
    heard = {client for client, messages in scene.heard.items() if messages}
    assert heard == {scene.of[power] for power in ("ENG", "FRA", "GER")}


def test_no_press_without_level_by_observers_or_to_oneself() -> None:
    text = f"SND (FRA) {PEACE}"
    scene = Scene.started(observers=1)
    assert scene.say("ENG", text) == [f"HUH (ERR {text})"]
    scene = Scene.started(level=10, observers=1)
    assert scene.say(1, text) == [f"HUH (ERR {text})"]
    text = f"SND (FRA ENG) {PEACE}"
    assert scene.say("ENG", text) == [f"REJ ({text})"]
    assert scene.hears("FRA") == []


def test_the_leftmost_recipient_that_cannot_be_reached_answers_for_all() -> None:
    scene = Scene.started(level=10, position=SPRING)
    scene.drop("ITA")
    for recipients, answer in {
        "GER TUR ITA": "OUT (TUR)",
        "GER ITA TUR": "CCD (ITA)",
        "TUR": "OUT (TUR)",
        "ITA GER": "CCD (ITA)",
    }.items():
        assert scene.say("ENG", f"SND ({recipients}) {PEACE}") == [answer]
        assert scene.hears("GER") == []
    # What the sender may not do comes first.
    text = f"SND (TUR ENG) {PEACE}"
    assert scene.say("ENG", text) == [f"REJ ({text})"]
    text = f"SND (GER) {PEACE}"
    assert scene.say("TUR", text) == [f"REJ ({text})"]


def test_who_missed_a_deadline_cannot_be_reached_until_it_speaks() -> None:
    scene = Scene.started(level=10, mtl=60)
    scene.hold(but=("FRA",))
    scene.wait(60)
    assert scene.say("ENG", f"SND (FRA) {PEACE}") == ["CCD (FRA)"]
    scene.say("FRA", "MIS")
    assert scene.say("ENG", f"SND (FRA) {PEACE}")[0].startswith("YES")


OUT = """
PRP (PCE (ENG TUR)); PRP (ALY (ENG GER) VSS (TUR)); PRP (ALY (ENG TUR) VSS (FRA)); PRP (DRW (ENG TUR))
PRP (DMZ (ENG TUR) (BLA)); PRP (SCD (ENG LON) (TUR CON)); HOW (TUR); PRP (XOY (TUR) (ENG))
PRP (XOY (ENG) (TUR)); PRP (YDO (TUR) (ENG FLT LON)); PRP (AND (DRW) (NOT (PCE (ENG TUR))))
YES (PRP (PCE (ENG TUR))); IFF (PCE (FRA TUR)) THN (PRP (DRW)); EXP (SPR 1903) (PRP (PCE (ENG TUR)))
PRP (SND (TUR) (FRA) (PRP (DRW))); PRP (SND (FRA) (TUR) (PRP (DRW))); PRP (SND (FRA) (GER) (PRP (SLO (TUR))))
PRP (FWD (TUR) (ENG) (GER)); PRP (BCC (ENG) (FRA) (TUR)); FRM (TUR) (ENG) (PRP (DRW))
FRM (FRA) (GER) (PRP (SLO (TUR)))
"""
DELIVERED = """
PRP (SCD (ENG LON) (UNO CON)); HOW (CON); PRP (YDO (ENG) (TUR FLT ANK)); PRP (SLO (TUR))
PRP (XDO ((TUR FLT ANK) HLD)); PRP (SND (FRA) (GER) ('ask TUR')); FRM (FRA) (GER) (HUH (ERR TUR))
HUH (PRP (PCE (ENG ERR TUR))); 'TUR is out'
"""


def test_eliminated_powers_are_not_named_where_the_language_wants_none() -> None:
    scene = Scene.started(level=8000, position=SPRING)
    for table, out in ((OUT, True), (DELIVERED, False)):
        for press in table.strip().replace("\n", "; ").split("; "):
            answers = scene.say("ENG", f"SND (GER) ({press})")
            assert answers == (["OUT (TUR)"] if out else [f"YES (SND (GER) ({press}))"])
            assert scene.hears("GER") == ([] if out else [f"FRM (ENG) (GER) ({press})"])


def test_press_opens_and_closes_with_the_results() -> None:
    units = "(FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (ENG FLT LON)"
    scene = Scene.started(position=place(f"NOW (SPR 1905) {units} {SCO}"), level=10, npr=True)
    text = f"SND (FRA) {PEACE}"
    assert scene.say("ENG", text)[0].startswith("YES")
    scene.say("FRA", "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)")
    scene.hold("GER", "ENG")
    assert scene.game.position.phase.kind == "R"
    assert scene.say("ENG", text)[0].startswith("REJ")
    scene.hold("GER")
    assert scene.say("ENG", text)[0].startswith("YES")


def test_press_stops_shortly_before_a_movement_deadline() -> None:
    scene = Scene.started(level=10, mtl=60, rtl=60, ptl=15)
    text = f"SND (FRA) {PEACE}"
    scene.wait(44.5)
    assert scene.say("ENG", text)[0].startswith("YES")
    scene.wait(0.5)
    assert scene.say("ENG", text) == [f"REJ ({text})"]
    assert scene.hears("FRA") == []
    scene.hold()
    assert scene.say("ENG", text)[0].startswith("YES")
    scene = Scene.started(level=10, mtl=60, rtl=60, ptl=15, position=SUMMER)
    scene.wait(50)
    assert scene.say("ENG", text)[0].startswith("YES")


def test_try_is_delivered_with_the_tokens_of_the_level_alone() -> None:
    scene = Scene.started(level=50)
    text = "SND (FRA) (TRY (PRP XDO CHO INS FRM BCC POB))"
    assert scene.say("ENG", text) == [f"YES ({text})"]
    assert scene.hears("FRA") == ["FRM (ENG) (FRA) (TRY (PRP XDO CHO))"]
    scene.say("ENG", "SND (FRA) (TRY ())")
    assert scene.hears("FRA") == ["FRM (ENG) (FRA) (TRY ())"]
    levels = {
        10: "PRP PCE ALY VSS DRW SLO NOT NAR YES REJ BWX CCL FCT",
        20: "XDO DMZ",
        30: "AND ORR",
        40: "SCD OCC",
        50: "CHO",
        60: "INS QRY THK IDK SUG",
        70: "WHT HOW",
        80: "EXP SRY",
        90: "FOR",
        100: "IFF THN ELS",
        110: "XOY YDO",
        120: "FRM FWD SND BCC",
        130: "WHY POB",
    }
    listed = {token: level for level, tokens in levels.items() for token in tokens.split()}
    assert listed == d.press_levels()


def test_press_a_player_cannot_read_comes_through() -> None:
    scene = Scene.started(level=10)
    text = "SND (AUS) (HUH (PRP (ERR XDO ((AUS AMY BUD) MTO RUM))))"
    assert scene.say("ENG", text) == [f"YES ({text})"]
    assert scene.hears("AUS") == ["FRM (ENG) (AUS) (HUH (PRP (ERR XDO ((AUS AMY BUD) MTO RUM))))"]
