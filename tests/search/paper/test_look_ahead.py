"""Looking ahead (Hall and Loeb 1995, section 3.3): through retreats and builds, and into the next movement
phases. In retreats and adjustments every option is tried, and what counts for the next year is chosen."""

from __future__ import annotations

from bordeaux import Engine, Position
from bordeaux.evaluation import evaluator
from bordeaux.search.bestfirst import Maxims, search_space
from bordeaux.search.sets import from_orders

from .boards import MAP, WON, board, chosen, ends, played_on

WEST = {
    "ENGLAND": ["LON", "EDI", "LVP", "NWY", "HOL"],
    "FRANCE": ["PAR", "BRE", "MAR", "BEL", "SPA"],
    "GERMANY": ["BER", "MUN", "KIE", "DEN"],
}
CHANNEL = board(
    "F1902M",
    WEST,
    {
        "ENGLAND": ["F ENG", "F HOL", "F LON"],
        "FRANCE": ["F BEL", "A BUR", "A PAR"],
        "GERMANY": ["A MUN", "A KIE"],
    },
)
"""The paper's offensive retreat: Belgium falls with support from Holland; who keeps the North Sea?"""
ATTACK = ["F HOL - BEL", "F ENG S F HOL - BEL"]
OPEN, CLOSED = [*ATTACK, "F LON H"], [*ATTACK, "F LON - NTH"]


def french(position: Position, kind: str = "F") -> set[str]:
    return {unit.location for unit in position.units_of("FRANCE") if unit.kind == kind}


def test_the_beaten_fleet_sails_into_the_open_sea() -> None:
    """Seen in rollouts, and played when it is our own."""
    assert all("NTH" in french(end) for end in ends(CHANNEL, "ENGLAND", OPEN))
    assert not any("NTH" in french(end) for end in ends(CHANNEL, "ENGLAND", CLOSED))
    retreat = CHANNEL.next({"ENGLAND": OPEN})
    assert str(retreat.phase) == "F1902R"
    assert set(chosen(retreat, "FRANCE", 6000)) == {("F BEL R NTH",)}


def test_the_open_sea_costs_points_only_if_one_looks_ahead() -> None:
    """What closing the sea gains is more once the retreat is played; an evaluation of the position
    that the orders lead to counts the beaten fleet for nothing."""
    space = search_space(CHANNEL, "ENGLAND", evaluator(MAP), Maxims.named(()))
    at_once = [
        space.values(space.node_of(from_orders(CHANNEL, "ENGLAND", orders)), [b""])[0]
        for orders in (OPEN, CLOSED)
    ]
    later = [played_on(CHANNEL, "ENGLAND", orders, 0) for orders in (OPEN, CLOSED)]
    assert later[1] - later[0] > at_once[1] - at_once[0] + 50


def test_an_attack_that_opens_the_sea_is_not_played() -> None:
    """Whatever else is done, the third fleet closes the North Sea."""
    for orders in chosen(CHANNEL, "ENGLAND", 30_000):
        assert "F LON - NTH" in orders


HOMES = ["A VIE", "A BUD", "A TRI"]
AGAINST = {"TURKEY": ["F ION", "A BUL", "A GRE", "F AEG"], "ITALY": ["A VEN", "A ROM"]}
THEIRS = {"TURKEY": ["CON", "ANK", "SMY", "BUL", "GRE"], "ITALY": ["VEN", "ROM", "NAP"]}


def austria(phase: str, *abroad: str) -> Position:
    """Austria with an army in each of its homes, and centres abroad for which it may build."""
    return board(phase, {"AUSTRIA": ["VIE", "BUD", "TRI", *abroad], **THEIRS}, {"AUSTRIA": HOMES, **AGAINST})


LEFT = ["A TRI - ALB", "A VIE H", "A BUD H"]
STAYED = ["A TRI H", "A VIE H", "A BUD H"]
TWO_LEFT = ["A TRI - ALB", "A VIE - TYR", "A BUD H"]


def gain(position: Position, orders: list[str], instead: list[str]) -> float:
    return played_on(position, "AUSTRIA", orders) - played_on(position, "AUSTRIA", instead)


def test_a_unit_is_built_where_the_home_is_left_open() -> None:
    position = austria("F1902M", "SER")
    assert {len(end.units_of("AUSTRIA")) for end in ends(position, "AUSTRIA", LEFT)} == {4}
    assert {len(end.units_of("AUSTRIA")) for end in ends(position, "AUSTRIA", STAYED)} == {3}
    assert all(end.unit_at("TRI") is not None for end in ends(position, "AUSTRIA", LEFT))


def test_an_open_home_is_worth_more_in_fall_with_a_build_to_come() -> None:
    due = gain(austria("F1902M", "SER"), LEFT, STAYED)
    assert due > gain(austria("F1902M"), LEFT, STAYED) + 100, "than when there is none to come"
    assert due > gain(austria("S1902M", "SER"), LEFT, STAYED) + 100, "than in Spring"


def test_two_open_homes_offer_two_builds() -> None:
    """What a second open home adds to the first is more when two builds are due."""
    two = gain(austria("F1902M", "SER", "RUM"), TWO_LEFT, LEFT)
    one = gain(austria("F1902M", "SER"), TWO_LEFT, LEFT)
    assert two > one + 50


def test_a_game_is_won_at_once() -> None:
    """Turkey may take its last centre now, or later with some more: centres are no reason to wait."""
    position = board(
        "F1910M",
        {
            "TURKEY": WON,
            "ENGLAND": ["LON", "LVP", "EDI", "BRE", "PAR", "NWY", "SWE", "DEN", "HOL", "BEL", "MUN"],
        },
        {
            "ENGLAND": ["F ENG", "A PIC", "F NTH", "A KIE", "A PAR", "A BRE"],
            "TURKEY": ["A TYR", "A BOH", "A BUR", "A GAS", "A VEN", "F WES", "F MAO"],
        },
    )
    munich = ["A TYR - MUN", "A BOH S A TYR - MUN"]
    assert position.next({"TURKEY": munich}).victor == "TURKEY"
    assert played_on(position, "TURKEY", munich) > played_on(position, "TURKEY", []) + 500
    for orders in chosen(position, "TURKEY", 20_000):
        assert any(order.endswith(" - MUN") for order in orders)


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


EAST = {
    "RUSSIA": ["MOS", "STP", "WAR", "SEV"],
    "TURKEY": ["CON", "ANK", "SMY", "BUL", "RUM"],
    "GERMANY": ["BER", "MUN", "KIE"],
}


def test_a_centre_that_the_enemy_can_reach_is_covered_by_a_build() -> None:
    """In Sevastopol or beside it, and the same one by every seed."""
    position = board(
        "W1902A",
        EAST,
        {
            "RUSSIA": ["F STP/NC", "A LVN", "A MOS"],
            "TURKEY": ["A RUM", "F BLA", "A BUL"],
            "GERMANY": ["A SIL", "A PRU", "A BOH"],
        },
    )
    (build,) = all_of(position, "RUSSIA")
    assert build in ("A WAR B", "A SEV B", "F SEV B")


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
    assert {line.orders[0] for line in answers[0][2]} >= {"A ROM B", "F ROM B", "A NAP B", "F NAP B"}
