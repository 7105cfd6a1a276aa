"""Values of the core by name: an entry of the registry is an evaluation that searches can use."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux._ext.value import Valuer
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.evaluation import VALUES, end_value

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
