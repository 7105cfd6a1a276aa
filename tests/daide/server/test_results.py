"""Every result that ORD can report, and which comes first. LANGUAGE.md, section 6."""

from __future__ import annotations

from typing import Any

import pytest

from tests.daide.server.scene import Scene, place

SCO = "SCO (ENG LON) (FRA PAR) (GER BER) (ITA ROM) (AUS VIE) (RUS MOS) (TUR CON)"


def played(units: str, orders: dict[str, str], turn: str = "SPR 1902", **options: Any) -> dict[str, str]:
    """The result of each order after a turn in which these powers ordered this, and the others hold."""
    scene = Scene.started(position=place(f"NOW ({turn}) {units} {SCO}"), **options)
    for power, text in orders.items():
        thanks = [answer for answer in scene.say(power, f"SUB {text}") if answer.startswith("THX")]
        assert all(answer.endswith("(MBV)") for answer in thanks), thanks
    scene.hold()
    assert str(scene.game.position.phase) != f"{turn[0]}{turn[4:]}M"
    results = {}
    for text in scene.saves[-1]["daide"]["results"][0]:
        head = f"ORD ({turn}) ("
        assert text.startswith(head)
        order, _, result = text[len(head) :].rpartition(") (")
        results[order] = result[:-1]
    return results


UNCUT = "(ENG FLT LON) (ENG FLT ECH) (FRA FLT BRE) (FRA AMY PIC) (GER AMY RUH)"


