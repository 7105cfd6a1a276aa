"""Retreats and adjustments: every option is tried, and what counts for the next year is chosen."""

from __future__ import annotations

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


AUSTRIA = {"AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE", "BUL"]}


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
