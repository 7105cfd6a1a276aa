"""Saved games as reviews read them."""

import pytest

from bordeaux import BordeauxError, Position
from bordeaux.formats.games import game_from_json
from bordeaux.review.record import owned_after, read_record

from .games import board, game, saved

START = Position.start()
OPENED = {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "ITALY": [], "GERMANY": ["A MUN - RUH"]}


def test_turns_have_the_orders_of_all_that_owed_some() -> None:
    record = read_record(game(START, OPENED, {"FRANCE": ["A BUR - MUN"]}))
    first, second = record.turns
    assert [str(order) for order in first.orders["FRANCE"]] == ["A PAR - BUR", "F BRE - MAO"]
    assert set(first.silent) == {"AUSTRIA", "ENGLAND", "ITALY", "RUSSIA", "TURKEY"}
    assert str(record.last.phase) == "S1902M" or record.last.phase.kind == "A"
    assert "MUN" in record.last.centres["FRANCE"] and second.after == record.last


def test_what_cannot_be_read_is_left_out_and_told() -> None:
    data = saved(START, {"FRANCE": ["A PAR - BUR"]}, OPENED, OPENED)
    data["phases"][0]["orders"] = {"FRANCE": ["A PAR - BUR", "gibberish"], "MARS": ["A PAR H"]}
    data["phases"][1]["state"]["units"] = {"FRANCE": ["A NOWHERE"]}
    record = read_record(game_from_json(data))
    assert [str(order) for order in record.turns[0].orders["FRANCE"]] == ["A PAR - BUR"]
    ((phase, why),) = record.skipped
    assert phase == "F1901M" and "NOWHERE" in why


def test_a_phase_that_comes_twice_counts_once() -> None:
    data = saved(START, OPENED)
    data["phases"].insert(1, data["phases"][0])
    record = read_record(game_from_json(data))
    assert [turn.number for turn in record.turns] == [0]
    assert record.skipped == (("S1901M", "it does not come after S1901M"),)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"id": "x", "phases": []}, "has no phases"),
        ({"id": "x", "map": "nowhere", "phases": []}, "unknown map"),
        (saved(START, {}), "nobody gave orders"),
        (saved(START, {"FRANCE": []}), "nobody gave orders"),
    ],
)
def test_games_without_anything_to_review(data: object, words: str) -> None:
    with pytest.raises(BordeauxError, match=words):
        read_record(game_from_json(data))


def test_a_fall_that_is_followed_by_retreats_counts_who_stands_where() -> None:
    before = board(
        "F1905M",
        {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
        {"FRANCE": ["PAR"], "GERMANY": ["MUN", "BER"]},
    )
    after = before.next({"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]})
    assert str(after.phase) == "F1905R"
    assert owned_after(after, "FRANCE") == {"PAR", "MUN"}
    assert owned_after(after, "GERMANY") == {"BER"}
