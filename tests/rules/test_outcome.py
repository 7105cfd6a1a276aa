"""The end of the game: solo, draw, elimination; and the game year around it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bordeaux import BordeauxError, Dislodged, Map, Position, Unit, adjudicate
from bordeaux.rules.outcome import eliminated, outcome, survivors

MAP = Map.standard()


def position(
    phase: str, centres: dict[str, list[str]], *units: Unit, dislodged: Sequence[Dislodged] = ()
) -> Position:
    return Position(MAP, phase, units, centres, dislodged)


def test_eighteen_centres_after_a_fall_end_the_game() -> None:
    seventeen = [centre for centre in MAP.centres if centre not in ("SPA", "POR")][:17]
    before = position("F1910M", {"TURKEY": seventeen, "FRANCE": ["SPA"]}, Unit("TURKEY", "A", "MAR"))
    assert outcome(before).kind == "open"
    won = adjudicate(before, {"TURKEY": ["A MAR - SPA"]})
    assert won.victor == "TURKEY"
    assert str(won.after.phase) == "COMPLETED"
    assert outcome(won.after) == ("solo", ("TURKEY",))
    assert outcome(won.after).score("TURKEY") == 1


def test_eighteen_centres_occupied_in_spring_do_not() -> None:
    seventeen = [centre for centre in MAP.centres if centre not in ("SPA", "POR")][:17]
    before = position("S1910M", {"TURKEY": seventeen, "FRANCE": ["SPA"]}, Unit("TURKEY", "A", "MAR"))
    after = adjudicate(before, {"TURKEY": ["A MAR - SPA"]}).after
    assert str(after.phase) == "F1910M"
    assert outcome(after).kind == "open"


def test_a_draw_needs_every_survivor() -> None:
    board = position("S1905M", {"TURKEY": ["CON"], "FRANCE": ["PAR"]}, Unit("ITALY", "A", "ROM"))
    assert survivors(board) == ("FRANCE", "ITALY", "TURKEY")
    assert outcome(board, ["TUR", "FRANCE"]).kind == "open"
    drawn = outcome(board, ["TUR", "FRANCE", "ITALY"])
    assert drawn.kind == "draw"
    assert drawn.score("ITALY") == pytest.approx(1 / 3)
    assert drawn.score("RUSSIA") == 0
    with pytest.raises(BordeauxError, match="RUSSIA is out of the game"):
        outcome(board, ["RUSSIA"])


def test_a_completed_game_without_a_winner_is_a_draw() -> None:
    board = position("COMPLETED", {"TURKEY": ["CON"], "FRANCE": ["PAR"]})
    assert outcome(board) == ("draw", ("FRANCE", "TURKEY"))


def test_a_power_is_out_without_units_and_centres() -> None:
    board = position(
        "S1905R",
        {"TURKEY": ["CON"]},
        Unit("TURKEY", "A", "SMY"),
        dislodged=[Dislodged(Unit("RUSSIA", "A", "SMY"), ("ARM",))],
    )
    assert "RUSSIA" not in eliminated(board)
    assert "FRANCE" in eliminated(board)


def test_phases_with_nothing_to_decide_are_left_out() -> None:
    start = Position.start()
    fall = start.next({})
    assert str(fall.phase) == "F1901M"
    assert str(fall.next({}).phase) == "S1902M"


def test_ownership_changes_in_fall_only_and_stays_when_a_unit_leaves() -> None:
    board = position("S1905M", {"AUSTRIA": ["SER"]}, Unit("TURKEY", "A", "BUL"))
    fall = board.next({"TURKEY": ["A BUL - SER"]})
    assert fall.centres == {"AUSTRIA": ("SER",)}
    winter = fall.next({})
    assert winter.centres == {"TURKEY": ("SER",)}
    later = winter.next({"TURKEY": ["A SER - BUL"]}).next({"TURKEY": ["A BUL - RUM"]})
    assert later.centres == {"TURKEY": ("RUM", "SER")}


def test_the_first_of_two_orders_for_a_unit_counts() -> None:
    """DATC 3.2, 4.D.3; an illegal order before them is ignored."""
    board = position("S1905M", {}, Unit("FRANCE", "A", "PAR"))
    orders = ["A PAR - MOS", "A PAR - BUR", "A PAR - PIC", "A PAR - BUR"]
    resolution = adjudicate(board, {"FRANCE": orders})
    assert resolution.after.unit_at("BUR") == Unit("FRANCE", "A", "BUR")
    assert resolution.results["A PAR"] == []
