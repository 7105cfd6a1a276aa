"""The value of one of our orders to another power, and its cost to us: the currency of the bank.

Paper 000, section 7.2.1, proposes DumbBot's value of the destination from the perspective of the power that
asks. `favour_value` uses the evaluation instead: the change that the help makes after this phase.
`bordeaux.press.diplomat.bank` keeps the accounts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

from bordeaux._ext.rules.packed import Packed
from bordeaux.board.code import as_bytes, codes_in, make_code, unit_of
from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.press.diplomat.joint import changed
from bordeaux.search.sets import from_orders, in_full

__all__ = ["favour_cost", "favour_value", "helped_order"]

#: Draws of the others' orders over which values are averaged.
SAMPLES = 6


def helped_order(order: Order) -> Order | None:
    """The order that a support or a convoy helps, as its owner would give it; None if it helps none."""
    if order.kind == OrderKind.SUPPORT_HOLD:
        return Order(OrderKind.HOLD, order.target_unit, order.target)
    if order.kind == OrderKind.SUPPORT_MOVE:
        return Order(OrderKind.MOVE, order.target_unit, order.target, destination=order.destination)
    if order.kind == OrderKind.CONVOY:
        return Order(OrderKind.MOVE, order.target_unit, order.target, destination=order.destination, via=True)
    return None


def favour_value(
    position: Position,
    asker: str,
    order: Order,
    *,
    expected: Mapping[str, Iterable[str | Order]] | None = None,
    evaluation: str = "default",
    seed: int = 0,
) -> float:
    """The value of an order in a movement phase to the power that asks for it, in points of the evaluation
    after the phase, relative to a hold of the unit.

    The asker is assumed to give the helped order. The others play by a fast policy with random numbers from
    `seed`, except `expected` orders. 0 for an impossible order. Raises MapError for an unknown power, and
    OrderError for unreadable expected orders.
    """
    asking = position.map.power(asker)
    after = _played(position, asking, order, expected, seed)
    return _gained(position, asking, evaluation, [(kept, held) for kept, held, _ in after])


def favour_cost(
    position: Position,
    asker: str,
    order: Order,
    *,
    expected: Mapping[str, Iterable[str | Order]] | None = None,
    evaluation: str = "default",
    seed: int = 0,
) -> float:
    """The cost of an order to the owner of the unit, in points, relative to the order that it would give
    instead: the `expected` one, or that of a fast policy. Negative if the favour helps the owner too. All
    else is as for `favour_value`."""
    unit = position.unit_at(order.location.partition("/")[0])
    after = _played(position, position.map.power(asker), order, expected, seed)
    if unit is None:
        return 0.0
    return _gained(position, unit.power, evaluation, [(usual, kept) for kept, _, usual in after])


def _gained(position: Position, power: str, evaluation: str, pairs: Sequence[tuple[Packed, Packed]]) -> float:
    """The mean difference in value for a power between the first and the second positions of pairs."""
    judge, number = evaluator(position.map, evaluation), position.map.powers.index(power)
    gains = [judge.evaluate(one, number)[0] - judge.evaluate(other, number)[0] for one, other in pairs]
    return fmean(gains) if gains else 0.0


def _played(
    position: Position,
    asker: str,
    order: Order,
    expected: Mapping[str, Iterable[str | Order]] | None,
    seed: int,
) -> list[tuple[Packed, Packed, Packed]]:
    """The positions after samples of all orders: with the order, with its unit holding, and with the unit's
    other order. None if the unit cannot give the order."""
    map = position.map
    unit = position.unit_at(order.location.partition("/")[0])
    given = codes_in(from_orders(position, unit.power, [order])) if unit is not None else ()
    if unit is None or not given or position.phase.kind != "M":
        return []
    owner, holding = unit.power, make_code(OrderKind.HOLD, unit_of(given[0]))
    wanted = helped_order(order)
    helped = codes_in(from_orders(position, asker, [wanted])) if wanted is not None else ()
    chooser = DUMBBOT.chooser(map, seed)
    expected_sets = {
        map.power(name): from_orders(position, name, orders) for name, orders in (expected or {}).items()
    }
    values = []
    for _ in range(SAMPLES):
        sets = {}
        for power in position.orderable():
            orders = expected_sets.get(power)
            if orders is None:
                orders = as_bytes(chooser.orders(position.packed, map.powers.index(power)))
            sets[power] = as_bytes(in_full(position, power, orders).values())
        if asker in sets:
            sets[asker] = changed(sets[asker], helped)
        kept, held, usual = (
            position.packed.adjudicate(
                (map.powers.index(power), code)
                for power, orders in {**sets, owner: changed(sets[owner], instead)}.items()
                for code in codes_in(orders)
            )[0]
            for instead in (given, (holding,), ())
        )
        values.append((kept, held, usual))
    return values
