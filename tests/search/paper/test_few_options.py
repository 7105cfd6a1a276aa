"""Retreats and adjustments: every option is tried, and what counts for the next year is chosen."""

from __future__ import annotations

import pytest

from bordeaux import Engine, Position

from .boards import board, chosen

NODES = 6000


def all_of(position: Position, power: str, nodes: int = NODES) -> tuple[str, ...]:
    """The one answer of all random seeds."""
    (orders,) = set(chosen(position, power, nodes))
    return orders


def beaten(position: Position, **orders: list[str]) -> Position:
    return position.next(orders)


def test_a_retreat_in_fall_goes_to_a_free_centre() -> None:
    """It becomes ours: Budapest's army to Serbia, Burgundy's to Belgium."""
    east = board(
        "F1903M",
        {
            "AUSTRIA": ["VIE", "BUD", "TRI"],
            "RUSSIA": ["WAR", "MOS", "SEV", "RUM"],
            "TURKEY": ["CON", "ANK", "SMY", "BUL"],
        },
        {"AUSTRIA": ["A BUD", "A VIE"], "RUSSIA": ["A RUM", "A GAL", "A UKR"], "TURKEY": ["A BUL"]},
    )
    after = beaten(east, RUSSIA=["A RUM - BUD", "A GAL S A RUM - BUD"])
    orders = all_of(after, "AUSTRIA")
    assert orders == ("A BUD R SER",)
    assert "SER" in after.next({"AUSTRIA": orders}).centres["AUSTRIA"]
    west = board(
        "F1903M",
        {"GERMANY": ["MUN", "BER", "KIE"], "FRANCE": ["PAR", "MAR", "BRE"], "ITALY": ["VEN", "ROM", "NAP"]},
        {"GERMANY": ["A BUR", "A MUN"], "FRANCE": ["A PAR", "A MAR", "A GAS"], "ITALY": ["A PIE"]},
    )
    after = beaten(west, FRANCE=["A PAR S A GAS - BUR", "A GAS - BUR"])
    assert all_of(after, "GERMANY") == ("A BUR R BEL",)


def test_what_another_would_retreat_to_as_well_is_reckoned_with() -> None:
    """Two beaten units that want the same place both disband there: the two of one power never do."""
    position = board(
        "F1903M",
        {"AUSTRIA": ["VIE", "BUD", "SER"], "RUSSIA": ["WAR", "MOS", "SEV", "RUM"], "ITALY": ["TRI", "VEN"]},
        {
            "AUSTRIA": ["A BUD", "A SER"],
            "RUSSIA": ["A RUM", "A GAL", "A BUL", "A UKR"],
            "ITALY": ["A TRI", "F ADR", "F GRE"],
        },
    )
    after = beaten(
        position,
        RUSSIA=["A RUM - BUD", "A GAL S A RUM - BUD", "A BUL - SER"],
        ITALY=["F GRE S A BUL - SER", "A TRI S A BUL - SER"],
    )
    assert {dislodged.unit.location for dislodged in after.dislodged} == {"BUD", "SER"}
    orders = all_of(after, "AUSTRIA")
    goals = [order.split(" R ")[1] for order in orders if " R " in order]
    assert len(orders) == 2
    assert len(set(goals)) == len(goals) >= 1


EAST = {
    "RUSSIA": ["MOS", "STP", "WAR", "SEV"],
    "TURKEY": ["CON", "ANK", "SMY", "BUL", "RUM"],
    "GERMANY": ["BER", "MUN", "KIE"],
}


def test_a_unit_is_built_where_the_enemy_would_walk_in() -> None:
    position = board(
        "W1902A",
        EAST,
        {
            "RUSSIA": ["F STP/NC", "A LVN", "A MOS"],
            "TURKEY": ["A RUM", "F BLA", "A BUL"],
            "GERMANY": ["A SIL", "A PRU", "A BOH"],
        },
    )
    for (build,) in chosen(position, "RUSSIA", NODES):
        assert build in ("A SEV B", "F SEV B")


def test_as_many_are_built_as_are_due_and_there_is_room_for() -> None:
    centres = {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR"], "ITALY": ["ROM", "NAP", "VEN"]}
    italy = ["A PIE", "A VEN", "F TYS"]
    two = board("W1901A", centres, {"FRANCE": ["A SPA", "A BUR", "F POR"], "ITALY": italy})
    for orders in chosen(two, "FRANCE", NODES):
        assert len(two.next({"FRANCE": orders}).units_of("FRANCE")) == 5
    one = board("W1901A", centres, {"FRANCE": ["A PAR", "A BRE", "F POR"], "ITALY": italy})
    for orders in chosen(one, "FRANCE", NODES):
        assert one.next({"FRANCE": orders}).unit_at("MAR"), "two are due and one home is open"


WEST = {"FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "TUN"], "ITALY": ["ROM", "NAP", "VEN"]}
AUSTRIA = {"AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE", "BUL"]}


@pytest.mark.parametrize("units", [["A CON", "A ANK", "F MAO"], ["A CON", "F SMY", "A SYR"]])
def test_the_unit_at_the_gates_is_not_removed(units: list[str]) -> None:
    """In Constantinople, which falls without it."""
    position = board(
        "W1904A",
        {"TURKEY": ["CON", "ANK"], **AUSTRIA, **WEST},
        {
            "TURKEY": units,
            "AUSTRIA": ["A BUL", "F AEG", "A GRE", "A SER"],
            "FRANCE": ["A SPA", "F BRE", "F POR", "F LYO"],
            "ITALY": ["F TUN", "A VEN"],
        },
    )
    for (removal,) in chosen(position, "TURKEY", NODES):
        assert removal.endswith(" D") and removal != "A CON D"


def test_every_set_is_tried_and_the_same_seed_gives_the_same_answer() -> None:
    position = board(
        "W1901A", {"ITALY": ["ROM", "NAP", "VEN", "TUN"]}, {"ITALY": ["F TUN", "A VEN", "A PIE"]}
    )
    answers = []
    for _ in range(2):
        with Engine(seed=5, search="paper") as engine:
            answer = engine.search(position, "ITALY", nodes=NODES)
            answers.append((answer.orders, answer.value, answer.lines))
    assert answers[0] == answers[1]
    assert {line.orders[0] for line in answers[0][2]} == {"A ROM B", "F ROM B", "A NAP B", "F NAP B"}
