"""Reading intentions: who is allied with whom, by what everybody did (paper 002, section 5)."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Engine, Map
from bordeaux.board.errors import MapError, PositionError
from bordeaux.press.diplomat.intentions import (
    ALLIANCE,
    ATTACK,
    PEACE,
    WAR,
    Bloc,
    Hypothesis,
    Intentions,
    Signs,
    hypothesis,
    shortfalls,
)
from tests.search.paper.boards import MAP, board

#: A Fall in which Austria and Italy could take centres of each other that stand open, and both go east.
FALL = board(
    "F1902M",
    {
        "AUSTRIA": ["VIE", "BUD", "TRI", "SER", "GRE"],
        "ITALY": ["ROM", "VEN", "NAP", "TUN"],
        "TURKEY": ["CON", "ANK", "SMY", "BUL"],
        "RUSSIA": ["MOS", "WAR", "SEV", "STP", "RUM"],
    },
    {
        "AUSTRIA": ["A SER", "A BUD", "A GAL", "F GRE", "A VIE"],
        "ITALY": ["A VEN", "A ROM", "F ION", "F AEG"],
        "TURKEY": ["A BUL", "A CON", "F SMY", "F BLA"],
        "RUSSIA": ["A RUM", "A UKR", "A WAR", "F SEV", "F STP/SC"],
    },
)
ORDERS = {
    "AUSTRIA": ["A SER S A BUD - RUM", "A BUD - RUM", "A GAL S A BUD - RUM", "F GRE - BUL/SC", "A VIE - BUD"],
    "ITALY": ["A VEN H", "A ROM - APU", "F ION - EAS", "F AEG - SMY"],
    "TURKEY": ["A BUL - SER", "A CON - BUL", "F SMY - AEG", "F BLA S A CON - BUL"],
    "RUSSIA": ["A RUM H", "A UKR S A RUM", "A WAR - GAL", "F SEV S A RUM", "F STP/SC - BOT"],
}

PAIR = ("AUSTRIA", "ITALY")


def blocs(seen: Intentions) -> tuple[Bloc, ...]:
    """Those of the likeliest hypothesis."""
    return next(iter(seen.shares())).blocs


@pytest.mark.parametrize("seed", range(4))
def test_italy_says_it_is_at_war_with_austria_but_their_moves_show_an_alliance(seed: int) -> None:
    """The second example of the paper, section 5. Neither helps the other, and neither is attacked: only the
    search tells that powers at war would have done otherwise."""
    seen = Intentions(MAP)
    seen.told(*PAIR, False, 1.5)
    assert not any({*PAIR} <= {*bloc.allies} for bloc in blocs(seen))
    assert seen.against(*PAIR) > 0.7 > 0.1 > seen.allied(*PAIR)
    with Engine(seed=seed) as engine:
        assert seen.observe(engine, FALL, ORDERS) > 0
    assert Bloc(PAIR, ("RUSSIA", "TURKEY")) in blocs(seen)
    assert seen.allied(*PAIR) > 0.5 > 0.45 > seen.against(*PAIR)
    assert min(seen.against("AUSTRIA", foe) for foe in ("RUSSIA", "TURKEY")) > 0.8
    assert seen.against("ITALY", "TURKEY") > 0.8


@pytest.mark.parametrize("seed", range(4))
def test_what_powers_at_war_would_lose_shows_that_they_are_not(seed: int) -> None:
    # Without the league, as above: by what it foresees of the two, war loses the most as well, but by less.
    with Engine(seed=seed, without=["league"]) as engine:
        lost, nodes = shortfalls(engine, FALL, ORDERS, PAIR, [], 3000)
    assert set(lost) == {WAR, PEACE, ALLIANCE} and nodes > 1000
    assert all(points >= 0 for both in lost.values() for points in both)
    assert sum(lost[WAR]) > 100 + max(sum(lost[PEACE]), sum(lost[ALLIANCE]))


def test_an_attack_is_war_whatever_was_said_and_help_is_friendship() -> None:
    attacked, helped = Intentions(MAP), Intentions(MAP)
    with Engine() as engine:
        attacked.told(*PAIR, True, 1.0)
        attacked.observe(engine, FALL, {"ITALY": ["A VEN - TRI"]}, nodes=0)
        helped.told(*PAIR, False, 1.0)
        helped.observe(engine, FALL, {"ITALY": ["F AEG S F GRE - BUL/SC"]}, nodes=0)
    assert attacked.against(*PAIR) > 0.7 > 0.2 > attacked.allied(*PAIR)
    assert helped.allied(*PAIR) > helped.against(*PAIR)


def test_equal_observations_lead_to_equal_beliefs_and_nodes_are_about_what_was_asked() -> None:
    first, again = Intentions(MAP), Intentions(MAP)
    with Engine(seed=2) as engine:
        spent = {seen.observe(engine, FALL, ORDERS, nodes=8000) for seen in (first, again)}
    assert first.pairs == again.pairs and first.shares() == again.shares()
    assert len(spent) == 1 and 2000 < spent.pop() < 12_000


def test_chances_are_chances_and_the_hypotheses_are_few() -> None:
    seen = Intentions(MAP)
    with Engine() as engine:
        seen.observe(engine, FALL, ORDERS)
    for one in MAP.powers:
        for other in MAP.powers:
            if one != other:
                chances = seen.allied(one, other), seen.against(one, other)
                assert min(chances) >= 0 and sum(chances) <= 1 + 1e-9
                assert chances == (seen.allied(other, one), seen.against(other, one))
    shares = list(seen.shares().values())
    assert 0.8 < sum(shares) <= 1 + 1e-9 and shares == sorted(shares, reverse=True) and len(shares) <= 24


def test_bad_numbers_and_names_are_refused() -> None:
    with pytest.raises(PositionError, match="map"), Engine() as engine:
        Intentions(Map.load("pure")).observe(engine, FALL, ORDERS)
    with pytest.raises(BordeauxError, match="scale"):
        Intentions(MAP, scale=0)
    with pytest.raises(BordeauxError, match="prior"):
        Intentions(MAP, prior={WAR: 1.0})
    with pytest.raises(BordeauxError, match="weight"):
        Intentions(MAP).told(*PAIR, True, -1)
    with pytest.raises(MapError):
        Intentions(MAP).allied("AUSTRIA", "NOBODY")


A, B, C, D = "AUSTRIA", "BELGIUM", "CHINA", "DENMARK"


def test_a_bloc_is_of_powers_that_are_all_allied_against_whom_they_fight() -> None:
    wars = {frozenset((A, D)), frozenset((C, D))}
    supposed = hypothesis([(A, B), (A, C), (B, C)], (A, B, C, D), lambda *two: float(frozenset(two) in wars))
    assert supposed == Hypothesis((Bloc((A, B, C), (D,)),))
    assert str(supposed) == "AUSTRIA and BELGIUM and CHINA against DENMARK"


BOARD = board(
    "F1902M",
    {"FRANCE": ["PAR", "BEL"], "GERMANY": ["MUN", "HOL"], "ITALY": ["VEN"]},
    {"FRANCE": ["A BUR", "A BEL", "F ENG"], "GERMANY": ["A RUH", "F NTH"], "ITALY": ["A TYR", "A PIE"]},
)


def sign(power: str, other: str, **orders: list[str]) -> str:
    return Signs(BOARD, {name.upper(): given for name, given in orders.items()}).of(power, other)


def test_friends_may_pass_over_ground_that_is_left_but_not_into_centres() -> None:
    leaving = ["A RUH - KIE"]
    assert sign("FRANCE", "GERMANY", france=["A BUR - RUH"], germany=leaving) == ""
    assert sign("FRANCE", "GERMANY", france=["A BUR - RUH"], germany=["A RUH H"]) == ATTACK
    assert sign("FRANCE", "GERMANY", france=["A BUR - MUN"], germany=leaving) == ATTACK


def test_what_is_far_away_illegal_or_not_there_says_nothing() -> None:
    assert sign("FRANCE", "ITALY", france=["A BUR - MUN"]) == ""
    assert sign("FRANCE", "GERMANY", france=["A BUR - BER", "A PAR - MUN"]) == ""
    assert sign("FRANCE", "GERMANY") == ""
