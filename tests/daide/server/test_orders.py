"""Submitting orders, taking them back, and what is still missing. LANGUAGE.md, section 6."""

from __future__ import annotations

import pytest

from bordeaux import Map, Phase, Position
from bordeaux.board.submission import submit
from bordeaux.daide import language as d
from bordeaux.daide.server.orders import DaideBoard, note_on
from bordeaux.daide.translate import names, order_of, value_of
from bordeaux.formats.daide import position_to_daide
from tests.daide.server.scene import Scene, place
from tests.oracle.scenarios import FLAVOURS, Chooser, Seeded
from tests.rules.playing import listed_orders, phases, scene, small_map

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


def test_the_turn_of_a_submission_must_be_that_of_the_last_now() -> None:
    scene = Scene.started()
    assert scene.say("ENG", f"SUB (SPR 1901) {LON}")[0] == "THX ((ENG FLT LON) MTO NTH) (MBV)"
    for turn in ("FAL 1901", "SUM 1901", "SPR 1902", "SPR 1900"):
        assert scene.say("ENG", f"SUB ({turn}) ((ENG FLT LON) HLD)") == [
            f"REJ (SUB ({turn}) ((ENG FLT LON) HLD))"
        ]
    scene.hold()
    assert "ORD (SPR 1901) ((ENG FLT LON) MTO NTH) (SUC)" in scene.hears("FRA")


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


class TestGoFlag:
    def test_the_turn_waits_for_who_says_not_gof(self) -> None:
        scene = Scene.started()
        assert scene.say("ENG", "NOT (GOF)") == ["YES (NOT (GOF))"]
        scene.hold()
        assert str(scene.game.position.phase) == "S1901M"
        scene.say("ENG", "GOF")
        assert scene.hears("ENG")[0] == "YES (GOF)"
        assert str(scene.game.position.phase) == "F1901M"

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


OWNED = (
    "SCO (ENG EDI LON LVP NWY) (FRA BRE MAR PAR SPA POR) (RUS SEV STP MOS) (TUR ANK CON SMY)"
    " (ITA NAP ROM VEN) (UNO BUD BER KIE)"
)
SPRING = place(
    "NOW (SPR 1902) (ENG AMY LVP) (ENG AMY WAL) (ENG FLT ECH) (ENG FLT LON) (ENG FLT NTH) (ENG FLT NWG)"
    " (FRA AMY PAR) (FRA FLT MAO) (FRA FLT GOL) (FRA FLT (SPA SCS)) (FRA AMY MAR) (RUS FLT SKA)"
    f" (ITA FLT WES) (ITA AMY TUN) {OWNED}"
)
SUMMER = place(
    "NOW (SUM 1902) (FRA AMY PAR) (ENG FLT ECH) (ENG AMY LON MRT (YOR)) (ITA FLT MAR MRT ((SPA SCS) GOL))"
    f" (FRA AMY BUR MRT ()) {OWNED}"
)
# England 1 more unit than centres; France 2 builds, homes BRE and PAR open; Russia 3 builds, all homes open.
WINTER = place(
    "NOW (WIN 1902) (ENG AMY LVP) (ENG FLT ECH) (ENG FLT LON) (ENG FLT NTH) (ENG FLT NWG)"
    " (FRA AMY MAR) (FRA AMY POR) (FRA FLT MAO) (ITA FLT WES) (ITA AMY TUN) (ITA AMY VEN)"
    " (TUR AMY ANK) (TUR AMY BUL) (TUR AMY SMY)"
    " SCO (ENG EDI LON LVP NWY) (FRA BRE PAR POR SPA MAR) (RUS SEV STP MOS) (TUR ANK CON SMY)"
    " (ITA NAP ROM VEN) (UNO WAR)"
)


def note(position: Position, power: str, text: str, *given: str) -> str:
    order = d.read_part("order", text)
    return note_on(order, power, DaideBoard(position), [d.read_part("order", order) for order in given])


def rows(table: str) -> list[tuple[str, str]]:
    """(note, order) of a table: a note, then orders with semicolons between them; lines go on indented."""
    lines = table.replace("\n    ", "; ").strip().splitlines()
    return [(line[:3], text.strip()) for line in lines for text in line[3:].split(";") if text.strip()]


