"""Values of the core by name: an entry of the registry is an evaluation that searches can use."""

from __future__ import annotations

import pytest

from bordeaux import BordeauxError, Engine, Map, Position
from bordeaux._ext.value.valuer import Valuer
from bordeaux.evaluation import VALUES, end_value, evaluator, scaled_value

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
    # Candidates are sought by it, and what they are worth is told in shares.
    assert len(answer.orders) == 3 and 0 < answer.value < 1


@pytest.mark.parametrize("name", ["hand", "paper", "prospect", "centres"])
def test_a_value_without_chances_keeps_its_points(name: str) -> None:
    judge = evaluator(MAP, name)
    scaled = scaled_value(MAP, name, judge)
    assert scaled.points == 1 and scaled.valuer.all(START.packed) == end_value(MAP, name, judge).all(
        START.packed
    )
    assert scaled.share(1_500.0) == 0.5
