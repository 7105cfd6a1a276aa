"""Turns and their ends: in what order things are told, deadlines, civil disorder. LANGUAGE.md, section 7."""

from __future__ import annotations

from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DAIDE
from tests.daide.server.scene import Scene, place
from tests.daide.server.test_order_notes import SUMMER, WINTER


def heads(messages: list[str]) -> list[str]:
    """The first token of each message, runs of one in one."""
    heads: list[str] = []
    for message in messages:
        head = message.split()[0]
        if heads[-1:] != [head]:
            heads.append(head)
    return heads


def test_the_turn_is_played_with_the_last_order_without_a_deadline() -> None:
    scene = Scene.started(observers=1)
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1901M"
    scene.wait(1e6)
    assert str(scene.game.position.phase) == "S1901M"
    answers = scene.say("ENG", "SUB ((ENG FLT LON) HLD) ((ENG FLT EDI) HLD) ((ENG AMY LVP) HLD)")
    assert heads(answers) == ["THX", "ORD", "NOW"]
    assert heads(scene.hears("FRA")) == heads(scene.hears(1)) == ["ORD", "NOW"]
    assert len(scene.hears("FRA")) == 23


def test_centres_are_told_after_every_fall_and_only_then() -> None:
    scene = Scene.started(mtl=60, rtl=30, btl=45)
    scene.hold()
    assert heads(scene.hears("FRA")) == ["ORD", "NOW", "TME"]
    assert scene.hears("FRA")[-1] == "TME (60)"
    scene.say("ENG", "SUB ((ENG FLT EDI) MTO NWY)")
    scene.say("ENG", "SUB ((ENG FLT EDI) MTO NWG)")
    scene.hold()
    assert heads(scene.hears("FRA")) == ["ORD", "SCO", "NOW", "TME"]
    # Nobody owns more or less: Winter is skipped, and only NOW tells.
    assert scene.hears("FRA")[-2].startswith("NOW (SPR 1902)")


def test_after_a_fall_with_retreats_centres_wait_for_them() -> None:
    position = place(
        "NOW (FAL 1902) (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (ENG FLT LON)"
        " SCO (FRA PAR BRE) (GER MUN) (ENG LON) (UNO BEL)"
    )
    scene = Scene.started(position=position, rtl=30, btl=45)
    scene.say("FRA", "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)")
    scene.hold("GER", "ENG")
    assert heads(scene.hears("FRA")) == ["ORD", "NOW", "TME"]
    assert scene.hears("FRA")[-1] == "TME (30)"
    assert scene.game.position.phase.kind == "R"
    scene.say("GER", "SUB ((GER AMY BUR) RTO BEL)")
    assert scene.hears("FRA")[0] == "ORD (AUT 1902) ((GER AMY BUR) RTO BEL) (SUC)"
    assert scene.hears("FRA")[1].startswith("SCO (ENG LON) (FRA BRE PAR) (GER BEL MUN) (UNO ")
    assert scene.hears("FRA")[2].startswith("NOW (WIN 1902)")
    assert scene.hears("FRA")[3] == "TME (45)"
    scene.say("GER", "SUB ((GER AMY MUN) BLD)")
    assert heads(scene.hears("FRA")) == ["ORD", "NOW"]


def test_missing_movement_orders_hold_and_the_power_is_in_civil_disorder() -> None:
    scene = Scene.started(mtl=60, observers=1)
    scene.say("ENG", "SUB ((ENG FLT LON) MTO NTH)")
    scene.hold(but=("ENG", "FRA"))
    scene.wait(60)
    messages = scene.hears("GER")
    assert heads(messages) == ["ORD", "NOW", "CCD", "TME"]
    assert [message for message in messages if message.startswith("CCD")] == ["CCD (ENG)", "CCD (FRA)"]
    assert messages == scene.hears("ENG") == scene.hears(1)
    assert "ORD (SPR 1901) ((ENG FLT LON) MTO NTH) (SUC)" in messages
    assert "ORD (SPR 1901) ((ENG FLT EDI) HLD) (SUC)" in messages


def test_civil_disorder_is_told_once_and_ends_with_whatever_is_sent() -> None:
    for text in ("MIS", "SUB ((ENG FLT LON) HLD)", "HUH (ERR NOW)", "XYZ", "PRN (", "GOF"):
        scene = Scene.started(mtl=60)
        scene.hold(but=("ENG",))
        scene.wait(60)
        assert "CCD (ENG)" in scene.hears("FRA")
        scene.hold(but=("ENG",))
        scene.wait(60)
        assert "CCD (ENG)" not in scene.hears("FRA")
        answers = scene.say("ENG", text)
        assert answers[0] == "NOT (CCD (ENG))"
        assert scene.hears("FRA") == ["NOT (CCD (ENG))"]
        assert scene.say("ENG", "MIS")[0].startswith("MIS")


def test_missing_retreats_are_disbands() -> None:
    scene = Scene.started(position=SUMMER, rtl=30)
    scene.say("ENG", "SUB ((ENG AMY LON) RTO YOR)")
    scene.wait(30)
    assert scene.hears("TUR")[:3] == [
        "ORD (SUM 1902) ((ENG AMY LON) RTO YOR) (SUC)",
        "ORD (SUM 1902) ((FRA AMY BUR) DSB) (SUC)",
        "ORD (SUM 1902) ((ITA FLT MAR) DSB) (SUC)",
    ]
    assert scene.hears("TUR")[-2:] == ["CCD (FRA)", "CCD (ITA)"]


