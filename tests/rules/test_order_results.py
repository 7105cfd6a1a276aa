"""What became of a phase, order by order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bordeaux import BordeauxError, Dislodged, Map, Position, Unit, adjudicate, legal_orders
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.submission import submit
from bordeaux.formats.text import position_from_text
from bordeaux.rules.adjudication import OrderResult, as_taken, illegal_orders, order_results
from bordeaux.rules.outcome import eliminated, outcome, survivors
from bordeaux.rules.rulesets import DAIDE, DATC
from tests.board.positions import positions
from tests.patience import examples

START = Position.start()


def results_of(orders: dict[str, list[str | Order]]) -> tuple[dict[str, list[OrderResult]], list[str]]:
    submitted = submit(START, orders).orders
    resolution = adjudicate(START, orders)
    return order_results(START, submitted, resolution), illegal_orders(submitted, resolution)


def test_every_order_has_its_result_and_units_without_one_come_after() -> None:
    results, illegal = results_of({"GERMANY": ["A MUN - BUR"], "FRANCE": ["A PAR - BUR"]})
    assert list(results) == list(START.map.powers)
    first, *others = results["GERMANY"]
    assert (first.text, first.words) == ("A MUN - BUR", ["bounce"])
    assert {other.text for other in others} == {"A BER", "F KIE"}
    assert all(other.words == [] and other.reason == "holds: no order" for other in others)
    assert illegal == []


def test_a_result_is_found_for_a_unit_that_the_order_names_without_its_coast() -> None:
    order = parse_order("F STP - BOT", START.map)
    assert order.location == "STP"
    results, _ = results_of({"RUSSIA": [order]})
    (seen,) = [result for result in results["RUSSIA"] if "STP" in result.text]
    assert seen == ("F STP - BOT", [], "moved to BOT")


def test_only_what_a_power_may_not_order_is_illegal() -> None:
    orders: list[str | Order] = ["A PAR - MOS", "A MAR S A PAR - BUR"]
    results, illegal = results_of({"FRANCE": orders})
    assert [result.words for result in results["FRANCE"]][:2] == [["void"], ["void"]]
    (line,) = illegal
    assert line.startswith("FRANCE: A PAR - MOS: ")


def test_a_convoyed_move_takes_the_route_that_daide_asks_for() -> None:
    position = START.next({"ENGLAND": ["F LON - NTH", "A LVP - YOR"]})
    orders = {"ENGLAND": [parse_order("A YOR - NWY VIA", position.map, position)]}
    (taken,) = as_taken(position, orders, DAIDE)["ENGLAND"]
    assert taken.route == ("NTH",)
    assert as_taken(position, orders, DATC) == orders


def rows_of(position: Position, orders: dict[str, list[str]]) -> dict[str, list[OrderResult]]:
    return order_results(position, submit(position, orders).orders, adjudicate(position, orders))


def test_the_attacker_of_a_dislodged_unit_of_the_same_name_has_no_result_in_the_retreats() -> None:
    position = position_from_text(
        "F1907R\nFRANCE: A KIE; centres PAR KIE\nGERMANY: A BER; centres BER; dislodged A KIE to HOL DEN"
    )
    results = rows_of(position, {"GERMANY": ["A KIE R HOL"]})
    assert {power: rows for power, rows in results.items() if rows} == {
        "GERMANY": [OrderResult("A KIE R HOL", [], "retreated to HOL")]
    }
    results = rows_of(position, {"GERMANY": ["A KIE R HOL"], "FRANCE": ["A KIE R DEN"]})
    assert results["FRANCE"] == [OrderResult("A KIE R DEN", ["void"], "void: A KIE belongs to GERMANY")]
    assert results["GERMANY"] == [OrderResult("A KIE R HOL", [], "retreated to HOL")]


def test_an_order_for_a_foreign_unit_hides_no_removal() -> None:
    position = position_from_text("W1907A\nFRANCE: A RUH; centres PAR\nGERMANY: A BER, A KIE; centres BER")
    resolution = adjudicate(position, {"FRANCE": ["A KIE D"]})
    assert resolution.results == {"A KIE": ["disband"]}
    results = rows_of(position, {"FRANCE": ["A KIE D"]})
    assert results["FRANCE"] == [OrderResult("A KIE D", ["void"], "void: A KIE belongs to GERMANY")]
    (removed,) = results["GERMANY"]
    assert (removed.text, removed.words) == ("A KIE", ["disband"]) and "civil disorder" in removed.reason


@settings(max_examples=examples(150), deadline=None)
@given(positions(), st.data())
def test_each_unit_that_had_to_act_has_one_result_its_own(position: Position, data: st.DataObject) -> None:
    legal = [text for texts in legal_orders(position).values() for text in texts]
    given_orders: dict[str, list[str]] = {}
    own: dict[str, list[str]] = {}
    acting = position.units if position.phase.kind != "R" else [unit for unit, _ in position.dislodged]
    owner = {unit.province: unit.power for unit in acting}
    for _ in range(data.draw(st.integers(0, 12)) if legal else 0):
        power, text = data.draw(st.sampled_from(position.map.powers)), data.draw(st.sampled_from(legal))
        given_orders.setdefault(power, []).append(text)
        place = text.split()[1].partition("/")[0] if text != "WAIVE" else ""
        if owner.get(place, power) == power:
            own.setdefault(power, []).append(text)
    resolution, alone = adjudicate(position, given_orders), adjudicate(position, own)
    assert resolution.after == alone.after
    rows = rows_of(position, given_orders)
    remain = set(resolution.after.units)
    for unit in acting:
        if position.phase.kind == "A" and unit in remain:
            continue
        name = str(unit)
        result = resolution.by_power[unit.power][name]
        assert result == alone.by_power[unit.power][name]
        assert (resolution.results[name], resolution.reasons[name]) == result
        listed = [row for row in rows[unit.power] if row.text == name or row.text.startswith(f"{name} ")]
        assert [row[1:] for row in listed].count(result) >= 1
        assert all(row.words == ["void"] for row in listed if row[1:] != result)
        foreign = [
            row for power in rows if power != unit.power for row in rows[power] if row.text.startswith(name)
        ]
        assert all(
            row.words == ["void"] for row in foreign if position.phase.kind != "A" or " B" not in row.text
        )


def test_a_convoy_that_is_not_needed_is_not_illegal() -> None:
    position = position_from_text("S1901M\nITALY: A TUN, F ION, F ADR, F LYO; centres TUN")
    orders: dict[str, list[str]] = {
        "ITALY": ["A TUN - ALB VIA", "F ION C A TUN - ALB", "F ADR C A TUN - ALB", "F LYO C A TUN - ALB"]
    }
    submitted, resolution = submit(position, orders).orders, adjudicate(position, orders)
    assert resolution.results["A TUN"] == [] and resolution.results["F ADR"] == ["void"]
    assert "complete without F ADR" in resolution.reasons["F ADR"]
    (line,) = illegal_orders(submitted, resolution)
    assert line.startswith("ITALY: F LYO C A TUN - ALB: F LYO cannot be part of a convoy")


# The end of the game: solo, draw, elimination; and the game year around it.

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
