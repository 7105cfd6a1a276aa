"""The DAIDE rule set: the same adjudicator with named options (the overview of DAIDE, section 4)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from bordeaux import BordeauxError, Map, Order, Position, Unit, adjudicate
from bordeaux.board.order import OrderKind
from bordeaux.rules.rulesets import DAIDE, DATC, KEEP_DISLODGED, LAND_ROUTE, rules_named
from tests import oracle
from tests.daide.recorded import order_from_daide
from tests.oracle.board import province_of
from tests.oracle.scenarios import FLAVOURS, Seeded, scenario
from tests.rules.bridge import board, core

MAP = Map.standard()


def board_with(**units: list[str]) -> Position:
    placed = [Unit(power, text[0], text[2:]) for power, given in units.items() for text in given]
    return Position(MAP, "S1901M", placed, {})


def by_power(*texts: str) -> dict[str, list[Order]]:
    orders: dict[str, list[Order]] = {}
    for text in texts:
        power, order = order_from_daide(text, MAP)
        orders.setdefault(power, []).append(order)
    return orders


def test_a_convoy_without_its_route_is_a_misorder() -> None:
    position = board_with(ENGLAND=["A LON", "F NTH"])
    orders = {"ENGLAND": ["A LON - NWY VIA", "F NTH C A LON - NWY"]}
    assert adjudicate(position, orders, DATC).results["A LON"] == []
    assert adjudicate(position, orders, DAIDE).results["A LON"] == ["void"]


def test_a_convoy_goes_by_the_route_that_it_names_alone() -> None:
    """Two ways from London to Belgium; the one that was named is broken."""
    position = board_with(ENGLAND=["A LON", "F NTH", "F ENG"], FRANCE=["F BRE", "F MAO"])
    orders = by_power(
        "(ENG AMY LON) CTO BEL VIA (ECH)",
        "(ENG FLT ECH) CVY (ENG AMY LON) CTO BEL",
        "(ENG FLT NTH) CVY (ENG AMY LON) CTO BEL",
        "(FRA FLT BRE) MTO ECH",
        "(FRA FLT MAO) SUP (FRA FLT BRE) MTO ECH",
    )
    assert adjudicate(position, orders, DATC).results["A LON"] == []
    daide = adjudicate(position, orders, DAIDE)
    assert daide.results["A LON"] == ["disrupted"]
    assert daide.results["F NTH"] == ["void"]


def test_every_fleet_of_the_route_is_needed() -> None:
    position = board_with(ENGLAND=["A LON", "F NTH", "F NWG"])
    orders = by_power("(ENG AMY LON) CTO NWY VIA (NTH NWG)", "(ENG FLT NTH) CVY (ENG AMY LON) CTO NWY")
    assert adjudicate(position, orders, DAIDE).results["A LON"] == ["no convoy"]
    orders = by_power("(ENG AMY LON) CTO NWY VIA (NWG)", "(ENG FLT NTH) CVY (ENG AMY LON) CTO NWY")
    assert adjudicate(position, orders, DAIDE).results["A LON"] == ["no convoy"]


def test_a_route_may_be_longer_than_it_need_be() -> None:
    """Both fleets of WAL - ECH - NTH - BEL are needed, although ECH alone could do it."""
    position = board_with(ENGLAND=["A WAL", "F NTH", "F ENG"], FRANCE=["F HOL", "F HEL"])
    orders = by_power(
        "(ENG AMY WAL) CTO BEL VIA (ECH NTH)",
        "(ENG FLT ECH) CVY (ENG AMY WAL) CTO BEL",
        "(ENG FLT NTH) CVY (ENG AMY WAL) CTO BEL",
    )
    assert adjudicate(position, orders, DATC).results["F NTH"] == ["void"]
    assert adjudicate(position, orders, DAIDE).results == {
        "A WAL": [], "F NTH": [], "F ENG": [], "F HOL": [], "F HEL": []
    }  # fmt: skip
    attack = by_power("(FRA FLT HOL) MTO NTH", "(FRA FLT HEL) SUP (FRA FLT HOL) MTO NTH")
    assert adjudicate(position, {**orders, **attack}, DAIDE).results["A WAL"] == ["disrupted"]


def test_what_no_route_could_name_is_no_convoy() -> None:
    position = board_with(ENGLAND=["A WAL", "A YOR", "F IRI", "F BLA", "F LON"], FRANCE=["F ENG"])
    for text in (
        "(ENG FLT BLA) CVY (ENG AMY WAL) CTO BEL",
        "(ENG FLT LON) CVY (ENG AMY WAL) CTO BEL",
        "(ENG FLT IRI) CVY (ENG AMY WAL) CTO WAL",
        "(ENG FLT IRI) CVY (ENG AMY WAL) CTO MUN",
        "(ENG FLT IRI) CVY (ENG AMY YOR) CTO BEL",
        "(ENG FLT IRI) CVY (FRA FLT ECH) CTO BEL",
    ):
        (orders,) = by_power(text).values()
        unit = f"F {orders[0].location}"
        assert adjudicate(position, {"ENGLAND": orders}, DAIDE).results[unit] == ["void"], text
    (orders,) = by_power("(ENG FLT IRI) CVY (ENG AMY WAL) CTO BEL").values()
    assert adjudicate(position, {"FRANCE": orders}, DAIDE).by_power["FRANCE"]["F IRI"].words == ["void"]


def test_an_army_walks_unless_it_says_otherwise() -> None:
    """DATC 4.A.3: without VIA, the own fleet's convoy is reason enough here, and none for DAIDE."""
    position = board_with(ENGLAND=["A BEL", "F NTH"], FRANCE=["A HOL"])
    orders = {"ENGLAND": ["A BEL - HOL", "F NTH C A BEL - HOL"], "FRANCE": ["A HOL - BEL"]}
    assert adjudicate(position, orders, DATC).results["A HOL"] == []
    assert adjudicate(position, orders, DAIDE).results["A HOL"] == ["bounce"]