@pytest.mark.parametrize(
    ("expected", "text"),
    rows("""
MBV (ENG FLT LON) HLD; (ENG FLT LON) MTO YOR; (ENG FLT LON) SUP (ENG FLT ECH)
    (ENG FLT LON) SUP (FRA FLT MAO) MTO ECH; (ENG FLT NTH) SUP (ENG AMY WAL) MTO BEL
    (ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL; (ENG FLT NTH) CVY (ENG AMY WAL) CTO BEL
    (ENG AMY WAL) CTO BEL VIA (ECH); (ENG AMY WAL) CTO NWY VIA (ECH NTH); (ENG AMY WAL) CTO SPA VIA (ECH MAO)
    (ENG AMY WAL) CTO BEL VIA (ECH NTH)
NRS (ENG FLT LON) RTO YOR; (ENG FLT LON) DSB; (ENG FLT LON) REM; (ENG FLT LON) BLD; ENG WVE
    (FRA FLT LON) RTO YOR
NSU (ENG FLT YOR) HLD; (ENG AMY LON) HLD; (FRA FLT LON) HLD; (FRA FLT SPA) HLD; (FRA FLT (SPA NCS)) HLD
    (FRA FLT YOR) MTO PAR
NYU (FRA AMY PAR) MTO BUR; (FRA AMY PAR) MTO LON; (FRA AMY PAR) SUP (FRA AMY BUR)
    (FRA AMY PAR) CTO LON VIA (NTH)
FAR (ENG FLT LON) MTO MUN; (ENG FLT LON) MTO LON; (ENG AMY WAL) MTO BEL; (ENG AMY WAL) MTO ECH
    (ENG FLT ECH) MTO (BRE NCS)
NSU (ENG FLT LON) SUP (ENG FLT YOR); (ENG FLT LON) SUP (FRA FLT ECH); (ENG FLT LON) SUP (FRA FLT YOR) MTO MUN
FAR (ENG FLT LON) SUP (ENG FLT NWG); (ENG FLT LON) SUP (ENG FLT LON); (ENG FLT LON) SUP (ENG FLT NTH) MTO LON
    (ENG FLT LON) SUP (ENG FLT LON) MTO ECH; (ENG FLT LON) SUP (ENG FLT NTH) MTO NTH
    (ENG FLT LON) SUP (ENG FLT NTH) MTO BEL; (ENG FLT LON) SUP (ENG FLT NWG) MTO YOR
    (ENG FLT NTH) SUP (FRA AMY PAR) MTO BEL; (ENG FLT NTH) SUP (RUS FLT SKA) MTO SWE
NSU (ENG FLT ECH) CVY (ENG AMY YOR) CTO BEL; (ENG AMY WAL) CVY (ENG AMY YOR) CTO BEL
NSF (ENG AMY WAL) CVY (ENG FLT LON) CTO BEL; (ENG AMY WAL) CVY (ENG AMY LVP) CTO BEL
NAS (ENG FLT LON) CVY (ENG FLT NTH) CTO BEL; (ENG FLT LON) CVY (ENG AMY WAL) CTO BEL
NSA (ENG FLT ECH) CVY (ENG FLT LON) CTO BEL
FAR (ENG FLT NWG) CVY (ENG AMY WAL) CTO BEL; (ENG FLT ECH) CVY (ENG AMY WAL) CTO WAL
    (ENG FLT ECH) CVY (ENG AMY WAL) CTO MUN; (ENG FLT ECH) CVY (FRA AMY PAR) CTO LON
NSA (ENG FLT LON) CTO BEL VIA (NTH); (ENG FLT LON) CTO BEL VIA (IRI)
NSF (ENG AMY WAL) CTO BEL VIA (IRI); (ENG AMY WAL) CTO BEL VIA (LVP); (ENG AMY WAL) CTO BEL VIA (ECH IRI)
NAS (ENG AMY WAL) CTO BEL VIA (LON)
FAR (ENG AMY WAL) CTO BEL VIA (NTH); (ENG AMY WAL) CTO BEL VIA (NTH IRI); (ENG AMY WAL) CTO BEL VIA (ECH NWG)
    (ENG AMY WAL) CTO NWY VIA (ECH); (ENG AMY WAL) CTO WAL VIA (ECH)
    (ENG AMY WAL) CTO NWY VIA (ECH NTH NWG NTH); (ENG AMY WAL) CTO MUN VIA (ECH)
    (ENG AMY WAL) CTO NTH VIA (ECH)
"""),
)
def test_movement(expected: str, text: str) -> None:
    assert note(SPRING, "ENG", text) == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    rows("""
FAR (FRA FLT MAO) MTO SPA; (FRA FLT GOL) MTO (SPA NCS); (FRA FLT GOL) MTO (SPA WCS)
    (FRA AMY MAR) MTO (SPA SCS)
MBV (FRA AMY MAR) MTO SPA
MBV (FRA FLT GOL) SUP (FRA FLT MAO) MTO SPA; (FRA FLT MAO) SUP (FRA FLT (SPA SCS))
NSU (FRA FLT MAO) SUP (FRA FLT SPA)
MBV (FRA FLT GOL) SUP (ITA AMY TUN) MTO SPA
FAR (FRA FLT MAO) SUP (ENG AMY WAL) MTO SPA
"""),
)
def test_coasts_and_convoyed_partners(expected: str, text: str) -> None:
    """A move to a province with coasts names one that it can reach, a support none."""
    assert note(SPRING, "FRA", text) == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    rows("""
MBV ENG: (ENG AMY LON) RTO YOR; ENG: (ENG AMY LON) DSB; ITA: (ITA FLT MAR) RTO (SPA SCS)
    FRA: (FRA AMY BUR) DSB
NRS ENG: (ENG AMY LON) HLD; ENG: (FRA AMY PAR) MTO BUR; ENG: ENG WVE
NRN ENG: (ENG FLT ECH) RTO NTH; ENG: (FRA AMY PAR) DSB; ENG: (ENG FLT LON) DSB
NYU ENG: (ITA FLT MAR) RTO GOL; ENG: (ITA FLT MAR) RTO LON
FAR ENG: (ENG AMY LON) RTO MUN; ITA: (ITA FLT MAR) RTO SPA
NVR ENG: (ENG AMY LON) RTO WAL; FRA: (FRA AMY BUR) RTO RUH
"""),
)
def test_retreats_noted(expected: str, text: str) -> None:
    power, _, order = text.partition(": ")
    assert note(SUMMER, power, order) == expected


