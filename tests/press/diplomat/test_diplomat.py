"""press/diplomat.py: seven of them at one table."""

import pytest

from bordeaux.arena.game import play
from bordeaux.arena.job import Job
from bordeaux.board.notation import parse_order
from bordeaux.board.position import Position
from bordeaux.players.base import Limit
from bordeaux.press.diplomat.facts import Breach, Hostile
from bordeaux.press.language import messages as p
from tests.press.diplomat.cabinet.table import MAP, START, agree, diplomat, opened, replies


@pytest.mark.slow
def test_at_level_0_nothing_is_said_and_it_plays() -> None:
    result = play(Job(0, ("bordeaux:press=130",) * 7, 3, Limit(nodes=30), 1901, level=0, keep=True))
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
    assert made.intelligence.stance.worst == friend
    year = START.phase.year + 1
    for phase in (f"S{year}M", f"F{year}M"):
        later = Position(MAP, phase, START.units, START.centres)
        opened(made, later)
        again = p.Propose(p.Peace((friend, "FRANCE")))
        assert replies(made, friend, again) == [p.Refuse(again)]
        assert not [agreement for agreement in made.briefing(later).agreements if friend in agreement.parties]
        made.observe(later, {}, later)


def test_it_says_why_a_friend_is_none_any_more() -> None:
    """The first example of Hall and Loeb (1995), section 5, at the table: a fleet sails to the Black Sea."""
    made = diplomat("TURKEY")
    opened(made)
    made.policy.close = frozenset(("RUSSIA",))
    made.policy.prey = "AUSTRIA"
    zone = p.Demilitarised(("RUSSIA", "TURKEY"), ("BLA",))
    agree(made, "RUSSIA", p.All((p.Peace(("RUSSIA", "TURKEY")), zone)))
    sails = parse_order("F SEV - BLA", MAP, START)
    made.observe(START, {"RUSSIA": [sails]}, START.next({"RUSSIA": [sails]}))
    assert not made.ledger.at_peace("TURKEY", "RUSSIA")
    reason = made.ledger.why(Hostile("RUSSIA", "TURKEY"))
    grounds = [reason]
    facts = []
    while grounds:
        ground = grounds.pop()
        facts.append(ground.fact)
        grounds += ground.because
    assert any(isinstance(fact, Breach) and fact.orders == (sails,) for fact in facts)
