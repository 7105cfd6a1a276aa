"""The ledger: deals concluded, kept, broken and void, what follows, and why."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bordeaux import Engine, Position
from bordeaux.board.phase import Phase
from bordeaux.press.diplomat.cabinet.intelligence import Reliability
from bordeaux.press.diplomat.deeds import Judgement
from bordeaux.press.language import messages as p
from bordeaux.search.agreements import agreed
from tests.search.paper.boards import board

from .accounts import MAP, START, agree, opened, order, play, say

PAIR = ("RUSSIA", "TURKEY")
PEACE = p.Peace(PAIR)
BLACK_SEA = p.Demilitarised(PAIR, ("BLA",))
LEAGUE = p.Peace(("AUSTRIA", "RUSSIA", "TURKEY"))
#: Turkey stands beside Sevastopol and Rumania, which are Russia's, and Austria beside both.
NEAR = board(
    "F1902M",
    {"TURKEY": ["CON", "ANK", "BUL"], "RUSSIA": ["SEV", "RUM", "MOS"], "AUSTRIA": ["BUD", "VIE", "SER"]},
    {
        "TURKEY": ["A BUL", "A ARM", "F CON"],
        "RUSSIA": ["A RUM", "F SEV", "A UKR"],
        "AUSTRIA": ["A SER", "A BUD"],
    },
)


def kept(judged: list[Judgement]) -> list[tuple[int, str, bool]]:
    return [(judgement.deal.number, judgement.power, judgement.kept) for judgement in judged]


def test_russia_sails_to_the_black_sea_after_it_was_demilitarised() -> None:
    """The example of Hall and Loeb (1995), section 5: the agreement is void, so is all else between the two,
    and hostile acts are to be expected."""
    ledger = opened()
    zone = agree(ledger, BLACK_SEA, "RUSSIA", "TURKEY")
    peace = agree(ledger, PEACE, "TURKEY", "RUSSIA")
    assert ledger.deals("RUSSIA") == [zone, peace] and ledger.deals("ITALY") == []
    assert ledger.at_peace("TURKEY", "RUSSIA") and not ledger.hostile("RUSSIA", "TURKEY")
    judged, _ = play(ledger, START, RUSSIA=["F SEV - BLA"], TURKEY=["A CON - BUL"])
    (broken,) = [judgement for judgement in judged if not judgement.kept]
    sailed = order("F SEV - BLA")
    assert broken == Judgement(zone, "RUSSIA", "demilitarised", False, (sailed,))
    assert ledger.deals() == [] and not ledger.at_peace("RUSSIA", "TURKEY")
    assert ledger.hostile("RUSSIA", "TURKEY") and not ledger.hostile("TURKEY", "RUSSIA")
    # A new peace forgives the breach, and gives the old deals no new life.
    again = agree(ledger, PEACE, "TURKEY", "RUSSIA")
    assert ledger.deals() == [again] and ledger.at_peace("RUSSIA", "TURKEY")
    assert not ledger.hostile("RUSSIA", "TURKEY")


@pytest.mark.parametrize(("orders", "left"), [(["A BUL - RUM"], 2), (["A BUL - RUM", "A ALB - SER"], 0)])
def test_what_is_owed_to_a_third_stays_until_that_is_betrayed_too(orders: list[str], left: int) -> None:
    position = board(
        "S1902M",
        {"TURKEY": ["CON", "BUL"], "RUSSIA": ["SEV", "RUM"], "AUSTRIA": ["BUD", "SER"]},
        {"TURKEY": ["A BUL", "A ALB"], "RUSSIA": ["F SEV"], "AUSTRIA": ["A BUD"]},
    )
    ledger = opened(position=position)
    agree(ledger, p.Draw(("AUSTRIA", "RUSSIA", "TURKEY")), "TURKEY", "RUSSIA", "AUSTRIA")
    for victim in ("RUSSIA", "AUSTRIA"):
        agree(ledger, p.Peace(("TURKEY", victim)), "TURKEY", victim)
    play(ledger, position, TURKEY=orders)
    assert len(ledger.deals("TURKEY")) == left


def test_peace_of_three_is_broken_towards_the_one_who_is_attacked() -> None:
    ledger = opened(position=NEAR)
    league = agree(ledger, LEAGUE, "TURKEY", "RUSSIA", "AUSTRIA")
    judged, _ = play(ledger, NEAR, TURKEY=["A BUL - RUM"])
    assert (league.number, "TURKEY", False) in kept(judged) and (league.number, "RUSSIA", True) in kept(
        judged
    )
    assert ledger.hostile("TURKEY", "RUSSIA") and not ledger.hostile("TURKEY", "AUSTRIA")
    assert ledger.at_peace("TURKEY", "AUSTRIA") and ledger.at_peace("RUSSIA", "AUSTRIA")
    assert not ledger.at_peace("TURKEY", "RUSSIA")
    assert {agreement.parties for agreement in ledger.binding(NEAR, lambda power, kind: 1.0)} == {
        ("AUSTRIA", "RUSSIA"),
        ("AUSTRIA", "TURKEY"),
    }
    assert kept(play(ledger, NEAR, TURKEY=["A BUL - RUM"])[0]) == [
        (league.number, "AUSTRIA", True),
        (league.number, "RUSSIA", True),
        (league.number, "TURKEY", True),
    ]


def test_a_promise_is_for_one_turn() -> None:
    ledger = opened()
    move = order("A WAR - UKR")
    deal = agree(ledger, p.Promise("RUSSIA", move), "TURKEY", "RUSSIA")
    assert deal.until == Phase.parse("S1901M")
    judged, after = play(ledger, START, RUSSIA=["A WAR - UKR"])
    assert judged == [Judgement(deal, "RUSSIA", "promise", True, (move,))]
    assert ledger.deals() == []
    # What is promised between the phases of orders is for the next.
    later = p.Promise("RUSSIA", order("A UKR - RUM", after))
    winter = board("W1901A", {"RUSSIA": ["SEV"]}, {"RUSSIA": ["A UKR"]})
    ledger.begin(winter)
    assert agree(ledger, later, "TURKEY", "RUSSIA").until == Phase.parse("S1902M")


def test_a_deal_needs_the_yes_of_all_to_all() -> None:
    ledger = opened()
    proposal = p.Propose(LEAGUE)
    assert say(ledger, "TURKEY", "RUSSIA AUSTRIA", proposal) == []
    assert say(ledger, "RUSSIA", "TURKEY", p.Accept(proposal)) == []
    assert say(ledger, "AUSTRIA", "TURKEY RUSSIA", p.Accept(proposal)) == []
    (deal,) = say(ledger, "RUSSIA", "AUSTRIA", p.Accept(proposal))
    assert deal.parties == ("AUSTRIA", "RUSSIA", "TURKEY") and deal.proposer == "TURKEY"
    assert say(ledger, "RUSSIA", "TURKEY AUSTRIA", p.Accept(proposal)) == []


@pytest.mark.parametrize(
    "messages",
    [
        [("RUSSIA", p.Refuse), ("RUSSIA", p.Accept)],
        [("TURKEY", p.Cancel), ("RUSSIA", p.Accept)],
        [("TURKEY", p.Accept)],
        [("AUSTRIA", p.Accept)],
        [("RUSSIA", p.Decline)],
    ],
)
def test_what_is_refused_taken_back_or_not_answered_is_no_deal(
    messages: list[tuple[str, Callable[[p.Message], p.Message]]],
) -> None:
    ledger = opened()
    proposal = p.Propose(PEACE)
    say(ledger, "TURKEY", "RUSSIA", proposal)
    for sender, kind in messages:
        to = "TURKEY" if sender != "TURKEY" else "RUSSIA"
        assert say(ledger, sender, to, kind(proposal)) == []
    assert ledger.deals() == [] and not ledger.at_peace("RUSSIA", "TURKEY")


def test_a_yes_is_taken_back_in_time_and_not_when_it_is_too_late() -> None:
    ledger = opened()
    proposal = p.Propose(LEAGUE)
    say(ledger, "TURKEY", "RUSSIA AUSTRIA", proposal)
    say(ledger, "RUSSIA", "TURKEY AUSTRIA", p.Accept(proposal))
    say(ledger, "RUSSIA", "TURKEY AUSTRIA", p.Cancel(p.Accept(proposal)))
    assert say(ledger, "AUSTRIA", "TURKEY RUSSIA", p.Accept(proposal)) == []
    (deal,) = say(ledger, "RUSSIA", "TURKEY AUSTRIA", p.Accept(proposal))
    say(ledger, "RUSSIA", "TURKEY AUSTRIA", p.Cancel(p.Accept(proposal)))
    say(ledger, "TURKEY", "RUSSIA AUSTRIA", p.Cancel(proposal))
    assert ledger.deals() == [deal]


def test_a_later_deal_overrides_one_that_it_conflicts_with() -> None:
    ledger = opened()
    agree(ledger, p.Promise("RUSSIA", order("A WAR - UKR")), "TURKEY", "RUSSIA")
    second = agree(ledger, p.Promise("RUSSIA", order("A WAR - GAL")), "TURKEY", "RUSSIA")
    assert ledger.deals() == [second]
    judged, _ = play(ledger, START, RUSSIA=["A WAR - GAL"])
    assert kept(judged) == [(second.number, "RUSSIA", True)]


def test_a_zone_overrides_a_promise_to_go_there_and_a_promise_excuses_from_a_zone() -> None:
    ledger = opened()
    sail = p.Promise("RUSSIA", order("F SEV - BLA"))
    agree(ledger, sail, "TURKEY", "RUSSIA")
    zone = agree(ledger, BLACK_SEA, "TURKEY", "RUSSIA")
    assert ledger.deals() == [zone]
    sailing = agree(ledger, sail, "TURKEY", "RUSSIA")
    assert ledger.deals() == [zone, sailing]
    judged, _ = play(ledger, START, RUSSIA=["F SEV - BLA"], TURKEY=["F ANK - CON"])
    assert all(judgement.kept for judgement in judged) and (sailing.number, "RUSSIA", True) in kept(judged)
    assert ledger.deals() == [zone]


def test_who_says_that_there_is_no_peace_has_ended_it_with_a_warning() -> None:
    ledger = opened()
    agree(ledger, PEACE, "TURKEY", "RUSSIA")
    assert ledger.warned() == frozenset()
    say(ledger, "RUSSIA", "TURKEY", p.State(p.Not(PEACE)))
    assert ledger.deals() == [] and ledger.hostile("RUSSIA", "TURKEY")
    assert ledger.warned() == {"RUSSIA"}
    play(ledger, START)
    assert ledger.warned() == frozenset() and ledger.hostile("RUSSIA", "TURKEY")


def test_orders_that_were_agreed_upon_break_no_peace() -> None:
    ledger = opened(position=NEAR)
    peace = agree(ledger, PEACE, "TURKEY", "RUSSIA")
    handed = p.Promise("TURKEY", order("A BUL - RUM", NEAR))
    given = agree(ledger, handed, "RUSSIA", "TURKEY")
    judged, _ = play(ledger, NEAR, TURKEY=["A BUL - RUM"], RUSSIA=["A RUM - GAL"])
    assert kept(judged) == [
        (peace.number, "RUSSIA", True),
        (peace.number, "TURKEY", True),
        (given.number, "TURKEY", True),
    ]
    assert ledger.at_peace(*PAIR)


def test_an_alliance_contains_peace_and_is_hostility_to_whom_it_is_against() -> None:
    ledger = opened()
    agree(ledger, p.Alliance(PAIR, ("AUSTRIA",)), "TURKEY", "RUSSIA")
    assert ledger.at_peace("RUSSIA", "TURKEY")
    assert ledger.hostile("RUSSIA", "AUSTRIA") and ledger.hostile("TURKEY", "AUSTRIA")
    assert not ledger.hostile("AUSTRIA", "TURKEY")
    say(ledger, "RUSSIA", "TURKEY", p.State(p.Not(PEACE)))
    assert not ledger.hostile("RUSSIA", "AUSTRIA")


def test_a_peace_for_some_years_begins_and_ends_with_them() -> None:
    ledger = opened(position=NEAR)
    years = Phase.parse("S1903M"), Phase.parse("F1903M")
    agree(ledger, p.During(*years, PEACE), "TURKEY", "RUSSIA")
    peaceful = []
    for phase in ("F1902M", "S1903M", "F1903M", "W1903A"):
        ledger.begin(Position(MAP, phase, NEAR.units, NEAR.centres))
        peaceful.append(ledger.at_peace("TURKEY", "RUSSIA"))
    assert peaceful == [False, True, True, False]


def test_what_was_deals_and_wrongs_is_forgotten_in_the_end() -> None:
    ledger = opened()
    agree(ledger, p.Promise("RUSSIA", order("A WAR - UKR")), "TURKEY", "RUSSIA")
    agree(ledger, BLACK_SEA, "TURKEY", "RUSSIA")
    play(ledger, START, RUSSIA=["A WAR - UKR", "F SEV - BLA"])
    for year in range(1902, 1912):
        ledger.begin(board(f"S{year}M", {"TURKEY": ["CON"], "RUSSIA": ["SEV"]}, {"RUSSIA": ["A WAR"]}))
    assert ledger.hostile("RUSSIA", "TURKEY") and ledger.size() == 0


UKRAINE, GALICIA = (p.Promise("RUSSIA", order(f"A WAR - {goal}")) for goal in ("UKR", "GAL"))
SAIL = p.Promise("RUSSIA", order("F SEV - BLA"))
HELP = p.Promise("TURKEY", order("F ANK S F SEV - BLA"), "RUSSIA")
NEVER = p.Promise("RUSSIA", order("A UKR - RUM"))
AUTUMN = Phase.parse("F1901M")


def trust(power: str, kind: str) -> float:
    """Turkey is trusted by half; Russia less, and in each kind of promise differently."""
    if power == "TURKEY":
        return 0.5
    return {"peace": 0.1, "alliance": 0.2, "demilitarised": 0.3, "promise": 0.4}[kind]


def told(terms: list[p.Term]) -> list[tuple[str, str, str, float]]:
    """What a search hears of deals that Russia and Turkey have concluded, one after the other."""
    ledger = opened()
    for term in terms:
        agree(ledger, term, "RUSSIA", "TURKEY")
    binding = ledger.binding(START, trust)
    assert len(agreed(START, binding)) == len(binding)
    return [
        (
            agreement.kind,
            " ".join(agreement.parties),
            " ".join(map(str, agreement.orders or agreement.provinces)),
            agreement.trust,
        )
        for agreement in binding
    ]


RUSSIAN = ("demilitarised", "RUSSIA", "BLA", 0.3)
TURKISH = ("demilitarised", "TURKEY", "BLA", 0.5)


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([PEACE], [("peace", "RUSSIA TURKEY", "", 0.1)]),
        ([p.Alliance(PAIR, ("AUSTRIA",)), PEACE], [("alliance", "RUSSIA TURKEY", "", 0.2)]),
        ([BLACK_SEA], [RUSSIAN, TURKISH]),
        ([UKRAINE], [("promise", "RUSSIA", "A WAR - UKR", 0.4)]),
        ([p.Not(UKRAINE)], [("forbid", "RUSSIA", "A WAR - UKR", 0.4)]),
        ([UKRAINE, GALICIA], [("promise", "RUSSIA", "A WAR - GAL", 0.4)]),
        ([p.All((UKRAINE, p.During(AUTUMN, None, GALICIA)))], [("promise", "RUSSIA", "A WAR - UKR", 0.4)]),
        ([p.Some((NEVER, GALICIA, UKRAINE))], [("promise", "RUSSIA", "A WAR - GAL", 0.4)]),
        ([p.Some((p.Not(UKRAINE), HELP))], [("promise", "TURKEY", "F ANK S F SEV - BLA", 0.5)]),
        ([p.Choice(0, 1, (UKRAINE, SAIL))], []),
        ([p.Choice(2, 3, (UKRAINE, SAIL, HELP))], [
            ("promise", "RUSSIA", "A WAR - UKR", 0.4), ("promise", "RUSSIA", "F SEV - BLA", 0.4),
        ]),
        ([BLACK_SEA, SAIL], [("promise", "RUSSIA", "F SEV - BLA", 0.4), TURKISH]),
        ([NEVER], []),
        ([p.Promise("FRANCE", order("A PAR - BUR"))], []),
        ([p.Draw(), p.Solo("RUSSIA"), p.Favour(*PAIR), p.Not(PEACE), p.NoDeal(PEACE)], []),
    ],
)  # fmt: skip
def test_what_a_search_is_told_of_deals(
    terms: list[p.Term], expected: list[tuple[str, str, str, float]]
) -> None:
    assert told(terms) == expected


def test_who_is_free_may_break_it() -> None:
    ledger = opened()
    agree(ledger, PEACE, "RUSSIA", "TURKEY")
    (peace,) = ledger.binding(START, trust, free=["TURKEY", "FRANCE"])
    assert peace.stabbed_by == ("TURKEY",)
    assert ledger.binding(START, lambda power, kind: 7.0)[0].trust == 1.0


def test_what_binds_others_counts_with_the_lesser_trust_of_both() -> None:
    ledger = opened("ITALY")
    agree(ledger, PEACE, "RUSSIA", "TURKEY")
    (peace,) = ledger.binding(START, lambda power, kind: {"RUSSIA": 0.9, "TURKEY": 0.3}[power])
    assert peace.trust == 0.3


def test_the_engine_keeps_what_the_ledger_tells_it() -> None:
    ledger = opened()
    agree(ledger, p.All((BLACK_SEA, p.Promise("TURKEY", order("A SMY - ARM")))), "TURKEY", "RUSSIA")
    with Engine() as engine:
        answer = engine.search(START, "TURKEY", nodes=2000, agreements=ledger.binding(START, trust))
    assert "A SMY - ARM" in answer.orders and "F ANK - BLA" not in answer.orders


# Whose word is worth how much.


def noted(*kept: bool) -> Reliability:
    reliability = Reliability()
    for was_kept in kept:
        reliability.note("FRANCE", "peace", was_kept)
    return reliability


def test_what_is_kept_raises_the_chance_and_what_is_broken_lowers_it() -> None:
    chances = [noted(*[True] * count).chance("FRANCE", "peace") for count in range(20)]
    assert chances == sorted(set(chances)) and chances[-1] < 1
    lower = [noted(*[False] * count).chance("FRANCE", "peace") for count in range(20)]
    assert lower == sorted(set(lower), reverse=True) and lower[-1] > 0
    assert noted(True, False).chance("GERMANY", "peace") == Reliability().chance("GERMANY", "peace")


def test_a_word_of_one_kind_says_a_little_of_others() -> None:
    reliability, before = noted(*[False] * 5), Reliability().chance("FRANCE", "promise")
    assert reliability.chance("FRANCE", "peace") < reliability.chance("FRANCE", "promise") < before


def test_a_weight_says_how_much_an_observation_tells() -> None:
    light, heavy, none = Reliability(), Reliability(), Reliability()
    for reliability, weight in ((light, 0.5), (heavy, 3.0), (none, 0.0)):
        reliability.note("FRANCE", "peace", False, weight)
    before = Reliability()
    asked: tuple[Callable[[Reliability], float], ...] = (
        lambda reliability: reliability.chance("FRANCE", "peace"),
        lambda reliability: reliability.honesty("FRANCE"),
    )
    for ask in asked:
        assert ask(heavy) < ask(light) < ask(none) == ask(before)


def test_honesty_follows_what_was_done_of_late() -> None:
    assert noted(True, True, True).honesty("FRANCE") > 0 > noted(False, False).honesty("FRANCE")
    turned = noted(*[True] * 20, *[False] * 5)
    assert turned.honesty("FRANCE") < 0 and turned.chance("FRANCE", "peace") > 0.5
    assert -1 <= noted(*[False] * 50).honesty("FRANCE") < noted(*[True] * 50).honesty("FRANCE") <= 1
