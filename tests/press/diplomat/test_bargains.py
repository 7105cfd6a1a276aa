"""Bargains: what two powers promise each other gives both more than they have without a deal."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bordeaux import Agreement, Engine, Game, Position, adjudicate, load_games
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import check
from bordeaux.press.diplomat.deeds import Deal
from bordeaux.press.diplomat.haggling import LEAST, Bargain, bargains
from bordeaux.press.diplomat.ledger import Ledger
from bordeaux.press.language import messages as p
from bordeaux.press.language.levels import level_of

from .accounts import BALKANS, BELGIUM, MAP, SERBIA, START, agree, opened, order, play, say

DATA = Path(__file__).parents[2] / "data"


def found(position: Position, power: str, partner: str, seed: int = 0, **options: Any) -> list[Bargain]:
    with Engine(seed=seed) as engine:
        return bargains(engine, position, power, partner, **options)


def promises(deals: list[Bargain]) -> set[str]:
    return {str(term.order) for deal in deals for term in deal.terms}


def test_two_take_together_what_neither_takes_alone() -> None:
    deals = found(SERBIA, "AUSTRIA", "ITALY")
    assert deals
    supported = {"A BUD S A TRI - SER", "A TRI S A BUD - SER"} & promises(deals)
    assert supported
    helping = next(deal for deal in deals if promises([deal]) & supported)
    orders: dict[str, list[str]] = {}
    for term in helping.terms:
        orders.setdefault(term.power, []).append(str(term.order))
    # Both keep it: Serbia falls, even though the Turk stays there.
    taken = adjudicate(SERBIA, orders).after.unit_at("SER")
    assert taken is not None and taken.power in ("AUSTRIA", "ITALY")
    # Who helps says whom, and the other promises to make the move that is helped.
    assert {term.power for term in helping.terms} == {"AUSTRIA", "ITALY"}
    for term in helping.terms:
        if term.order.kind == OrderKind.SUPPORT_MOVE:
            assert term.helped and term.helped != term.power


def test_a_deal_on_belgium() -> None:
    deals = found(BELGIUM, "FRANCE", "GERMANY")
    given = promises(deals)
    assert "A BUR - BEL" in given or "A RUH - BEL" in given or "F HOL - BEL" in given
    assert any(order.endswith("- BEL") and " S " in order for order in given)


@pytest.mark.parametrize(
    ("position", "power", "partner"),
    [
        (BALKANS, "AUSTRIA", "RUSSIA"),
        (BALKANS, "ENGLAND", "GERMANY"),
        (SERBIA, "AUSTRIA", "ITALY"),
        (BELGIUM, "FRANCE", "GERMANY"),
    ],
)
def test_terms_are_what_those_who_promise_can_give(position: Position, power: str, partner: str) -> None:
    # Where little can be gained together, not every search finds it.
    deals = next(filter(None, (found(position, power, partner, seed) for seed in range(6))))
    for deal in deals:
        assert min(deal.gain_ours, deal.gain_theirs) >= LEAST
        for term in deal.terms:
            assert term.power in (power, partner)
            assert not check(position, term.power, term.order).fault
            assert level_of(p.Propose(term)) == 20
        ours, theirs = deal.promised_by(power), deal.promised_by(partner)
        if len(deal.terms) > 1:
            assert deal.terms == ours + theirs
            # One order for each unit.
            places = [term.order.location for term in ours + theirs]
            assert len(set(places)) == len(places)
    smaller = [min(deal.gain_ours, deal.gain_theirs) for deal in deals]
    assert smaller == sorted(smaller, reverse=True)


def test_nothing_between_powers_that_are_far_apart() -> None:
    with Engine(seed=0) as engine:
        engine.task = None  # type: ignore[method-assign,assignment]  # It would be called for a search.
        assert bargains(engine, Position.start(), "ENGLAND", "TURKEY") == []


def test_what_is_agreed_is_kept() -> None:
    for position, partner in ((BALKANS, "RUSSIA"), (SERBIA, "ITALY")):
        pair = ("AUSTRIA", partner)
        for deal in found(position, *pair, agreements=(Agreement("peace", pair),)):
            for term in deal.terms:
                other = pair[1 - pair.index(term.power)]
                goal = term.order.destination.partition("/")[0]
                # Peace bars the way into what the partner has, for promises as well.
                if term.order.kind == OrderKind.MOVE:
                    assert goal not in position.centres[other]
    assert "A BUD S A TRI - SER" in promises(found(SERBIA, "AUSTRIA", "ITALY"))
    forbidden = Agreement("forbid", ("AUSTRIA",), orders=("A BUD S A TRI - SER",))
    assert "A BUD S A TRI - SER" not in promises(found(SERBIA, "AUSTRIA", "ITALY", agreements=(forbidden,)))
    promised = Agreement("promise", ("AUSTRIA",), orders=("A BUD - VIE",))
    assert not {"A BUD - SER", "A BUD S A TRI - SER"} & promises(
        found(SERBIA, "AUSTRIA", "ITALY", agreements=(promised,))
    )


def drawn(games: list[Game], chance: random.Random) -> tuple[Position, str, str]:
    """A position from the first half of a game, and two powers that have units there."""
    while True:
        game = chance.choice(games)
        position = game.position(chance.randrange(len(game.phases) // 2))
        first, second = chance.sample(MAP.powers, 2)
        if position.phase.kind == "M" and min(len(position.units_of(power)) for power in (first, second)) > 2:
            return position, first, second


def test_any_position_of_a_game() -> None:
    chance, promised = random.Random(8), 0
    games = list(load_games(DATA / "selfplay.jsonl.gz"))
    for nodes in (1, 300, 2000, 2000):
        position, first, second = drawn(games, chance)
        with Engine(seed=0) as engine:
            deals = bargains(engine, position, first, second, nodes=nodes, least=0.1)
        for deal in deals:
            for term in deal.terms:
                assert not check(position, term.power, term.order).fault
                promised += 1
    assert promised


def test_other_phases_have_no_bargains() -> None:
    chance = random.Random(3)
    games = list(load_games(DATA / "selfplay.jsonl.gz"))
    game = chance.choice(games)
    played = map(game.position, range(len(game.phases)))
    others = [position for position in played if position.phase.kind in "RA"]
    assert others
    with Engine(seed=0) as engine:
        for position in others[:4]:
            assert bargains(engine, position, "ITALY", "GERMANY", nodes=300, least=0.0) == []


# Conditional messages: what depends on them is said, or binds, when they are decided.

PAIR = ("RUSSIA", "TURKEY")
PEACE = p.Peace(PAIR)
ALLIANCE = p.Alliance(PAIR, ("AUSTRIA",))
ZONE = p.Demilitarised(PAIR, ("BLA", "ARM"))


def test_if_you_agree_to_ally_with_me_then_i_accept_your_proposal() -> None:
    """The third message in Hall and Loeb (1995), section 5."""
    ledger = opened()
    say(ledger, "RUSSIA", "TURKEY", p.Propose(ZONE))
    answer = p.If(ALLIANCE, p.Accept(p.Propose(ZONE)), p.Refuse(p.Propose(ZONE)))
    assert say(ledger, "TURKEY", "RUSSIA", answer) == []
    say(ledger, "TURKEY", "RUSSIA", p.Propose(ALLIANCE))
    concluded = say(ledger, "RUSSIA", "TURKEY", p.Accept(p.Propose(ALLIANCE)))
    assert [deal.term for deal in concluded] == [ALLIANCE, ZONE]


def test_the_other_branch_counts_when_it_is_known_that_it_does_not_hold() -> None:
    ledger = opened()
    say(ledger, "RUSSIA", "TURKEY", p.Propose(ZONE))
    say(ledger, "TURKEY", "RUSSIA", p.If(PEACE, p.Refuse(p.Propose(ZONE)), p.Accept(p.Propose(ZONE))))
    assert ledger.deals() == []
    say(ledger, "RUSSIA", "TURKEY", p.State(p.Not(PEACE)))
    assert [deal.term for deal in ledger.deals()] == [ZONE]


def test_an_accepted_conditional_proposal_binds_by_what_is_known_of_its_condition() -> None:
    offer = p.If(p.Peace(("AUSTRIA", "TURKEY")), p.Propose(PEACE), p.Propose(ZONE))
    ledger = opened()
    agree(ledger, p.Peace(("AUSTRIA", "TURKEY")), "AUSTRIA", "TURKEY")
    say(ledger, "RUSSIA", "TURKEY", offer)
    assert [deal.term for deal in say(ledger, "TURKEY", "RUSSIA", p.Accept(offer))] == [PEACE]
    ledger = opened()
    say(ledger, "AUSTRIA", "TURKEY", p.State(p.Not(p.Peace(("AUSTRIA", "TURKEY")))))
    say(ledger, "RUSSIA", "TURKEY", offer)
    assert [deal.term for deal in say(ledger, "TURKEY", "RUSSIA", p.Accept(offer))] == [ZONE]


def traded() -> tuple[Ledger, Deal]:
    """Turkey goes to Bulgaria if Russia goes to Galicia, agreed by both."""
    ledger = opened()
    offer = p.If(
        p.Promise("RUSSIA", order("A WAR - GAL")), p.Propose(p.Promise("TURKEY", order("A CON - BUL")))
    )
    say(ledger, "TURKEY", "RUSSIA", offer)
    (deal,) = say(ledger, "RUSSIA", "TURKEY", p.Accept(offer))
    return ledger, deal


def test_what_depends_on_orders_is_judged_with_them() -> None:
    ledger, deal = traded()
    assert not any(judgement.kept is False for judgement in play(ledger, START, TURKEY=["A CON H"])[0])
    assert ledger.deals() == [] and not ledger.hostile("TURKEY", "RUSSIA")
    ledger, deal = traded()
    judged, _ = play(ledger, START, RUSSIA=["A WAR - GAL"], TURKEY=["A CON H"])
    assert [(judgement.deal, judgement.power, judgement.kept) for judgement in judged] == [
        (deal, "TURKEY", False)
    ]
    assert ledger.hostile("TURKEY", "RUSSIA")
    ledger, deal = traded()
    judged, _ = play(ledger, START, RUSSIA=["A WAR - GAL"], TURKEY=["A CON - BUL"])
    assert all(judgement.kept for judgement in judged)
