"""press/cabinet/prime_minister.py: what is proposed, and what is answered to everything that can be said."""

import pytest

from bordeaux.board.notation import parse_order
from bordeaux.press.diplomat.cabinet.prime_minister import BEARABLE, IN_ALL, ForeignOffice, Idea
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import level_of
from tests.press.diplomat.cabinet.table import MAP, START, agree, diplomat, opened, replies


@pytest.fixture
def france() -> Diplomat:
    made = diplomat("FRANCE")
    opened(made)
    return made


def friend_of(of: Diplomat) -> str:
    return sorted(of.policy.close)[0]


def test_it_offers_peace_to_friends_and_none_to_its_prey() -> None:
    for level in (10, 130):
        made = diplomat("FRANCE", level)
        said = opened(made)
        assert said and all(level_of(letter.message) <= level for letter in said)
        offered = [letter.to for letter in said if isinstance(letter.message, p.Propose)]
        assert (made.policy.prey,) not in offered
        assert {(friend,) for friend in made.policy.close} <= set(offered)


@pytest.mark.parametrize("power", MAP.powers)
def test_some_neighbours_are_friends_and_proposals_go_to_neighbours_with_a_reason(power: str) -> None:
    made = diplomat(power)
    said = [letter for letter in opened(made) if isinstance(letter.message, p.Propose)]
    policy = made.policy
    assert policy.prey in policy.neighbours and policy.prey not in policy.close
    assert 1 <= len(policy.close) <= max(1, len(policy.neighbours) // 2)
    assert set(policy.friends()) & policy.neighbours == policy.close
    assert policy.friendship(policy.prey or "") < 0
    assert said and all(letter.reason for letter in said)
    assert {other for letter in said for other in letter.to} <= policy.neighbours
    assert len({other for letter in said for other in letter.to}) < len(policy.others) - 2
    text = sentence(said[0], MAP)
    assert ": if you leave me alone I go for " in text
    assert understand(text, speaker=power, to=said[0].to, position=START).message == said[0].message


def test_proposals_are_accepted_or_refused(france: Diplomat) -> None:
    friend, prey = friend_of(france), france.policy.prey
    agree(france, friend, p.Peace((friend, "FRANCE")))
    assert france.ledger.at_peace("FRANCE", friend)
    for kind in (p.Propose, p.Insist, p.Suggest):
        solo = kind(p.Solo("GERMANY"))
        assert replies(france, "GERMANY", solo) == [p.Refuse(solo)]
    assert prey is not None
    peace = p.Propose(p.Peace((prey, "FRANCE")))
    assert replies(france, prey, peace) == [p.Refuse(peace)]
    france.office.offered(prey, p.Peace(("FRANCE", prey)), START.phase)
    assert replies(france, prey, peace) == [p.Accept(peace)]  # What one proposes oneself one accepts.


def test_half_of_an_own_package_is_no_own_proposal(france: Diplomat) -> None:
    prey = france.policy.prey
    assert prey is not None
    peace, zone = p.Peace(("FRANCE", prey)), p.Demilitarised((prey,), ("BUR",))
    france.office.offered(prey, p.All((peace, zone)), START.phase)
    half = p.Propose(peace)
    assert replies(france, prey, half) == [p.Refuse(half)]


def test_an_answer_goes_to_all_who_were_asked(france: Diplomat) -> None:
    said = p.Propose(p.Draw())
    (reply,) = france.hear(Letter("ITALY", ("FRANCE", "GERMANY"), said))
    assert reply == Letter("FRANCE", ("ITALY", "GERMANY"), p.Refuse(said))


def test_questions(france: Diplomat) -> None:
    friend = friend_of(france)
    peace = p.Ask(p.Peace(("FRANCE", friend)))
    assert replies(france, "TURKEY", peace)[0] in (p.Unsure(peace), p.State(p.Not(peace)))
    agree(france, friend, peace.term)
    assert replies(france, "TURKEY", peace) == [p.State(peace)]
    secret = p.Ask(p.Promise("FRANCE", france.defence.orders[0]))
    assert replies(france, "TURKEY", secret) == [p.Decline(secret)]


def test_how_to_attack(france: Diplomat) -> None:
    friend, prey = friend_of(france), france.policy.prey
    assert prey is not None
    ask = p.AskAttack(prey)
    assert replies(france, friend, ask) == [p.Propose(p.Alliance(("FRANCE", friend), (prey,)))]
    on_friend, on_us = p.AskAttack(friend), p.AskAttack("FRANCE")
    assert replies(france, prey, on_friend) == [p.Refuse(on_friend)]
    assert replies(france, prey, on_us) == [p.Decline(on_us)]


def test_the_plan_for_an_own_unit_is_told_to_friends_alone(france: Diplomat) -> None:
    friend, planned = friend_of(france), france.defence.orders[0]
    ask = p.AskUnit(p.Station("FRANCE", planned.unit, planned.location))
    assert replies(france, friend, ask) == [p.Decline(ask)]
    agree(france, friend, p.Peace(("FRANCE", friend)))
    (told,) = replies(france, friend, ask)
    assert isinstance(told, p.Propose) and isinstance(told.term, p.Promise) and told.term.order == planned
    assert replies(france, france.policy.prey or "", ask) == [p.Decline(ask)]


def test_conditions_are_answered_as_the_branch(france: Diplomat) -> None:
    friend, prey = friend_of(france), france.policy.prey
    assert prey is not None
    offer, other = p.Propose(p.Peace((friend, "FRANCE"))), p.Propose(p.Solo(friend))
    willing = p.If(p.Alliance((friend, "FRANCE"), (prey,)), offer, other)
    assert replies(france, friend, willing) == [p.Accept(offer)]
    unwilling = p.If(p.Solo(friend), offer, other)
    assert replies(france, friend, unwilling) == [p.Refuse(other)]
    assert replies(france, friend, p.If(p.Solo(friend), offer)) == []


def test_the_rest_is_heard_in_silence(france: Diplomat) -> None:
    draw = p.Propose(p.Draw())
    peace = p.Peace(("ITALY", "TURKEY"))
    for message in (
        *(p.Accept(draw), p.Refuse(draw), p.Decline(draw), p.Cancel(draw)),
        *(p.State(peace), p.Think(peace), p.Report("ITALY", ("GERMANY",), draw), p.Words("hello")),
    ):
        assert replies(france, "ITALY", message) == [], message


def test_an_honest_one_says_that_a_peace_is_over_before_it_acts(france: Diplomat) -> None:
    friend = friend_of(france)
    agree(france, friend, p.Peace((friend, "FRANCE")))
    france.policy.intelligence.stance.stabbed(friend)
    france.policy.intelligence.stabbed[friend] = 0
    said = opened(france, START.next({}))
    letters = [letter for letter in said if isinstance(letter.message, p.State)]
    assert [(letter.to, letter.message) for letter in letters] == [
        ((friend,), p.State(p.Not(p.Peace(("FRANCE", friend)))))
    ]
    assert not france.ledger.at_peace("FRANCE", friend)


def test_what_is_pledged_in_a_phase_can_all_be_kept(france: Diplomat) -> None:
    friend = friend_of(france)
    agree(france, friend, p.Peace((friend, "FRANCE")))
    first, *_ = (order for order in france.defence.orders if order.unit == "A")
    other = parse_order(f"A {first.location} H", MAP, START)
    assert first != other
    agree(france, friend, p.Promise("FRANCE", first))
    second = p.Propose(p.Some((p.Promise("FRANCE", other), p.Solo("FRANCE"))))
    assert replies(france, friend, second) == [p.Refuse(second)]
    if first.destination:
        zone = p.Propose(p.Demilitarised(("FRANCE", friend), (first.destination.partition("/")[0],)))
        assert replies(france, friend, zone) == [p.Refuse(zone)]


def test_nobody_has_to_bear_more_than_a_few() -> None:
    made = ForeignOffice("FRANCE")
    orders = [p.Division((p.Share("FRANCE", (centre,)),)) for centre in MAP.centres]
    to_one = [Idea(float(place), term, ("ITALY",)) for place, term in enumerate(orders)]
    said = list(made.propose(to_one, START.phase))
    assert [letter.message for letter in said] == [p.Propose(orders[-1 - place]) for place in range(BEARABLE)]
    others = [power for power in MAP.powers if power != "FRANCE"]
    to_all = [Idea(1.0, term, (power,)) for term in orders[:BEARABLE] for power in others]
    assert len(said) + len(list(made.propose(to_all, START.phase))) == IN_ALL
    made.begin()
    assert list(made.propose(to_one[:1], START.phase._replace(season="F")))
    assert not list(made.propose(to_one[-1:], START.phase._replace(season="F")))
