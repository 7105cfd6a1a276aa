"""Figures of wars: what is counted in positions and turns made by hand."""

from __future__ import annotations

import pytest

from bordeaux import Map, Order
from bordeaux.arena.health import FIGURES, NAMES, examine, figures
from bordeaux.players.base import Turn
from tests.arena.test_health import Orders, turns
from tests.players.seats import standard

MAP = Map.standard()
HOLD: Orders = {"GERMANY": ["A MUN H"], "FRANCE": ["A BUR H"]}
WAR: Orders = {"GERMANY": ["A MUN - BUR"], "FRANCE": ["A BUR H"]}
OWNED = {"GERMANY": ["MUN"], "FRANCE": ["PAR"]}


def counted(power: str, *given: Turn) -> dict[str, int]:
    """What is not 0 of what is counted for a power."""
    return {name: n for name, n in examine(given)[MAP.powers.index(power)].items() if n}


def years(*phases: Orders) -> list[Turn]:
    """The movement phases of Germany in Munich and France in Burgundy, who build and remove nothing."""
    return turns(standard("S1902M", {"GERMANY": ["A MUN"], "FRANCE": ["A BUR"]}, OWNED), *phases)


def test_powers_attacked_are_each_counted_once_a_phase() -> None:
    units = {
        "GERMANY": ["A MUN", "A RUH", "A TYR"],
        "FRANCE": ["A BUR"],
        "ITALY": ["A ROM"],
        "AUSTRIA": ["A BOH"],
    }
    position = standard("S1902M", units, {"ITALY": ["VEN"], "FRANCE": ["PAR"]})
    # Two orders at France, one at an empty centre of Italy.
    both: Orders = {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A TYR - VEN"]}
    counts = counted("GERMANY", *turns(position, both))
    assert (counts["attacked"], counts["movements"]) == (2, 1)
    # Empty country of nobody, an order that may not be given, and help for a defender are no attacks.
    none: Orders = {"GERMANY": ["A MUN - KIE", "A RUH S A BUR", "A TYR - PAR"]}
    assert "attacked" not in counted("GERMANY", *turns(position, none))
    # Help against one's own friend's enemy is an attack on the enemy alone.
    helped: Orders = {"GERMANY": ["A MUN S A BOH - TYR", "A TYR H"], "AUSTRIA": ["A BOH - TYR"]}
    assert "attacked" not in counted("GERMANY", *turns(position, helped))
    assert counted("AUSTRIA", *turns(position, helped))["attacked"] == 1
    # Nor is help for a unit that goes home.
    homeward = standard("S1902M", units, {"AUSTRIA": ["VIE"]})
    guest: Orders = {"GERMANY": ["A TYR S A BOH - VIE"], "AUSTRIA": ["A BOH - VIE"]}
    assert "attacked" not in counted("GERMANY", *turns(homeward, guest))
    # Civil disorder is no phase.
    assert "movements" not in counted("FRANCE", *turns(position, both))


def test_a_mean_may_be_more_than_one_and_is_told_apart_from_shares() -> None:
    shown = figures({**dict.fromkeys(NAMES, 0), "attacked": 5, "movements": 2})
    assert shown["powers_attacked"] == {"mean": 2.5, "count": 5, "of": 2}
    assert [figure.name for figure in FIGURES if figure.mean] == ["powers_attacked"]


def peace(power: str, *given: Turn) -> tuple[int, int]:
    """Neighbours of four years, and those at peace for four years."""
    counts = counted(power, *given)
    return counts.get("neighbours", 0), counts.get("peaces", 0)


def test_four_years_without_an_attack_are_a_peace() -> None:
    assert peace("GERMANY", *years(*[HOLD] * 8)) == (1, 1)
    assert peace("FRANCE", *years(*[HOLD] * 8)) == (1, 1)
    assert peace("ITALY", *years(*[HOLD] * 8)) == (0, 0)
    # Three years and a Spring are too short to border for long, let alone for peace.
    assert peace("GERMANY", *years(*[HOLD] * 7)) == (0, 0)


@pytest.mark.parametrize("attack", range(8))
def test_one_attack_of_either_ends_a_peace_for_both(attack: int) -> None:
    played = years(*[WAR if phase == attack else HOLD for phase in range(8)])
    assert peace("GERMANY", *played) == peace("FRANCE", *played) == (1, 0)


def test_a_peace_may_come_before_or_after_a_war() -> None:
    assert peace("GERMANY", *years(*[HOLD] * 8, WAR, WAR)) == (1, 1)
    assert peace("GERMANY", *years(WAR, WAR, *[HOLD] * 8)) == (1, 1)
    assert peace("GERMANY", *years(*[HOLD] * 6, WAR, *[HOLD] * 7)) == (1, 0)


def test_powers_that_do_not_touch_are_no_neighbours() -> None:
    def apart(*phases: Orders) -> list[Turn]:
        units = {"GERMANY": ["A KIE"], "FRANCE": ["A GAS"]}
        return turns(standard("S1902M", units, {"GERMANY": ["KIE"], "FRANCE": ["BRE"]}), *phases)

    stay: Orders = {"GERMANY": ["A KIE H", "A RUH H"], "FRANCE": ["A GAS H"]}
    assert peace("GERMANY", *apart(*[stay] * 8)) == (0, 0)
    # A year apart, and the count begins again.
    away: Orders = {"GERMANY": ["A MUN - RUH"], "FRANCE": ["A BUR - GAS"]}
    back: Orders = {"GERMANY": ["A RUH - MUN"], "FRANCE": ["A GAS - BUR"]}
    assert peace("GERMANY", *years(*[HOLD] * 5, away, stay, back, *[HOLD] * 6)) == (0, 0)
    assert peace("GERMANY", *years(*[HOLD] * 5, away, stay, back, *[HOLD] * 8)) == (1, 1)


def test_attackers_go_at_a_leader_or_at_others() -> None:
    units = {"GERMANY": ["A MUN", "A RUH", "A TYR"], "FRANCE": ["A BUR"], "ITALY": ["A PIE"]}
    others = [tag for tag in MAP.centres if tag not in {"MUN", "KIE", "BER", "VEN", "ROM", "NAP"}]
    orders: Orders = {
        "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "A TYR - PIE"],
        "FRANCE": ["A BUR - MUN"],
    }
    home = ["MUN", "KIE", "BER"]

    def at(count: int) -> dict[str, int]:
        position = standard("S1905M", units, {"FRANCE": others[:count], "GERMANY": home})
        return counted("GERMANY", *turns(position, orders))

    assert (at(13)["attackers"], at(13)["at_leader"]) == (3, 2)
    assert "attackers" not in at(12)
    # The leader's own attackers do not count: nobody else leads.
    position = standard("S1905M", units, {"FRANCE": others[:13], "GERMANY": home})
    assert "attackers" not in counted("FRANCE", *turns(position, orders))


def stray(units: list[str], power: str = "GERMANY") -> tuple[int, int]:
    """The units of a power that have strayed, and all."""
    held: list[Order | str] = [f"{unit} H" for unit in units]
    owned = {power: ["WAR"], "FRANCE": ["MUN"]}
    counts = counted(power, *turns(standard("S1905M", {power: units}, owned), {power: held}))
    return counts.get("strayed", 0), counts["fielded"]


def test_units_far_from_home_alone_have_strayed() -> None:
    # Warsaw is two moves from Berlin, Ukraine three. Warsaw is an own centre, and no home.
    assert stray(["A WAR"]) == (0, 1)
    assert stray(["A UKR"]) == (1, 1)
    # A unit beside is company for both, wherever they are, and one further off is none.
    assert stray(["A UKR", "A SEV"]) == (0, 2)
    assert stray(["A UKR", "A ARM"]) == (2, 2)
    # Whose the homes are does not matter, and a fleet goes by sea.
    assert stray(["F NTH"]) == (0, 1)
    assert stray(["F IRI"]) == (1, 1)


def test_moves_that_fail_for_the_third_time_and_on() -> None:
    def vain(*phases: Orders) -> int:
        return counted("GERMANY", *years(*phases)).get("in_vain", 0)

    assert [vain(*[WAR] * number) for number in range(1, 6)] == [0, 0, 1, 2, 3]
    assert vain(WAR, WAR, HOLD, WAR) == 0
    assert vain(WAR, WAR, HOLD, WAR, WAR, WAR) == 1
    # A move that arrives is none in vain.
    away: Orders = {"GERMANY": ["A MUN - KIE"]}
    assert vain(WAR, WAR, away) == 0


def test_every_figure_of_wars_is_counted_in_any_game() -> None:
    counts = examine(years(*[WAR] * 8))[MAP.powers.index("GERMANY")]
    assert set(counts) == set(NAMES)
    assert (counts["attacked"], counts["movements"], counts["fielded"]) == (8, 8, 8)