def test_missing_adjustments_are_waives_and_removals_by_the_rule() -> None:
    scene = Scene.started(position=WINTER, btl=30)
    scene.say("RUS", "SUB ((RUS AMY MOS) BLD)")
    scene.say("FRA", "SUB ((FRA AMY PAR) BLD) (FRA WVE)")
    scene.wait(30)
    expected = adjudicate(WINTER, {"FRANCE": ["A PAR B"], "RUSSIA": ["A MOS B"]}, DAIDE).after
    assert scene.game.position == expected
    (gone,) = set(WINTER.units) - set(expected.units)
    assert (gone.power, gone.kind) == ("ENGLAND", "F")
    assert scene.hears("TUR")[:6] == [
        f"ORD (WIN 1902) ((ENG FLT {gone.location}) REM) (SUC)".replace("FLT ENG", "FLT ECH"),
        "ORD (WIN 1902) ((FRA AMY PAR) BLD) (SUC)",
        "ORD (WIN 1902) (FRA WVE) (SUC)",
        "ORD (WIN 1902) ((RUS AMY MOS) BLD) (SUC)",
        "ORD (WIN 1902) (RUS WVE) (SUC)",
        "ORD (WIN 1902) (RUS WVE) (SUC)",
    ]
    assert [message for message in scene.hears("TUR") if message.startswith("CCD")] == [
        "CCD (ENG)",
        "CCD (RUS)",
    ]


def test_a_lost_connection_is_told_at_once() -> None:
    scene = Scene.started(mtl=60, observers=1)
    scene.drop("ENG")
    assert scene.hears("FRA") == scene.hears(1) == ["CCD (ENG)"]
    scene.drop(scene.of["ENG"])
    assert scene.hears("FRA") == []
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1901M"
    scene.wait(60)
    assert "CCD (ENG)" not in scene.hears("FRA")
    assert str(scene.game.position.phase) == "F1901M"


def test_a_power_that_missed_and_then_left_is_told_once() -> None:
    scene = Scene.started(mtl=60)
    scene.hold(but=("ENG",))
    scene.wait(60)
    assert "CCD (ENG)" in scene.hears("FRA")
    scene.drop("ENG")
    assert scene.hears("FRA") == []
    new = scene.join()
    scene.say(new, f"IAM (ENG) ({scene.codes['ENG']})")
    assert scene.hears("FRA") == ["NOT (CCD (ENG))"]


def test_without_a_deadline_the_turn_waits_for_a_power_that_is_gone() -> None:
    scene = Scene.started()
    scene.drop("ENG")
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "S1901M"
    new = scene.join()
    scene.say(new, f"IAM (ENG) ({scene.codes['ENG']})")
    scene.of["ENG"] = new
    scene.hold("ENG")
    assert str(scene.game.position.phase) == "F1901M"


def test_a_power_whose_orders_are_in_may_be_gone_when_the_turn_is_played() -> None:
    scene = Scene.started(mtl=60)
    scene.hold("ENG")
    scene.drop("ENG")
    scene.hold(but=("ENG",))
    assert str(scene.game.position.phase) == "F1901M"
    assert "CCD (ENG)" not in scene.hears("FRA")


def test_an_eliminated_power_owes_nothing_and_its_loss_is_not_told() -> None:
    scene = Scene.started(position=SUMMER)
    assert scene.say("AUS", "MIS") == ["MIS"]
    assert scene.say("AUS", "SUB ((AUS AMY VIE) HLD)") == ["THX ((AUS AMY VIE) HLD) (NRS)"]
    assert scene.say("AUS", "NOT (GOF)") == ["REJ (NOT (GOF))"]
    assert scene.say("AUS", "GOF") == ["YES (GOF)"]
    scene.drop("AUS")
    assert scene.hears("FRA") == []
    assert scene.game.vacant == ()
    again = scene.join()
    code = scene.codes["AUS"]
    assert scene.say(again, f"IAM (AUS) ({code})") == [f"YES (IAM (AUS) ({code}))"]


def test_what_comes_after_the_deadline_is_for_the_next_turn() -> None:
    """Even if nobody has woken the game up in time."""
    scene = Scene.started(mtl=60)
    scene.now = 61.0
    answers = scene.say("ENG", "SUB (SPR 1901) ((ENG FLT LON) MTO NTH)")
    assert "CCD (ENG)" in answers
    assert answers[-2:] == ["NOT (CCD (ENG))", "REJ (SUB (SPR 1901) ((ENG FLT LON) MTO NTH))"]
    assert str(scene.game.position.phase) == "F1901M"


def test_a_game_is_saved_after_every_turn() -> None:
    scene = Scene.started()
    assert [phase["name"] for phase in scene.saves[-1]["phases"]] == ["S1901M"]
    scene.hold()
    scene.hold()
    assert len(scene.saves) == 3
    assert [phase["name"] for phase in scene.saves[-1]["phases"]] == ["S1901M", "F1901M", "S1902M"]
