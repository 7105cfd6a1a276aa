"""The handle on a finished search: what it tells is what the search knows, and nothing of it is changed."""

from __future__ import annotations

import pytest

from bordeaux import Analysis, BordeauxError, Engine, Limit, Map, Position, Request
from bordeaux.board.errors import PositionError
from bordeaux.search.config import SEARCHES

from .test_settle import LATE, MAP, OTHER, POSITIONS, POWER

REQUEST = Request(LATE, (POWER,), Limit(nodes=20_000))


@pytest.fixture(scope="module")
def final() -> Analysis:
    with Engine() as engine:
        (*_, last) = engine.analyse(REQUEST)
    return last


def test_only_the_final_analysis_measures() -> None:
    with Engine() as engine:
        first, *_, last = engine.analyse(REQUEST)
    answer = last.answers[POWER]
    assert last.final and last.changed == () and last.measure(POWER).power == POWER and answer.nodes >= 1_500
    for early in (first, Analysis({}, ())):
        with pytest.raises(BordeauxError, match="nothing was searched"):
            early.measure(POWER)
    with pytest.raises(BordeauxError, match="nothing was searched"):
        last.measure(OTHER)


def test_the_measure_has_the_values_of_the_answer(final: Analysis) -> None:
    answer = final.answers[POWER]
    again = {line.orders: line for line in final.measure(POWER).lines(line.codes for line in answer.lines)}
    assert answer.lines[0].orders == answer.orders and answer.depth == final.measure(POWER).depth
    for line in answer.lines:
        assert (again[line.orders].value, again[line.orders].codes) == (line.value, line.codes)


@pytest.mark.parametrize("kind", "MRA")
@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_in_every_phase_has_lines_and_a_measure(kind: str, search: str) -> None:
    position = POSITIONS[kind]
    power = next(power for power in MAP.powers if position.orderable().get(power))
    with Engine(search=search) as engine:
        analysis = engine.examine(Request(position, (power,), Limit(nodes=12_000)))
    answer = analysis.answers[power]
    assert analysis.final and answer.lines and answer.nodes > 0
    assert answer.depth == analysis.measure(power).depth >= (1 if kind == "M" else 2)


def test_what_is_examined_is_what_is_searched_and_is_not_remembered(final: Analysis) -> None:
    with Engine() as engine:
        analysis = engine.examine(REQUEST)
        assert analysis.answers[POWER].lines == final.answers[POWER].lines
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
        pools = engine.pools(Request(LATE, pair, Limit(nodes=2_000)))
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
        with pytest.raises(BordeauxError, match="nothing was searched: the game is over"):
            only.measure("FRANCE")
        with pytest.raises(BordeauxError, match="a search needs a limit"):
            engine.examine(Request(over))


def test_all_ways_to_ask_refuse_a_position_of_another_map() -> None:
    request = Request(Position.start(Map.load("pure")), limit=Limit(nodes=100))
    with Engine(map=MAP) as engine:
        for ask in (engine.analyse, engine.examine, engine.pools, engine.task):
            with pytest.raises(PositionError, match="the position is on map pure, the engine on standard"):
                ask(request)
