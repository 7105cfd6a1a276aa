"""The search for candidates: stages in a line, the same for the same seed, whole sets at any time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bordeaux import Engine, Limit, Map, Position, Request
from bordeaux.arena import bench
from bordeaux.search import learnt
from bordeaux.search.expectation import Expectation
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.sets import Candidates
from bordeaux.search.stages import prove
from bordeaux.search.task import Budget

MAP = Map.standard()
POSITIONS = {position.phase.kind: position for position, _ in bench.positions()}
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))


def unsearched(position: Position = LATE, seed: int = 0, **rest: Any) -> LearntSearch:
    with Engine(seed=seed, **rest) as engine:
        task = engine.task(Request(position))
    return LearntSearch(task, Expectation(task, 100))


def searched(
    position: Position = LATE,
    powers: tuple[str, ...] = (POWER,),
    nodes: int = 4_000,
    seed: int = 0,
    **rest: Any,
) -> LearntSearch:
    """The search after so many nodes."""
    search = unsearched(position, seed, **rest)
    for _ in search.run(powers, Budget(nodes=nodes)):
        pass
    return search


def test_a_stage_that_adds_points_changes_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    whim = searched().candidates(POWER)[-1].orders
    assert not searched().proved(POWER)
    stage = prove

    def with_a_whim(
        context: ProposalContext, power: str, pool: Candidates, *rest: Any
    ) -> tuple[Candidates, int]:
        pool, nodes = stage(context, power, pool, *rest)
        return tuple(replace(each, value=10_000.0 * (each.orders == whim)) for each in pool), nodes

    monkeypatch.setattr(learnt, "prove", with_a_whim)
    assert [*searched().proved(POWER)] == [whim]


@pytest.mark.parametrize("kind", "MRA")
def test_the_same_seed_finds_the_same(kind: str) -> None:
    position = POSITIONS[kind]
    powers = tuple(power for power in MAP.powers if position.orderable().get(power))
    searches = [searched(position, powers, seed=seed) for seed in (1, 1, 2)]
    pools = [[search.candidates(power) for power in powers] for search in searches]
    assert pools[0] == pools[1] and all(pools[0])
    if kind == "M":
        assert pools[0] != pools[2]


def test_candidates_tell_who_proposed_them() -> None:
    pool = searched().candidates(POWER)
    assert len(pool) > 8 and {"league", "people", "best-first"} <= {each.proposer for each in pool}
    assert all(each.drawn >= 1 for each in pool)


@pytest.mark.parametrize("nodes", [1, 300, 6_000])
def test_a_limit_in_nodes_is_roughly_kept(nodes: int) -> None:
    for position in POSITIONS.values():
        powers = tuple(power for power in MAP.powers if position.orderable().get(power))
        for wanted in (powers[:1], powers):
            search = searched(position, wanted, nodes)
            assert search.nodes < 1.2 * nodes + 400 * len(wanted)


def test_a_stop_ends_it_with_whole_sets() -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    search = unsearched()
    changed = search.run(MAP.powers, Budget(time=3600, stop=stop))
    assert {*changed} == {power for power in MAP.powers if LATE.units_of(power)}
    for power in MAP.powers:
        if LATE.units_of(power):
            assert len(search.sets(power)[0]) == 8 * len(LATE.units_of(power))


def test_who_owes_nothing_has_no_candidates() -> None:
    search = searched()
    assert search.sets("NOBODY") == [] and search.candidates("NOBODY") == () == tuple(search.proved("NOBODY"))


@pytest.mark.parametrize(
    ("threads", "nodes"),
    [(5, 700), *(pytest.param(*more, marks=pytest.mark.slow) for more in [(2, 700), (5, 6_000)])],
)
def test_any_number_of_threads_gives_the_same_answer_to_the_last_bit(threads: int, nodes: int) -> None:
    kinds = {position.phase.kind: position for position, _ in bench.positions()}
    for position in (*kinds.values(), LATE):
        found = []
        for number in (1, threads):
            with Engine(seed=3, threads=number) as engine:
                analysis = engine.examine(Request(position, limit=Limit(nodes=nodes)))
            found.append({power: answer._replace(seconds=0) for power, answer in analysis.answers.items()})
        assert found[0] == found[1]
