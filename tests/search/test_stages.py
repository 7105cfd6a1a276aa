"""The stages of a decision: what each makes of a pool, and that it changes nothing that it was handed."""

from __future__ import annotations

import random

import pytest

from bordeaux import Engine, Map, Position, Request, Unit, bench
from bordeaux._ext.contest import Contest
from bordeaux._ext.rollout import Rollout
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search.budget import Allotment
from bordeaux.search.candidate import SURE, WORTH, Candidates, joined, scored
from bordeaux.search.config import SearchConfig
from bordeaux.search.paper.sequential_halving import Totals
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.response import ResponseSearch
from bordeaux.search.searches import search_of
from bordeaux.search.stages import FEWEST, compare, first, force, foresee, learn, propose, prove, sure_centre

MAP = Map.standard()
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
FALL = next(
    p for p, _ in bench.positions() if (p.phase.season, p.phase.kind) == ("F", "M") and p.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
NUMBER = MAP.powers.index(POWER)
#: Judged at once, so that a test is quick.
CONFIG = SearchConfig(horizon=-1)


class Spent:
    """What is spent of a budget: so much more whenever somebody asks."""

    def __init__(self, step: float) -> None:
        self.step, self.now = step, 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def table_of(position: Position = LATE) -> ProposalContext:
    with Engine() as engine:
        search = search_of(engine.task(Request(position)))
    assert isinstance(search, ResponseSearch)
    return search.context


def whole(nodes: float, step: float = 0.0) -> Allotment:
    return Allotment(Spent(step), nodes)


def contest_of(pools: dict[int, Candidates]) -> Contest:
    contest = Contest(Rollout(evaluator(MAP), DUMBBOT.chooser(MAP)))
    contest.enter_position(LATE.packed)
    for number, pool in pools.items():
        contest.enter(
            number, [candidate.orders for candidate in pool], [float(candidate.drawn) for candidate in pool]
        )
    return contest


def test_more_nodes_propose_and_foresee_more() -> None:
    def proposed(nodes: float) -> Candidates:
        return propose(table_of(), POWER, CONFIG, whole(nodes))[0]

    def foreseen(nodes: float) -> Candidates:
        return foresee(table_of(), POWER, CONFIG, whole(nodes))

    for stage, most in ((proposed, sum(CONFIG.counts().values())), (foreseen, CONFIG.others)):
        counts = [
            sum(candidate.drawn for candidate in stage(nodes))
            for nodes in (1, CONFIG.enough, 10 * CONFIG.plenty)
        ]
        assert counts[0] <= FEWEST + 3 < counts[1] <= most < counts[2] <= CONFIG.most * most


def test_the_first_set_is_whole() -> None:
    assert len(first(table_of(), POWER).orders) == 8 * len(LATE.units_of(POWER))


def test_learning_ends_with_its_allotment() -> None:
    pool, _ = propose(table_of(), POWER, CONFIG, whole(500))
    short, long = contest_of({NUMBER: pool}), contest_of({NUMBER: pool})
    learn(short, CONFIG, whole(500, 0.25), random.Random(1))
    learn(long, CONFIG, whole(500, 0.05), random.Random(1))
    assert 0 < short.nodes < long.nodes
    untouched = contest_of({NUMBER: pool})
    learn(untouched, CONFIG, Allotment(Spent(0.0), 500, 0.5, 0.5), random.Random(1))
    assert untouched.nodes == 0


def test_comparing_scores_all_and_the_best_comes_first() -> None:
    pool, _ = propose(table_of(), POWER, CONFIG, whole(2_000))
    before = tuple(pool)
    rounds = list(
        compare(contest_of({NUMBER: pool}), NUMBER, pool, CONFIG, whole(2_000, 0.01), random.Random(2))
    )
    again = list(
        compare(contest_of({NUMBER: pool}), NUMBER, pool, CONFIG, whole(2_000, 0.01), random.Random(2))
    )
    assert rounds == again and len(rounds) > 1
    for standing in rounds:
        assert {candidate.orders for candidate in standing} == {candidate.orders for candidate in pool}
        assert all(WORTH in dict(candidate.scores) for candidate in standing)
        # Who went early is not told as better than the leader, whatever its few samples said.
        assert [candidate.value for candidate in standing] == sorted(
            (candidate.value for candidate in standing), reverse=True
        )
    # Pools are values: nothing has changed in what was handed over.
    assert pool == before and not any(candidate.scores for candidate in pool)


def test_a_score_of_another_stage_decides_and_stays() -> None:
    pool, _ = propose(table_of(), POWER, CONFIG, whole(2_000))
    *_, plain = compare(
        contest_of({NUMBER: pool}), NUMBER, pool, CONFIG, whole(2_000, 0.01), random.Random(2)
    )
    worst = plain[-1].orders
    lifted = scored(pool, "whim", {worst: 10_000.0})
    *_, compared = compare(
        contest_of({NUMBER: pool}), NUMBER, lifted, CONFIG, whole(2_000, 0.01), random.Random(2)
    )
    assert plain[0].orders != worst == compared[0].orders
    scores = dict(compared[0].scores)
    assert scores["whim"] == 10_000 and compared[0].value == pytest.approx(10_000 + scores[WORTH])


def test_samples_of_others_are_counted_with_one_s_own() -> None:
    pool, _ = propose(table_of(), POWER, CONFIG, whole(2_000))
    favourite = pool[-1].orders

    def tally(totals: Totals) -> Totals:
        return {
            orders: (total + (1e6 if orders == favourite else 0.0), count + 1)
            for orders, (total, count) in totals.items()
        }

    rounds = compare(
        contest_of({NUMBER: pool}), NUMBER, pool, CONFIG, whole(2_000, 0.01), random.Random(2), tally
    )
    assert next(rounds)[0].orders == favourite


def test_forcing_is_for_fall_and_joins_the_pool() -> None:
    spring, fall = table_of(), table_of(FALL)
    own = max(MAP.powers, key=lambda power: len(FALL.units_of(power)))
    pool, _ = propose(spring, POWER, CONFIG, whole(500))
    assert force(spring, POWER, pool, 150.0, whole(500)) == (pool, None)
    pool, _ = propose(fall, own, CONFIG, whole(500))
    more, forcing = force(fall, own, pool, 150.0, whole(2_000))
    assert forcing is not None and {candidate.orders for candidate in pool} <= {
        candidate.orders for candidate in more
    }
    proved, nodes = prove(FALL, own, more, forcing, 150.0, whole(2_000))
    assert nodes > 0 and all(dict(candidate.scores)[SURE] >= 0 for candidate in proved)
    assert min(dict(candidate.scores)[SURE] for candidate in proved) == 0
    assert force(fall, own, pool, 150.0, whole(0)) == (pool, None)


def test_a_retreat_to_a_sure_centre_is_proved() -> None:
    position = Position(MAP, "W1903A", [Unit("FRANCE", "A", "SPA")], {"FRANCE": ["PAR", "MAR", "BRE"]})
    table = table_of(position)
    pool, _ = propose(table, "FRANCE", CONFIG, whole(10_000))
    proved, nodes = prove(position, "FRANCE", pool, None, 100.0, whole(10_000))
    assert nodes > 0 and [candidate.orders for candidate in proved] == [
        candidate.orders for candidate in pool
    ]
    assert min(dict(candidate.scores)[SURE] for candidate in proved) == 0
    # With too little left for a proof of each there is none.
    assert prove(position, "FRANCE", pool, None, 100.0, whole(1)) == (pool, 0)


def test_a_sure_centre_is_worth_less_to_who_has_nearly_all() -> None:
    value = evaluator(MAP)
    points = sure_centre(LATE, value, NUMBER, 1.0)
    assert points > 0 and sure_centre(LATE, value, NUMBER, 0.5) == pytest.approx(points / 2)
    assert sure_centre(LATE, value, NUMBER, 0.0) == 0


def test_pools_are_joined_once() -> None:
    pool = foresee(table_of(), POWER, CONFIG, whole(3_000))
    assert len({candidate.orders for candidate in pool}) == len(pool)
    assert joined(pool, [pool[0].orders], "x")[0].drawn == pool[0].drawn + 1
