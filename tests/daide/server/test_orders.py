"""Submitting orders, taking them back, and what is still missing. LANGUAGE.md, section 6."""

from __future__ import annotations

import pytest

from tests.daide.server.scene import Scene, place
from tests.daide.server.test_order_notes import SUMMER, WINTER

LON = "((ENG FLT LON) MTO NTH)"


def test_each_order_gets_its_thanks_from_left_to_right_then_what_is_missing() -> None:
    scene = Scene.started()
    assert scene.say("ENG", f"SUB {LON} ((FRA AMY PAR) MTO BUR) ((ENG AMY LVP) MTO PAR)") == [
        "THX ((ENG FLT LON) MTO NTH) (MBV)",
        "THX ((FRA AMY PAR) MTO BUR) (NYU)",
        "THX ((ENG AMY LVP) MTO PAR) (FAR)",
        "MIS (ENG FLT EDI) (ENG AMY LVP)",
    ]
    assert scene.say("ENG", "SUB ((ENG FLT EDI) HLD) ((ENG AMY LVP) HLD)") == [
        "THX ((ENG FLT EDI) HLD) (MBV)",
        "THX ((ENG AMY LVP) HLD) (MBV)",
    ]
    assert scene.say("ENG", "MIS") == ["MIS"]


def test_nobody_else_hears_of_orders() -> None:
    scene = Scene.started(observers=1)
    scene.say("ENG", f"SUB {LON}")
    assert [client for client, messages in scene.heard.items() if messages] == [scene.of["ENG"]]


def test_the_turn_of_a_submission_must_be_that_of_the_last_now() -> None:
    scene = Scene.started()
    assert scene.say("ENG", f"SUB (SPR 1901) {LON}")[0] == "THX ((ENG FLT LON) MTO NTH) (MBV)"
    for turn in ("FAL 1901", "SUM 1901", "SPR 1902", "SPR 1900"):
        assert scene.say("ENG", f"SUB ({turn}) ((ENG FLT LON) HLD)") == [
            f"REJ (SUB ({turn}) ((ENG FLT LON) HLD))"
        ]
    scene.hold()
    assert "ORD (SPR 1901) ((ENG FLT LON) MTO NTH) (SUC)" in scene.hears("FRA")


def test_a_new_order_replaces_the_one_before_for_the_unit() -> None:
    scene = Scene.started()
    scene.say("ENG", f"SUB {LON} ((ENG FLT EDI) MTO NWG)")
    scene.say("ENG", "SUB ((ENG FLT LON) MTO ECH)")
    # One that is refused replaces nothing.
    assert scene.say("ENG", "SUB ((ENG FLT EDI) MTO MUN)")[0] == "THX ((ENG FLT EDI) MTO MUN) (FAR)"
    scene.hold()
    assert "ORD (SPR 1901) ((ENG FLT LON) MTO ECH) (SUC)" in scene.hears("FRA")
    assert "ORD (SPR 1901) ((ENG FLT EDI) MTO NWG) (SUC)" in scene.hears("FRA")


def test_taking_back_one_order() -> None:
    scene = Scene.started()
    scene.say("ENG", f"SUB {LON} ((ENG FLT EDI) HLD)")
    assert scene.say("ENG", "NOT (SUB ((ENG FLT LON) MTO ECH))") == [
        "REJ (NOT (SUB ((ENG FLT LON) MTO ECH)))"
    ]
    assert scene.say("ENG", f"NOT (SUB {LON})") == [f"YES (NOT (SUB {LON}))"]
    assert scene.say("ENG", f"NOT (SUB {LON})") == [f"REJ (NOT (SUB {LON}))"]
    assert scene.say("ENG", "MIS") == ["MIS (ENG FLT LON) (ENG AMY LVP)"]


def test_taking_back_all_orders() -> None:
    scene = Scene.started()
    scene.say("ENG", f"SUB {LON} ((ENG FLT EDI) HLD)")
    assert scene.say("ENG", "NOT (SUB)") == ["YES (NOT (SUB))"]
    assert scene.say("ENG", "NOT (SUB)") == ["YES (NOT (SUB))"]
    assert scene.say("ENG", "MIS") == ["MIS (ENG FLT EDI) (ENG FLT LON) (ENG AMY LVP)"]
    assert scene.say("FRA", f"NOT (SUB {LON})") == [f"REJ (NOT (SUB {LON}))"]


