"""Peace by deeds and words: where it is found, what keeps and breaks it, and what a review makes of it."""

from dataclasses import replace
from typing import Any

import pytest

from bordeaux import Limit, Position
from bordeaux.review import Review, review_game
from bordeaux.review.peace import QUIET, TRUST, Pacts, agreed_peace, listen, peaces
from bordeaux.review.record import GameRecord, read_record
from bordeaux.review.telling import percent
from bordeaux.review.turning import turning_points
from bordeaux.search.agreements import Agreement, agreed

from ..players.playing import standard as board
from .games import game, letter, whole

PAIR = frozenset(("FRANCE", "GERMANY"))
CALM = {"FRANCE": ["A BUR H", "A PIC H"], "GERMANY": ["A RUH H"]}
BLOW = {"FRANCE": ["A BUR - MUN", "A PIC - BUR"], "GERMANY": ["A RUH H"]}
# As many units as centres, so that no winter has adjustments. Munich stands open to Burgundy, in Fall.
BESIDE = board(
    "F1904M",
    {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A RUH"]},
    {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
)


def record_of(*sent: dict[str, list[str]]) -> GameRecord:
    return read_record(game(BESIDE, *sent))


@pytest.mark.parametrize(("count", "at_peace_then"), [(QUIET, True), (QUIET - 1, False)])
def test_years_of_letting_each_other_be_are_peace_from_their_beginning(
    count: int, at_peace_then: bool
) -> None:
    record = record_of(*[CALM] * count, BLOW)
    at_peace = peaces(record)
    # The attack that ends it is an attack in peace.
    assert [PAIR in at_peace[turn.number] for turn in record.movements()] == [at_peace_then] * (count + 1)


def test_who_supports_another_is_at_peace_with_it_in_that_phase() -> None:
    helping = {"FRANCE": ["A BUR S A RUH", "A PIC H"], "GERMANY": ["A RUH H"]}
    record = record_of(CALM, helping, BLOW)
    at_peace = peaces(record)
    assert [PAIR in at_peace[turn.number] for turn in record.movements()] == [False, True, False]
    # Not with who attacks beside it.
    both = {"FRANCE": ["A BUR S A RUH", "A PIC - BEL"], "GERMANY": ["A RUH - BUR"]}
    assert not any(peaces(record_of(both, CALM)).values())


@pytest.mark.parametrize(("unit", "at_peace"), [("A PAR", True), ("A BRE", False)])
def test_peace_is_of_powers_within_two_moves_of_each_other(unit: str, at_peace: bool) -> None:
    position = board(
        "S1905M", {"FRANCE": [unit], "GERMANY": ["A MUN"]}, {"FRANCE": ["BRE"], "GERMANY": ["BER"]}
    )
    holds = {"FRANCE": [f"{unit} H"], "GERMANY": ["A MUN H"]}
    record = read_record(game(position, *[holds] * (QUIET + 1)))
    assert any(PAIR in pairs for pairs in peaces(record).values()) == at_peace


def test_peace_by_deeds_binds_both_and_is_trusted_as_far_as_deeds_have_shown() -> None:
    recorded = game(BESIDE, *[CALM] * QUIET, BLOW)
    record = read_record(recorded)
    bound = agreed_peace(record, listen(recorded, record))
    trusts = []
    for number in range(QUIET + 1):
        for power in PAIR:
            (peace,) = bound[number][power]
            assert peace.kind == "peace" and set(peace.parties) == PAIR
            trusts.append(peace.trust)
    assert trusts == sorted(trusts) and 0 < trusts[0] < trusts[-1] <= TRUST


def test_retreats_keep_the_peace_but_with_who_has_just_attacked() -> None:
    between = board(
        "F1904M",
        {"FRANCE": ["A BUR"], "GERMANY": ["A RUH"], "ITALY": ["A KIE", "A HOL"]},
        {"FRANCE": ["PAR"], "GERMANY": ["MUN"], "ITALY": ["KIE", "HOL"]},
    )
    calm = {"FRANCE": ["A BUR H"], "GERMANY": ["A RUH H"], "ITALY": ["A KIE H", "A HOL H"]}
    blow = {**calm, "ITALY": ["A KIE - RUH", "A HOL S A KIE - RUH"]}
    recorded = game(between, *[calm] * QUIET, blow, {"GERMANY": ["A RUH R BEL"]})
    record = read_record(recorded)
    retreat = record.turns[-1]
    assert retreat.before.phase.kind == "R"
    bound = agreed_peace(record, listen(recorded, record))
    before = {party for agreement in bound[retreat.number - 1]["GERMANY"] for party in agreement.parties}
    assert before == {"FRANCE", "GERMANY", "ITALY"}
    assert [agreement.parties for agreement in bound[retreat.number]["GERMANY"]] == [("GERMANY", "FRANCE")]


def pacts(orders: list[str]) -> Pacts:
    agreements = agreed(BESIDE, [Agreement("peace", ("FRANCE", "GERMANY"), stabbed_by=("FRANCE",))])
    return Pacts(BESIDE, "FRANCE", agreements, whole(BESIDE, "FRANCE", orders))


def test_orders_choose_between_peace_and_a_stab() -> None:
    loyal, stab = pacts(CALM["FRANCE"]), pacts(BLOW["FRANCE"])
    assert loyal.partners() == ("GERMANY",) and not loyal.broke
    assert [agreement.stabbed_by for agreement in loyal.chosen()] == [()]
    assert [agreement.stabbed_by for agreement in loyal.otherwise()] == [("FRANCE",)]
    assert stab.partners() == () and len(stab.broke) == 1
    assert [agreement.stabbed_by for agreement in stab.chosen()] == [("FRANCE",)]
    assert [agreement.stabbed_by for agreement in stab.otherwise()] == [()]
    blow, calm = (whole(BESIDE, "FRANCE", orders_by_power["FRANCE"]) for orders_by_power in (BLOW, CALM))
    assert loyal.is_other(blow) and not loyal.is_other(calm)
    assert stab.is_other(calm) and not stab.is_other(blow)
    assert loyal.victims(blow) == ("GERMANY",) and loyal.victims(calm) == ()


def test_what_each_promises_for_itself_binds_the_other_to_nothing() -> None:
    own, others = (
        Agreement("demilitarised", ("FRANCE",), provinces=("MUN",)),
        Agreement("demilitarised", ("GERMANY",), provinces=("BUR",)),
    )
    both = agreed(BESIDE, [own, others])
    loyal = Pacts(BESIDE, "FRANCE", both, whole(BESIDE, "FRANCE", CALM["FRANCE"]))
    assert [agreement.stabbed_by for agreement in loyal.otherwise()] == [("FRANCE",), ()]
    stab = Pacts(BESIDE, "FRANCE", both, whole(BESIDE, "FRANCE", BLOW["FRANCE"]))
    assert [agreement.stabbed_by for agreement in stab.chosen()] == [(), ("FRANCE",)]
    # In a game of words: what was agreed is reviewed.
    said = "England proposes that England and France keep out of the English Channel."
    yes = "France says yes to the proposal that England and France keep out of the English Channel."
    recorded = game(Position.start(), {"FRANCE": ["A PAR - BUR"]})
    words = (("ENGLAND", "FRANCE", said), ("FRANCE", "ENGLAND", yes))
    messages = tuple(letter(*word, number) for number, word in enumerate(words))
    spoken = replace(recorded, phases=(replace(recorded.phases[0], messages=messages), *recorded.phases[1:]))
    reviewed = review_game(spoken, limit=Limit(nodes=100), powers=["FRANCE"], processes=1)
    assert len(reviewed.powers["FRANCE"].phases) == 1


@pytest.fixture(scope="module")
def review() -> Review:
    """France lets Munich be for two years and more, then goes in."""
    recorded = game(BESIDE, *[CALM] * QUIET, BLOW)
    return review_game(recorded, limit=Limit(nodes=1_000), powers=["FRANCE"], processes=1)


def enters_munich(orders: tuple[str, ...]) -> bool:
    return any(order.endswith("- MUN") for order in orders)


@pytest.mark.slow
def test_who_keeps_the_peace_is_not_charged_for_not_stabbing(review: Review) -> None:
    *calm, _ = review.powers["FRANCE"].phases
    for judged in calm:
        assert judged.peace == ("GERMANY",) and judged.broke == ()
        assert not enters_munich(judged.best) and not enters_munich(judged.hindsight)
    # What breaking it was worth is told beside that.
    worth = [judged for judged in calm if judged.otherwise]
    assert any(enters_munich(judged.otherwise) for judged in worth)
    assert all(judged.victims == ("GERMANY",) for judged in worth)
    assert max(judged.stab_worth for judged in worth) > 0.05


def test_a_stab_is_held_against_the_best_that_keeps_the_peace(review: Review) -> None:
    blow = review.powers["FRANCE"].phases[-1]
    assert blow.broke == ("GERMANY",) and blow.peace == ()
    assert blow.otherwise and not enters_munich(blow.otherwise)
    assert blow.victims == ("GERMANY",) and blow.stab_worth > 0.05
    (point,) = [turning_point for turning_point in review.turning_points if turning_point.kind == "stab"]
    assert point.number == blow.number and "the stab was worth +" in point.why


def test_a_peace_that_cost_much_is_told_of_as_a_choice(review: Review) -> None:
    """A mistake in the same phase would come first, so all but the peace is taken for well played. What the
    stab was worth is set: how much it was is the search's to say."""
    france, worth = review.powers["FRANCE"], dict[str, Any](stab_worth=0.3, stab_doubt=0.01)
    assert any(phase.otherwise and not phase.broke for phase in france.phases), "a choice to be told of"
    flawless = tuple(
        phase._replace(loss=0.0, forced=0, **(worth if phase.otherwise and not phase.broke else {}))
        for phase in france.phases
    )
    record = read_record(review.game)
    points = turning_points(record, {"FRANCE": france._replace(phases=flawless)}, review.moments)
    assert {point.kind for point in points} == {"peace kept", "stab"}
    (kept,) = (point for point in points if point.kind == "peace kept")
    assert kept.victim == "GERMANY" and set(kept.better) != set(CALM["FRANCE"])
    assert kept.loss == pytest.approx(0.3, abs=0.0001) and f"worth +{percent(0.3)}" in kept.why
