"""The grand plan: alliances, divisions, coalitions and draws."""

from __future__ import annotations

import pytest

from bordeaux import Position
from bordeaux.press.diplomat.grand_plan import (
    NEVER,
    GrandPlan,
    coalition,
    division,
    draw_wanted,
    is_over,
    leader,
    plans,
    times,
)
from bordeaux.press.language import messages as p
from tests.search.paper.boards import board

from .accounts import BALKANS, MAP

START = Position.start()
POWERS = MAP.powers
NEAR = {
    "AUSTRIA": {"GERMANY", "ITALY", "RUSSIA", "TURKEY"},
    "ENGLAND": {"FRANCE", "GERMANY", "RUSSIA"},
    "FRANCE": {"ENGLAND", "GERMANY", "ITALY"},
    "GERMANY": {"AUSTRIA", "ENGLAND", "FRANCE", "ITALY", "RUSSIA"},
    "ITALY": {"AUSTRIA", "FRANCE", "GERMANY", "TURKEY"},
    "RUSSIA": {"AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "TURKEY"},
    "TURKEY": {"AUSTRIA", "ITALY", "RUSSIA"},
}
"""Powers that people ally with, or fight, in 1901."""

#: France has 13 centres, and nobody else more than 6.
LEADING = board(
    "S1908M",
    {
        "FRANCE": ["PAR", "BRE", "MAR", "SPA", "POR", "LON", "LVP", "EDI", "BEL", "HOL", "MUN", "KIE", "TUN"],
        "RUSSIA": ["MOS", "STP", "SEV", "WAR", "NWY", "SWE"],
        "TURKEY": ["CON", "ANK", "SMY", "BUL", "RUM", "GRE"],
        "ITALY": ["ROM", "NAP", "VEN", "TRI"],
        "AUSTRIA": ["VIE", "BUD", "SER"],
        "GERMANY": ["BER", "DEN"],
    },
    {
        "FRANCE": [f"A {place}" for place in ("MUN", "KIE", "RUH", "BUR", "PIE", "HOL")]
        + [f"F {place}" for place in ("NTH", "EDI", "WES", "TYS", "LYO", "HEL")],
        "RUSSIA": ["A WAR", "A SIL", "F NWY", "F SWE", "A MOS", "F SEV"],
        "TURKEY": ["A BUL", "A RUM", "F GRE", "F ION", "A CON", "F AEG"],
        "ITALY": ["A VEN", "F NAP", "A ROM", "A TRI"],
        "AUSTRIA": ["A VIE", "A BUD", "A SER"],
        "GERMANY": ["A BER", "F DEN"],
    },
)


def shares(divided: p.Division) -> dict[str, set[str]]:
    return {share.owner: set(share.centres) for share in divided.shares}


@pytest.mark.parametrize("power", POWERS)
def test_allies_and_victims_of_1901_are_near(power: str) -> None:
    best = plans(START, power)
    assert len(best) == 30
    assert {best[0].ally, best[0].against} <= NEAR[power]
    for plan in best[:3]:
        assert plan.against in NEAR[power]
    assert [plan.value for plan in best] == sorted((plan.value for plan in best), reverse=True)
    # The juggernaut is known to all.
    if power in ("RUSSIA", "TURKEY"):
        other = "TURKEY" if power == "RUSSIA" else "RUSSIA"
        assert (other, "AUSTRIA") in [(plan.ally, plan.against) for plan in best[:3]]


def test_a_division_of_austria() -> None:
    divided = shares(division(START, "RUSSIA", "TURKEY", against=["AUSTRIA"]))
    assert {"VIE", "RUM", *START.centres["RUSSIA"]} <= divided["RUSSIA"]
    assert {"BUL", "GRE", "SER", *START.centres["TURKEY"]} <= divided["TURKEY"]
    assert not divided["RUSSIA"] & divided["TURKEY"]
    # Nobody divides what third powers have, or are nearer to.
    assert not {"BER", "VEN", "BRE", "LON", "POR", "BEL", "TUN"} & (divided["RUSSIA"] | divided["TURKEY"])


@pytest.mark.parametrize(
    "pair", [("RUSSIA", "TURKEY"), ("ENGLAND", "FRANCE"), ("AUSTRIA", "ITALY"), ("FRANCE", "GERMANY")]
)
def test_both_grow_alike_and_nobody_to_a_solo(pair: tuple[str, str]) -> None:
    divided = shares(division(START, *pair))
    grown = [len(divided[power]) - len(START.centres[power]) for power in pair]
    assert abs(grown[0] - grown[1]) <= 1 and min(grown) >= 3
    assert max(map(len, divided.values())) < MAP.majority
    # What one gets it could reach.
    for power in pair:
        moves = times(START, power)
        assert all(moves[centre] < NEVER for centre in divided[power])
    assert division(START, *pair) == division(START, *reversed(pair))


def test_nobody_leads_in_1901_and_france_does_in_1908() -> None:
    assert leader(START) is None and coalition(START) is None
    assert leader(BALKANS) is None
    assert leader(LEADING) == "FRANCE"
    united = coalition(LEADING)
    assert united is not None and united.against == "FRANCE"
    assert {"GERMANY", "ITALY", "RUSSIA"} <= set(united.members)
    assert set(united.members) | set(united.welcome) == set(LEADING.centres) - {"FRANCE"}


def test_a_coalition_ends_when_its_enemy_is_no_more_a_danger() -> None:
    united = coalition(LEADING)
    assert united is not None and not is_over(united, LEADING)
    centres = {
        **LEADING.centres,
        "FRANCE": ("PAR", "BRE", "MAR", "SPA", "POR"),
        "RUSSIA": (*LEADING.centres["RUSSIA"], "MUN", "KIE"),
    }
    units = {power: [str(unit) for unit in LEADING.units_of(power)] for power in LEADING.centres}
    beaten = board("S1911M", centres, {**units, "FRANCE": ["A BUR", "A MAR"]})
    assert is_over(united, beaten)
    gone = board(
        "S1911M",
        {power: owned for power, owned in centres.items() if power != "FRANCE"},
        {**units, "FRANCE": []},
    )
    assert is_over(united, gone)


def test_a_frozen_board_is_a_draw_for_all_but_who_leads() -> None:
    plan = GrandPlan(MAP, "TURKEY")
    centres = {power: list(owned) for power, owned in BALKANS.centres.items()}
    units = {power: [str(unit) for unit in BALKANS.units_of(power)] for power in centres}

    def drawn(*phases: str) -> list[bool]:
        wanted = []
        for phase in phases:
            plan.begin(board(phase, centres, units))
            assert plan.draw() in (None, POWERS)
            wanted.append(plan.draw() is not None)
        return wanted

    assert drawn("S1902M", "F1902M", "S1903M", "F1904M", "S1905M") == [False] * 4 + [True]
    # A centre that changes its owner in Autumn begins a new count in the year after.
    centres["RUSSIA"].append("BUL")
    centres["TURKEY"].remove("BUL")
    assert drawn("W1905A", "F1908M", "S1909M") == [False, False, True]
    assert draw_wanted(LEADING, "RUSSIA") is not None and draw_wanted(LEADING, "FRANCE", 50) is None
