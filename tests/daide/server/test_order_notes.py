"""The note on every submitted order: each cause of LANGUAGE.md, section 6, and which of several counts."""

from __future__ import annotations

from typing import Any

import pytest

from bordeaux import Map, Phase, Position
from bordeaux.board.submission import submit
from bordeaux.daide import language as d
from bordeaux.daide.server.orders import DaideBoard, note_on
from bordeaux.daide.translate import names, order_of, value_of
from bordeaux.formats.daide import position_to_daide
from tests.daide.server.scene import place
from tests.oracle.choosers import Chooser, Seeded
from tests.oracle.scenarios import FLAVOURS
from tests.rules.maps import small_map
from tests.rules.playing import listed_orders, phases, scene

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(ENG FLT LON) HLD", "MBV"),
        ("(ENG FLT LON) MTO YOR", "MBV"),
        ("(ENG FLT LON) SUP (ENG FLT ECH)", "MBV"),
        ("(ENG FLT LON) SUP (FRA FLT MAO) MTO ECH", "MBV"),
        ("(ENG FLT NTH) SUP (ENG AMY WAL) MTO BEL", "MBV"),
        ("(ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL", "MBV"),
        ("(ENG FLT ECH) CVY (FRA AMY PAR) CTO LON", "FAR"),
        ("(ENG AMY WAL) CTO BEL VIA (ECH)", "MBV"),
        ("(ENG AMY WAL) CTO NWY VIA (ECH NTH)", "MBV"),
        ("(ENG AMY WAL) CTO SPA VIA (ECH MAO)", "MBV"),
        # A route may be longer than it need be.
        ("(ENG AMY WAL) CTO BEL VIA (ECH NTH)", "MBV"),
        ("(ENG FLT NTH) CVY (ENG AMY WAL) CTO BEL", "MBV"),
        # order type wrong for the season
        ("(ENG FLT LON) RTO YOR", "NRS"),
        ("(ENG FLT LON) DSB", "NRS"),
        ("(ENG FLT LON) REM", "NRS"),
        ("(ENG FLT LON) BLD", "NRS"),
        ("ENG WVE", "NRS"),
        ("(FRA FLT LON) RTO YOR", "NRS"),
        # no such unit, as NOW spells it
        ("(ENG FLT YOR) HLD", "NSU"),
        ("(ENG AMY LON) HLD", "NSU"),
        ("(FRA FLT LON) HLD", "NSU"),
        ("(FRA FLT SPA) HLD", "NSU"),
        ("(FRA FLT (SPA NCS)) HLD", "NSU"),
        ("(FRA FLT YOR) MTO PAR", "NSU"),
        # not your unit, before anything that is wrong with the order
        ("(FRA AMY PAR) MTO BUR", "NYU"),
        ("(FRA AMY PAR) MTO LON", "NYU"),
        ("(FRA AMY PAR) SUP (FRA AMY BUR)", "NYU"),
        ("(FRA AMY PAR) CTO LON VIA (NTH)", "NYU"),
        # moves that cannot be
        ("(ENG FLT LON) MTO MUN", "FAR"),
        ("(ENG FLT LON) MTO LON", "FAR"),
        ("(ENG AMY WAL) MTO BEL", "FAR"),
        ("(ENG AMY WAL) MTO ECH", "FAR"),
        ("(ENG FLT ECH) MTO (BRE NCS)", "FAR"),
        # supports
        ("(ENG FLT LON) SUP (ENG FLT YOR)", "NSU"),
        ("(ENG FLT LON) SUP (FRA FLT ECH)", "NSU"),
        ("(ENG FLT LON) SUP (FRA FLT YOR) MTO MUN", "NSU"),
        ("(ENG FLT LON) SUP (ENG FLT NWG)", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT LON)", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT NTH) MTO LON", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT LON) MTO ECH", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT NTH) MTO NTH", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT NTH) MTO BEL", "FAR"),
        ("(ENG FLT LON) SUP (ENG FLT NWG) MTO YOR", "FAR"),
        ("(ENG FLT NTH) SUP (FRA AMY PAR) MTO BEL", "FAR"),
        ("(ENG FLT NTH) SUP (RUS FLT SKA) MTO SWE", "FAR"),
        # convoys: partner, fleet, sea, army, reach
        ("(ENG FLT ECH) CVY (ENG AMY YOR) CTO BEL", "NSU"),
        ("(ENG AMY WAL) CVY (ENG AMY YOR) CTO BEL", "NSU"),
        ("(ENG AMY WAL) CVY (ENG FLT LON) CTO BEL", "NSF"),
        ("(ENG AMY WAL) CVY (ENG AMY LVP) CTO BEL", "NSF"),
        ("(ENG FLT LON) CVY (ENG FLT NTH) CTO BEL", "NAS"),
        ("(ENG FLT LON) CVY (ENG AMY WAL) CTO BEL", "NAS"),
        ("(ENG FLT ECH) CVY (ENG FLT LON) CTO BEL", "NSA"),
        ("(ENG FLT NWG) CVY (ENG AMY WAL) CTO BEL", "FAR"),
        ("(ENG FLT ECH) CVY (ENG AMY WAL) CTO WAL", "FAR"),
        ("(ENG FLT ECH) CVY (ENG AMY WAL) CTO MUN", "FAR"),
        # moves by convoy: army, then step by step fleet, sea, reach
        ("(ENG FLT LON) CTO BEL VIA (NTH)", "NSA"),
        ("(ENG FLT LON) CTO BEL VIA (IRI)", "NSA"),
        ("(ENG AMY WAL) CTO BEL VIA (IRI)", "NSF"),
        ("(ENG AMY WAL) CTO BEL VIA (LVP)", "NSF"),
        ("(ENG AMY WAL) CTO BEL VIA (LON)", "NAS"),
        ("(ENG AMY WAL) CTO BEL VIA (NTH)", "FAR"),
        ("(ENG AMY WAL) CTO BEL VIA (NTH IRI)", "FAR"),
        ("(ENG AMY WAL) CTO BEL VIA (ECH IRI)", "NSF"),
        ("(ENG AMY WAL) CTO BEL VIA (ECH NWG)", "FAR"),
        ("(ENG AMY WAL) CTO NWY VIA (ECH)", "FAR"),
        ("(ENG AMY WAL) CTO WAL VIA (ECH)", "FAR"),
        ("(ENG AMY WAL) CTO NWY VIA (ECH NTH NWG NTH)", "FAR"),
        ("(ENG AMY WAL) CTO MUN VIA (ECH)", "FAR"),
        ("(ENG AMY WAL) CTO NTH VIA (ECH)", "FAR"),
    ],
)
def test_movement(text: str, expected: str) -> None:
    assert note(SPRING, "ENG", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # A move to a province with coasts names one that it can reach.
        ("(FRA FLT MAO) MTO SPA", "FAR"),
        ("(FRA FLT GOL) MTO (SPA NCS)", "FAR"),
        ("(FRA FLT GOL) MTO (SPA WCS)", "FAR"),
        ("(FRA AMY MAR) MTO (SPA SCS)", "FAR"),
        ("(FRA AMY MAR) MTO SPA", "MBV"),
        # A support names none, and either coast will do.
        ("(FRA FLT GOL) SUP (FRA FLT MAO) MTO SPA", "MBV"),
        ("(FRA FLT MAO) SUP (FRA FLT (SPA SCS))", "MBV"),
        ("(FRA FLT MAO) SUP (FRA FLT SPA)", "NSU"),
        # A fleet cannot be carried by the very fleet that supports it; nor an army.
        ("(FRA FLT GOL) SUP (ITA AMY TUN) MTO SPA", "MBV"),
        ("(FRA FLT MAO) SUP (ENG AMY WAL) MTO SPA", "FAR"),
    ],
)
def test_coasts_and_convoyed_partners(text: str, expected: str) -> None:
    assert note(SPRING, "FRA", text) == expected


