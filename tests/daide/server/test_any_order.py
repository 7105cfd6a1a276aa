"""Any orders accepted (AOA): illegal ones fail when the turn is played, and say why. Paper 003, section 6."""

from __future__ import annotations

import pytest

from tests.daide.server.scene import Scene, place
from tests.daide.server.test_order_notes import SPRING, SUMMER, WINTER


def results(scene: Scene) -> list[str]:
    return [message.partition(") ")[2] for message in scene.hears("TUR") if message.startswith("ORD")]


@pytest.mark.parametrize(
    ("order", "note"),
    [
        ("(ENG FLT LON) MTO MUN", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT YOR)", "NSU"),
        ("(ENG FLT LON) SUP (ENG FLT NTH) MTO BEL", "FAR"),
        ("(ENG FLT LON) CVY (ENG AMY WAL) CTO BEL", "NAS"),
        ("(ENG FLT LON) CTO BEL VIA (NTH)", "NSA"),
        ("(ENG AMY LVP) CVY (ENG AMY WAL) CTO BEL", "NSF"),
        ("(ENG AMY WAL) CTO BEL VIA (IRI)", "NSF"),
        ("(ENG FLT LON) RTO YOR", "NRS"),
        ("(ENG FLT LON) DSB", "NRS"),
        ("(ENG FLT LON) REM", "NRS"),
        ("(ENG FLT LON) BLD", "NRS"),
    ],
)
def test_movement(order: str, note: str) -> None:
    scene = Scene.started(position=SPRING, aoa=True)
    before = scene.game.position.units_of("ENGLAND")
    assert scene.say("ENG", f"SUB ({order})")[0] == f"THX ({order}) (MBV)"
    scene.hold()
    assert f"({order}) ({note})" in results(scene)
    assert scene.game.position.units_of("ENGLAND") == before


def test_what_is_not_the_powers_own_is_refused() -> None:
    scene = Scene.started(position=SPRING, aoa=True)
    for order, note in {
        "(FRA AMY PAR) MTO BUR": "NYU",
        "(ENG FLT YOR) HLD": "NSU",
        "ENG WVE": "NRS",
        "FRA WVE": "NRS",
    }.items():
        assert scene.say("ENG", f"SUB ({order})")[0] == f"THX ({order}) ({note})"


def test_an_illegal_order_holds_and_may_be_dislodged() -> None:
    position = place(
        "NOW (SPR 1905) (FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY MUN)"
        " SCO (FRA PAR) (GER MUN) (ENG LON) (UNO VIE)"
    )
    scene = Scene.started(position=position, aoa=True)
    scene.say("GER", "SUB ((GER AMY BUR) MTO LON) ((GER AMY MUN) SUP (GER AMY BUR) MTO LON)")
    scene.say("FRA", "SUB ((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)")
    assert results(scene) == [
        "((FRA AMY PAR) MTO BUR) (SUC)",
        "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) (SUC)",
        "((GER AMY BUR) MTO LON) (FAR RET)",
        "((GER AMY MUN) SUP (GER AMY BUR) MTO LON) (FAR)",
    ]


def test_an_illegal_order_is_replaced_like_any_other() -> None:
    scene = Scene.started(position=SPRING, aoa=True)
    scene.say("ENG", "SUB ((ENG FLT LON) MTO MUN)")
    scene.say("ENG", "SUB ((ENG FLT LON) MTO YOR)")
    assert scene.say("ENG", "MIS")[0].count("LON") == 0
    scene.hold()
    assert "((ENG FLT LON) MTO YOR) (SUC)" in results(scene)


