"""The stages of a decision: what each makes of a pool, and that it changes nothing that it was handed."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from bordeaux import Engine, Map, Position, Request, Unit
from bordeaux.arena import bench
from bordeaux.board.code import as_bytes
from bordeaux.evaluation import ScaledValue, end_value, evaluator, scaled_value
from bordeaux.search.config import SearchConfig
from bordeaux.search.expectation import Expectation
from bordeaux.search.forcing import Forcing, Stakes
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.sets import FORCED, Candidates, in_full, joined
from bordeaux.search.stages import (
    FEWEST,
    FILLING,
    LEAST_CENTRE,
    LEAST_NODES,
    MORE_NODES,
    MOST_GROWTH,
    MOST_SHARE,
    first,
    improve,
    propose,
    prove,
    stakes_of,
)
from bordeaux.search.task import Budget

MAP = Map.standard()
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
FALL = next(
    p for p, _ in bench.positions() if (p.phase.season, p.phase.kind) == ("F", "M") and p.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
OWN = max(MAP.powers, key=lambda power: len(FALL.units_of(power)))
CONFIG = SearchConfig()


def table_of(position: Position = LATE) -> ProposalContext:
    with Engine() as engine:
        task = engine.task(Request(position))
    return LearntSearch(task, Expectation(task, 100)).context


def whole(nodes: float) -> Budget:
    """Nothing of it is used; less than a node is none."""
    return Budget(nodes=max(1, int(nodes))) if nodes else Budget(nodes=1).part(0.0)


def test_more_nodes_propose_more() -> None:
    counts = [
        sum(
            candidate.drawn
            for candidate in propose(table_of(), POWER, CONFIG, whole(nodes), random.Random(0))[0]
        )
        for nodes in (1, LEAST_NODES, 10 * MORE_NODES)
    ]
    most = sum(CONFIG.learnt.counts.values())
    assert counts[0] <= FEWEST + 3 < counts[1] <= most < counts[2] <= MOST_GROWTH * most


def test_the_first_set_is_whole() -> None:
    assert len(first(table_of(), POWER, random.Random(0)).orders) == 8 * len(LATE.units_of(POWER))


def test_proofs_are_for_fall_and_join_the_pool() -> None:
    spring, fall = table_of(), table_of(FALL)
    pool, _ = propose(spring, POWER, CONFIG, whole(500), random.Random(0))
    assert prove(spring, POWER, pool, Stakes(), whole(500)) == (pool, 0)
    pool, _ = propose(fall, OWN, CONFIG, whole(500), random.Random(0))
    proved, nodes = prove(fall, OWN, pool, Stakes(), whole(2_000))
    assert {candidate.orders for candidate in pool} < {candidate.orders for candidate in proved}
    assert {candidate.proposer for candidate in proved} > {FORCED}
    assert min(candidate.value for candidate in proved) == 0
    # Planning costs nodes as judging does.
    forcing = Forcing(FALL, OWN, 2_000)
    forcing.sets([candidate.orders for candidate in pool[:FILLING]])
    planned = forcing.nodes
    forcing.points([candidate.orders for candidate in proved])
    assert nodes == forcing.nodes > planned > 0
    assert prove(fall, OWN, pool, Stakes(), whole(0)) == (pool, 0)


def test_a_retreat_to_a_sure_centre_is_proved() -> None:
    position = Position(MAP, "W1903A", [Unit("FRANCE", "A", "SPA")], {"FRANCE": ["PAR", "MAR", "BRE"]})
    table = table_of(position)
    pool, _ = propose(table, "FRANCE", CONFIG, whole(10_000), random.Random(0))
    proved, nodes = prove(table, "FRANCE", pool, Stakes(), whole(10_000))
    assert nodes > 0 and [candidate.orders for candidate in proved] == [
        candidate.orders for candidate in pool
    ]
    assert min(candidate.value for candidate in proved) == 0
    # With too little left for a proof of each there is none.
    assert prove(table, "FRANCE", pool, Stakes(), whole(10)) == (pool, 0)


def test_a_sure_centre_is_worth_less_to_who_has_nearly_all() -> None:
    value = scaled_value(MAP, "default", evaluator(MAP))

    def centre(position: Position, power: str, part: float) -> float:
        return stakes_of(position, value, power, part).centre

    share = centre(LATE, POWER, 1.0)
    assert 0 < share < 0.5 and centre(LATE, POWER, 0.5) == pytest.approx(share / 2)
    assert centre(LATE, POWER, 0.0) == 0
    own = value.valuer.all(LATE.packed)[MAP.powers.index(POWER)]
    assert share == pytest.approx(2 * own * (1 - own) / LATE.owners.count(POWER))
    owning = Position(MAP, "F1910M", [Unit("FRANCE", "A", "PAR")], {"FRANCE": MAP.centres[:17]})
    whole_share = value.valuer.all(owning.packed)[MAP.powers.index("FRANCE")]
    assert whole_share > MOST_SHARE
    assert centre(owning, "FRANCE", 1.0) == pytest.approx(2 * whole_share * (1 - MOST_SHARE) / 17)


def test_a_sure_centre_counts_for_who_is_nearly_out() -> None:
    value = scaled_value(MAP, "default", evaluator(MAP))
    units = [Unit("FRANCE", "A", "PAR"), Unit("TURKEY", "A", "SYR")]
    owning = Position(MAP, "F1910M", units, {"FRANCE": MAP.centres})
    last = stakes_of(owning, value, "TURKEY", 0.5)
    assert last.centre * value.points == pytest.approx(LEAST_CENTRE / 2)


def test_stakes_are_the_same_in_points_and_in_chances() -> None:
    chances = scaled_value(MAP, "default", evaluator(MAP))
    points = ScaledValue(end_value(MAP, "default", evaluator(MAP)), 1.0)
    inside, outside = stakes_of(LATE, chances, POWER, 0.6), stakes_of(LATE, points, POWER, 0.6)
    assert [stake * chances.points for stake in inside] == pytest.approx([*outside])


def test_pools_are_joined_once() -> None:
    pool, _ = propose(table_of(), POWER, CONFIG, whole(3_000), random.Random(0))
    assert len({candidate.orders for candidate in pool}) == len(pool)
    assert joined(pool, [pool[0].orders], "x")[0].drawn == pool[0].drawn + 1


def snapshot(*inputs: object) -> list[object]:
    """Copies of what a stage is handed."""
    return [copy.deepcopy(thing) for thing in inputs]


def seen_of(context: ProposalContext) -> tuple[object, ...]:
    """What a context tells the stages, without its caches."""
    sampler = context.sampler
    return (
        context.position,
        dict(context.seeds),
        {power: dict(models) for power, models in sampler.beliefs.shares.items()},
        dict(sampler.given),
        dict(sampler.sides),
        dict(sampler.mixtures),
    )


@pytest.mark.parametrize(
    ("position", "stage"),
    [
        (LATE, lambda context, pool: propose(context, POWER, CONFIG, whole(500), random.Random(0))),
        (LATE, lambda context, pool: improve(context, POWER, pool, CONFIG, whole(5_000), random.Random(0))),
        (FALL, lambda context, pool: prove(context, OWN, pool, Stakes(), whole(2_000))),
    ],
    ids=["propose", "improve", "prove"],
)
def test_stages_change_nothing_that_they_are_given(
    position: Position, stage: Callable[[ProposalContext, Candidates], object]
) -> None:
    context = table_of(position)
    pool, _ = propose(context, OWN if position is FALL else POWER, CONFIG, whole(500), random.Random(0))
    before = snapshot(pool, seen_of(context), CONFIG)
    assert stage(context, pool) is not pool
    assert snapshot(pool, seen_of(context), CONFIG) == before


def test_candidates_are_improved_by_the_source_of_chance_where_there_are_nodes() -> None:
    context = table_of()
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
    pool, _ = propose(context, POWER, CONFIG, whole(500), random.Random(0))
    holding = as_bytes(in_full(LATE, other, b"").values())

    def improved(expected: bytes, seed: int = 1, nodes: int = 20_000) -> tuple[Candidates, int]:
        against = replace(context, expected=[expected] * 2)
        return improve(against, POWER, pool, CONFIG, whole(nodes), random.Random(seed))

    better, nodes = improved(holding)
    assert len(better) > len(pool) and nodes > 0 and improved(holding) == (better, nodes)
    assert improved(holding, 2) != (better, nodes)
    assert improved(holding, nodes=500) == (pool, 0)


def test_each_stage_draws_from_the_source_that_it_is_handed() -> None:
    context = table_of()
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))

    def proposed(power: str, seed: int) -> Candidates:
        return propose(context, power, CONFIG, whole(5_000), random.Random(seed))[0]

    alone = proposed(POWER, 3)
    assert proposed(POWER, 4) != alone
    # What has been drawn in between, and by whom, makes no difference.
    proposed(other, 5)
    assert proposed(POWER, 3) == alone
    assert first(context, POWER, random.Random(1)) == first(context, POWER, random.Random(1))
