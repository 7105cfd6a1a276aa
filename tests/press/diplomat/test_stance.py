"""Who has done us good or ill, and who is the worst enemy."""

from __future__ import annotations

from typing import Any

import pytest

from bordeaux import Position
from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.board.errors import MapError
from bordeaux.board.notation import parse_order
from bordeaux.players.base import Limit
from bordeaux.press.diplomat.stance import FIRST, GRUDGE, Restraint, Stance, conduct
from bordeaux.press.language import messages as p
from tests.press.diplomat.cabinet.table import START, agree, diplomat, opened, replies
from tests.search.paper.boards import board

from .accounts import MAP, SIDE

#: Italy can cut or help; Austria's Vienna is held by one army.
FIELD = board(
    "F1902M",
    {"AUSTRIA": ["VIE", "BUD"], "GERMANY": ["MUN"], "ITALY": ["VEN"], "RUSSIA": ["WAR"], "TURKEY": ["ANK"]},
    {
        "AUSTRIA": ["A VIE", "A BUD"],
        "GERMANY": ["A BOH"],
        "ITALY": ["A TYR"],
        "RUSSIA": ["A GAL"],
        "TURKEY": ["F BLA"],
    },
)
ORDERS = {
    "AUSTRIA": ["A VIE H", "A BUD H"],
    "GERMANY": ["A BOH - VIE"],
    "ITALY": ["A TYR S A VIE"],
    "RUSSIA": ["A GAL S A BOH - VIE"],
    "TURKEY": ["F BLA - SEV"],
}
TAKEN = {**ORDERS, "ITALY": ["A TYR - VEN"]}


def stance(*phases: dict[str, list[str]], **rest: Any) -> Stance:
    austria = Stance(MAP, "AUSTRIA")
    for orders in phases:
        austria.observe(FIELD, orders, **rest)
    return austria


def test_what_each_power_did_to_us_is_valued_with_and_without_its_orders() -> None:
    saved, lost = (Stance(MAP, "AUSTRIA").effects(FIELD, orders) for orders in (ORDERS, TAKEN))
    assert saved["ITALY"] > 50
    # With Italy's help the attack comes to nothing; without it both attackers cost us Vienna.
    assert abs(saved["GERMANY"]) < 20 < -lost["GERMANY"]
    assert lost["RUSSIA"] < -20
    assert abs(lost["TURKEY"]) < 20 and "AUSTRIA" not in lost


def test_who_helps_is_raised_and_who_attacks_is_lowered() -> None:
    austria = stance(ORDERS)
    assert austria.toward("ITALY") > 0 > austria.toward("GERMANY")
    assert austria.toward("AUSTRIA") == 1 and abs(austria.toward("TURKEY")) < 0.1
    assert stance(TAKEN).toward("GERMANY") < austria.toward("GERMANY") < 0
    many = stance(*[TAKEN] * 30)
    assert -1 <= many.toward("RUSSIA") < stance(TAKEN).toward("RUSSIA")


def test_an_attack_without_warning_weighs_more() -> None:
    assert stance(TAKEN).toward("GERMANY") < stance(TAKEN, warned={"GERMANY"}).toward("GERMANY") < 0
    assert stance(TAKEN).toward("RUSSIA") == stance(TAKEN, warned={"GERMANY"}).toward("RUSSIA")


def test_who_stabbed_us_is_the_worst_enemy_for_a_while() -> None:
    austria = stance(ORDERS)
    austria.stabbed("ITALY")
    assert austria.toward("ITALY") == -1
    # Help is not forgotten, but a stab is no sooner forgiven for it.
    levels = []
    for _ in range(GRUDGE + 2):
        austria.observe(FIELD, ORDERS)
        levels.append(austria.toward("ITALY"))
    assert levels == sorted(levels) and levels[0] < -0.5 and levels[-1] > 0


def test_other_phases_teach_nothing_and_strangers_are_refused() -> None:
    austria = Stance(MAP, "austria")
    winter = Position(MAP, "W1902A", FIELD.units, FIELD.centres)
    austria.observe(winter, {"ITALY": ["A VEN B"]})
    assert austria.toward("ITALY") == 0
    with pytest.raises(MapError):
        austria.toward("SPAIN")