def test_retreats() -> None:
    scene = Scene.started(position=SUMMER)
    assert scene.say("ENG", "MIS") == ["MIS (ENG AMY LON MRT (YOR))"]
    assert scene.say("ITA", "MIS") == ["MIS (ITA FLT MAR MRT (GOL (SPA SCS)))"]
    assert scene.say("FRA", "MIS") == ["MIS (FRA AMY BUR MRT ())"]
    assert scene.say("TUR", "MIS") == ["MIS"]
    assert scene.say("ENG", "SUB ((ENG AMY LON) RTO WAL)") == [
        "THX ((ENG AMY LON) RTO WAL) (NVR)",
        "MIS (ENG AMY LON MRT (YOR))",
    ]
    assert scene.say("ENG", "SUB ((ENG AMY LON) RTO YOR)") == ["THX ((ENG AMY LON) RTO YOR) (MBV)"]
    assert scene.say("ENG", "SUB ((ENG AMY LON) DSB)") == ["THX ((ENG AMY LON) DSB) (MBV)"]
    assert scene.say("ENG", "NOT (SUB ((ENG AMY LON) RTO YOR))")[0].startswith("REJ")
    assert scene.say("ENG", "NOT (SUB ((ENG AMY LON) DSB))")[0].startswith("YES")
    scene.say("ENG", "SUB ((ENG AMY LON) RTO YOR)")
    scene.say("ITA", "SUB ((ITA FLT MAR) RTO (SPA SCS))")
    scene.say("FRA", "SUB ((FRA AMY BUR) DSB)")
    assert scene.hears("TUR")[:3] == [
        "ORD (SUM 1902) ((ENG AMY LON) RTO YOR) (SUC)",
        "ORD (SUM 1902) ((FRA AMY BUR) DSB) (SUC)",
        "ORD (SUM 1902) ((ITA FLT MAR) RTO (SPA SCS)) (SUC)",
    ]
    assert scene.hears("TUR")[3].startswith("NOW (FAL 1902)")


def test_adjustments() -> None:
    scene = Scene.started(position=WINTER)
    for power, missing in {"ENG": "(1)", "FRA": "(-2)", "RUS": "(-3)", "ITA": "", "AUS": ""}.items():
        assert scene.say(power, "MIS") == [f"MIS {missing}".rstrip()]
    assert scene.say("FRA", "SUB ((FRA AMY PAR) BLD) ((FRA AMY PAR) BLD) (FRA WVE) (FRA WVE)") == [
        "THX ((FRA AMY PAR) BLD) (MBV)",
        "THX ((FRA AMY PAR) BLD) (ESC)",
        "THX (FRA WVE) (MBV)",
        "THX (FRA WVE) (NMB)",
    ]
    assert scene.say("FRA", "NOT (SUB (FRA WVE))") == ["YES (NOT (SUB (FRA WVE)))"]
    assert scene.say("FRA", "SUB ((FRA FLT BRE) BLD)") == ["THX ((FRA FLT BRE) BLD) (MBV)"]
    assert scene.say("ENG", "SUB ((ENG FLT NTH) REM)") == ["THX ((ENG FLT NTH) REM) (MBV)"]
    assert scene.say("RUS", "SUB ((RUS FLT (STP NCS)) BLD)") == [
        "THX ((RUS FLT (STP NCS)) BLD) (MBV)",
        "MIS (-2)",
    ]
    scene.say("RUS", "SUB (RUS WVE) (RUS WVE)")
    assert scene.hears("TUR")[:-1] == [
        "ORD (WIN 1902) ((ENG FLT NTH) REM) (SUC)",
        "ORD (WIN 1902) ((FRA AMY PAR) BLD) (SUC)",
        "ORD (WIN 1902) ((FRA FLT BRE) BLD) (SUC)",
        "ORD (WIN 1902) ((RUS FLT (STP NCS)) BLD) (SUC)",
        "ORD (WIN 1902) (RUS WVE) (SUC)",
        "ORD (WIN 1902) (RUS WVE) (SUC)",
    ]
    assert scene.hears("TUR")[-1].startswith("NOW (SPR 1903)")
    standing = {str(unit) for unit in scene.game.position.units_of("FRANCE")}
    assert {"A PAR", "F BRE"} < standing


def test_waives_before_a_build_do_not_use_it_up() -> None:
    """Two builds are owed and one home is open: the order of waive and build does not matter."""
    text = (
        "NOW (WIN 1901) (ITA AMY VEN) (ITA FLT NAP) (AUS AMY VIE)"
        " SCO (ITA NAP ROM VEN TUN) (AUS VIE) (UNO BUD)"
    )
    scene = Scene.started(position=place(text))
    assert scene.say("ITA", "MIS") == ["MIS (-2)"]
    scene.say("ITA", "SUB (ITA WVE) ((ITA AMY ROM) BLD)")
    assert scene.hears("AUS")[:2] == [
        "ORD (WIN 1901) (ITA WVE) (SUC)",
        "ORD (WIN 1901) ((ITA AMY ROM) BLD) (SUC)",
    ]
    assert scene.game.position.unit_at("ROM") is not None


