"""DiploBot: what its description says, and sound orders everywhere."""

from __future__ import annotations

from bordeaux import Position
from tests.players.playing import orders_for, standard


def texts(position: Position, power: str, seed: int = 0) -> list[str]:
    return [str(order) for order in orders_for("diplobot", position, power, seed)]


def test_it_builds_at_the_most_threatened_empty_centre() -> None:
    centres = {"GERMANY": ["BER", "KIE", "MUN"]}
    near_munich = standard(
        "W1905A", {"GERMANY": ["A RUH", "A PRU"], "FRANCE": ["A BUR"], "ITALY": ["A TYR"]}, centres
    )
    assert texts(near_munich, "GERMANY") == ["A MUN B"]
    near_berlin = standard("W1905A", {"GERMANY": ["A RUH", "A HOL"], "RUSSIA": ["A PRU", "F BAL"]}, centres)
    assert texts(near_berlin, "GERMANY")[0] in ("A BER B", "F BER B")


def test_it_builds_armies_and_fleets_as_there_is_land_and_sea_around() -> None:
    # Around Edinburgh lie three lands and two seas, around Trieste five and one, around Munich no sea.
    for power, taken, home, share in (
        ("ENGLAND", ("LON", "LVP"), "EDI", 2 / 5),
        ("AUSTRIA", ("VIE", "BUD"), "TRI", 1 / 6),
        ("GERMANY", ("BER", "KIE"), "MUN", 0.0),
    ):
        position = standard("W1905A", {power: [f"A {tag}" for tag in taken]}, {power: [*taken, home]})
        built = [texts(position, power, seed) for seed in range(200)]
        assert {order for (order,) in built} <= {f"A {home} B", f"F {home} B"}
        assert abs(built.count([f"F {home} B"]) / 200 - share) < 0.1


def test_the_unit_farthest_from_home_is_removed() -> None:
    position = standard(
        "W1905A", {"FRANCE": ["A PAR", "A MUN", "A MOS", "F ENG"]}, {"FRANCE": ["PAR", "MUN", "MOS"]}
    )
    assert texts(position, "FRANCE") == ["A MOS D"]


def test_an_own_centre_in_danger_in_fall_is_held_with_support() -> None:
    units = {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A PIC"]}
    ours = ["PAR", "BRE", "MAR", "SPA", "POR"]
    position = standard("F1905M", units, {"FRANCE": ours, "GERMANY": ["MUN", "BEL"]})
    assert texts(position, "FRANCE") == ["A GAS S A PAR", "A PAR H"]


def test_a_centre_that_nobody_guards_is_taken() -> None:
    position = standard("F1905M", {"FRANCE": ["A GAS"]}, {"FRANCE": ["PAR"], "GERMANY": ["MUN"]})
    assert texts(position, "FRANCE") in (["A GAS - SPA"], ["A GAS - BRE"], ["A GAS - MAR"])
