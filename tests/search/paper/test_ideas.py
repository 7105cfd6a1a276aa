"""Every idea of the search can be switched off, and then it is not at work."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from bordeaux import Engine, Found, Limit, Map, Position, Request, legal_orders
from bordeaux.arena import bench
from bordeaux.evaluation import evaluator
from bordeaux.search.beliefs import MODELS, OpponentSampler
from bordeaux.search.config import PAPER, SEARCHES, SearchConfig, ideas_of
from bordeaux.search.forcing import Decisive
from bordeaux.search.models import PEOPLE
from bordeaux.search.paper import MovementSearch, Situation, finding
from bordeaux.search.paper.fronts import by_fronts
from bordeaux.search.task import Budget, SearchTask

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
    monkeypatch.setattr(Decisive, "found", noted("forcing", Decisive.found))
    return counts


#: What is forced joins the sets of the paper's search at its end, and seldom is the best: see below.
TRIED = [(search, idea) for search in SEARCHES for idea in ideas_of(search)]
TRIED.remove((PAPER, "forcing"))


@pytest.mark.parametrize(("search", "idea"), TRIED)
@pytest.mark.slow
def test_without_any_one_answers_are_legal_complete_and_others(search: str, idea: str) -> None:
    position = FALL if idea in ("forcing", "best-first") and search != PAPER else LATE
    with Engine(search=search, without=idea) as engine:
        answer = engine.search(position, POWER, nodes=20_000)
        assert choice(engine, answer, position) != whole_choice(search, position)
    legal = {order for orders in legal_orders(position, POWER).values() for order in orders}
    assert set(answer.orders) <= legal and len(answer.orders) == len(position.units_of(POWER))


def choice(engine: Engine, found: Found, position: Position) -> object:
    """What a search has to choose among: its lines, or the goals and the sets of the paper's search."""
    if engine.config.search != PAPER:
        return found.lines
    return found.goals, engine.pools(Request(position, (POWER,), Limit(nodes=20_000))).lines(POWER, 30)


@functools.cache
def whole_choice(search: str, position: Position) -> object:
    """What a search with all its ideas has to choose among."""
    with Engine(search=search) as engine:
        return choice(engine, engine.search(position, POWER, nodes=20_000), position)


def test_without_forcing_nobody_looks_what_is_sure(at_work: Counter[str]) -> None:
    def asked(position: Position, *without: str) -> int:
        at_work.clear()
        with Engine(search=PAPER, without=without) as engine:
            engine.search(position, POWER, nodes=30_000)
        return at_work["forcing"]

    assert not asked(FALL, "forcing")
    # Nor is it looked for where nothing can be settled.
    assert not asked(LATE)
    assert asked(FALL)


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
