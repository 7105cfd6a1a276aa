"""Values of the core by name: an entry of the registry is an evaluation that searches can use."""

from __future__ import annotations

from collections import deque

import pytest

from bordeaux import BordeauxError, Engine, Limit, Map, Position, Request
from bordeaux._ext.value.valuer import Valuer
from bordeaux.arena import bench
from bordeaux.evaluation import end_value, evaluator, scaled_value
from bordeaux.evaluation.evaluation import VALUES
from bordeaux.search.analysis import search_of
from bordeaux.search.budget import Budget

MAP = Map.standard()
START = Position.start()


def test_a_named_value_is_that_of_the_ends_and_the_rest_is_made_by_hand() -> None:
    judge = evaluator(MAP, "centres")
    value = end_value(MAP, "centres", judge)
    assert value.all(START.packed) == [3, 3, 3, 3, 3, 4, 3]
    assert judge.evaluate(START.packed, 0) == evaluator(MAP, "hand").evaluate(START.packed, 0)


def test_an_entry_is_enough_for_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def mine(map: Map) -> Valuer:
        asked.append(map)
        return Valuer(map.tables)

    with pytest.raises(BordeauxError, match="unknown evaluation 'mine'"):
        Engine(evaluation="mine")
    monkeypatch.setitem(VALUES, "mine", mine)
    with Engine(evaluation="mine") as engine:
        answer = engine.search(START, "TURKEY", nodes=2_000)
    assert asked == [MAP] * len(asked) and asked
    assert len(answer.orders) == 3 and 2 < answer.value < 8


@pytest.mark.parametrize("name", ["hand", "paper", "prospect", "centres"])
def test_a_value_without_chances_keeps_its_points(name: str) -> None:
    judge = evaluator(MAP, name)
    scaled = scaled_value(MAP, name, judge)
    assert scaled.points == 1 and scaled.valuer.all(START.packed) == end_value(MAP, name, judge).all(
        START.packed
    )
    assert scaled.share(1_500.0) == 0.5


@pytest.mark.parametrize("kind", "MRA")
def test_a_search_has_chances_inside_and_tells_points(kind: str) -> None:
    position = next(position for position, _ in bench.positions() if position.phase.kind == kind)
    power = next(power for power, units in position.orderable().items() if units)
    with Engine(seed=3) as engine:
        request = Request(position, (power,), Limit(nodes=2_000))
        search = search_of(engine.task(request))
        deque(search.run([power], Budget(nodes=2_000)), maxlen=0)
        analysis = engine.examine(request)
    inside, outside = search.candidates(power), analysis.candidates(power)
    # A dropped set is estimated by its distance to the best one, which may be more than that one has.
    assert inside and inside[0].value >= 0 and all(-1 < candidate.value < 4 for candidate in inside)
    assert [candidate.value * search.points for candidate in inside] == pytest.approx(
        [candidate.value for candidate in outside]
    )
    lines = analysis.lines(power)
    assert [value for _, value in lines] == [value * search.points for _, value in search.lines(power)]
    assert [round(value, 3) for _, value in lines] == [line.value for line in analysis.answers[power].lines]