def test_no_turn_waits_for_builds_that_no_home_is_open_for() -> None:
    text = (
        "NOW (WIN 1901) (ITA AMY VEN) (ITA FLT NAP) (AUS AMY VIE)"
        " SCO (ITA NAP ROM VEN TUN) (AUS VIE GRE) (UNO BUD)"
    )
    for order in ("(ITA AMY ROM) BLD", "ITA WVE"):
        scene = Scene.started(position=place(text), btl=60)
        assert scene.say("AUS", "MIS") == ["MIS (-1)"]
        answers = scene.say("ITA", f"SUB ({order})")
        assert answers[:2] == [f"THX ({order}) (MBV)", "MIS (-1)"]
        assert answers[2:5] == [
            "ORD (WIN 1901) (AUS WVE) (SUC)",
            f"ORD (WIN 1901) ({order}) (SUC)",
            "ORD (WIN 1901) (ITA WVE) (SUC)",
        ]
        assert answers[5].startswith("NOW (SPR 1902)") and len(answers) == 6


def test_a_unit_is_removed_once_however_often_it_is_ordered() -> None:
    scene = Scene.started(
        position=place("NOW (WIN 1901) (ITA AMY VEN) (ITA FLT NAP) (AUS AMY VIE) SCO (AUS VIE)")
    )
    assert scene.say("ITA", "SUB ((ITA AMY VEN) REM) ((ITA AMY VEN) REM)") == [
        "THX ((ITA AMY VEN) REM) (MBV)",
        "THX ((ITA AMY VEN) REM) (MBV)",
        "MIS (1)",
    ]


class TestGoFlag:
    def test_the_turn_waits_for_who_says_not_gof(self) -> None:
        scene = Scene.started()
        assert scene.say("ENG", "NOT (GOF)") == ["YES (NOT (GOF))"]
        scene.hold()
        assert str(scene.game.position.phase) == "S1901M"
        scene.say("ENG", "GOF")
        assert scene.hears("ENG")[0] == "YES (GOF)"
        assert str(scene.game.position.phase) == "F1901M"

    def test_gof_tells_what_is_missing(self) -> None:
        scene = Scene.started()
        assert scene.say("ENG", "GOF") == ["YES (GOF)", "MIS (ENG FLT EDI) (ENG FLT LON) (ENG AMY LVP)"]

    def test_it_is_restored_each_turn(self) -> None:
        scene = Scene.started(mtl=60)
        scene.say("ENG", "NOT (GOF)")
        scene.hold()
        scene.wait(59)
        assert str(scene.game.position.phase) == "S1901M"
        scene.wait(1)
        assert str(scene.game.position.phase) == "F1901M"
        assert "CCD (ENG)" not in scene.hears("FRA")
        scene.hold()
        assert str(scene.game.position.phase) == "S1902M"

    def test_it_stands_when_its_client_leaves(self) -> None:
        scene = Scene.started()
        scene.say("ENG", "NOT (GOF)")
        scene.hold("ENG")
        scene.drop("ENG")
        scene.hold(but=("ENG",))
        assert str(scene.game.position.phase) == "S1901M"
        client = scene.join()
        scene.say(client, f"IAM (ENG) ({scene.codes['ENG']})")
        assert scene.say(client, "GOF")[0] == "YES (GOF)"
        assert str(scene.game.position.phase) == "F1901M"

    def test_orders_may_change_while_it_waits(self) -> None:
        scene = Scene.started()
        scene.say("ENG", "NOT (GOF)")
        scene.hold()
        scene.say("ENG", f"SUB {LON}")
        scene.say("ENG", "GOF")
        assert "ORD (SPR 1901) ((ENG FLT LON) MTO NTH) (SUC)" in scene.hears("FRA")

    def test_taking_orders_back_while_others_think(self) -> None:
        scene = Scene.started()
        scene.hold("ENG")
        scene.say("ENG", "NOT (SUB)")
        scene.hold(but=("ENG",))
        assert str(scene.game.position.phase) == "S1901M"
        scene.hold("ENG")
        assert str(scene.game.position.phase) == "F1901M"


@pytest.mark.parametrize(
    "text",
    [f"SUB {LON}", f"SUB (SPR 1901) {LON}", "MIS", "GOF", "NOT (GOF)", "NOT (SUB)", f"NOT (SUB {LON})"],
)
def test_none_of_it_before_the_start_or_after_the_end(text: str) -> None:
    scene = Scene.waiting()
    client = scene.join()
    scene.say(client, "NME ('A') ('1')")
    assert scene.say(client, text) == [f"REJ ({text})"]
    scene = Scene.started()
    for power in scene.of:
        scene.say(power, "DRW")
    assert scene.game.state == "over"
    assert scene.say("ENG", text) == [f"REJ ({text})"]


@pytest.mark.parametrize("text", ["SUB ((ENG FLT LON) HLD)", "MIS", "GOF", "NOT (GOF)", "NOT (SUB)", "ORD"])
def test_none_of_it_for_observers(text: str) -> None:
    scene = Scene.started(observers=1)
    assert scene.say(1, text) == [f"HUH (ERR {text})"]
