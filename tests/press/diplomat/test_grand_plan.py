"""The grand plan: alliances, divisions, coalitions and draws."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux.board.errors import MapError
from bordeaux.press.diplomat.grand_plan import (
    NEVER,
    GrandPlan,
    Stillness,
    coalition,
    division,
    draw_wanted,
    is_over,
    leader,
    plans,
    takeable,
    times,
)
from bordeaux.press.language import messages as p

from .accounts import BALKANS, MAP, board

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
        "FRANCE": [
            "A MUN",
            "A KIE",
            "A RUH",
            "A BUR",
            "F NTH",
            "F EDI",
            "F WES",
            "F TYS",
            "A PIE",
            "F LYO",
            "F HEL",
            "A HOL",
        ],
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
        assert plan.alliance(power) == p.Alliance((power, plan.ally), (plan.against,))
    assert [plan.value for plan in best] == sorted((plan.value for plan in best), reverse=True)
    # The juggernaut is known to all.
    if power in ("RUSSIA", "TURKEY"):
        other = "TURKEY" if power == "RUSSIA" else "RUSSIA"
        assert (other, "AUSTRIA") in [(plan.ally, plan.against) for plan in best[:3]]


def test_who_is_liked_is_an_ally_and_who_is_not_a_victim() -> None:
    best = plans(START, "FRANCE", liking={"GERMANY": 1.0, "ENGLAND": -1.0})[0]
    assert (best.ally, best.against) == ("GERMANY", "ENGLAND")
    other = plans(START, "FRANCE", liking={"GERMANY": -1.0, "ENGLAND": 1.0})[0]
    assert (other.ally, other.against) == ("ENGLAND", "GERMANY")


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


def test_divisions_and_plans_on_other_maps() -> None:
    for name in ("gulfs", "pure", "capitals"):
        start = Position.start(Map.load(name))
        first, second = start.map.powers[:2]
        assert plans(start, first)[0].ally in start.map.powers
        divided = shares(division(start, first, second))
        assert max(map(len, divided.values())) < start.map.majority


def test_nobody_leads_in_1901_and_france_does_in_1908() -> None:
    assert leader(START) is None and coalition(START) is None
    assert leader(BALKANS) is None
    assert leader(LEADING) == "FRANCE"
    united = coalition(LEADING)
    assert united is not None and united.against == "FRANCE"
    assert {"GERMANY", "ITALY", "RUSSIA"} <= set(united.members)
    assert set(united.members) | set(united.welcome) == set(LEADING.centres) - {"FRANCE"}
    assert united.alliance() == p.Alliance(united.members, ("FRANCE",))


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


def test_a_coalition_against_whom_one_names() -> None:
    named = coalition(START, "turkey")
    assert named is not None and named.against == "TURKEY"
    assert "RUSSIA" in named.members and "ENGLAND" in named.welcome
    with pytest.raises(MapError, match="unknown power"):
        coalition(START, "ATLANTIS")


@pytest.mark.parametrize(
    ("french", "german", "count"),
    [
        (["A BUR", "A RUH"], ["A MUN"], 1),
        (["A BUR", "A RUH"], ["A MUN", "A BER"], 0),
        (["A BUR", "A RUH"], ["A BER"], 1),
        (["A BUR"], ["A MUN"], 0),
        (["A MUN"], ["F DEN"], 1),
    ],
)
def test_centres_that_numbers_take(french: list[str], german: list[str], count: int) -> None:
    centres = {"GERMANY": ["MUN", "BER", "DEN"], "FRANCE": ["PAR", "BEL", "HOL", "KIE", "MAR"]}
    position = board("F1905M", centres, {"FRANCE": french, "GERMANY": german})
    assert takeable(position, "FRANCE") == count


def test_a_frozen_board_is_a_draw_for_all_but_who_leads() -> None:
    still = Stillness()
    centres = {power: list(owned) for power, owned in LEADING.centres.items()}
    units = {power: [str(unit) for unit in LEADING.units_of(power)] for power in centres}
    for year in range(1908, 1911):
        for phase in ("S{}M", "F{}M"):
            still.observe(board(phase.format(year), centres, units))
    assert still.years == 2
    now = board("S1911M", centres, units)
    still.observe(now)
    assert still.years == 3
    survivors = tuple(power for power in POWERS if power in centres)
    assert draw_wanted(now, "RUSSIA", still.years) == survivors
    assert draw_wanted(now, "FRANCE", still.years) is None
    assert draw_wanted(now, "FRANCE", 50) is None
    # A centre that changes its owner in Autumn begins a new count in the year after.
    centres["RUSSIA"].append("RUM")
    centres["TURKEY"].remove("RUM")
    still.observe(board("W1911A", centres, units))
    still.observe(board("S1912M", centres, units))
    assert still.years == 0


def test_draws_without_a_frozen_board() -> None:
    # Who is about to be beaten wants one, who is on a par with all others does not.
    assert draw_wanted(LEADING, "GERMANY") is not None
    assert draw_wanted(START, "AUSTRIA") is None
    assert draw_wanted(BALKANS, "ITALY") is None
    assert draw_wanted(BALKANS, "ITALY", 3) == POWERS
    # Who is out has no part in it.
    assert draw_wanted(LEADING, "ENGLAND", 9) is None


def test_a_plan_through_a_game() -> None:
    plan = GrandPlan(MAP, "fra")
    assert plan.draw() is None and plan.coalition() == ()
    plan.begin(START)
    best = plans(START, "FRANCE")[0]
    assert (plan.ally, plan.target) == (best.ally, best.against)
    divided = plan.division(START, best.ally)
    assert divided is not None and divided == division(START, "FRANCE", best.ally, against=[best.against])
    # Within a year the plan stays, whatever is thought of whom.
    plan.begin(
        board("F1901M", START.centres, {power: [str(u) for u in START.units_of(power)] for power in POWERS}),
        {best.ally: -1.0},
    )
    assert plan.ally == best.ally
    plan.begin(
        board("S1902M", START.centres, {power: [str(u) for u in START.units_of(power)] for power in POWERS}),
        {best.ally: -1.0},
    )
    assert plan.ally != best.ally
    plan.begin(LEADING)
    assert plan.leader == "FRANCE" and plan.coalition() == () and plan.draw() is None
    german = GrandPlan(MAP, "GERMANY")
    german.begin(LEADING)
    assert german.leader == "FRANCE" and "GERMANY" in german.coalition()
    assert german.draw() == tuple(power for power in POWERS if power in LEADING.centres)