def test_the_second_amendment_is_a_rule_of_both_sets() -> None:
    """The overview of DAIDE: F DEN bounces and is not dislodged, though an own fleet supports the attack on
    it."""
    position = board_with(ENGLAND=["F DEN", "F SKA"], RUSSIA=["F SWE", "F BAL"], GERMANY=["F KIE", "F HEL"])
    orders = {
        "ENGLAND": ["F DEN - KIE", "F SKA S F SWE - DEN"],
        "RUSSIA": ["F SWE - DEN", "F BAL S F SWE - DEN"],
        "GERMANY": ["F KIE - DEN", "F HEL S F KIE - DEN"],
    }
    for rules in (DATC, DAIDE):
        assert adjudicate(position, orders, rules).results["F DEN"] == ["bounce"]


def test_an_army_walks_where_nobody_convoys_it() -> None:
    """Without the rule DATC has it stay (6.G.8), or calls its order void."""
    position = board_with(FRANCE=["A MAR", "F LYO"], ITALY=["A ROM"], ENGLAND=["A LON", "A WAL", "F ENG"])
    orders = {"FRANCE": ["A MAR - SPA VIA"], "ITALY": ["A ROM - TUS VIA"], "ENGLAND": ["A LON - BEL VIA"]}
    results = adjudicate(position, orders).results
    assert (results["A MAR"], results["A ROM"], results["A LON"]) == (["no convoy"], ["void"], ["no convoy"])
    results = adjudicate(position, orders, LAND_ROUTE).results
    assert (results["A MAR"], results["A ROM"], results["A LON"]) == ([], [], ["no convoy"])


def test_an_army_that_is_convoyed_does_not_walk() -> None:
    """Its convoy is broken, and it says VIA or a fleet of its own power means it."""
    position = board_with(FRANCE=["A MAR", "F LYO"], ITALY=["F TYS", "F WES"])
    attack = {"ITALY": ["F TYS - LYO", "F WES S F TYS - LYO"]}
    for text in ("A MAR - SPA VIA", "A MAR - SPA"):
        orders = {"FRANCE": [text, "F LYO C A MAR - SPA"], **attack}
        assert adjudicate(position, orders, LAND_ROUTE).results["A MAR"] == ["disrupted"]
    foreign = {"FRANCE": ["A MAR - SPA"], "ITALY": ["F WES C A MAR - SPA"]}
    position = board_with(FRANCE=["A MAR", "F WES"], ITALY=["F LYO"])
    assert adjudicate(position, foreign, LAND_ROUTE).results["A MAR"] == []


def test_half_a_chain_of_fleets_is_no_convoy() -> None:
    """From Apulia to Rome by the Ionian and the Tyrrhenian: one of the two does not help."""
    position = board_with(ITALY=["A APU", "F ION", "F TYS"])
    for move in ("A APU - ROM VIA", "A APU - ROM"):
        orders = {"ITALY": [move, "F ION C A APU - ROM"]}
        assert adjudicate(position, orders, DATC).results["A APU"] == ["no convoy"]
        assert adjudicate(position, orders, LAND_ROUTE).results["A APU"] == []
        orders["ITALY"].append("F TYS C A APU - ROM")
        by_sea = adjudicate(position, orders, LAND_ROUTE)
        assert by_sea.reasons["A APU"] == "moved to ROM by convoy"


