"""To keep a promise or to stab: the table of payoffs, and the decision (Hall and Loeb 1995, section 5)."""

from __future__ import annotations

import math
from typing import Any

import pytest

from bordeaux import Agreement, BordeauxError, Engine, Position
from bordeaux.press.diplomat.payoffs import Outcomes, Payoffs, decide, opportunities, payoffs
from tests.search.paper.boards import MAP, board

#: The paper's table: both stab 0, one alone 5 and -2, both cooperate 3.
PAPER = Outcomes(cc=3, cs=-2, sc=5, ss=0)
TWO = Outcomes(4, 4, 6, 6)
DILEMMA = Payoffs(PAPER, centres=TWO)
#: France could take two open centres of Germany, with whom it is at peace.
OPEN = board(
    "F1903M",
    {"FRANCE": ["PAR", "BRE", "MAR", "BEL"], "GERMANY": ["MUN", "HOL", "BER", "KIE"], "ENGLAND": ["LON"]},
    {"FRANCE": ["A BUR", "A BEL", "F BRE"], "GERMANY": ["A WAR", "A PRU", "F DEN"], "ENGLAND": ["F NTH"]},
)
PEACE = Agreement("peace", ("FRANCE", "GERMANY"))


def stabs(opportunities: float, table: Payoffs = DILEMMA, **settings: Any) -> bool:
    return decide(table, 0.5, 0.9, opportunities=opportunities, **settings)


def test_the_last_three_opportunities_are_taken_and_none_before() -> None:
    assert [stabs(left) for left in (1, 2, 3, 4, 5, 10, math.inf)] == [True] * 3 + [False] * 4


def test_a_stab_is_answered_and_then_forgiven_as_far_as_the_grudge_goes() -> None:
    assert stabs(10, since_stab=1) and not stabs(10, since_stab=2)
    assert stabs(10, since_stab=3, grudge=3) and not stabs(10, since_stab=4, grudge=3)
    assert stabs(10, since_stab=99, grudge=math.inf) and not stabs(10, since_stab=1, grudge=0)


@pytest.mark.parametrize("kept", [0.0, 0.5, 1.0])
def test_a_solo_within_reach_is_always_taken(kept: float) -> None:
    ruinous = Outcomes(cc=900, cs=900, sc=-50, ss=-50)
    won = Payoffs(ruinous, solo=Outcomes(0.0, 0.0, 0.9, 0.8))
    assert decide(won, 1.0, kept, greed=0)
    assert decide(won._replace(solo=Outcomes(0.0, 0.0, 0.5, 0.5)), 1.0, kept, greed=0), "an even chance"
    sure_anyway = won._replace(solo=Outcomes(0.9, 0.8, 0.9, 0.8))
    assert not decide(sure_anyway, 1.0, kept)


def test_no_ally_is_stabbed_for_a_single_centre_that_can_be_had_later() -> None:
    single = Payoffs(Outcomes(cc=0, cs=-200, sc=160, ss=100), centres=Outcomes(4, 3, 5, 4))
    assert not stabs(5, single)
    assert stabs(1, single), "the last opportunity for it"
    assert stabs(5, single._replace(centres=TWO)), "two are worth it"
    assert stabs(5, single, since_stab=1), "an ally that stabs is none"
    assert stabs(5, single, greed=2), "one is enough for the greedy"
    assert decide(single, 0.5, 0.4, opportunities=5), "who hardly keeps its word is no trustworthy ally"


@pytest.mark.parametrize("seed", range(3))
def test_the_stab_takes_what_the_promise_leaves(seed: int) -> None:
    with Engine(seed=seed) as engine:
        measured = payoffs(engine, OPEN, "FRANCE", "GERMANY", [PEACE])
    entered = {order[-3:] for order in measured.stab if " S " not in order and " - " in order}
    kept = {order[-3:] for order in measured.kept if " S " not in order and " - " in order}
    assert entered & {"MUN", "HOL"} and not kept & {"MUN", "HOL"}
    assert measured.points.sc > measured.points.cc and measured.centres.sc > measured.centres.cc


def test_the_same_seed_gives_the_same_table() -> None:
    with Engine(seed=3) as engine:
        first, again = (payoffs(engine, OPEN, "FRANCE", "GERMANY", [PEACE], nodes=6000) for _ in range(2))
    assert first == again


@pytest.mark.parametrize(
    ("position", "pair"),
    [(OPEN, ("FRANCE", "TURKEY")), (OPEN, ("FRANCE", "FRANCE")), (Position.start(), ("FRANCE", "NOBODY"))],
)
def test_who_cannot_be_a_partner_is_refused(position: Position, pair: tuple[str, str]) -> None:
    with Engine() as engine, pytest.raises(BordeauxError):
        payoffs(engine, position, *pair)


def test_opportunities_are_many_at_the_start_and_one_at_the_end() -> None:
    start = Position.start()
    assert opportunities(start, "FRANCE", "GERMANY") == opportunities(start, "GERMANY", "FRANCE") > 4
    assert opportunities(start, "ENGLAND", "TURKEY") == 0
    late = board(
        "F1910M",
        {"FRANCE": [*MAP.centres][:18], "GERMANY": [*MAP.centres][18:]},
        {"FRANCE": ["A BUR"], "GERMANY": ["A MUN"]},
    )
    assert opportunities(late, "FRANCE", "GERMANY") == 1


@pytest.mark.parametrize("seed", range(3))
def test_a_stab_that_wins_the_game_is_seen_and_taken(seed: int) -> None:
    ours = [*MAP.homes["FRANCE"], *MAP.homes["ENGLAND"], *MAP.homes["ITALY"], "SPA", "POR", "BEL", "HOL"]
    ours += ["TUN", "DEN", "NWY", "SWE"]
    brink = board(
        "F1908M",
        {"FRANCE": ours, "GERMANY": ["MUN", "BER", "KIE"], "RUSSIA": ["MOS", "WAR", "STP"]},
        {"FRANCE": ["A BUR", "A RUH", "A PIE", "F NTH"], "GERMANY": ["A SIL"], "RUSSIA": ["A LVN"]},
    )
    assert len(ours) == 17
    with Engine(seed=seed) as engine:
        measured = payoffs(engine, brink, "FRANCE", "GERMANY", [PEACE])
    assert measured.solo.sc > 0.9 and measured.solo.cc == 0
    assert decide(measured, 1.0, 1.0, greed=0)


@pytest.mark.parametrize("seed", range(3))
def test_to_keep_a_promise_is_to_give_the_order_and_other_partners_are_left_alone(seed: int) -> None:
    promise = Agreement("promise", ("FRANCE", "GERMANY"), orders=("A BUR S A MUN",))
    third = Agreement("demilitarised", ("FRANCE", "ENGLAND"), provinces=("ENG",))
    defended = board(
        "F1903M",
        {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "KIE"], "ENGLAND": ["LON"]},
        {"FRANCE": ["A BUR", "F BRE", "A PAR"], "GERMANY": ["A MUN"], "ENGLAND": ["F IRI"]},
    )
    with Engine(seed=seed) as engine:
        measured = payoffs(engine, defended, "FRANCE", "GERMANY", [promise, PEACE, third])
    assert "A BUR S A MUN" in measured.kept and "A BUR S A MUN" not in measured.stab
    assert "F BRE - ENG" not in (*measured.kept, *measured.stab)