@pytest.mark.parametrize(
    ("power", "text", "expected"),
    [
        ("ENG", "(ENG AMY LON) RTO YOR", "MBV"),
        ("ENG", "(ENG AMY LON) DSB", "MBV"),
        ("ITA", "(ITA FLT MAR) RTO (SPA SCS)", "MBV"),
        ("FRA", "(FRA AMY BUR) DSB", "MBV"),
        ("ENG", "(ENG AMY LON) HLD", "NRS"),
        ("ENG", "(FRA AMY PAR) MTO BUR", "NRS"),
        ("ENG", "ENG WVE", "NRS"),
        ("ENG", "(ENG FLT ECH) RTO NTH", "NRN"),
        ("ENG", "(FRA AMY PAR) DSB", "NRN"),
        ("ENG", "(ENG FLT LON) DSB", "NRN"),
        ("ENG", "(ITA FLT MAR) RTO GOL", "NYU"),
        ("ENG", "(ITA FLT MAR) RTO LON", "NYU"),
        ("ENG", "(ENG AMY LON) RTO MUN", "FAR"),
        ("ITA", "(ITA FLT MAR) RTO SPA", "FAR"),
        ("ENG", "(ENG AMY LON) RTO WAL", "NVR"),
        ("FRA", "(FRA AMY BUR) RTO RUH", "NVR"),
    ],
)
def test_retreats(power: str, text: str, expected: str) -> None:
    assert note(SUMMER, power, text) == expected


