"""The handle on a finished search: what it tells is what the search knows, and nothing of it is changed."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable

import pytest

from bordeaux import Analysis, BordeauxError, Engine, Limit, Map, Position, Request
from bordeaux.arena import bench
from bordeaux.board.errors import MapError, PositionError
from bordeaux.board.submission import texts
from bordeaux.search.config import SEARCHES
from bordeaux.search.sets import WORTH, in_full

MAP = Map.standard()
POSITIONS = {position.phase.kind: position for position, _ in bench.positions()}
LATE = next(
    position for position, _ in bench.positions() if position.phase.kind == "M" and position.phase.year > 1903
)
POWER = max(MAP.powers, key=lambda power: len(LATE.units_of(power)))
OTHER = next(power for power in MAP.powers if power != POWER and LATE.units_of(power))
REQUEST = Request(LATE, (POWER,), Limit(nodes=3_000))


@pytest.fixture(scope="module")
def final() -> Analysis:
    with Engine() as engine:
        (*_, last) = engine.analyse(REQUEST)
    return last


def test_only_the_final_analysis_tells_what_the_search_knows() -> None:
    with Engine() as engine:
        first, *_, last = engine.analyse(REQUEST)
    assert last.final and last.candidates(POWER) and last.nodes == last.answers[POWER].nodes >= 3_000
    for early in (first, Analysis({}, ())):
        with pytest.raises(BordeauxError, match="only the last analysis of a search"):
            early.lines(POWER)


def test_candidates_tell_who_proposed_them_and_their_scores(final: Analysis) -> None:
    pool = final.candidates(POWER)
    proposers = {candidate.proposer for candidate in pool}
    assert len(pool) > 8 and {"league", "people"} <= proposers
    for candidate in pool:
        assert candidate.drawn >= 1 and WORTH in dict(candidate.scores)
        assert candidate.value == pytest.approx(sum(points for _, points in candidate.scores))
    assert texts(MAP, pool[0].orders) == final.answers[POWER].orders
    assert final.candidates(OTHER) == ()
    with pytest.raises(dataclasses.FrozenInstanceError):
        pool[0].drawn = 3  # type: ignore[misc]


def test_lines_depth_and_expectations_are_those_of_the_answer(final: Analysis) -> None:
    answer = final.answers[POWER]
    assert [texts(MAP, orders) for orders, _ in final.lines(POWER)] == [line.orders for line in answer.lines]
    assert final.depth(POWER) == answer.depth == 2
    expected = final.expected(OTHER)
    assert sum(share for _, share in expected) == pytest.approx(1)
    assert final.lines(OTHER) == []


def test_any_sets_have_values_against_samples_of_the_others(final: Analysis) -> None:
    best = final.lines(POWER, 1)[0][0]
    still = b"".join(code.to_bytes(8, "little") for code in in_full(LATE, POWER, b"").values())
    rows = final.values(POWER, [best, still, best], samples=48)
    assert [len(row) for row in rows] == [48] * 3
    assert rows[0] == rows[2] and sum(rows[0]) > sum(rows[1])


def test_others_are_all_powers_but_one(final: Analysis) -> None:
    joint = texts(MAP, final.others(POWER))
    own = {unit.province for unit in LATE.units_of(POWER)}
    assert joint and not any(order.split()[1].partition("/")[0] in own for order in joint)


def test_powers_are_read_as_everywhere_and_unknown_ones_refused(final: Analysis) -> None:
    assert final.lines(POWER[:3].lower()) == final.lines(POWER)
    assert final.candidates(POWER[:3]) == final.candidates(POWER)
    assert final.expected(OTHER[:3]) == final.expected(OTHER)
    assert final.depth(POWER[:3]) == final.depth(POWER)
    asked: list[Callable[[str], object]] = [
        *(final.lines, final.candidates, final.expected, final.depth, final.others),
        lambda power: final.values(power, []),
    ]
    for ask in asked:
        with pytest.raises(MapError, match="NOWHERE"):
            ask("NOWHERE")
    with pytest.raises(ValueError):
        final.values(POWER, [b"rubbish"])


@pytest.mark.parametrize("kind", "MRA")
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_in_every_phase_has_a_handle(kind: str, search: str) -> None:
    position = POSITIONS[kind]
    power = next(power for power in MAP.powers if position.orderable().get(power))
    with Engine(search=search) as engine:
        analysis = engine.examine(Request(position, (power,), Limit(nodes=12_000)))
    assert analysis.final and analysis.lines(power) and analysis.nodes > 0 and analysis.depth(power) >= 1
    assert isinstance(analysis.others(power), bytes)
    if kind == "M":
        values = [candidate.value for candidate in analysis.candidates(power)]
        # Equal values may differ by their last digit in points.
        assert values and all(after < before + 1e-9 for before, after in itertools.pairwise(values))


def test_what_is_examined_is_what_is_searched_and_is_not_remembered(final: Analysis) -> None:
    with Engine() as engine:
        analysis = engine.examine(REQUEST)
        assert analysis.answers[POWER].lines == final.answers[POWER].lines
        assert analysis.candidates(POWER) == final.candidates(POWER)
        assert engine._foretold is None


def test_an_engine_begins_with_the_beliefs_that_it_is_given() -> None:
    with Engine() as engine:
        engine.observe(LATE, dict.fromkeys(MAP.powers, ()))
        beliefs = engine._believed(MAP)
    with Engine(beliefs=beliefs) as engine:
        assert engine._believed(MAP) is beliefs


def test_pools_are_of_movements_and_have_sets_for_several_powers() -> None:
    pair = (POWER, OTHER)
    with Engine() as engine:
        pools = engine.pools(Request(LATE, pair, Limit(nodes=2_000)), decide=False)
        with pytest.raises(PositionError, match="is no movement phase"):
            engine.pools(Request(POSITIONS["A"], limit=Limit(nodes=100)))
    assert pools.position is LATE and pools.nodes > 0 and set(pair) <= set(pools.present)
    for power in pair:
        sets = pools.sets(power)
        assert len(sets) > 1 and pools.lines(power, 1)[0][0] in sets
        samples = [pools.others(power) for _ in range(4)]
        rows = pools.values(power, sets, samples)
        assert [len(row) for row in rows] == [4] * len(sets)
        ranked, nodes = pools.tried(power, sets, 8)
        assert sorted(ranked) == sorted(sets) and nodes >= 8 * len(sets)
    ends = pools.ends([pools.sets(POWER)[0] + pools.others(POWER)])
    assert len(ends) == 1 and pools.points(ends[0], POWER) > 0 and pools.played > 0
    gone = next((power for power in MAP.powers if not LATE.units_of(power)), None)
    assert gone is None or pools.sets(gone) == []


def test_a_finished_game_has_nothing_to_tell() -> None:
    over = Position(MAP, "COMPLETED", [], {"FRANCE": [*MAP.centres[:18]]})
    request = Request(over, limit=Limit(nodes=1))
    with Engine() as engine:
        (only,) = engine.analyse(request)
        assert only == engine.examine(request)
        for analysis in (only, engine.examine(request)):
            with pytest.raises(BordeauxError, match="nothing was searched: the game is over"):
                analysis.candidates("FRANCE")
        with pytest.raises(BordeauxError, match="a search needs a limit"):
            engine.examine(Request(over))


def test_all_ways_to_ask_refuse_a_position_of_another_map() -> None:
    request = Request(Position.start(Map.load("pure")), limit=Limit(nodes=100))
    with Engine(map=MAP) as engine:
        for ask in (engine.analyse, engine.examine, engine.pools, engine.task):
            with pytest.raises(PositionError, match="the position is on map pure, the engine on standard"):
                ask(request)