def test_dislodged_units_without_a_retreat_wait_for_theirs() -> None:
    position = board_with(
        FRANCE=["A BUR", "A RUH", "A BOH", "A TYR", "A BER", "A KIE", "A SIL", "A APU", "A NAP"],
        GERMANY=["A MUN"],
        ITALY=["A ROM"],
    )
    orders = {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}
    assert str(adjudicate(position, orders).after.phase) == "F1901M"
    kept = adjudicate(position, orders, KEEP_DISLODGED)
    assert str(kept.after.phase) == "S1901R"
    assert [(str(unit), places) for unit, places in kept.after.dislodged] == [("A MUN", ())]
    assert kept.reasons["A MUN"].endswith("; it has nowhere to retreat to")
    assert (
        kept.after.next({}) == kept.after.next({"GERMANY": ["A MUN D"]}) == adjudicate(position, orders).after
    )
    orders["FRANCE"] += ["A APU - ROM", "A NAP S A APU - ROM"]
    both = adjudicate(position, orders, KEEP_DISLODGED).after
    assert [(str(unit), bool(places)) for unit, places in both.dislodged] == [
        ("A MUN", False),
        ("A ROM", True),
    ]


def test_rules_by_their_names() -> None:
    assert rules_named("datc") is DATC
    assert rules_named(" DAIDE ") is DAIDE
    both = rules_named("land-route,keep-dislodged")
    assert (both.land_route, both.keep_dislodged, both.given_routes) == (True, True, False)
    with pytest.raises(BordeauxError, match=r"no rules 'datk'; did you mean 'datc'\? \(datc, daide, "):
        rules_named("datk")
    with pytest.raises(BordeauxError, match="take one of them"):
        rules_named("daide,land-route")


PHASES = 150


def test_retreats() -> None:
    game_map = Map.standard()
    seen = 0
    for seed in range(PHASES):
        choose = Seeded(seed)
        flavour = FLAVOURS[choose.choice(("supports", "knots", "coasts", "paradoxes"))]
        position = core(scenario(board(game_map), game_map.powers, flavour, choose), game_map).after
        if position.phase.kind != "R":
            continue
        seen += 1
        orders: dict[str, list[Order]] = {}
        for dislodged in position.dislodged:
            unit = dislodged.unit
            goals = [*dislodged.retreats, "", choose.choice(game_map.adjacent(unit.kind, unit.location))]
            # Two units that may go to the same place are to try it often.
            others = {goal for other in position.dislodged if other != dislodged for goal in other.retreats}
            wanted = [goal for goal in dislodged.retreats if goal in others]
            goal = choose.choice(wanted if wanted and choose.chance(50) else goals)
            kind = OrderKind.RETREAT if goal else OrderKind.DISBAND
            orders.setdefault(unit.power, []).append(Order(kind, unit.kind, unit.location, destination=goal))
        truth = oracle.retreat(
            [oracle.Unit(*unit) for unit in position.units],
            {dislodged.unit.province: oracle.Unit(*dislodged.unit) for dislodged in position.dislodged},
            {dislodged.unit.province: dislodged.retreats for dislodged in position.dislodged},
            {power: list(map(str, given)) for power, given in orders.items()},
        )
        after = adjudicate(position, orders).after
        assert names(after.units) == names(truth.units), (seed, orders)
    assert seen > PHASES // 4


def test_adjustments() -> None:
    game_map = Map.standard()
    places = [(location.kind, location.name) for location in game_map.locations]
    for seed in range(PHASES):
        choose = Seeded(seed)
        units: dict[str, Unit] = {}
        for _ in range(choose.choice((5, 20, 35))):
            kind, place = choose.choice(places)
            units.setdefault(province_of(place), Unit(choose.choice(game_map.powers), kind, place))
        centres: dict[str, list[str]] = {}
        for centre in game_map.centres:
            own = [power for power in game_map.powers if centre in game_map.homes[power]]
            if centre in units:
                centres.setdefault(units[centre].power, []).append(centre)
            elif choose.chance(70):
                power = own[0] if own and choose.chance(60) else choose.choice(game_map.powers)
                centres.setdefault(power, []).append(centre)
        position = Position(game_map, "W1901A", units.values(), centres)
        orders = {power: adjustment_orders(game_map, power, units, choose) for power in game_map.powers}
        resolution = adjudicate(position, orders)
        standing = [oracle.Unit(*unit) for unit in position.units]
        for power, given in orders.items():
            truth = oracle.adjust(board(game_map), power, standing, centres, list(map(str, given)))
            standing = truth.units
        assert names(resolution.after.units) == names(standing), (seed, orders)


def adjustment_orders(game_map: Map, power: str, units: dict[str, Unit], choose: Seeded) -> list[Order]:
    """Some builds at home and some removals, more or fewer than are due."""
    orders = []
    for home in game_map.homes[power]:
        options = [location for location in game_map.locations if province_of(location.name) == home]
        place = choose.choice(options)
        if choose.chance(60):
            orders.append(Order(OrderKind.BUILD, place.kind, place.name))
    for unit in units.values():
        if choose.chance(40 if unit.power == power else 2):
            orders.append(Order(OrderKind.DISBAND, unit.kind, unit.location))
    return orders


def names(units: Iterable[Any]) -> set[tuple[str, str]]:
    return {(unit.power, str(unit)) for unit in units}
