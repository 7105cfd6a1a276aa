"""What retreats and adjustments force, on positions made by hand."""

import pytest

from bordeaux.arena.puzzles import others_builds, stand, sure_after_winter
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.board.unit import Dislodged, Unit
from bordeaux.search.proof import choices, sure_after_retreats


def driven_out(*others: Dislodged) -> Position:
    """Austria may retreat from Serbia to Greece, its own, or to Bulgaria, which is Turkey's."""
    own = Dislodged(Unit("AUSTRIA", "A", "SER"), ("BUL", "GRE"))
    centres = {"AUSTRIA": ["GRE", "SER"], "TURKEY": ["BUL"]}
    return Position(Map.standard(), "F1904R", [Unit("TURKEY", "A", "SER")], centres, [own, *others])


def test_a_retreat_takes_what_nobody_can_dispute() -> None:
    position = driven_out()
    assert set(choices(position, "AUSTRIA")) == {("A SER R BUL",), ("A SER R GRE",), ("A SER D",)}
    sure = {
        choice[0]: sure_after_retreats(position, "AUSTRIA", choice) for choice in choices(position, "AUSTRIA")
    }
    assert sure == {"A SER R BUL": 2, "A SER R GRE": 1, "A SER D": 1}


def test_a_retreat_may_be_disputed() -> None:
    position = driven_out(Dislodged(Unit("TURKEY", "A", "RUM"), ("BUL", "BUD")))
    sure = {
        choice[0]: sure_after_retreats(position, "AUSTRIA", choice) for choice in choices(position, "AUSTRIA")
    }
    assert sure == {"A SER R BUL": 1, "A SER R GRE": 1, "A SER D": 1}


def test_other_phases_are_refused() -> None:
    with pytest.raises(ValueError, match="retreats of a Fall"):
        sure_after_retreats(Position.start(), "AUSTRIA", [])
    with pytest.raises(ValueError, match="adjustments"):
        sure_after_winter(Position.start(), "AUSTRIA", [], 3)


def winter(own: list[str], owned: list[str]) -> Position:
    units = [Unit("AUSTRIA", *text.split(" ")) for text in own]
    units += [Unit("ITALY", "A", "VEN"), Unit("ITALY", "A", "TYR"), Unit("ITALY", "A", "BOH")]
    return Position(Map.standard(), "W1903A", units, {"AUSTRIA": owned, "ITALY": ["VEN", "ROM", "NAP"]})


def test_who_guards_a_home_is_not_removed() -> None:
    position = winter(["A VIE", "A GAL", "A RUM"], ["VIE", "RUM"])
    assert position.adjustments("AUSTRIA") == -1
    assert list(others_builds(position, "AUSTRIA")) == [()]
    assert sure_after_winter(position, "AUSTRIA", ["A RUM D"], 2)
    assert not sure_after_winter(position, "AUSTRIA", ["A VIE D"], 2)
    assert not sure_after_winter(position, "AUSTRIA", ["A GAL D"], 2), "two attack Vienna"
    assert sure_after_winter(position, "AUSTRIA", ["A GAL D"], 1)


def test_a_build_where_the_enemy_stands_by() -> None:
    position = winter(["A BUD"], ["VIE", "BUD"])
    assert sure_after_winter(position, "AUSTRIA", ["A VIE B"], 2)
    assert not sure_after_winter(position, "AUSTRIA", ["WAIVE"], 2)


def test_a_stand_is_given_as_orders() -> None:
    map = Map.standard()
    units = [Unit("AUSTRIA", "A", place) for place in ("VIE", "BUD")]
    units += [Unit("ITALY", "A", place) for place in ("TYR", "BOH")]
    position = Position(map, "F1903M", units, {"AUSTRIA": ["VIE", "BUD"]})
    assert stand(position, "AUSTRIA", 2) == ["A BUD S A VIE"]
    assert stand(position, "AUSTRIA", 3) is None
