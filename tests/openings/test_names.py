"""Openings are called what players call them."""

import csv
from pathlib import Path

import pytest

from bordeaux import Map, Position
from bordeaux.openings import alliances_of, canonical, name_of, names, position_key
from bordeaux.openings.names import nearest
from tests.players.playing import standard


def test_every_collected_opening_has_its_name(shared_data: Path) -> None:
    with (shared_data / "openings" / "named.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert len(rows) == 59
    for row in rows:
        name = name_of(row["power"], [order.strip() for order in row["orders"].split(";")])
        assert name is not None, row


def test_names_are_canonical_and_told_once() -> None:
    start = Position.start()
    for opening in names():
        assert opening.orders <= set(canonical(start, opening.power, opening.orders)), opening
    assert len({(opening.power, opening.orders) for opening in names()}) == len(names())
    assert len({(opening.power, opening.name) for opening in names()}) == len(names())


@pytest.mark.parametrize(
    ("power", "orders", "expected"),
    [
        ("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"], "Maginot"),
        ("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"], None),
        ("ENGLAND", ["F LON - NTH", "F EDI - NWG", "A LVP - EDI"], "Churchill"),
        ("ENGLAND", ["F LON - NTH", "F EDI - NWG"], "Northern Opening"),
        ("AUSTRIA", ["F TRI - VEN", "A VIE - GAL", "A BUD - RUM"], "Hedgehog"),
        ("ENGLAND", [], None),
    ],
)
def test_what_a_set_is_called(power: str, orders: list[str], expected: str | None) -> None:
    assert name_of(power, orders) == expected
    assert name_of(power, orders, map=Map.load("pure")) is None


def test_a_hold_that_nobody_ordered_names_no_opening() -> None:
    houseboat = ["A BUD - SER", "A VIE - GAL"]
    assert name_of("AUSTRIA", [*houseboat, "F TRI H"]) == "Hungarian Houseboat"
    assert name_of("AUSTRIA", houseboat) is None and name_of("TURKEY", ["A CON - BUL", "F ANK - BLA"]) is None
    assert nearest("FRANCE", ["A PAR - BUR", "F BRE - MAO"]) == ("Maginot", 0.6667)


def test_two_powers_may_have_a_name_together() -> None:
    russia = ["F SEV - RUM", "A MOS - UKR", "A WAR - GAL"]
    turkey = ["A CON - BUL", "F ANK - CON"]
    assert alliances_of({"RUSSIA": russia, "TURKEY": turkey}) == ["Juggernaut"]
    assert alliances_of({"RUSSIA": russia}) == []
    # Without an army towards Austria it is only a fleet in Rumania, as in half of all games.
    assert alliances_of({"RUSSIA": russia[:2], "TURKEY": turkey}) == []


def test_two_ways_to_one_position_meet() -> None:
    start = Position.start()
    bounced = start.next({"ENGLAND": ["F LON - ENG"], "FRANCE": ["F BRE - ENG"]})
    held = start.next({})
    assert bounced.phase == held.phase
    assert position_key(bounced) == position_key(held)


def test_phase_units_and_owners_all_count() -> None:
    start = Position.start()
    moved = start.next({"FRANCE": ["A PAR - BUR"]})
    state = start.to_json()
    state["centers"]["FRANCE"].remove("PAR")
    lost = Position.from_json(state)
    keys = {position_key(position) for position in (start, start.next({}), moved, lost)}
    assert len(keys) == 4


START = Position.start()
MAGINOT = ("F BRE - MAO", "A MAR S A PAR - BUR", "A PAR - BUR")


@pytest.mark.parametrize(
    ("power", "given", "expected"),
    [
        ("FRANCE", ["A PAR - BUR", "a mar s a par - bur", "F BRE - MAO"], MAGINOT),
        ("FRA", ["F BRE - MAO", "A PAR - BUR", "A MAR S PAR - BUR"], MAGINOT),
        ("FRANCE", [], ("F BRE H", "A MAR H", "A PAR H")),
        ("FRANCE", ["A PAR - LON", "A PAR - PIC", "A PAR - GAS"], ("F BRE H", "A MAR H", "A PAR - PIC")),
        ("FRANCE", ["A PAR - PIC", "A MAR S A PAR - BUR"], ("F BRE H", "A MAR H", "A PAR - PIC")),
        ("FRANCE", ["A PAR H", "A MAR S A PAR"], ("F BRE H", "A MAR H", "A PAR H")),
        ("GERMANY", ["A MUN S A PAR - BUR"], ("A BER H", "F KIE H", "A MUN S A PAR - BUR")),
        ("FRANCE", ["nonsense", 7, None, "A BER - KIE"], ("F BRE H", "A MAR H", "A PAR H")),
        ("RUSSIA", ["F STP - BOT"], ("A MOS H", "F SEV H", "F STP/SC - BOT", "A WAR H")),
    ],
)
def test_movement(power: str, given: list[str], expected: tuple[str, ...]) -> None:
    assert canonical(START, power, given) == expected


def test_builds_are_sorted_and_the_rest_is_waived() -> None:
    owned = {"FRANCE": ["PAR", "MAR", "BRE", "SPA", "POR"]}
    position = standard("W1901A", {"FRANCE": ["A SPA", "F POR"]}, owned)
    assert canonical(position, "FRANCE", ["A PAR B", "F BRE B"]) == ("A PAR B", "F BRE B", "WAIVE")
    assert canonical(position, "FRANCE", ["F BRE B", "A PAR B", "WAIVE"]) == ("A PAR B", "F BRE B", "WAIVE")
    assert canonical(position, "FRANCE", ["F BRE B", "A BRE B"]) == ("F BRE B", "WAIVE", "WAIVE")
    assert canonical(position, "FRANCE", []) == ("WAIVE",) * 3


def test_a_dislodged_unit_without_an_order_disbands() -> None:
    state = {
        "name": "F1901R",
        "units": {"FRANCE": ["A BUR"], "GERMANY": ["*A PAR"]},
        "centers": {"FRANCE": ["PAR"]},
        "retreats": {"GERMANY": {"A PAR": ["GAS", "PIC"]}},
    }
    position = Position.from_json(state)
    assert canonical(position, "GERMANY", []) == ("A PAR D",)
    assert canonical(position, "GERMANY", ["A PAR - GAS"]) == ("A PAR R GAS",)