def test_an_illegal_attack_cuts_nothing_and_supports_nobody() -> None:
    position = place(
        "NOW (SPR 1905) (FRA AMY PAR) (FRA AMY PIC) (ENG FLT NTH) SCO (FRA PAR) (ENG LON) (UNO VIE)"
    )
    scene = Scene.started(position=position, aoa=True)
    scene.say("FRA", "SUB ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) ((FRA AMY PAR) HLD)")
    scene.say("ENG", "SUB ((ENG FLT NTH) MTO PIC)")
    assert results(scene) == [
        "((ENG FLT NTH) MTO PIC) (FAR)",
        "((FRA AMY PAR) HLD) (SUC)",
        "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) (NSO)",
    ]


def test_retreats() -> None:
    scene = Scene.started(position=SUMMER, aoa=True)
    assert scene.say("ENG", "SUB ((ENG FLT ECH) RTO NTH)")[0] == "THX ((ENG FLT ECH) RTO NTH) (NRN)"
    assert scene.say("ENG", "SUB ((FRA AMY BUR) DSB)")[0] == "THX ((FRA AMY BUR) DSB) (NYU)"
    assert scene.say("ENG", "SUB ((ENG AMY LON) RTO WAL)") == ["THX ((ENG AMY LON) RTO WAL) (MBV)"]
    assert scene.say("ITA", "SUB ((ITA FLT MAR) HLD)") == ["THX ((ITA FLT MAR) HLD) (MBV)"]
    scene.say("FRA", "SUB ((FRA AMY BUR) RTO MUN)")
    assert results(scene) == [
        "((ENG AMY LON) RTO WAL) (NVR)",
        "((FRA AMY BUR) RTO MUN) (NVR)",
        "((ITA FLT MAR) HLD) (NRS)",
    ]
    assert not scene.game.position.units_of("ITALY")


def test_adjustments() -> None:
    scene = Scene.started(position=WINTER, aoa=True)
    assert scene.say("FRA", "SUB ((FRA AMY SPA) BLD) ((FRA AMY MAR) BLD) ((FRA AMY PAR) BLD)") == [
        "THX ((FRA AMY SPA) BLD) (MBV)",
        "THX ((FRA AMY MAR) BLD) (MBV)",
        "THX ((FRA AMY PAR) BLD) (NMB)",
    ]
    assert scene.say("RUS", "SUB ((RUS AMY MOS) BLD) ((RUS FLT MOS) BLD) ((RUS AMY WAR) BLD)") == [
        "THX ((RUS AMY MOS) BLD) (MBV)",
        "THX ((RUS FLT MOS) BLD) (MBV)",
        "THX ((RUS AMY WAR) BLD) (MBV)",
    ]
    assert scene.say("RUS", "SUB ((RUS AMY MOS) HLD)")[0] == "THX ((RUS AMY MOS) HLD) (NRS)"
    assert scene.say("ITA", "SUB ((ITA AMY ROM) BLD)")[0] == "THX ((ITA AMY ROM) BLD) (NMB)"
    assert scene.say("ENG", "SUB ((FRA AMY MAR) REM)")[0] == "THX ((FRA AMY MAR) REM) (NYU)"
    scene.say("ENG", "SUB ((ENG FLT NTH) REM)")
    assert results(scene) == [
        "((ENG FLT NTH) REM) (SUC)",
        "((FRA AMY SPA) BLD) (HSC)",
        "((FRA AMY MAR) BLD) (ESC)",
        "((RUS AMY MOS) BLD) (SUC)",
        "((RUS FLT MOS) BLD) (CST)",
        "((RUS AMY WAR) BLD) (YSC)",
    ]
    assert len(scene.game.position.units_of("FRANCE")) == 3
    assert [str(unit) for unit in scene.game.position.units_of("RUSSIA")] == ["A MOS"]


def test_illegal_orders_survive_a_restart() -> None:
    from bordeaux.daide.server import ServerGame

    scene = Scene.started(position=SPRING, aoa=True)
    scene.say("ENG", "SUB ((ENG FLT LON) MTO MUN)")
    saved = scene.game.saved()
    assert ServerGame.resume(saved).saved() == saved
    assert saved["daide"]["orders"] == {"ENG": ["(ENG FLT LON) MTO MUN"]}