@pytest.mark.parametrize(
    ("units", "orders", "expected"),
    [
        ("(ENG FLT LON)", {"ENG": "((ENG FLT LON) MTO NTH)"}, {"(ENG FLT LON) MTO NTH": "SUC"}),
        ("(ENG FLT LON)", {"ENG": "((ENG FLT LON) HLD)"}, {"(ENG FLT LON) HLD": "SUC"}),
        # A bounce, and a unit with no order, which holds.
        (
            "(ENG FLT LON) (FRA FLT NTH)",
            {"ENG": "((ENG FLT LON) MTO NTH)"},
            {"(ENG FLT LON) MTO NTH": "BNC", "(FRA FLT NTH) HLD": "SUC"},
        ),
        # Dislodged: a hold, a move that bounces, a support, all with RET.
        (
            "(ENG FLT LON) (ENG FLT ECH) (FRA FLT NTH)",
            {"ENG": "((ENG FLT LON) MTO NTH) ((ENG FLT ECH) SUP (ENG FLT LON) MTO NTH)"},
            {
                "(ENG FLT LON) MTO NTH": "SUC",
                "(ENG FLT ECH) SUP (ENG FLT LON) MTO NTH": "SUC",
                "(FRA FLT NTH) HLD": "RET",
            },
        ),
        (
            "(ENG FLT LON) (ENG FLT ECH) (FRA FLT NTH) (GER FLT DEN)",
            {
                "ENG": "((ENG FLT LON) MTO NTH) ((ENG FLT ECH) SUP (ENG FLT LON) MTO NTH)",
                "FRA": "((FRA FLT NTH) MTO DEN)",
            },
            {"(FRA FLT NTH) MTO DEN": "BNC RET", "(GER FLT DEN) HLD": "SUC"},
        ),
        # A support that is cut, that is dislodged, and one whose partner does something else.
        (
            "(FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY MUN) (ENG FLT ECH)",
            {
                "FRA": "((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)",
                "ENG": "((ENG FLT ECH) MTO PIC)",
                "GER": "((GER AMY MUN) SUP (GER AMY BUR))",
            },
            {
                "(FRA AMY PAR) MTO BUR": "BNC",
                "(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "CUT",
                "(ENG FLT ECH) MTO PIC": "BNC",
                "(GER AMY MUN) SUP (GER AMY BUR)": "SUC",
            },
        ),
        (
            "(FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (ENG FLT ECH) (ENG FLT BEL)",
            {
                "FRA": "((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)",
                "ENG": "((ENG FLT ECH) MTO PIC) ((ENG FLT BEL) SUP (ENG FLT ECH) MTO PIC)",
            },
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "CUT RET", "(ENG FLT ECH) MTO PIC": "SUC"},
        ),
        # Dislodged from where the support goes: that cuts it as well.
        (
            "(FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY BEL)",
            {
                "FRA": "((FRA AMY PAR) MTO BUR) ((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)",
                "GER": "((GER AMY BUR) MTO PIC) ((GER AMY BEL) SUP (GER AMY BUR) MTO PIC)",
            },
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "CUT RET", "(FRA AMY PAR) MTO BUR": "SUC"},
        ),
        (
            "(FRA AMY PAR) (FRA AMY PIC)",
            {"FRA": "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)"},
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "NSO", "(FRA AMY PAR) HLD": "SUC"},
        ),
        (
            "(FRA AMY PAR) (FRA AMY PIC)",
            {"FRA": "((FRA AMY PIC) SUP (FRA AMY PAR)) ((FRA AMY PAR) MTO BUR)"},
            {"(FRA AMY PIC) SUP (FRA AMY PAR)": "NSO"},
        ),
        # Cut goes before a missing partner, but not when the attack comes from where the support goes,
        # nor when it comes from a unit of one's own.
        (
            "(FRA AMY PAR) (FRA AMY PIC) (ENG FLT ECH)",
            {"FRA": "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)", "ENG": "((ENG FLT ECH) MTO PIC)"},
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "CUT"},
        ),
        (
            "(FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR)",
            {"FRA": "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)", "GER": "((GER AMY BUR) MTO PIC)"},
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "NSO", "(GER AMY BUR) MTO PIC": "BNC"},
        ),
        (
            "(FRA AMY PAR) (FRA AMY PIC) (FRA FLT ECH)",
            {"FRA": "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR) ((FRA FLT ECH) MTO PIC)"},
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "NSO"},
        ),
        (
            "(FRA AMY PAR) (FRA AMY PIC) (GER AMY BUR) (GER AMY BEL)",
            {
                "FRA": "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)",
                "GER": "((GER AMY BUR) MTO PIC) ((GER AMY BEL) SUP (GER AMY BUR) MTO PIC)",
            },
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "CUT RET"},
        ),
        # An attack by an army whose convoy fails cuts nothing.
        (
            "(FRA AMY PIC) (FRA AMY PAR) (ENG AMY WAL) (ENG FLT ECH)",
            {"FRA": "((FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR)", "ENG": "((ENG AMY WAL) CTO PIC VIA (ECH))"},
            {"(FRA AMY PIC) SUP (FRA AMY PAR) MTO BUR": "NSO", "(ENG AMY WAL) CTO PIC VIA (ECH)": "NSO"},
        ),
        # Convoys: one that works, one that bounces, fleets that do not play along, one that is broken.
        (
            "(ENG AMY WAL) (ENG FLT ECH)",
            {"ENG": "((ENG AMY WAL) CTO BEL VIA (ECH)) ((ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL)"},
            {"(ENG AMY WAL) CTO BEL VIA (ECH)": "SUC", "(ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL": "SUC"},
        ),
        (
            "(ENG AMY WAL) (ENG FLT ECH) (GER AMY BEL)",
            {"ENG": "((ENG AMY WAL) CTO BEL VIA (ECH)) ((ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL)"},
            {"(ENG AMY WAL) CTO BEL VIA (ECH)": "BNC", "(ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL": "SUC"},
        ),
        (
            "(ENG AMY WAL) (ENG FLT ECH)",
            {"ENG": "((ENG AMY WAL) CTO BEL VIA (ECH)) ((ENG FLT ECH) CVY (ENG AMY WAL) CTO PIC)"},
            {"(ENG AMY WAL) CTO BEL VIA (ECH)": "NSO", "(ENG FLT ECH) CVY (ENG AMY WAL) CTO PIC": "NSO"},
        ),
        (
            "(ENG AMY WAL) (ENG FLT ECH) (ENG FLT NTH)",
            {
                "ENG": "((ENG AMY WAL) CTO BEL VIA (ECH)) ((ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL)"
                " ((ENG FLT NTH) CVY (ENG AMY WAL) CTO BEL)"
            },
            {"(ENG FLT NTH) CVY (ENG AMY WAL) CTO BEL": "NSO", "(ENG AMY WAL) CTO BEL VIA (ECH)": "SUC"},
        ),
        (
            "(ENG AMY WAL) (ENG FLT ECH) (FRA FLT BRE) (FRA FLT MAO)",
            {
                "ENG": "((ENG AMY WAL) CTO BEL VIA (ECH)) ((ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL)",
                "FRA": "((FRA FLT BRE) MTO ECH) ((FRA FLT MAO) SUP (FRA FLT BRE) MTO ECH)",
            },
            {"(ENG AMY WAL) CTO BEL VIA (ECH)": "DSR", "(ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL": "RET"},
        ),
        (
            "(ENG AMY WAL) (ENG FLT ECH) (FRA FLT BRE) (FRA FLT MAO)",
            {
                "ENG": "((ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL)",
                "FRA": "((FRA FLT BRE) MTO ECH) ((FRA FLT MAO) SUP (FRA FLT BRE) MTO ECH)",
            },
            {"(ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL": "NSO RET", "(ENG AMY WAL) HLD": "SUC"},
        ),
        # An army that waits for a convoy that never comes is dislodged where it stands.
        (
            "(ENG AMY WAL) (FRA FLT ECH) (GER FLT IRI) (GER AMY LVP)",
            {
                "ENG": "((ENG AMY WAL) CTO BEL VIA (ECH))",
                "GER": "((GER AMY LVP) MTO WAL) ((GER FLT IRI) SUP (GER AMY LVP) MTO WAL)",
            },
            {"(ENG AMY WAL) CTO BEL VIA (ECH)": "NSO RET"},
        ),
    ],
)
def test_movement(units: str, orders: dict[str, str], expected: dict[str, str]) -> None:
    results = played(units, orders)
    assert expected.items() <= results.items(), results


