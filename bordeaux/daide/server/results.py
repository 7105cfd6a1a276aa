"""The result of every order, as ``ORD`` messages. LANGUAGE.md, section 6, the table of results.

There is one for each unit, retreat, build, removal and waive. A unit without an order gets the action of the
rules: a hold, a disband, a waive, a removal. ``RET`` is added if a unit was dislodged, even without a
possible retreat. Our rules disband such a unit at once, and ``NOW`` does not list it.
"""

from __future__ import annotations

from collections.abc import Iterator

from bordeaux.daide import language as d
from bordeaux.daide.server.order_notes import TAKEN
from bordeaux.daide.server.orders import AcceptedOrder, Orders
from bordeaux.daide.translate import turn_of
from bordeaux.rules import Resolution

__all__ = ["results_of"]


def results_of(orders: Orders, resolution: Resolution) -> tuple[d.ORD, ...]:
    """The results of a turn, power by power in the order of the map.

    `resolution` must be the result of the rules for ``orders.counting()``.
    """
    kind = orders.position.phase.kind
    judged = {"M": _movement, "R": _retreats, "A": _adjustments}[kind](orders, resolution)
    turn = turn_of(orders.position.phase)
    rank = {power: number for number, power in enumerate(orders.board.names.powers)}
    listed = sorted(judged, key=lambda pair: rank[_owner(pair[0])])
    return tuple(d.ORD(turn, order, result) for order, result in listed)


_Result = tuple[d.Order, tuple[str, ...]]


def _owner(order: d.Order) -> str:
    return order.power if isinstance(order, d.WVE) else order.unit.power


def _given(orders: Orders) -> dict[d.Unit, AcceptedOrder]:
    """The valid orders, by the ordered unit."""
    return {
        accepted.order.unit: accepted
        for power in orders.board.names.powers
        for accepted in orders.of(power)
        if not isinstance(accepted.order, d.WVE)
    }


def _movement(orders: Orders, resolution: Resolution) -> Iterator[_Result]:
    given = _given(orders)
    words = {name: resolution.results[str(unit)] for name, unit in orders.board.standing.items()}
    for name in orders.board.standing:
        order, note = given.get(name, AcceptedOrder(d.HLD(name), TAKEN))
        result = note if note != TAKEN else _outcome(order, words[name], words, given)
        if "dislodged" not in words[name]:
            yield order, (result,)
        elif isinstance(order, d.HLD | d.CVY) and result == "SUC":
            # A hold or convoy that worked says no more than that the unit must go.
            yield order, ("RET",)
        else:
            yield order, (result, "RET")


def _outcome(
    order: d.Order, results: list[str], words: dict[d.Unit, list[str]], given: dict[d.Unit, AcceptedOrder]
) -> str:
    """The first result of a legal movement order that matches, in the order of the reference code.

    `words` are the results of each unit by the rules, `results` those of the ordered one.
    """
    match order:
        case d.SUP() if "cut" in results or ("void" in results and _attacked(order, words, given)):
            return "CUT"
        case d.SUP() | d.CVY() if "void" in results:
            return "NSO"
        case d.CTO() if "no convoy" in results:
            return "NSO"
        case d.CTO() if "disrupted" in results:
            return "DSR"
        case d.CTO() | d.MTO() if "bounce" in results:
            return "BNC"
    return "SUC"


def _attacked(order: d.SUP, words: dict[d.Unit, list[str]], given: dict[d.Unit, AcceptedOrder]) -> bool:
    """Whether an unused support was attacked as well: a cut has precedence over a missing partner."""
    into = order.province or order.other.place.province
    origin = order.unit.place.province
    for attacker, (attack, note) in given.items():
        match attack:
            case d.MTO(_, place):
                goal = place.province
            case d.CTO(_, province, _):
                goal = province
            case _:
                continue
        if goal != origin or note != TAKEN or attacker.power == order.unit.power:
            continue
        arrives = not {"no convoy", "disrupted"} & set(words[attacker])
        if arrives and (attacker.place.province != into or not words[attacker]):
            return True
    return False


def _retreats(orders: Orders, resolution: Resolution) -> Iterator[_Result]:
    given = _given(orders)
    for name, dislodged in orders.board.dislodged.items():
        accepted = given.get(name, AcceptedOrder(d.DSB(name), TAKEN))
        words = resolution.results[str(dislodged.unit)]
        if accepted.note != TAKEN:
            yield accepted.order, (accepted.note,)
        else:
            yield accepted.order, ("BNC" if "bounce" in words else "SUC",)


def _adjustments(orders: Orders, resolution: Resolution) -> Iterator[_Result]:
    """The given orders, then waives and removals by civil disorder for missing ones."""
    remain = set(resolution.after.units)
    for power, owed in orders.board.owed.items():
        given = orders.of(power)
        for order, note in given:
            yield order, ("SUC" if note == TAKEN else note,)
        for _ in range(owed - len(given)):
            yield d.WVE(power), ("SUC",)
        removed = {order.unit for order, _ in given if isinstance(order, d.REM)}
        for name, unit in orders.board.standing.items():
            if name.power == power and unit not in remain and name not in removed:
                yield d.REM(name), ("SUC",)
