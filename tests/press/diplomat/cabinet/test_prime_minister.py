"""press/cabinet/prime_minister.py: what is proposed, and what is answered to everything that can be said."""

import pytest

from bordeaux.board.notation import parse_order
from bordeaux.board.phase import Phase
from bordeaux.press.diplomat.cabinet.prime_minister import BEARABLE, IN_ALL, ForeignOffice, Idea
from bordeaux.press.diplomat.diplomat import Diplomat
from bordeaux.press.language import messages as p
from bordeaux.press.language.english import sentence, understand
from bordeaux.press.language.letter import Letter
from bordeaux.press.language.levels import level_of
from tests.press.diplomat.cabinet.table import MAP, START, agree, board, diplomat, opened, replies


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
def test_a_proposal_has_a_reason_and_goes_to_neighbours(power: str) -> None:
    made = diplomat(power)
    said = [letter for letter in opened(made) if isinstance(letter.message, p.Propose)]
    assert said and all(letter.reason for letter in said)
    assert {other for letter in said for other in letter.to} <= made.policy.neighbours
    assert len({other for letter in said for other in letter.to}) < len(made.policy.others) - 2
    text = sentence(said[0], MAP)
    assert ": if you leave me alone I go for " in text
    assert understand(text, speaker=power, to=said[0].to, position=START).message == said[0].message


def test_it_keeps_quiet_where_nothing_may_be_said() -> None:
    made = diplomat("FRANCE")
    assert not opened(made, level=0) and not list(made.quiet())
    assert not replies(made, "ITALY", p.Propose(p.Peace(("FRANCE", "ITALY"))))
    silent = diplomat("FRANCE", level=0)
    assert not opened(silent)


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


def test_what_units_do_is_told_to_friends_alone(france: Diplomat) -> None:
    friend = friend_of(france)
    asked = p.AskUnit(p.Station("FRANCE", "A", "PAR"))
    assert replies(france, friend, asked) == [p.Decline(asked)]
    agree(france, friend, p.Peace((friend, "FRANCE")))
    (reply,) = replies(france, friend, asked)
    assert isinstance(reply, p.Propose) and isinstance(reply.term, p.Promise)
    assert reply.term.power == "FRANCE" and reply.term.order.location == "PAR"


def test_how_to_attack(france: Diplomat) -> None:
    friend, prey = friend_of(france), france.policy.prey
    assert prey is not None
    ask = p.AskAttack(prey)
    assert replies(france, friend, ask) == [p.Propose(p.Alliance(("FRANCE", friend), (prey,)))]
    on_friend, on_us = p.AskAttack(friend), p.AskAttack("FRANCE")
    assert replies(france, prey, on_friend) == [p.Refuse(on_friend)]
    assert replies(france, prey, on_us) == [p.Decline(on_us)]


def test_conditions_are_answered_as_the_branch(france: Diplomat) -> None:
    friend, prey = friend_of(france), france.policy.prey
    assert prey is not None
    offer, other = p.Propose(p.Peace((friend, "FRANCE"))), p.Propose(p.Solo(friend))
    willing = p.If(p.Alliance((friend, "FRANCE"), (prey,)), offer, other)
    assert replies(france, friend, willing) == [p.Accept(offer)]
    unwilling = p.If(p.Solo(friend), offer, other)
    assert replies(france, friend, unwilling) == [p.Refuse(other)]
    assert replies(france, friend, p.If(p.Solo(friend), offer)) == []


def test_explanations_and_reasons(france: Diplomat) -> None:
    ask = p.Explain(START.phase, p.Accept(p.Propose(p.Peace(("FRANCE", "GERMANY")))))
    assert replies(france, "GERMANY", ask) == [p.Unsure(ask)]
    why = p.Why(p.Propose(p.Peace(("FRANCE", "GERMANY"))))
    assert replies(france, "GERMANY", why) == [p.Decline(why)]


@pytest.mark.parametrize(
    "message",
    [
        p.Accept(p.Propose(p.Draw())),
        p.Refuse(p.Propose(p.Draw())),
        p.Decline(p.Propose(p.Draw())),
        p.Cancel(p.Propose(p.Draw())),
        p.State(p.Peace(("ITALY", "TURKEY"))),
        p.Think(p.Peace(("ITALY", "TURKEY"))),
        p.Report("ITALY", ("GERMANY",), p.Propose(p.Draw())),
        p.Words("hello"),
    ],
)
def test_the_rest_is_heard_in_silence(france: Diplomat, message: p.Message) -> None:
    assert replies(france, "ITALY", message) == []


def test_it_loses_patience() -> None:
    made = diplomat("FRANCE")
    opened(made)
    said = p.Propose(p.Solo("ITALY"))
    count = sum(len(replies(made, "ITALY", said)) for _ in range(100))
    assert 0 < count < 100
    assert replies(made, "GERMANY", p.Propose(p.Solo("GERMANY")))


def test_an_honest_one_says_that_a_peace_is_over_before_it_acts() -> None:
    made = diplomat("FRANCE")
    opened(made)
    friend = friend_of(made)
    agree(made, friend, p.Peace((friend, "FRANCE")))
    made.policy.intelligence.stance.stabbed(friend, START.phase)
    made.policy.intelligence.stabbed[friend] = 0
    fall = START.next({})
    said = opened(made, fall)
    letters = [letter for letter in said if isinstance(letter.message, p.State)]
    assert [(letter.to, letter.message) for letter in letters] == [
        ((friend,), p.State(p.Not(p.Peace(("FRANCE", friend)))))
    ]
    assert not made.ledger.at_peace("FRANCE", friend)


