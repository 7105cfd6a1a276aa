"""The decision: which sets are played on from, and when the mixture has a say."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from bordeaux import Map, Position, bench
from bordeaux.evaluation import evaluator
from bordeaux.search.budget import Budget
from bordeaux.search.ideas import Ideas
from bordeaux.search.maxims import Maxims
from bordeaux.search.movement import FINDING, MovementSearch
from bordeaux.search.seeds import shaken

MAP = Map.standard()
MIDDLE = next(position for position, _ in bench.positions() if str(position.phase) == "S1904M")


def search_of(seed: int = 0, *left_out: str, position: Position = MIDDLE) -> MovementSearch:
    return MovementSearch(
        position, evaluator(MAP), maxims=Maxims.named(), seed=seed, ideas=Ideas.without(left_out)
    )


def run(search: MovementSearch, powers: list[str], nodes: int) -> list[str]:
    return list(search.run(powers, Budget(nodes=nodes)))


def drawn(search: MovementSearch, near: list[int], mixture: dict[bytes, float], values: bool = True) -> bytes:
    """What is decided for Turkey in a contest of sets A, B and C that A leads, so many being near."""
    search.foresight.mixtures["TURKEY"] = list(mixture.items())
    contest = SimpleNamespace(
        candidates=[b"A", b"B", b"C"], values=[[1.0]] * 3 if values else [[]] * 3, near=lambda leader: near
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
    # Where nothing was played, what the search holds for the best stays.
    assert drawn(search, [0], {b"C": 1.0}, values=False) == search.sides["TURKEY"].best


def test_what_the_policy_plays_is_among_the_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    search = search_of()
    run(search, ["TURKEY"], 10_000)
    side = search.sides["TURKEY"]
    tried = search.decision._candidates(side)
    assert len(tried) == len(set(tried))
    chance = random.Random(0)
    wild = [shaken(side.space, side.space.node_of(b""), chance, 1.0) for _ in range(20)]
    odd = next(each for each in wild if side.space.orders(each) not in tried)
    monkeypatch.setattr(search, "policy", lambda power, count=1: [odd] * count)
    assert side.space.orders(odd) in search.decision._candidates(side)


def test_the_best_of_the_search_and_of_the_mixture_are_candidates() -> None:
    search = search_of()
    run(search, ["TURKEY"], 60_000)
    contest = search.decision.contests["TURKEY"]
    mixed = {orders for orders, _ in search.foresight.mixtures["TURKEY"]}
    assert mixed and mixed <= set(contest.candidates)
    assert search.sides["TURKEY"].best in contest.candidates
    # The best that is shown has the value of its rollouts.
    best, value = search.lines("TURKEY")[0]
    assert search.decision.scores("TURKEY")[best] == value


def test_the_choice_is_not_behind_by_more_than_luck() -> None:
    for seed in range(4):
        search = search_of(seed)
        run(search, ["TURKEY"], 30_000)
        contest, best = search.decision.contests["TURKEY"], search.sides["TURKEY"].best
        leader = contest.alive[0]
        assert best in [contest.candidates[each] for each in contest.near(leader)]


def test_its_nodes_are_those_of_rollouts_and_mixtures_and_end_with_the_budget() -> None:
    search = search_of()
    run(search, ["TURKEY"], 60_000)
    sides = sum(side.space.nodes for side in search.sides.values())
    assert search.nodes == sides + search.decision.nodes
    assert search.decision.nodes > search.decision.rollout.nodes > 0
    assert 60_000 <= search.nodes < 61_000
    assert sides > FINDING * 0.9 * 60_000


def test_a_limit_is_shared_by_all_that_are_wanted() -> None:
    search = search_of()
    run(search, list(MAP.powers), 80_000)
    assert set(search.decision.contests) == set(search.sides)
    assert all(search.decision.scores(power) for power in search.sides)


def test_where_no_foe_searches_nothing_is_mixed() -> None:
    search = search_of()
    for shares in search.foresight.beliefs.shares.values():
        shares.update({"search": 0.0, "dumbbot": 1.0})
    run(search, ["TURKEY"], 20_000)
    assert search.foresight.mixtures == {} and search.decision.scores("TURKEY")
