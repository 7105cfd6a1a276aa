"""Turns and their ends: in what order things are told, deadlines, civil disorder. LANGUAGE.md, section 7."""

from __future__ import annotations

import pytest

from bordeaux.rules import adjudicate
from bordeaux.rules.rulesets import DAIDE
from tests.daide.server.scene import Scene, place
from tests.daide.server.test_orders import SUMMER, WINTER


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


SCO = "SCO (ENG LON) (FRA PAR) (GER BER) (ITA ROM) (AUS VIE) (RUS MOS) (TUR CON)"


CASES = {
    "a bounce, and a unit with no order, which holds": """
        (ENG FLT LON) (FRA FLT NTH)
        (ENG FLT LON) MTO NTH: BNC
        *(FRA FLT NTH) HLD: SUC""",
    "dislodged: a move that bounces, with RET": """
        (ENG FLT LON) (ENG FLT ECH) (FRA FLT NTH) (GER FLT DEN)
        (ENG FLT LON) MTO NTH
        (ENG FLT ECH) SUP (ENG FLT LON) MTO NTH
        (FRA FLT NTH) MTO DEN: BNC RET
        *(GER FLT DEN) HLD: SUC""",
    "a support that is cut, and one whose partner does something else": """
        (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY MUN) (ENG FLT ECH)
        (FRA AMY PAR) MTO BUR: BNC
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: CUT
        (ENG FLT ECH) MTO PIC: BNC
        (GER AMY MUN) SUP (GER AMY BUR): SUC""",
    "a support that is dislodged": """
        (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (ENG FLT ECH) (ENG FLT BEL)
        (FRA AMY PAR) MTO BUR
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: CUT RET
        (ENG FLT ECH) MTO PIC: SUC
        (ENG FLT BEL) SUP (ENG FLT ECH) MTO PIC""",
    "a support without its partner": """
        (FRA AMY PAR) (FRA AMY PIC)
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: NSO
        *(FRA AMY PAR) HLD: SUC""",
    "a cut goes before a missing partner": """
        (FRA AMY PAR) (FRA AMY PIC) (ENG FLT ECH)
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: CUT
        (ENG FLT ECH) MTO PIC""",
    "but not from where the support goes": """
        (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR)
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: NSO
        (GER AMY BUR) MTO PIC: BNC""",
    "nor by a unit of one's own": """
        (FRA AMY PAR) (FRA AMY PIC) (FRA FLT ECH)
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: NSO
        (FRA FLT ECH) MTO PIC""",
    "who is dislodged from there is cut as well": """
        (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY BEL)
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: CUT RET
        (GER AMY BUR) MTO PIC
        (GER AMY BEL) SUP (GER AMY BUR) MTO PIC""",
    "an attack by an army whose convoy fails cuts nothing": """
        (FRA AMY PIC) (FRA AMY PAR) (ENG AMY WAL) (ENG FLT ECH)
        (FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR: NSO
        (ENG AMY WAL) CTO PIC VIA (ECH): NSO""",
    "a convoy that bounces": """
        (ENG AMY WAL) (ENG FLT ECH) (GER AMY BEL)
        (ENG AMY WAL) CTO BEL VIA (ECH): BNC
        (ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL: SUC""",
    "a fleet that does not play along": """
        (ENG AMY WAL) (ENG FLT ECH)
        (ENG AMY WAL) CTO BEL VIA (ECH): NSO
        (ENG FLT ECH) CVY (ENG AMY WAL) CTO PIC: NSO""",
    "a convoy that is broken": """
        (ENG AMY WAL) (ENG FLT ECH) (FRA FLT BRE) (FRA FLT MAO)
        (ENG AMY WAL) CTO BEL VIA (ECH): DSR
        (ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL: RET
        (FRA FLT BRE) MTO ECH
        (FRA FLT MAO) SUP (FRA FLT BRE) MTO ECH""",
    "a convoy that nobody asked for": """
        (ENG AMY WAL) (ENG FLT ECH) (FRA FLT BRE) (FRA FLT MAO)
        (ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL: NSO RET
        *(ENG AMY WAL) HLD: SUC
        (FRA FLT BRE) MTO ECH
        (FRA FLT MAO) SUP (FRA FLT BRE) MTO ECH""",
    "an army that waits for a convoy is dislodged where it stands": """
        (ENG AMY WAL) (FRA FLT ECH) (GER FLT IRI) (GER AMY LVP)
        (ENG AMY WAL) CTO BEL VIA (ECH): NSO RET
        (GER AMY LVP) MTO WAL
        (GER FLT IRI) SUP (GER AMY LVP) MTO WAL""",
}


@pytest.mark.parametrize("case", CASES)
def test_movement(case: str) -> None:
    """Units, orders with their results, and with a star what units without an order are given."""
    units, *lines = (line.strip() for line in CASES[case].strip().splitlines())
    scene = Scene.started(position=place(f"NOW (SPR 1902) {units} {SCO}"))
    expected = []
    for line in lines:
        order, _, result = line.partition(": ")
        if not order.startswith("*"):
            assert scene.say(order[1:4], f"SUB ({order})")[0] == f"THX ({order}) (MBV)"
        if result:
            expected.append(f"ORD (SPR 1902) ({order.lstrip('*')}) ({result})")
    scene.hold()
    assert set(expected) <= set(scene.saves[-1]["daide"]["results"][0])


def test_a_unit_with_nowhere_to_go_shows_ret_and_is_gone() -> None:
    """Our rules disband it at once; there is no retreat turn for it alone."""
    units = "(ENG FLT TUN) (FRA FLT ION) (FRA FLT WES) (FRA FLT TYS) (FRA AMY NAF)"
    scene = Scene.started(position=place(f"NOW (SPR 1902) {units} {SCO}"))
    scene.say(
        "FRA",
        "SUB ((FRA FLT ION) MTO TUN) ((FRA FLT TYS) SUP (FRA FLT ION) MTO TUN)"
        " ((FRA FLT WES) HLD) ((FRA AMY NAF) HLD)",
    )
    scene.hold("ENG")
    # The one way out is where the attacker came from.
    assert scene.hears("TUR")[0] == "ORD (SPR 1902) ((ENG FLT TUN) HLD) (RET)"
    assert scene.hears("TUR")[-1].startswith("NOW (FAL 1902)")
    assert not scene.game.position.units_of("ENGLAND")
