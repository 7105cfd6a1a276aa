"""The stages of a decision: what each makes of a pool, and that it changes nothing that it was handed."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from bordeaux import Engine, Map, Position, Request, Unit
from bordeaux._ext.search.contest import Contest
from bordeaux._ext.search.rollout import Rollout
from bordeaux.arena import bench
from bordeaux.evaluation import ScaledValue, end_value, evaluator, scaled_value
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search import stages
from bordeaux.search.analysis import search_of
from bordeaux.search.budget import Allotment
from bordeaux.search.config import SearchConfig
from bordeaux.search.forcing import Forcing, Stakes
from bordeaux.search.learnt import LearntSearch
from bordeaux.search.proposers import ProposalContext
from bordeaux.search.sets import (
    FORCED,
    SURE,
    WORTH,
    Candidate,
    Candidates,
    PhaseGame,
    from_orders,
    joined,
    scored,
)
from bordeaux.search.stages import (
    AT_ONCE,
    FEWEST,
    FILLING,
    FORESEEN,
    LEAST_CENTRE,
    LEAST_NODES,
    MORE_NODES,
    MOST_GROWTH,
    MOST_SHARE,
    OVERRUN,
    TRIALS,
    first,
    foresee,
    improve,
    propose,
    prove,
    reason,
    stakes_of,
)

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
#: Judged at once, so that a test is quick.
compare = partial(stages.compare, horizon=-1)
#: Munich is nobody's: France and Italy can enter it. Turkey is far away.
FREE = Position(
    MAP,
    "F1903M",
    [Unit("FRANCE", "A", "BUR"), Unit("ITALY", "A", "TYR"), Unit("TURKEY", "A", "ANK")],
    {"FRANCE": ["PAR"], "ITALY": ["VEN"], "TURKEY": ["ANK"]},
)


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
    assert isinstance(search, LearntSearch)
    return search.context


def whole(nodes: float, step: float = 0.0) -> Allotment:
    return Allotment(Spent(step), nodes)


NOTHING = Allotment(Spent(0.0), 500, 0.5, 0.5)


def contest() -> Contest:
    return Contest(Rollout(evaluator(MAP), DUMBBOT.chooser(MAP)))


def game_of(pool: Candidates, **others: Candidates) -> PhaseGame:
    return PhaseGame(LATE, POWER, {POWER: pool, **others})


def test_more_nodes_propose_and_foresee_more() -> None:
    def proposed(nodes: float) -> Candidates:
        return propose(table_of(), POWER, CONFIG, whole(nodes), random.Random(0))[0]

    def foreseen(nodes: float) -> Candidates:
        return foresee(table_of(), POWER, whole(nodes), random.Random(0))

    for stage, most in ((proposed, sum(CONFIG.learnt.counts.values())), (foreseen, FORESEEN)):
        counts = [
            sum(candidate.drawn for candidate in stage(nodes)) for nodes in (1, LEAST_NODES, 10 * MORE_NODES)
        ]
        assert counts[0] <= FEWEST + 3 < counts[1] <= most < counts[2] <= MOST_GROWTH * most


def test_the_first_set_is_whole() -> None:
    assert len(first(table_of(), POWER, random.Random(0)).orders) == 8 * len(LATE.units_of(POWER))


def guessing(**others: list[tuple[list[str], int]]) -> PhaseGame:
    """Turkey decides far away from others, whose sets were drawn so many times each."""
    pools = {
        power: tuple(Candidate(from_orders(FREE, power, orders), "x", drawn) for orders, drawn in sets)
        for power, sets in {"TURKEY": [(["A ANK H"], 1), (["A ANK - SMY"], 3)], **others}.items()
    }
    return PhaseGame(FREE, "TURKEY", pools)


def test_the_others_take_the_best_of_what_they_draw() -> None:
    """France takes a centre that nobody holds, or not: with `among` draws it misses it if no draw does."""
    game = guessing(FRANCE=[(["A BUR H"], 3), (["A BUR - MUN"], 1)])
    for among in (1.0, 2.0, 8.0):
        chosen = reason(contest(), game, game.drawn, whole(1_000, 0.1), random.Random(1), among)
        missed = 0.75**among
        assert [*chosen["FRANCE"].values()] == pytest.approx([missed, 1 - missed])
        # Who decides plays as it draws.
        assert chosen["TURKEY"] == game.drawn["TURKEY"]


#: Two who can enter Munich, if the other does not.
RIVALS = {
    "FRANCE": [(["A BUR H"], 3), (["A BUR - MUN"], 1)],
    "ITALY": [(["A TYR H"], 1), (["A TYR - MUN"], 1)],
}


def test_what_is_best_is_judged_in_samples_of_what_others_draw() -> None:
    """In the samples in which Italy enters Munich, too, France gains nothing there."""

    def france(glances: int, seed: int = 1) -> float:
        game, chance = guessing(**RIVALS), random.Random(seed)
        chosen = reason(contest(), game, game.drawn, limited(contest(), 1e6), chance, 4.0, glances)
        assert all(sum(mixture.values()) == pytest.approx(1) for mixture in chosen.values())
        return [*chosen["FRANCE"].values()][1]

    # Against eight sets, both ways of Italy's are among them, and entering is the best in every trial.
    best = 1 - 0.75**4
    assert france(8) == pytest.approx(best)
    # Against one set it is the best in every other trial, else as good as the first, which is then chosen.
    for seed in (1, 2):
        assert france(1, seed) == pytest.approx((best + 0.25**4) / 2)


def limited(calculator: Contest, nodes: float, share: float = 0.2) -> Allotment:
    """A share of a limit in nodes, by the count of a contest."""
    return Allotment(lambda: calculator.nodes / nodes, nodes).left(share)


@pytest.mark.parametrize(
    ("limit", "share", "used"),
    [(24, 0.2, 8), (200, 0.2, 40), (1e6, 0.2, TRIALS * 8), (100, 0.9, 96), (100, 0.0, 0)],
    ids=["one trial at least", "part", "most", "more", "none"],
)
def test_reasoning_ends_with_its_allotment(limit: float, share: float, used: int) -> None:
    """A trial judges two sets of each of two powers in two samples."""
    calculator, game = contest(), guessing(**RIVALS)
    chosen = reason(calculator, game, game.drawn, limited(calculator, limit, share), random.Random(1))
    assert calculator.nodes == used
    assert (chosen == game.drawn) == (used == 0)


@pytest.mark.parametrize(("limit", "share"), [(3.9 / OVERRUN, 1.0), (19 / OVERRUN, 0.2), (4, 1.0)])
def test_a_first_trial_that_takes_too_long_is_broken_off(limit: float, share: float) -> None:
    """Who comes first has chosen; the other plays as it draws."""
    calculator, game = contest(), guessing(**RIVALS)
    chosen = reason(calculator, game, game.drawn, limited(calculator, limit, share), random.Random(1))
    assert calculator.nodes == 4 and sum(chosen["FRANCE"].values()) == pytest.approx(1)
    assert chosen["FRANCE"] != game.drawn["FRANCE"]
    assert chosen["ITALY"] == game.drawn["ITALY"]


def test_where_nobody_else_has_a_choice_nobody_reasons() -> None:
    calculator, game = contest(), guessing(FRANCE=[(["A BUR H"], 3)])
    assert reason(calculator, game, game.drawn, limited(calculator, 1e6), random.Random(1)) == game.drawn
    assert calculator.nodes == 0


def test_the_shares_of_a_game_are_those_of_its_draws() -> None:
    pool = joined((), [b"\1" * 8, b"\2" * 8, b"\2" * 8, b"\2" * 8], "x")
    assert game_of(pool).drawn == {POWER: {b"\1" * 8: 0.25, b"\2" * 8: 0.75}}


def test_comparing_scores_all_and_the_best_comes_first() -> None:
    game = game_of(propose(table_of(), POWER, CONFIG, whole(2_000), random.Random(0))[0])
    rounds, again = (
        list(compare(contest(), game, game.drawn, whole(2_000, 0.01), random.Random(2))) for _ in range(2)
    )
    assert rounds == again and len(rounds) > 1
    for standing in rounds:
        assert {candidate.orders for candidate in standing} == {
            candidate.orders for candidate in game.pools[POWER]
        }
        assert all(WORTH in dict(candidate.scores) for candidate in standing)
        # Who went early is not told as better than the leader, whatever its few samples said.
        assert [candidate.value for candidate in standing] == sorted(
            (candidate.value for candidate in standing), reverse=True
        )


def test_comparing_plays_the_shares_that_it_is_given() -> None:
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
    table = table_of()
    pool, _ = propose(table, POWER, CONFIG, whole(500), random.Random(0))
    sets = foresee(table, other, whole(3_000), random.Random(0))[:2]
    game = game_of(pool, **{other: sets})
    drawn = game.drawn[POWER]

    def compared(*shares: float) -> Candidates:
        mixtures = {POWER: drawn, other: {one.orders: share for one, share in zip(sets, shares, strict=True)}}
        *_, last = compare(contest(), game, mixtures, whole(500, 0.05), random.Random(2))
        return last

    only = [
        list(
            compare(
                contest(),
                game_of(pool, **{other: (one,)}),
                {POWER: drawn, other: {one.orders: 1.0}},
                whole(500, 0.05),
                random.Random(2),
            )
        )[-1]
        for one in sets
    ]
    # A share too small for a number is none that is drawn.
    assert compared(1.0, 0.0) == only[0] != only[1] == compared(0.0, 1.0)


def test_without_time_for_a_sample_of_all_the_first_few_are_compared() -> None:
    game = game_of(propose(table_of(), POWER, CONFIG, whole(2_000), random.Random(0))[0])
    standing = next(stages.compare(contest(), game, game.drawn, whole(2_000, 1.0), random.Random(2)))
    worth = {candidate.orders: dict(candidate.scores)[WORTH] for candidate in standing}
    sampled = [candidate.orders for candidate in game.pools[POWER] if worth[candidate.orders] != 0]
    assert sampled == [candidate.orders for candidate in game.pools[POWER][:AT_ONCE]] and len(worth) > AT_ONCE


def test_a_score_of_another_stage_decides_and_stays() -> None:
    pool, _ = propose(table_of(), POWER, CONFIG, whole(2_000), random.Random(0))

    def compared(game: PhaseGame) -> Candidates:
        *_, last = compare(contest(), game, game.drawn, whole(2_000, 0.01), random.Random(2))
        return last

    plain = compared(game_of(pool))
    worst = plain[-1].orders
    lifted = compared(game_of(scored(pool, "whim", {worst: 10_000.0})))
    assert plain[0].orders != worst == lifted[0].orders
    scores = dict(lifted[0].scores)
    assert scores["whim"] == 10_000 and lifted[0].value == pytest.approx(10_000 + scores[WORTH])


def test_proofs_are_for_fall_and_join_the_pool() -> None:
    spring, fall = table_of(), table_of(FALL)
    pool, _ = propose(spring, POWER, CONFIG, whole(500), random.Random(0))
    assert prove(spring, POWER, pool, Stakes(), whole(500)) == (pool, 0)
    pool, _ = propose(fall, OWN, CONFIG, whole(500), random.Random(0))
    proved, nodes = prove(fall, OWN, pool, Stakes(), whole(2_000))
    assert {candidate.orders for candidate in pool} < {candidate.orders for candidate in proved}
    assert {candidate.proposer for candidate in proved} > {FORCED}
    assert min(dict(candidate.scores)[SURE] for candidate in proved) == 0
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
    assert min(dict(candidate.scores)[SURE] for candidate in proved) == 0
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


def test_comparing_is_the_same_in_points_and_in_chances() -> None:
    chances = scaled_value(MAP, "default", evaluator(MAP))
    pool = propose(table_of(), POWER, CONFIG, whole(500), random.Random(0))[0]
    worth = []
    for value in (chances, ScaledValue(end_value(MAP, "default", evaluator(MAP)), 1.0)):
        calculator = Contest(Rollout(value.valuer, DUMBBOT.chooser(MAP)))
        game = replace(game_of(pool), points=value.points)
        *_, last = compare(calculator, game, game.drawn, whole(500, 0.05), random.Random(2))
        worth.append({candidate.orders: candidate.value * value.points for candidate in last})
    assert worth[0] == pytest.approx(worth[1], rel=1e-5) and len(set(worth[0].values())) > 1


def test_pools_are_joined_once() -> None:
    pool = foresee(table_of(), POWER, whole(3_000), random.Random(0))
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
        (LATE, lambda context, pool: foresee(context, POWER, whole(500), random.Random(0))),
        (FALL, lambda context, pool: prove(context, OWN, pool, Stakes(), whole(2_000))),
    ],
    ids=["propose", "foresee", "prove"],
)
def test_stages_before_the_game_change_nothing_that_they_are_given(
    position: Position, stage: Callable[[ProposalContext, Candidates], object]
) -> None:
    context = table_of(position)
    pool, _ = propose(context, OWN if position is FALL else POWER, CONFIG, whole(500), random.Random(0))
    before = snapshot(pool, seen_of(context), CONFIG)
    assert stage(context, pool) is not pool
    assert snapshot(pool, seen_of(context), CONFIG) == before


def test_stages_of_the_game_change_nothing_that_they_are_given() -> None:
    table = table_of()
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
    pool, _ = propose(table, POWER, CONFIG, whole(500), random.Random(0))
    game = game_of(pool, **{other: foresee(table, other, whole(500), random.Random(0))})

    def told() -> tuple[object, ...]:
        return dict(game.pools), dict(game.partners), dict(mixtures), CONFIG

    calculator, mixtures = contest(), game.drawn
    before = snapshot(*told())
    chosen = reason(calculator, game, mixtures, whole(500, 0.05), random.Random(1))
    assert chosen[other] != mixtures[other] and snapshot(*told()) == before
    better, nodes = improve(table, game, chosen, CONFIG, whole(5_000), random.Random(1))
    assert len(better) > len(pool) and nodes > 0 and snapshot(*told()) == before
    assert improve(table, game, chosen, CONFIG, whole(5_000), random.Random(1)) == (better, nodes)
    assert improve(table, game, chosen, CONFIG, whole(5_000), random.Random(2)) != (better, nodes)
    one, same = (
        list(compare(calculator, game, chosen, whole(500, 0.05), random.Random(2))) for _ in range(2)
    )
    # The contest keeps nothing of a stage for the next: the same stage, asked again, answers the same.
    assert one == same and snapshot(*told()) == before
    assert reason(calculator, game, mixtures, whole(500, 0.05), random.Random(1)) == chosen
    assert reason(calculator, game, mixtures, whole(500, 0.05), random.Random(2)) != chosen
    with pytest.raises(TypeError):
        game.pools[POWER] = ()  # type: ignore[index]


def test_candidates_are_improved_against_the_mixtures() -> None:
    """With the whole share on one set of another power, and with it on a second one."""
    table = table_of()
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
    pool, _ = propose(table, POWER, CONFIG, whole(500), random.Random(0))
    game = game_of(pool, **{other: foresee(table, other, whole(500), random.Random(0))})

    def improved(number: int) -> Candidates:
        shares = {one.orders: float(i == number) for i, one in enumerate(game.pools[other])}
        mixtures = game.drawn | {other: shares}
        return improve(table, game, mixtures, CONFIG, whole(5_000), random.Random(1))[0]

    assert improved(0) != improved(len(game.pools[other]) - 1)


def test_each_stage_draws_from_the_source_that_it_is_handed() -> None:
    context = table_of()
    other = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))

    def proposed(power: str, seed: int) -> Candidates:
        return propose(context, power, CONFIG, whole(5_000), random.Random(seed))[0]

    def foreseen(power: str, seed: int) -> Candidates:
        return foresee(context, power, whole(5_000), random.Random(seed))

    for stage in (proposed, foreseen):
        alone = stage(POWER, 3)
        assert stage(POWER, 4) != alone
        # What has been drawn in between, and by whom, makes no difference.
        for between in (foreseen, proposed):
            between(other, 5)
            assert stage(POWER, 3) == alone
    assert first(context, POWER, random.Random(1)) == first(context, POWER, random.Random(1))