@pytest.mark.parametrize(
    ("expected", "text"),
    rows("""
MBV FRA: (FRA AMY PAR) BLD; FRA: (FRA FLT BRE) BLD after (FRA AMY PAR) BLD; RUS: (RUS FLT (STP NCS)) BLD
    RUS: (RUS FLT SEV) BLD; FRA: FRA WVE after FRA WVE; ENG: (ENG FLT LON) REM
NRS FRA: (FRA AMY PAR) HLD; ITA: (ITA AMY ROM) DSB
NMB ITA: (ITA AMY ROM) BLD; ITA: (FRA AMY ROM) BLD; ENG: (ENG AMY EDI) BLD; ENG: ENG WVE; ITA: FRA WVE
    FRA: (FRA AMY BRE) BLD after (FRA AMY PAR) BLD, FRA WVE; FRA: FRA WVE after (FRA AMY PAR) BLD, FRA WVE
NYU FRA: (RUS AMY MOS) BLD; FRA: RUS WVE; FRA: (RUS AMY GAL) BLD
NSC FRA: (FRA AMY GAS) BLD; FRA: (FRA FLT MAO) BLD
HSC FRA: (FRA AMY SPA) BLD; FRA: (FRA AMY POR) BLD; FRA: (FRA AMY LON) BLD
YSC RUS: (RUS AMY WAR) BLD; RUS: (RUS FLT WAR) BLD
ESC FRA: (FRA AMY MAR) BLD; FRA: (FRA FLT (MAR SCS)) BLD; RUS: (RUS AMY STP) BLD after (RUS FLT (STP NCS)) BLD
CST RUS: (RUS FLT STP) BLD; RUS: (RUS FLT (STP WCS)) BLD; RUS: (RUS FLT MOS) BLD; FRA: (FRA FLT PAR) BLD
    FRA: (FRA AMY (BRE NCS)) BLD; RUS: (RUS FLT MOS) BLD after (RUS AMY MOS) BLD
NMR FRA: (FRA AMY MAR) REM; ITA: (FRA AMY MAR) REM; ENG: (ENG FLT LON) REM after (ENG FLT NTH) REM
NSU ENG: (ENG AMY LON) REM; ENG: (FRA AMY PAR) REM
NYU ENG: (FRA AMY MAR) REM
"""),
)
def test_adjustments_noted(expected: str, text: str) -> None:
    power, _, rest = text.partition(": ")
    order, *given = rest.replace(" after ", ", ").split(", ")
    assert note(WINTER, power, order, *given) == expected