@pytest.mark.parametrize(
    ("power", "text", "given", "expected"),
    [
        ("FRA", "(FRA AMY PAR) BLD", (), "MBV"),
        ("FRA", "(FRA FLT BRE) BLD", ("(FRA AMY PAR) BLD",), "MBV"),
        ("RUS", "(RUS FLT (STP NCS)) BLD", (), "MBV"),
        ("RUS", "(RUS FLT SEV) BLD", (), "MBV"),
        ("FRA", "FRA WVE", ("FRA WVE",), "MBV"),
        ("ENG", "(ENG FLT LON) REM", (), "MBV"),
        ("FRA", "(FRA AMY PAR) HLD", (), "NRS"),
        ("ITA", "(ITA AMY ROM) DSB", (), "NRS"),
        # no more builds, whoever builds what
        ("ITA", "(ITA AMY ROM) BLD", (), "NMB"),
        ("ITA", "(FRA AMY ROM) BLD", (), "NMB"),
        ("ENG", "(ENG AMY EDI) BLD", (), "NMB"),
        ("ENG", "ENG WVE", (), "NMB"),
        ("ITA", "FRA WVE", (), "NMB"),
        ("FRA", "(FRA AMY BRE) BLD", ("(FRA AMY PAR) BLD", "FRA WVE"), "NMB"),
        ("FRA", "FRA WVE", ("(FRA AMY PAR) BLD", "FRA WVE"), "NMB"),
        ("FRA", "(RUS AMY MOS) BLD", (), "NYU"),
        ("FRA", "RUS WVE", (), "NYU"),
        ("FRA", "(RUS AMY GAL) BLD", (), "NYU"),
        # where it is built: centre, home, owned, empty, coast
        ("FRA", "(FRA AMY GAS) BLD", (), "NSC"),
        ("FRA", "(FRA FLT MAO) BLD", (), "NSC"),
        ("FRA", "(FRA AMY SPA) BLD", (), "HSC"),
        ("FRA", "(FRA AMY POR) BLD", (), "HSC"),
        ("FRA", "(FRA AMY LON) BLD", (), "HSC"),
        ("RUS", "(RUS AMY WAR) BLD", (), "YSC"),
        ("RUS", "(RUS FLT WAR) BLD", (), "YSC"),
        ("FRA", "(FRA AMY MAR) BLD", (), "ESC"),
        ("FRA", "(FRA FLT (MAR SCS)) BLD", (), "ESC"),
        ("RUS", "(RUS FLT STP) BLD", (), "CST"),
        ("RUS", "(RUS FLT (STP WCS)) BLD", (), "CST"),
        ("RUS", "(RUS FLT MOS) BLD", (), "CST"),
        ("FRA", "(FRA FLT PAR) BLD", (), "CST"),
        ("FRA", "(FRA AMY (BRE NCS)) BLD", (), "CST"),
        ("RUS", "(RUS FLT MOS) BLD", ("(RUS AMY MOS) BLD",), "CST"),
        ("RUS", "(RUS AMY STP) BLD", ("(RUS FLT (STP NCS)) BLD",), "ESC"),
        # removals
        ("FRA", "(FRA AMY MAR) REM", (), "NMR"),
        ("ITA", "(FRA AMY MAR) REM", (), "NMR"),
        ("ENG", "(ENG FLT LON) REM", ("(ENG FLT NTH) REM",), "NMR"),
        ("ENG", "(ENG AMY LON) REM", (), "NSU"),
        ("ENG", "(FRA AMY PAR) REM", (), "NSU"),
        ("ENG", "(FRA AMY MAR) REM", (), "NYU"),
    ],
)
def test_adjustments(power: str, text: str, given: tuple[str, ...], expected: str) -> None:
    assert note(WINTER, power, text, *given) == expected


def test_every_note_has_its_case() -> None:
    tests: tuple[Any, ...] = (test_movement, test_retreats, test_adjustments)
    notes = {row[-1] for test in tests for mark in test.pytestmark for row in mark.args[1]}
    listed = "MBV FAR NSP NSU NAS NSF NSA NYU NRN NVR YSC ESC HSC NSC CST NMB NMR NRS"
    assert sorted(notes | {"NSP"}) == sorted(listed.split())


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
    for seed in range(4):
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
    assert taken > 50 and refused > 500
