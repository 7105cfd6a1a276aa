"""The decision: the sets that rollouts compare, and when the mixture decides."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace

import pytest

from bordeaux import Agreement, Map, Position
from bordeaux.arena import bench
from bordeaux.evaluation import evaluator
from bordeaux.search.agreements import Bonds, agreed
from bordeaux.search.budget import Budget
from bordeaux.search.config import SearchConfig
from bordeaux.search.paper import MovementSearch, Situation
from bordeaux.search.paper.decision import (
    ALLIES,
    NEARLY,
    PAPER,
    REPLIES,
    ROLLOUTS,
    SURE,
    TRIAL,
    UNTESTED,
    Case,
    score_without,
)
from bordeaux.search.paper.finding import FINDING
from bordeaux.search.paper.sequential_halving import SequentialHalving
from bordeaux.search.paper.state import PaperState
from bordeaux.search.paper.trial import Trial
from bordeaux.search.sets import Candidate
from bordeaux.search.task import SearchTask

MAP = Map.standard()
MIDDLE = next(position for position, _ in bench.positions() if str(position.phase) == "S1904M")
FALL = next(position for position, _ in bench.positions() if str(position.phase) == "F1904M")


def search_of(seed: int = 0, *left_out: str, position: Position = MIDDLE) -> MovementSearch:
    """A search without some ideas."""
    config = SearchConfig("paper", without="+".join(left_out))
    return MovementSearch(Situation(SearchTask(position, config, seed), evaluator(MAP)))


def run(search: MovementSearch, powers: list[str], nodes: int) -> list[str]:
    return list(search.run(powers, Budget(nodes=nodes)))


def case_of(search: MovementSearch) -> tuple[Case, SequentialHalving]:
    """The decision for Turkey, and the halving in it."""
    case = search.decision.cases["TURKEY"]
    assert case.halving is not None
    return case, case.halving


def settled(search: MovementSearch, candidates: Iterable[int] | None = None) -> set[bytes]:
    """What some candidates of Turkey's halving (all, if not given) end as: none idles that could help."""
    case, halving = case_of(search)
    numbers = range(len(halving.candidates)) if candidates is None else candidates
    return {case.trial.without_idlers(halving.candidates[number]) for number in numbers}


def test_where_nothing_is_played_on_the_trial_decides_and_not_the_mixture() -> None:
    search = search_of()
    run(search, ["TURKEY"], 10_000)
    case, _ = case_of(search)
    scores = case.trial.scores
    ranked = tuple(
        Candidate(orders, PAPER, scores=((TRIAL, scores[orders]),)) for orders in case.trial.ranked()
    )
    search.sampler.mixtures["TURKEY"] = [(ranked[1].orders, 1.0)]
    spent, case = search.decision.rollout.nodes, replace(case, progress=lambda: 1.0)
    play_out = search.decision.play_out
    assert search.decision.choose is not None
    assert play_out is not None
    halving = play_out.halving(case, ranked)
    assert {number for _, number in play_out.run(halving, case, ranked)} == {0}
    case = replace(case, halving=halving)
    chosen = search.decision.choose.run(case, ranked, ranked[0])
    assert chosen.orders == case.trial.without_idlers(ranked[0].orders)
    assert search.decision.rollout.nodes == spent


def test_what_a_candidate_is_worth_is_the_sum_of_what_stages_say() -> None:
    search = search_of(position=FALL)
    run(search, ["TURKEY"], 40_000)
    _, halving = case_of(search)
    decided = search.state.decided["TURKEY"]
    for orders, worth in halving.scores().items():
        candidate = decided[orders]
        # In this order: nothing that a stage has found is washed out by a later one.
        scores = dict(candidate.scores)
        assert list(scores) == [TRIAL, REPLIES, SURE, ROLLOUTS]
        assert candidate.value == pytest.approx(worth) == pytest.approx(sum(scores.values()))
        assert scores[SURE] >= 0
    others = [candidate for orders, candidate in decided.items() if orders not in halving.candidates]
    worst = min(score_without(decided[orders], ROLLOUTS) for orders in halving.candidates)
    assert others and all(dict(other.scores).get(UNTESTED, 0.0) <= 0 for other in others)
    assert all(other.value <= worst + 1e-6 for other in others if UNTESTED in dict(other.scores))


def test_the_choice_is_not_behind_by_more_than_luck() -> None:
    for seed in range(4):
        search = search_of(seed)
        run(search, ["TURKEY"], 30_000)
        (_, halving), best = case_of(search), search.sides["TURKEY"].best
        leader = halving.alive[0]
        assert best in settled(search, halving.near(leader))
        decided = search.state.decided["TURKEY"]
        assert decided[best].value > halving.worth()[leader] - NEARLY


def test_its_nodes_are_those_of_rollouts_and_mixtures_and_end_with_the_budget() -> None:
    search = search_of()
    run(search, ["TURKEY"], 60_000)
    sides = sum(side.space.nodes for side in search.sides.values())
    assert search.nodes == sides + search.state.deciding
    assert search.state.deciding > search.decision.rollout.nodes > 0
    assert 60_000 <= search.nodes < 61_000
    assert sides > FINDING * 0.9 * 60_000


def found(state: PaperState) -> list[object]:
    """A copy of what a search has found."""
    sides = {power: (side.best, side.pool) for power, side in state.sides.items()}
    parts = (state.wanted, sides, state.judged, state.decided, state.deciding, state.sampler.mixtures)
    return [copy.deepcopy(part) for part in parts]


def test_stages_change_neither_candidates_nor_what_was_found() -> None:
    allied = Agreement("alliance", ("TURKEY", "RUSSIA"))
    bonds = Bonds(FALL, agreed(FALL, [allied]))
    search = MovementSearch(Situation(SearchTask(FALL, SearchConfig("paper"), bonds=bonds), evaluator(MAP)))
    run(search, ["TURKEY"], 20_000)
    decision, before = search.decision, found(search.state)
    old, _ = case_of(search)
    trial = Trial(old.side.space, lambda: search.sampler.joint("TURKEY"))
    case = replace(old, trial=trial, progress=lambda: 1.0)
    candidates = decision.propose.run(case)
    assert candidates and all(not candidate.scores for candidate in candidates)
    kinds: list[str] = []
    for stage, kind in zip((decision.trying, *decision.tests), (TRIAL, REPLIES, SURE, ALLIES), strict=True):
        taken = candidates
        candidates, nodes = stage.run(case, taken)
        assert [list(dict(candidate.scores)) for candidate in taken] == [kinds] * len(taken)
        kinds.append(kind)
        assert [list(dict(candidate.scores)) for candidate in candidates] == [kinds] * len(taken)
        assert nodes >= 0 and found(search.state) == before
    assert decision.play_out is not None
    halving = decision.play_out.halving(case, candidates)
    taken = candidates
    for played, _ in decision.play_out.run(halving, case, taken):
        assert [candidate.orders for candidate in played] == [candidate.orders for candidate in taken]
        assert all(ROLLOUTS in dict(candidate.scores) for candidate in played)
    assert not any(ROLLOUTS in dict(candidate.scores) for candidate in taken)
    decision.choose.run(replace(case, halving=halving), taken, taken[0])
    assert found(search.state) == before