def test_what_is_pledged_in_a_phase_can_all_be_kept() -> None:
    made = diplomat("FRANCE")
    opened(made)
    friend = friend_of(made)
    agree(made, friend, p.Peace((friend, "FRANCE")))
    first, *_ = (order for order in made.defence.orders if order.unit == "A")
    other = parse_order(f"A {first.location} H", MAP, START)
    assert first != other
    agree(made, friend, p.Promise("FRANCE", first))
    second = p.Propose(p.Some((p.Promise("FRANCE", other), p.Solo("FRANCE"))))
    assert replies(made, friend, second) == [p.Refuse(second)]
    if first.destination:
        zone = p.Propose(p.Demilitarised(("FRANCE", friend), (first.destination.partition("/")[0],)))
        assert replies(made, friend, zone) == [p.Refuse(zone)]


def test_a_package_that_contradicts_itself_is_refused(france: Diplomat) -> None:
    friend = friend_of(france)
    agree(france, friend, p.Peace((friend, "FRANCE")))
    orders = [p.Promise("FRANCE", parse_order(text, MAP, START)) for text in ("A PAR - PIC", "A PAR - BUR")]
    both = p.Propose(p.All((*orders, p.Solo("FRANCE"))))
    assert replies(france, friend, both) == [p.Refuse(both)]


def test_nobody_is_promised_an_attack_on_whom_peace_is_offered_to() -> None:
    towns = {"ENGLAND": "LON", "GERMANY": "MUN", "ITALY": "VEN"}
    stands = {power: [f"A {town}"] for power, town in towns.items()}
    near = board("S1902M", {"FRANCE": ["F ENG", "A BUR", "A PIE"], **stands})
    made = diplomat("FRANCE")
    opened(made, near)
    made.policy.prey, made.policy.close = "ITALY", frozenset(("GERMANY",))
    made.office.begin()
    said = list(made.minister.opening())
    assert p.Propose(p.Peace(("FRANCE", "GERMANY"))) in [letter.message for letter in said]
    attack = p.Propose(p.Promise("FRANCE", parse_order("A BUR - MUN", MAP, near)))
    assert replies(made, "TURKEY", attack) == [p.Refuse(attack)]


def test_a_peace_in_a_package_can_be_ended_too() -> None:
    made = diplomat("FRANCE")
    opened(made)
    friend = friend_of(made)
    agree(made, friend, p.All((p.Peace((friend, "FRANCE")), p.Favour(friend, "FRANCE"))))
    made.policy.intelligence.stabbed[friend] = 0
    opened(made, START.next({}))
    assert not made.ledger.at_peace("FRANCE", friend)


def test_what_makes_no_sense_is_not_answered(france: Diplomat) -> None:
    for message in (p.Propose(p.Peace(("FRANCE", "XXX"))), p.Propose(p.Some(()))):
        assert replies(france, "ITALY", message) == []
    deep: p.Term = p.Draw()
    for _ in range(3000):
        deep = p.Not(deep)
    assert replies(france, "ITALY", p.Propose(deep)) == []


def test_attacks_are_planned_with_friends_alone(france: Diplomat) -> None:
    friend, prey = friend_of(france), france.policy.prey
    assert prey is not None
    on_itself, on_friend = p.AskAttack(prey), p.AskAttack(friend)
    assert replies(france, prey, on_itself) == [p.Refuse(on_itself)]
    assert replies(france, prey, on_friend) == [p.Refuse(on_friend)]


SPRING, FALL, NEXT = Phase.parse("S1901M"), Phase.parse("F1901M"), Phase.parse("S1902M")


def peace(other: str) -> p.Peace:
    return p.Peace(("FRANCE", other))


def office() -> ForeignOffice:
    made = ForeignOffice("FRANCE", MAP.powers)
    made.begin()
    return made


def test_the_best_come_first() -> None:
    ideas = [Idea(1.0, peace("ITALY"), ("ITALY",)), Idea(9.0, peace("GERMANY"), ("GERMANY",))]
    first, second = office().propose(ideas, SPRING)
    assert first == Letter("FRANCE", ("GERMANY",), p.Propose(peace("GERMANY")))
    assert second == Letter("FRANCE", ("ITALY",), p.Propose(peace("ITALY")))


def test_nobody_has_to_bear_more_than_a_few() -> None:
    made = office()
    orders = [p.Division((p.Share("FRANCE", (centre,)),)) for centre in MAP.centres]
    to_one = [Idea(float(place), term, ("ITALY",)) for place, term in enumerate(orders)]
    said = list(made.propose(to_one, SPRING))
    assert [letter.message for letter in said] == [p.Propose(orders[-1 - place]) for place in range(BEARABLE)]
    others = [power for power in MAP.powers if power != "FRANCE"]
    to_all = [Idea(1.0, term, (power,)) for term in orders[:BEARABLE] for power in others]
    assert len(said) + len(list(made.propose(to_all, SPRING))) == IN_ALL
    made.begin()
    assert list(made.propose(to_one[:1], FALL))


def test_what_was_offered_is_offered_again_next_year() -> None:
    made, idea = office(), Idea(1.0, peace("ITALY"), ("ITALY",))
    assert list(made.propose([idea], SPRING)) and not list(made.propose([idea], SPRING))
    made.begin()
    assert not list(made.propose([idea], FALL))
    made.begin()
    assert list(made.propose([idea], NEXT))


def test_it_knows_who_talks() -> None:
    made = office()
    assert not made.desks["ITALY"].speaks
    made.heard(Letter("ITALY", ("FRANCE",), p.Refuse(p.Propose(peace("ITALY")))))
    assert made.desks["ITALY"].speaks and not made.desks["GERMANY"].speaks