def test_a_convoy_needs_every_fleet_of_its_route() -> None:
    """The route is given (paper 003, section 4): another chain of fleets does not help."""
    results = played(
        "(ENG AMY LON) (ENG FLT NTH) (ENG FLT ECH) (FRA FLT HOL) (FRA FLT HEL)",
        {
            "ENG": "((ENG AMY LON) CTO BEL VIA (NTH)) ((ENG FLT NTH) CVY (ENG AMY LON) CTO BEL)"
            " ((ENG FLT ECH) CVY (ENG AMY LON) CTO BEL)",
            "FRA": "((FRA FLT HOL) MTO NTH) ((FRA FLT HEL) SUP (FRA FLT HOL) MTO NTH)",
        },
    )
    assert results["(ENG AMY LON) CTO BEL VIA (NTH)"] == "DSR"
    assert results["(ENG FLT NTH) CVY (ENG AMY LON) CTO BEL"] == "RET"
    assert results["(ENG FLT ECH) CVY (ENG AMY LON) CTO BEL"] == "NSO"


def test_the_second_amendment_of_the_paper() -> None:
    """F DEN bounces and is not dislodged (paper 003, section 4, Turn Resolution, 2)."""
    results = played(
        "(ENG FLT DEN) (ENG FLT SKA) (RUS FLT SWE) (RUS FLT BAL) (GER FLT KIE) (GER FLT HEL)",
        {
            "ENG": "((ENG FLT DEN) MTO KIE) ((ENG FLT SKA) SUP (RUS FLT SWE) MTO DEN)",
            "RUS": "((RUS FLT SWE) MTO DEN) ((RUS FLT BAL) SUP (RUS FLT SWE) MTO DEN)",
            "GER": "((GER FLT KIE) MTO DEN) ((GER FLT HEL) SUP (GER FLT KIE) MTO DEN)",
        },
    )
    assert results["(ENG FLT DEN) MTO KIE"] == "BNC"


def test_retreats_bounce_and_are_destroyed() -> None:
    position = place(
        "NOW (SUM 1902) (FRA AMY PAR) (ENG AMY BUR) (ENG AMY MAR MRT (GAS))"
        f" (GER AMY BRE MRT (GAS PIC)) {SCO}"
    )
    scene = Scene.started(position=position)
    scene.say("ENG", "SUB ((ENG AMY MAR) RTO GAS)")
    scene.say("GER", "SUB ((GER AMY BRE) RTO GAS)")
    assert scene.hears("TUR")[:2] == [
        "ORD (SUM 1902) ((ENG AMY MAR) RTO GAS) (BNC)",
        "ORD (SUM 1902) ((GER AMY BRE) RTO GAS) (BNC)",
    ]
    assert scene.game.position.unit_at("GAS") is None


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
