"""Beliefs: players are recognised by what they play, from real games."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux.board.submission import texts
from bordeaux.players.base import Limit, Seat
from bordeaux.players.registry import create
from bordeaux.review.running import _copied
from bordeaux.search.beliefs import (
    LASTING,
    LEAST,
    PRIOR,
    REASON,
    SLIP,
    TELLING,
    Beliefs,
    Choices,
    heated,
    prior_of,
)
from bordeaux.search.config import SEARCHES, SearchConfig
from bordeaux.search.models import HOLD, SEARCH
from bordeaux.search.sets import from_orders

MAP = Map.standard()
Told = tuple[Position, dict[str, list[str]]]
#: Names of players, and the model that each follows.
FOLLOWS = {
    "dumbbot": "dumbbot",
    "dumbbot-weak": "crude",
    "hold": HOLD,
    "people:temperature=0.5,wide=yes": "people-wide@0.5",
}


def game(specs: Mapping[str, str], phases: int, begin: Position | None = None, seed: int = 1) -> list[Told]:
    """So many phases of a game of players by power, with the orders given."""
    position, turns = begin or Position.start(), []
    players = {power: create(spec, Seat(power, MAP, seed)) for power, spec in specs.items()}
    for _ in range(phases):
        orders = {
            power: [str(order) for order in player.orders(position, Limit(nodes=1500))]
            for power, player in players.items()
            if power in position.orderable()
        }
        turns.append((position, orders))
        position = position.next(orders)
    return turns


def believed(turns: list[Told]) -> Beliefs:
    beliefs = Beliefs(MAP)
    for position, orders in turns:
        beliefs.observe(position, orders)
    return beliefs


@pytest.fixture(scope="module")
def fast() -> dict[str, list[Told]]:
    """Games in which all follow one model."""
    return {name: game(dict.fromkeys(MAP.powers, name), 10) for name in FOLLOWS}


@pytest.mark.parametrize("name", FOLLOWS)
def test_players_without_a_search_are_recognised(name: str, fast: dict[str, list[Told]]) -> None:
    beliefs = believed(fast[name])
    right = [power for power in MAP.powers if beliefs.likeliest(power) == FOLLOWS[name]]
    assert len(right) >= 6
    for power in right:
        assert sum(beliefs.shares[power].values()) == pytest.approx(1)
        assert min(beliefs.shares[power].values()) >= 0.9 * LEAST


@pytest.mark.slow
def test_engines_that_search_are_recognised_by_one_that_foretells_them(fast: dict[str, list[Told]]) -> None:
    turns = game(dict.fromkeys(MAP.powers, "bordeaux:seed=4"), 8)
    with Engine() as engine:
        for position, orders in turns:
            if position.phase.kind == "M":
                engine.search(position, "FRANCE", nodes=5000)
            engine.observe(position, orders)
        shares = engine._believed(MAP).shares
    # Nets have learnt from such engines, too: all three models say that nobody is a DumbBot here.
    alike = [model for model in PRIOR if heated(model)[0] in (SEARCH, "engines", "league")]
    searching = sum(shares[power][model] for power in MAP.powers for model in alike)
    dumb = believed(fast["dumbbot"]).shares
    assert searching > 4 > 2 * sum(dumb[power][model] for power in MAP.powers for model in alike)


def test_equal_observations_lead_to_equal_beliefs_wherever_they_have_been(
    fast: dict[str, list[Told]],
) -> None:
    turns = fast["dumbbot"]
    once, again = believed(turns), believed(turns[:4])
    travelled = pickle.loads(pickle.dumps(again))
    for position, orders in turns[4:]:
        again.observe(position, orders)
        travelled.observe(position, orders)
    assert once.shares == again.shares == travelled.shares
    assert once.shares != believed(turns[:4]).shares


def test_what_a_search_foretold_speaks_for_it() -> None:
    position = Position.start()
    orders = {"AUSTRIA": ["A VIE - TYR", "A BUD - RUM", "F TRI - VEN"]}
    pools = {}
    for search in SEARCHES:
        with Engine(search=search) as engine:
            engine.search(position, "FRANCE", nodes=2000)
            assert engine._foretold is not None
            pools[search] = engine._foretold[1]
    right, wrong = Beliefs(MAP), Beliefs(MAP)
    played: dict[str, list[str]] = {**{power: [] for power in MAP.powers}, **orders}
    # The very set that was foretold, with all of its share, and nothing of it.
    right.observe(position, played, {"AUSTRIA": [(from_orders(position, "AUSTRIA", orders["AUSTRIA"]), 1.0)]})
    wrong.observe(position, played, {"AUSTRIA": [(from_orders(position, "AUSTRIA", ["A VIE H"]), 1.0)]})
    assert right.shares["AUSTRIA"][SEARCH] > wrong.shares["AUSTRIA"][SEARCH]
    assert right.shares["FRANCE"] == wrong.shares["FRANCE"]
    # The search of the paper knows what powers would play if they searched.
    assert pools["learnt"] == {} and {"ENGLAND", "GERMANY", "ITALY"} <= set(pools["paper"])
    assert all(abs(sum(share for _, share in sets) - 1) < 1e-9 for sets in pools["paper"].values())


REASONING = ["A VIE - TYR", "A BUD - RUM", "F TRI - VEN"]
DRAWN = ["A VIE H", "A BUD - SER", "F TRI - ALB"]


def choices_of(power: str = "AUSTRIA", chosen: float = 0.9) -> dict[str, Choices]:
    """A power that reasons gives the first set with some probability; as it is drawn, with half."""
    sets = [from_orders(Position.start(), power, orders) for orders in (REASONING, DRAWN)]
    return {power: Choices(sets, (0.5, 0.5), (chosen, 1 - chosen))}


def test_who_gives_what_was_chosen_is_believed_to_reason() -> None:
    position = Position.start()

    def after(orders: list[str], times: int = 1, chosen: float = 0.9, reason: float = REASON) -> float:
        beliefs = Beliefs(MAP, reason=reason)
        for _ in range(times):
            beliefs.observe(position, {"AUSTRIA": orders, "FRANCE": []}, None, choices_of(chosen=chosen))
        return beliefs.reason["AUSTRIA"]

    rises = [after(REASONING, times) for times in (0, 1, 2, 50)]
    falls = [after(DRAWN, times) for times in (0, 1, 2, 50)]
    assert rises == sorted(rises) and falls == sorted(falls, reverse=True)
    assert rises[0] == falls[0] == REASON and rises[1] > REASON > falls[1]
    # It is never certain of either.
    assert 0.9 < rises[3] < 0.99 and 0.01 < falls[3] < 0.1
    # A sharper prediction tells more.
    assert after(REASONING, chosen=0.99) > rises[1]
    # By Bayes' rule, unit by unit with a weight, and random orders in eight kinds.
    odds = (REASON / (1 - REASON)) ** LASTING
    for _ in REASONING:
        odds *= (((1 - SLIP) * 0.7 + SLIP / 8) / ((1 - SLIP) * 0.5 + SLIP / 8)) ** TELLING
    assert rises[1] == pytest.approx(odds / (1 + odds))
    # Who does not reason at the beginning never does, nor is one doubted who does for sure.
    for certain in (0.0, 1.0):
        assert after(REASONING, reason=certain) == after(DRAWN, reason=certain) == certain


def test_the_belief_in_reasoning_travels() -> None:
    beliefs = Beliefs(MAP, reason=0.3)
    beliefs.observe(Position.start(), {"AUSTRIA": REASONING}, None, choices_of())
    reason = dict(beliefs.reason)
    travelled, copy = pickle.loads(pickle.dumps(beliefs)), _copied(beliefs)
    beliefs.observe(Position.start(), {"AUSTRIA": REASONING}, None, choices_of())
    assert travelled.reason == copy.reason == reason != beliefs.reason


def later(phase: str) -> Position:
    """The units of the start in a later phase."""
    return Position.from_json({**Position.start().to_json(), "name": phase})


def test_an_engine_learns_who_reasons_from_its_last_search_of_the_position() -> None:
    # In the first phase all are expected to open as people do.
    position, other = later("S1902M"), later("F1902M")
    with Engine() as engine:

        def reasons() -> dict[str, float]:
            return dict(engine._believed(MAP).reason)

        engine.search(position, "FRANCE", nodes=3_000)
        assert engine._foretold is not None
        choices = engine._foretold[2]
        assert set(choices) == set(MAP.powers)
        likeliest: dict[str, tuple[str, ...]] = {}
        unlikely: dict[str, tuple[str, ...]] = {}
        for power, choice in choices.items():
            gains = [new / old for new, old in zip(choice.chosen, choice.drawn, strict=True)]
            likeliest[power] = texts(MAP, choice.sets[gains.index(max(gains))])
            unlikely[power] = texts(MAP, choice.sets[gains.index(min(gains))])
        before = reasons()
        # Another position, or one that was not searched, tells nothing.
        engine.observe(other, likeliest)
        assert reasons() == before == dict.fromkeys(MAP.powers, REASON)
        engine.observe(position, likeliest)
        after = reasons()
        assert set(after) == set(MAP.powers)
        assert sum(after[power] > REASON for power in choices) >= 5
        engine.forget()
        engine.observe(position, unlikely)
        assert sum(reasons()[power] < REASON for power in choices) >= 5
        # What was searched last counts.
        engine.forget()
        engine.search(other, "FRANCE", nodes=3_000)
        engine.observe(position, likeliest)
        assert reasons() == before


def test_a_prior_rules_out_what_is_not_in_it(fast: dict[str, list[Told]]) -> None:
    beliefs = Beliefs(MAP, {SEARCH: 1.0})
    for position, orders in fast["hold"]:
        beliefs.observe(position, orders)
    assert beliefs.shares["ITALY"] == {SEARCH: 1.0}


def test_an_engine_observes_and_forgets(fast: dict[str, list[Told]]) -> None:
    position = later("S1902M")
    with Engine() as engine:
        before = engine.search(position, "TURKEY", nodes=4000)
        for turn_before, orders in fast["hold"]:
            engine.observe(turn_before, orders)
        assert engine._believed(MAP).likeliest("RUSSIA") == HOLD
        after = engine.search(position, "TURKEY", nodes=4000)
        engine.forget()
        assert engine._believed(MAP).shares == Beliefs(MAP).shares
        again = engine.search(position, "TURKEY", nodes=4000)
        with pytest.raises(BordeauxError, match="unknown province 'NOWHERE'"):
            engine.observe(position, {"TURKEY": ["A NOWHERE H"]})
    assert again.lines == before.lines != after.lines


def test_who_does_not_believe_in_an_idea_believes_in_the_rest_as_before() -> None:
    whole, rest = prior_of(SearchConfig().ideas), prior_of(SearchConfig(without="people+forcing").ideas)
    assert whole == pytest.approx(PRIOR) and {heated(model)[0] for model in {*PRIOR} - {*rest}} == {
        "people-wide",
        "engines",
    }
    assert sum(rest.values()) == pytest.approx(1)
    assert all(rest[name] / rest[HOLD] == pytest.approx(PRIOR[name] / PRIOR[HOLD]) for name in rest)
    beliefs = Beliefs(MAP, rest)
    beliefs.observe(Position.start(), {"FRANCE": ["A PAR - BUR"]})
    assert set(beliefs.shares["FRANCE"]) == set(rest)
    assert set(pickle.loads(pickle.dumps(beliefs)).shares["FRANCE"]) == set(rest)
