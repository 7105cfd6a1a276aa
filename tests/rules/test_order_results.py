"""What became of a phase, order by order."""

from __future__ import annotations

from bordeaux import Position, adjudicate
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order
from bordeaux.board.submission import submit
from bordeaux.rules.adjudication import OrderResult, as_taken, illegal_orders, order_results
from bordeaux.rules.rulesets import DAIDE, DATC

START = Position.start()


def results_of(given: dict[str, list[str | Order]]) -> tuple[dict[str, list[OrderResult]], list[str]]:
    submitted = submit(START, given).orders
    resolution = adjudicate(START, given)
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