def test_provinces_that_the_map_does_not_have() -> None:
    """NSP: a server may send an empty RM with a map that has not all of the standard provinces."""
    small = Map.load("pure")
    position = Position.start(small)
    winter = Position(small, Phase.parse("W1901A"), [], {"FRANCE": ["PAR", "VIE"]})
    for text, expected in {
        "(FRA AMY PAR) MTO BUR": "NSP",
        "(FRA AMY PAR) SUP (GER AMY BER) MTO BUR": "NSP",
        "(FRA AMY BUR) HLD": "NSU",
        "(FRA AMY PAR) SUP (GER AMY BUR) MTO BUR": "NSU",
        "(FRA AMY PAR) CTO BER VIA (NTH)": "NSP",
        "(FRA AMY PAR) CVY (GER AMY BER) CTO BUR": "NSF",
    }.items():
        assert note(position, "FRA", text) == expected
    fleet, army = d.Unit("ENG", "FLT", d.Place("ECH")), d.Unit("ENG", "AMY", d.Place("WAL"))
    assert note_on(d.CVY(fleet, army, "XYZ"), "ENG", DaideBoard(SPRING)) == "NSP"
    assert note_on(d.CTO(army, "XYZ", ("ECH",)), "ENG", DaideBoard(SPRING)) == "NSP"
    assert note(winter, "FRA", "(FRA AMY BRE) BLD") == "NSP"
    assert note(winter, "FRA", "(FRA AMY PAR) BLD") == "MBV"


def troubled_map(choose: Chooser) -> Map:
    """A small map with split coasts, and with a token of its own for every power."""
    map = small_map(choose)
    while not any(province.coasts for province in map.provinces):
        map = small_map(choose)
    _, parts = map.__reduce__()
    name, title, phase, powers, *rest = parts
    return Map(name, title, phase, {power: f"P{number}X" for number, power in enumerate(powers)}, *rest)


def random_order(position: Position, choose: Chooser) -> d.Order:
    """Any order, mostly for a unit that is there, and seldom a good one."""
    known = names(position.map)
    provinces = list(known.tokens.values())
    units = [known.unit_value(unit) for unit in position.units]
    units += [known.unit_value(dislodged.unit) for dislodged in position.dislodged]
    nowhere = d.Place(choose.choice(provinces), None)
    units.append(d.Unit(choose.choice(list(known.powers)), choose.choice(("AMY", "FLT")), nowhere))
    unit, other = choose.choice(units), choose.choice(units)
    location = choose.choice(position.map.locations)
    spot = known.place(location.name)
    goal = choose.choice(provinces)
    seas = tuple(choose.choice(provinces) for _ in range(choose.choice((1, 1, 2, 3))))
    build = d.Unit(unit.power, choose.choice(("AMY", "FLT")), spot)
    orders: tuple[d.Order, ...] = (
        d.HLD(unit),
        d.MTO(unit, spot),
        d.SUP(unit, other, None),
        d.SUP(unit, other, goal),
        d.CVY(unit, other, goal),
        d.CTO(unit, goal, seas),
        d.RTO(unit, spot),
        d.DSB(unit),
        d.REM(unit),
        d.BLD(build),
        d.WVE(unit.power),
    )
    return choose.choice(orders)


@pytest.mark.parametrize("flavour", sorted(FLAVOURS))
def test_legal_orders_are_taken_and_taken_orders_are_legal(flavour: str) -> None:
    """The notes and the rules say the same, on the standard map and on small ones with trouble."""
    taken = refused = 0
    for seed in range(2):
        choose = Seeded(f"{flavour} {seed}")
        boards = [Map.standard(), troubled_map(choose)]
        for map in boards:
            start, _ = scene(map, flavour, choose)
            for position, _ in phases(start, choose, 3):
                board = DaideBoard(position)
                for power, places in listed_orders(position).items():
                    token = map.tags[power]
                    for order in (order for orders in places.values() for order in orders):
                        value = value_of(order, power, position)
                        assert note_on(value, token, board) == "MBV", (
                            position_to_daide(position),
                            str(value),
                        )
                for _ in range(150):
                    value = random_order(position, choose)
                    token = value.power if isinstance(value, d.WVE) else value.unit.power
                    if note_on(value, token, board) != "MBV":
                        refused += 1
                        continue
                    taken += 1
                    if isinstance(value, d.WVE):
                        continue
                    power, order = order_of(value, map)
                    assert power == map.power(token)
                    # Where routes are given, fleets may convoy that the rules of DATC find needless.
                    submitted = submit(position, {power: [order]}, given_routes=True)
                    assert not submitted.orders[0].fault, (position_to_daide(position), str(value))
    assert taken > 25 and refused > 250
