"""Every idea of the search can be switched off, and then it is not at work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bordeaux import BordeauxError, Engine, Map, Position, legal_orders
from bordeaux.arena import bench
from bordeaux.evaluation import evaluator
from bordeaux.search.beliefs import MODELS, OpponentSampler
from bordeaux.search.budget import Budget
from bordeaux.search.config import PAPER, SEARCHES, SearchConfig, ideas_of
from bordeaux.search.forcing import Forcing
from bordeaux.search.models import PEOPLE, SEARCH
from bordeaux.search.paper import MovementSearch, Situation, finding
from bordeaux.search.paper.decision import Decision
from bordeaux.search.paper.fronts import by_fronts
from bordeaux.search.task import SearchTask

MAP = Map.standard()
LATE = next(position for position, _ in bench.positions() if str(position.phase) == "S1912M")
#: What can be forced is looked for in Fall.
FALL = next(position for position, _ in bench.positions() if str(position.phase) == "F1912M")
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))


def searched(*left_out: str, nodes: int = 60_000, position: Position = LATE) -> MovementSearch:
    config = SearchConfig(PAPER, without="+".join(left_out))
    search = MovementSearch(Situation(SearchTask(position, config), evaluator(MAP)))
    for _ in search.run([POWER], Budget(nodes=nodes)):
        pass
    return search


@pytest.fixture
def at_work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts drawn backgrounds, draws of policies and people, searches by fronts, looks for what is sure."""
    counts: Counter[str] = Counter()

    def noted(name: str, whole: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            counts[name] += not options.get("likeliest", False)
            return whole(*args, **options)

        return call

    monkeypatch.setattr(OpponentSampler, "joint", noted("drawn", OpponentSampler.joint))
    monkeypatch.setattr(OpponentSampler, "policy", noted("policy", OpponentSampler.policy))
    monkeypatch.setattr(MODELS[PEOPLE], "draw", noted("people", MODELS[PEOPLE].draw))
    monkeypatch.setattr(finding, "by_fronts", noted("fronts", by_fronts))
    monkeypatch.setattr(Forcing, "sets", noted("forcing", Forcing.sets))
    return counts


def test_all_ideas_are_in_use_but_those_named() -> None:
    whole = SearchConfig(PAPER)
    assert whole.without_ideas("fronts", "beliefs").ideas == whole.ideas - {"fronts", "beliefs"}
    with pytest.raises(BordeauxError, match="unknown idea 'rollout'; did you mean 'rollouts'"):
        whole.without_ideas("rollout")
    with pytest.raises(BordeauxError, match=r"unknown idea 'magic'.*known: beliefs, forcing"):
        Engine(search="paper", without=["fronts", "magic"])


@pytest.mark.parametrize(
    ("search", "idea"), [(search, idea) for search in SEARCHES for idea in ideas_of(search)]
)
@pytest.mark.slow
def test_without_any_one_answers_are_legal_complete_and_others(search: str, idea: str) -> None:
    position = FALL if idea == "forcing" else LATE
    with Engine(search=search, without=idea) as engine, Engine(search=search) as whole:
        answer = engine.search(position, POWER, nodes=20_000)
        assert answer.lines == engine.search(position, POWER, nodes=20_000).lines
        assert answer.lines != whole.search(position, POWER, nodes=20_000).lines
    legal = {order for orders in legal_orders(position, POWER).values() for order in orders}
    assert set(answer.orders) <= legal and len(answer.orders) == len(position.units_of(POWER))


def test_with_all_of_them_each_is_at_work(at_work: Counter[str]) -> None:
    search = searched()
    assert search.decision.played_on(POWER) and search.sampler.mixtures
    assert search.pools()
    assert any(judged.against_replies for judged in search.state.judged[POWER].values())
    assert all(at_work[idea] > 0 for idea in ("drawn", "policy", "people", "fronts"))
    # Three draws of DumbBot's policy, and three of what self-play has learnt.
    assert len(search.state.policy(POWER, 3)) == 6


def test_without_beliefs_all_are_searched_and_drawn_from_their_searches() -> None:
    search = searched("beliefs", nodes=30_000)
    assert all(shares == {SEARCH: 1.0} for shares in search.sampler.beliefs.shares.values())


def test_without_rollouts_the_trial_decides() -> None:
    search = searched("rollouts", nodes=30_000)
    assert search.decision.rollout.nodes == 0 and not search.decision.played_on(POWER)
    assert search.depth(POWER) == 1
    decided = search.state.decided[POWER]
    assert decided[search.sides[POWER].best].value == max(candidate.value for candidate in decided.values())


def test_without_forcing_nobody_looks_what_is_sure(at_work: Counter[str]) -> None:
    searched("forcing", nodes=30_000, position=FALL)
    assert at_work["forcing"] == 0
    # Nor is it looked for where nothing can be settled.
    searched(nodes=30_000)
    assert at_work["forcing"] == 0
    searched(nodes=30_000, position=FALL)
    assert at_work["forcing"] > 0


def test_without_replies_nothing_replies() -> None:
    search = searched("replies", nodes=30_000)
    assert not any(judged.against_replies for judged in search.state.judged[POWER].values())


def test_without_the_equilibrium_nothing_is_mixed() -> None:
    search = searched("equilibrium")
    assert search.sampler.mixtures == {} and search.decision.played_on(POWER)


def test_without_variants_only_the_likeliest_orders_are_a_background(
    at_work: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # A decision draws in any case.
    monkeypatch.setattr(Decision, "run", lambda *given: iter(()))
    searched("variants", nodes=30_000)
    assert at_work["drawn"] == 0
    searched(nodes=30_000)
    assert at_work["drawn"] > 0


def test_without_the_policy_none_of_its_orders_is_tried(at_work: Counter[str]) -> None:
    search = searched("policy", nodes=30_000)
    before = at_work["people"]
    assert len(search.state.policy(POWER, 2)) == 2 and at_work["people"] == before + 2
    assert searched("policy", "league", nodes=5_000).state.policy(POWER) == []


def test_without_people_they_are_neither_tried_nor_believed_in(at_work: Counter[str]) -> None:
    search = searched("people", "league", nodes=30_000)
    assert at_work["people"] == 0 and len(search.state.policy(POWER, 2)) == 2
    assert all(PEOPLE not in shares for shares in search.sampler.beliefs.shares.values())
    with Engine(search="paper", without=["people", "league"]) as engine:
        engine.observe(LATE, {power: [] for power in MAP.powers})
        engine.search(LATE, POWER, nodes=3_000)
        winter = next(position for position, _ in bench.positions() if position.phase.kind == "A")
        engine.search_all(winter, nodes=2_000)
    assert at_work["people"] == 0


def test_without_fronts_all_is_searched_whole(at_work: Counter[str]) -> None:
    searched("fronts", nodes=30_000)
    assert at_work["fronts"] == 0


def test_without_the_metamap_there_are_no_goals() -> None:
    with Engine(search="paper", without=["metamap"]) as plain, Engine(search="paper") as whole:
        assert plain.search(LATE, POWER, nodes=20_000).goals == ()
        assert whole.search(LATE, POWER, nodes=20_000).goals
