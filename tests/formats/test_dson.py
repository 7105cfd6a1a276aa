"""Orders as DUI writes them."""

from __future__ import annotations

import pytest
from hypothesis import given

from bordeaux import BordeauxError, Map, Position, legal_orders
from bordeaux.board.notation import parse_order
from bordeaux.board.order import Order, OrderKind
from bordeaux.formats.dson import order_from_dson, order_to_dson, orders_from_dson, orders_to_dson
from tests.board.positions import positions

MAP = Map.standard()
WAIVED = Order(OrderKind.WAIVE)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("A VIE H", "A vie H"),
        ("A BUD - RUM", "A bud - rum"),
        ("A GAL S A BUD - RUM", "A gal S A bud - rum"),
        ("A TYR S A VIE", "A tyr S A vie H"),
        ("F MAO C A BRE - SPA", "F mao C A bre - spa"),
        ("F NWG - STP/NC", "F nrg - stp/nc"),
        ("F LYO S F WES - TYS", "F gol S F wes - tys"),
        ("A VIE R BOH", "A vie R boh"),
        ("F TRI D", "F tri D"),
        ("A VIE B", "A vie B"),
        ("F STP/SC B", "F stp/sc B"),
        ("A WAR D", "A war D"),
        ("WAIVE", "W"),
    ],
)
def test_each_kind_of_order_both_ways(ours: str, theirs: str) -> None:
    order = parse_order(ours, MAP)
    assert order_to_dson(order, MAP) == theirs
    assert order_from_dson(theirs, MAP) == order


def test_a_convoy_has_no_mark_and_is_understood_where_there_is_no_other_way() -> None:
    position = Position.start()
    order = order_from_dson("A lvp - nwy", MAP, position)
    assert order.via and str(order) == "A LVP - NWY VIA"
    assert order_to_dson(order, MAP) == "A lvp - nwy"
    assert not order_from_dson("A lvp - yor", MAP, position).via


@given(positions())
def test_all_legal_orders_of_a_position(position: Position) -> None:
    for orders in legal_orders(position).values():
        for text in orders[:40]:
            order = parse_order(text, position.map, position)
            read = order_from_dson(order_to_dson(order, MAP), MAP, position)
            # Where an army may go both ways, the line cannot say that it insists on its convoy.
            assert read in (order, order._replace(via=False))


def test_a_line_of_orders() -> None:
    orders = orders_from_dson("A vie H ;A bud - rum;; F tri - alb ", MAP)
    assert [str(order) for order in orders] == ["A VIE H", "A BUD - RUM", "F TRI - ALB"]
    assert orders_to_dson(orders, MAP) == "A vie H ; A bud - rum ; F tri - alb"
    assert orders_to_dson([], MAP) == "" and orders_from_dson("  ", MAP) == []
    assert orders_from_dson("W ; waive", MAP) == [WAIVED, WAIVED]
    with pytest.raises(BordeauxError, match="vix"):
        orders_from_dson("A vie H ; A vix H", MAP)
