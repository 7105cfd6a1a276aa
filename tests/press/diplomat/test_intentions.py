"""Reading intentions: who is allied with whom, by what everybody did (paper 002, section 5)."""

from __future__ import annotations

import itertools

import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux.board.errors import MapError, PositionError
from bordeaux.press.diplomat.intentions import (
    ALLIANCE,
    ATTACK,
    CLASH,
    HELP,
    PEACE,
    WAR,
    AlliancePicture,
    Bloc,
    Hypothesis,
    Intentions,
    Signs,
    hypothesis,
    pictures,
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


def test_by_signs_alone_the_statement_would_stand() -> None:
    seen = Intentions(MAP)
    seen.told(*PAIR, False, 1.5)
    with Engine() as engine:
        assert seen.observe(engine, FALL, ORDERS, nodes=0) == 0
    assert seen.against(*PAIR) > 0.6
    assert seen.against("AUSTRIA", "TURKEY") > 0.8


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


def test_what_was_seen_long_ago_counts_for_less() -> None:
    seen, engine = Intentions(MAP), Engine()
    seen.observe(engine, FALL, {"ITALY": ["A VEN - TRI"]}, nodes=0)
    war = [seen.pair(*PAIR)[WAR]]
    for _ in range(20):
        seen.observe(engine, FALL, {}, nodes=0)
        war.append(seen.pair(*PAIR)[WAR])
    assert war == sorted(war, reverse=True)
    assert war[-1] == pytest.approx(seen.prior[WAR], abs=0.05)


def test_equal_observations_lead_to_equal_beliefs_and_nodes_are_about_what_was_asked() -> None:
    first, again = Intentions(MAP), Intentions(MAP)
    with Engine(seed=2) as engine:
        spent = {seen.observe(engine, FALL, ORDERS, nodes=8000) for seen in (first, again)}
    assert first.pairs == again.pairs and first.shares() == again.shares()
    assert len(spent) == 1 and 2000 < spent.pop() < 12_000


def test_the_engine_remembers_nothing_of_it() -> None:
    """What a search foretold is what the engine learns by when it is told the orders."""
    with Engine() as engine, Engine() as other:
        for engine_asked in (engine, other):
            engine_asked.search(FALL, "TURKEY", nodes=500)
        Intentions(MAP).observe(engine, FALL, ORDERS)
        for engine_asked in (engine, other):
            engine_asked.observe(FALL, ORDERS)
        assert engine.search(FALL, "ITALY", nodes=500).lines == other.search(FALL, "ITALY", nodes=500).lines


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


def test_other_phases_teach_nothing() -> None:
    seen = Intentions(MAP)
    with Engine() as engine:
        winter = board("W1902A", {"AUSTRIA": ["VIE", "TRI"]}, {"AUSTRIA": ["A VIE"]})
        assert seen.observe(engine, winter, {"AUSTRIA": ["A TRI B"]}) == 0
    assert not seen.pairs


def test_a_whole_first_phase_is_read() -> None:
    """Everybody holds: nobody attacks, and nobody would be wise to do so."""
    seen = Intentions(MAP)
    with Engine() as engine:
        seen.observe(engine, Position.start(), {power: [] for power in MAP.powers})
    assert seen.pairs and all(seen.pair(*pair)[WAR] < 0.9 for pair in seen.pairs)


def test_who_is_no_longer_near_is_thought_of_as_before_by_and_by() -> None:
    seen = Intentions(MAP)
    seen.told("ENGLAND", "TURKEY", True, 3.0)
    friends = [seen.pair("ENGLAND", "TURKEY")[WAR]]
    with Engine() as engine:
        for _ in range(10):
            seen.observe(engine, FALL, ORDERS, nodes=0)
            friends.append(seen.pair("ENGLAND", "TURKEY")[WAR])
    assert friends == sorted(friends) and friends[0] < 0.1
    assert friends[-1] == pytest.approx(seen.prior[WAR], abs=0.05)


def test_on_a_map_where_everybody_is_everybodys_neighbour() -> None:
    pure = Position.start(Map.load("pure"))
    seen, powers = Intentions(pure.map), pure.map.powers
    first = pure.units_of(powers[0])[0]
    goal = next(home for home in pure.map.homes[powers[1]])
    with Engine(map=pure.map) as engine:
        orders = {power: [f"{first} - {goal}"] if power == powers[0] else [] for power in powers}
        seen.observe(engine, pure, orders, nodes=4000)
    assert seen.against(powers[0], powers[1]) > 0.7 and len(seen.pairs) == 21
    assert seen.shares()


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


def no_war(one: str, other: str) -> float:
    return 0.0


def marginal(pictures_seen: list[AlliancePicture], pair: tuple[str, str]) -> float:
    return sum(picture.share for picture in pictures_seen if pair in picture.allied)


def test_pairs_that_have_nothing_to_do_with_each_other_keep_their_chances() -> None:
    listed = pictures({(A, B): 0.7, (C, D): 0.2}, no_war)
    assert len(listed) == 4 and sum(picture.share for picture in listed) == pytest.approx(1)
    assert marginal(listed, (A, B)) == pytest.approx(0.7) and marginal(listed, (C, D)) == pytest.approx(0.2)
    assert listed[0].allied == {(A, B)} and listed == sorted(listed, key=lambda picture: -picture.share)


def test_who_is_allied_with_two_that_are_at_war_is_hardly_allied_with_both() -> None:
    pairs = {(A, B): 0.5, (A, C): 0.6}
    at_war = pictures(pairs, lambda *two: float(set(two) == {B, C}))
    assert marginal(at_war, (A, B)) < 0.4 < marginal(at_war, (A, C)) < 0.6
    assert marginal(pictures(pairs, no_war), (A, B)) == pytest.approx(0.5)


def test_pictures_stay_few_whatever_the_map() -> None:
    powers = [f"POWER{number:02}" for number in range(20)]
    listed = pictures(dict.fromkeys(itertools.combinations(powers, 2), 0.4), no_war)
    assert len(listed) == 1024


def test_a_bloc_is_of_powers_that_are_all_allied_against_whom_they_fight() -> None:
    wars = {frozenset((A, D)), frozenset((C, D))}
    supposed = hypothesis([(A, B), (A, C), (B, C)], (A, B, C, D), lambda *two: float(frozenset(two) in wars))
    assert supposed == Hypothesis((Bloc((A, B, C), (D,)),))
    assert str(supposed) == "AUSTRIA and BELGIUM and CHINA against DENMARK"


def test_a_power_between_two_blocs_is_in_both_and_against_neither() -> None:
    supposed = hypothesis([(A, B), (B, C)], (A, B, C), lambda *two: 0.9 if set(two) == {A, C} else 0.0)
    assert supposed.blocs == (Bloc((A, B), ()), Bloc((B, C), ()))


def test_nobody_allied() -> None:
    assert str(hypothesis([], (A, B), no_war)) == "everybody alone"
    assert pictures({}, no_war)[0].share == 1


BOARD = board(
    "F1902M",
    {"FRANCE": ["PAR", "BEL"], "GERMANY": ["MUN", "HOL"], "ITALY": ["VEN"]},
    {"FRANCE": ["A BUR", "A BEL", "F ENG"], "GERMANY": ["A RUH", "F NTH"], "ITALY": ["A TYR", "A PIE"]},
)


def sign(power: str, other: str, **orders: list[str]) -> str:
    return Signs(BOARD, {name.upper(): given for name, given in orders.items()}).of(power, other)


@pytest.mark.parametrize(
    "order", ["A BUR - MUN", "A BUR - RUH", "A BEL - HOL", "A BUR S A TYR - MUN", "F ENG - NTH"]
)
def test_who_goes_where_another_is_attacks_it(order: str) -> None:
    assert sign("FRANCE", "GERMANY", france=[order]) == ATTACK


@pytest.mark.parametrize("order", ["F ENG S F NTH", "A BUR S A RUH - MUN", "A BEL S F NTH - HOL"])
def test_who_supports_another_helps_it(order: str) -> None:
    assert sign("FRANCE", "GERMANY", france=[order]) == HELP
    assert sign("GERMANY", "FRANCE", france=[order]) == ""


def test_an_attack_counts_before_help() -> None:
    assert sign("FRANCE", "GERMANY", france=["A BUR - MUN", "F ENG S F NTH"]) == ATTACK


def test_friends_may_pass_over_ground_that_is_left_but_not_into_centres() -> None:
    leaving = ["A RUH - KIE"]
    assert sign("FRANCE", "GERMANY", france=["A BUR - RUH"], germany=leaving) == ""
    assert sign("FRANCE", "GERMANY", france=["A BUR - RUH"], germany=["A RUH H"]) == ATTACK
    assert sign("FRANCE", "GERMANY", france=["A BUR - MUN"], germany=leaving) == ATTACK


def test_two_that_want_the_same_province_clash() -> None:
    orders = {"france": ["A BUR - MAR"], "italy": ["A PIE - MAR"]}
    assert sign("FRANCE", "ITALY", **orders) == sign("ITALY", "FRANCE", **orders) == CLASH


def test_what_is_far_away_illegal_or_not_there_says_nothing() -> None:
    assert sign("FRANCE", "ITALY", france=["A BUR - MUN"]) == ""
    assert sign("FRANCE", "GERMANY", france=["A BUR - BER", "A PAR - MUN"]) == ""
    assert sign("FRANCE", "GERMANY") == ""
