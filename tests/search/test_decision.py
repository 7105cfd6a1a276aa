"""The decision: which sets are played on from, and when the mixture has a say."""

from __future__ import annotations

import random
from collections.abc import Iterable
from types import SimpleNamespace

import pytest

from bordeaux import Map, Position, bench
from bordeaux.evaluation import evaluator
from bordeaux.search.budget import Budget
from bordeaux.search.decision import NEARLY
from bordeaux.search.finding import FINDING
from bordeaux.search.ideas import Ideas
from bordeaux.search.maxims import Maxims
from bordeaux.search.movement import MovementSearch
from bordeaux.search.seeds import shaken

MAP = Map.standard()
MIDDLE = next(position for position, _ in bench.positions() if str(position.phase) == "S1904M")


def search_of(seed: int = 0, *left_out: str, position: Position = MIDDLE) -> MovementSearch:
    return MovementSearch(
        position, evaluator(MAP), maxims=Maxims.named(), seed=seed, ideas=Ideas.without(left_out)
    )


def run(search: MovementSearch, powers: list[str], nodes: int) -> list[str]:
    return list(search.run(powers, Budget(nodes=nodes)))


def settled(search: MovementSearch, candidates: Iterable[int] | None = None) -> set[bytes]:
    """What some candidates of Turkey's contest (all, if not given) end as: none idles that could help."""
    trial, contest = search.decision.trials["TURKEY"], search.decision.contests["TURKEY"]
    numbers = range(len(contest.candidates)) if candidates is None else candidates
    return {trial.without_idlers(contest.candidates[each]) for each in numbers}


def drawn(search: MovementSearch, near: list[int], mixture: dict[bytes, float], behind: float = 1.0) -> bytes:
    """What is decided for Turkey in a contest of sets A, B and C that A leads by so many points, so many
    being near."""
    search.foresight.mixtures["TURKEY"] = list(mixture.items())
    contest = SimpleNamespace(
        candidates=[b"A", b"B", b"C"], worth=lambda: [0.0, -behind, -behind], near=lambda leader: near
    )
    return search.decision._draw_near("TURKEY", contest, 0)  # type: ignore[arg-type]


def test_the_mixture_decides_only_where_luck_does() -> None:
    search = search_of()
    run(search, ["TURKEY"], 3000)
    # C is what the mixture would play, but it is behind by more than luck.
    assert drawn(search, [0], {b"C": 1.0}) == b"A"
    assert drawn(search, [0, 1], {b"C": 1.0}) == b"A"
    assert drawn(search, [0, 2], {b"C": 1.0}) == b"C"
    assert drawn(search, [0, 1, 2], {}) == b"A"
    share = sum(drawn(search, [0, 1], {b"A": 0.25, b"B": 0.75}) == b"B" for _ in range(400)) / 400
    assert 0.65 < share < 0.85
    # Or it is thought to be worse, whatever luck may explain.
    assert drawn(search, [0, 2], {b"C": 1.0}, behind=NEARLY + 1) == b"A"


def test_where_nothing_is_played_on_the_trial_decides_and_not_the_mixture() -> None:
    search = search_of()
    run(search, ["TURKEY"], 10_000)
    side, trial = search.sides["TURKEY"], search.decision.trials["TURKEY"]
    ranked = trial.ranked()
    side.best = ranked[0]
    search.foresight.mixtures["TURKEY"] = [(ranked[1], 1.0)]
    spent = search.decision.rollout.nodes
    assert list(search.decision._play_on(side, trial, ranked, dict.fromkeys(ranked, 0.0), lambda: 1.0)) == []
    assert side.best == ranked[0] and search.decision.rollout.nodes == spent


def test_what_the_policy_plays_is_among_the_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of()
    run(search, ["TURKEY"], 10_000)
    side = search.sides["TURKEY"]
    tried = search.decision._candidates(side, 48)
    assert len(tried) == len(set(tried))
    chance = random.Random(0)
    wild = [shaken(side.space, side.space.node_of(b""), chance, 1.0) for _ in range(20)]
    odd = next(each for each in wild if side.space.orders(each) not in tried)
    monkeypatch.setattr(search.situation, "policy", lambda power, count=1: [odd] * count)
    assert side.space.orders(odd) in search.decision._candidates(side, 48)


def test_the_best_of_the_search_and_of_the_mixture_are_candidates() -> None:
    search = search_of()
    run(search, ["TURKEY"], 60_000)
    trial, contest = search.decision.trials["TURKEY"], search.decision.contests["TURKEY"]
    mixed = {orders for orders, _ in search.foresight.mixtures["TURKEY"]}
    assert mixed and mixed <= set(trial.scores)
    assert set(contest.candidates) <= set(trial.scores)
    assert search.sides["TURKEY"].best in settled(search)
    # The best that is shown has the value of its rollouts.
    best, value = search.lines("TURKEY")[0]
    assert best == search.sides["TURKEY"].best and search.situation.decided["TURKEY"][best] == value
    assert value in contest.worth()


def test_the_choice_is_not_behind_by_more_than_luck() -> None:
    for seed in range(4):
        search = search_of(seed)
        run(search, ["TURKEY"], 30_000)
        contest, best = search.decision.contests["TURKEY"], search.sides["TURKEY"].best
        leader = contest.alive[0]
        assert best in settled(search, contest.near(leader))
        scores = search.situation.decided["TURKEY"]
        assert scores[best] > contest.worth()[leader] - NEARLY


def test_its_nodes_are_those_of_rollouts_and_mixtures_and_end_with_the_budget() -> None:
    search = search_of()
    run(search, ["TURKEY"], 60_000)
    sides = sum(side.space.nodes for side in search.sides.values())
    assert search.nodes == sides + search.situation.deciding
    assert search.situation.deciding > search.decision.rollout.nodes > 0
    assert 60_000 <= search.nodes < 61_000
    assert sides > FINDING * 0.9 * 60_000


def test_a_limit_is_shared_by_all_that_are_wanted() -> None:
    search = search_of()
    run(search, list(MAP.powers), 80_000)
    assert set(search.decision.contests) == set(search.sides)
    assert all(search.situation.decided[power] for power in search.sides)


def test_where_no_foe_searches_nothing_is_mixed() -> None:
    search = search_of()
    for shares in search.foresight.beliefs.shares.values():
        shares.update({"search": 0.0, "dumbbot": 1.0})
    run(search, ["TURKEY"], 20_000)
    assert search.foresight.mixtures == {} and search.decision.played_on("TURKEY")