HOLDS = {"FRANCE": ["A BUR H", "A MAR H"], "GERMANY": ["A MUN H", "A RUH H"], "ITALY": ["A TYR H"]}
ATTACK = {**HOLDS, "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]}


def seen(*phases: dict[str, list[str]]) -> Restraint:
    restraint = Restraint(MAP)
    for orders in phases:
        restraint.observe(SIDE, orders)
    return restraint


def test_who_lets_be_is_trusted_more_and_more_and_who_attacks_is_not() -> None:
    trust = [seen(*[HOLDS] * count).trust("FRANCE", "GERMANY") for count in range(6)]
    assert trust == sorted(trust) and trust[0] == FIRST and trust[1] > trust[0] and trust[-1] == 1.0
    broken = seen(*[HOLDS] * 5, ATTACK)
    assert broken.trust("FRANCE", "GERMANY") == broken.trust("GERMANY", "FRANCE") == 0.0
    assert broken.trust("FRANCE", "ITALY") > 0
    # A single quiet phase does not mend it; several do.
    assert seen(ATTACK, HOLDS).trust("FRANCE", "GERMANY") == 0.0
    assert seen(ATTACK, *[HOLDS] * 6).trust("FRANCE", "GERMANY") > FIRST


def test_help_is_trusted_and_pressure_is_a_warning() -> None:
    helped = {**HOLDS, "ITALY": ["A TYR S A MUN"]}
    assert seen(helped).trust("GERMANY", "ITALY") > seen(HOLDS).trust("GERMANY", "ITALY")
    pressing = {**HOLDS, "FRANCE": ["A BUR H", "A MAR - PIE"]}
    assert seen(HOLDS, pressing).trust("ITALY", "FRANCE") < seen(HOLDS, HOLDS).trust("ITALY", "FRANCE")


def test_what_powers_did_to_each_other_is_counted_by_pairs() -> None:
    helping = {
        "FRANCE": ["A BUR - MUN", "A MAR - PIE"],
        "ITALY": ["A TYR S A BUR - MUN"],
        "GERMANY": ["A MUN S A TYR", "A RUH - HOL"],
    }
    deeds = conduct(SIDE, helping)
    assert deeds.attacks == {("FRANCE", "GERMANY"): 1, ("ITALY", "GERMANY"): 1}
    assert deeds.helps == {("ITALY", "FRANCE"): 1, ("GERMANY", "ITALY"): 1}
    # Piedmont is beside Venice, Munich beside Berlin.
    assert deeds.pressed == {("FRANCE", "ITALY"): 1, ("FRANCE", "GERMANY"): 1}


# press/diplomat.py: seven of them at one table.


@pytest.mark.slow
def test_at_level_0_nothing_is_said_and_it_plays() -> None:
    result = play(
        Job(0, ("bordeaux:press=130",) * 2 + ("hold",) * 5, 3, Limit(nodes=30), 1901, level=0, keep=True)
    )
    assert not result.faults and result.game is not None
    assert not any(phase.get("messages") for phase in result.game["phases"])


def test_nobody_is_stabbed_twice_alike_unprepared() -> None:
    """A power that has broken its peace gets none for as long as the grudge lasts, is trusted less for good,
    and the search no longer expects it to keep one."""
    made = diplomat("FRANCE")
    opened(made)
    friend = sorted(made.policy.close)[0]
    agree(made, friend, p.Peace((friend, "FRANCE")))
    before = made.intelligence.trust(friend, "peace")
    assert [
        agreement.trust for agreement in made.briefing(START).agreements if friend in agreement.parties
    ] == [before]
    attack = {"ENGLAND": "F LON - ENG", "GERMANY": "A MUN - BUR", "ITALY": "A VEN - PIE"}[friend]
    spring = START.next({friend: [attack]})
    made.observe(START, {friend: [parse_order(attack, MAP, START)]}, spring)
    unit = next(unit for unit in spring.units_of(friend) if unit.province in ("ENG", "BUR", "PIE"))
    goal = {"ENG": "BRE", "BUR": "PAR", "PIE": "MAR"}[unit.province]
    stab = parse_order(f"{unit.kind} {unit.location} - {goal}", MAP, spring)
    opened(made, spring)
    assert made.ledger.at_peace("FRANCE", friend)
    fall = spring.next({friend: [stab]})
    made.observe(spring, {friend: [stab]}, fall)
    assert not made.ledger.at_peace("FRANCE", friend) and made.ledger.hostile(friend, "FRANCE")
    assert made.intelligence.trust(friend, "peace") < before
    assert made.intelligence.stance.toward(friend) == -1
    year = START.phase.year + 1
    for phase in (f"S{year}M", f"F{year}M"):
        later = Position(MAP, phase, START.units, START.centres)
        opened(made, later)
        again = p.Propose(p.Peace((friend, "FRANCE")))
        assert replies(made, friend, again) == [p.Refuse(again)]
        assert not [agreement for agreement in made.briefing(later).agreements if friend in agreement.parties]
        made.observe(later, {}, later)
