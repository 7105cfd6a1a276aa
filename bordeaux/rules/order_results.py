"""The results of a phase order by order, for the players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bordeaux.board.convoys import convoy_route
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.board.submission import Submitted
from bordeaux.rules.adjudication import Resolution
from bordeaux.rules.landroute import by_land
from bordeaux.rules.rulesets import RuleSet

__all__ = ["OrderResult", "as_taken", "illegal_orders", "order_results"]

ADJUSTMENTS = (OrderKind.BUILD, OrderKind.DISBAND, OrderKind.WAIVE)


class OrderResult(NamedTuple):
    """An order, or a unit without one; the words of `bordeaux.rules.adjudication.OUTCOMES` that apply to it
    (empty for success), and the reason in a sentence."""

    text: str
    words: list[str]
    reason: str


def as_taken(
    position: Position, orders: Mapping[str, Sequence[Order]], rules: RuleSet
) -> Mapping[str, Sequence[Order]]:
    """The orders as the rules interpret them: by land, or with the given routes of convoyed moves, which have
    no text form."""
    if rules.given_routes:
        return {power: [_with_route(order, position) for order in given] for power, given in orders.items()}
    return by_land(position, orders) if rules.land_route else orders


def order_results(
    position: Position, submitted: Sequence[Submitted], resolution: Resolution
) -> dict[str, list[OrderResult]]:
    """The results of every power's orders, and then of its units without one, in the order of the map."""
    results: dict[str, list[OrderResult]] = {power: [] for power in position.map.powers}
    ordered = set()
    for order in submitted:
        results[order.power].append(_result(order, resolution))
        ordered.add((order.power, _province(str(order.order))))
    for unit in (*position.units, *(unit for unit, _ in position.dislodged)):
        key = str(unit)
        if key in resolution.results and (unit.power, unit.province) not in ordered:
            results[unit.power].append(OrderResult(key, resolution.results[key], resolution.reasons[key]))
    return results


def illegal_orders(submitted: Sequence[Submitted], resolution: Resolution) -> list[str]:
    """One line for every order that a power may not give, or of which it gave too many."""
    lines = []
    for order in submitted:
        text, words, reason = _result(order, resolution)
        # A support or convoy may be void because another unit does something else: that is legal.
        if order.fault or ("void" in words and order.order.kind in ADJUSTMENTS):
            lines.append(f"{order.power}: {text}: {reason.removeprefix('void: ')}")
    return lines


def _result(submitted: Submitted, resolution: Resolution) -> OrderResult:
    text = str(submitted.order)
    if submitted.fault:
        return OrderResult(text, ["void"], f"void: {submitted.fault}")
    # Results stand under the unit as it is, which an order may name without its coast.
    keys = [key for key in resolution.results if _province(key) == _province(text)]
    key = next((key for key in keys if text.startswith(key)), keys[0])
    return OrderResult(text, resolution.results[key], resolution.reasons[key])


def _with_route(order: Order, position: Position) -> Order:
    if not order.via or order.route:
        return order
    return order._replace(route=convoy_route(position, order.location, order.destination))


def _province(text: str) -> str:
    """The province with which an order, or the name of a unit, begins: ``STP`` of ``F STP/SC H``."""
    words = text.split()
    return words[1].partition("/")[0] if len(words) > 1 else text
