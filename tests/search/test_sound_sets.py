"""Whatever the search hands out fits together: the maxims hold for whole sets, seeds included."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence

import pytest

from bordeaux import Engine, Position
from bordeaux.arena import bench
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.search.bestfirst import Maxims, search_space
from bordeaux.search.config import SEARCHES
from bordeaux.search.sets import from_orders

MOVEMENT = [position for position, _ in bench.positions() if position.phase.kind == "M"]


def province(location: str) -> str:
    return location.partition("/")[0]


def contradictions(position: Position, orders: Sequence[str]) -> list[str]:
    """Orders of one power that help what is not there, clash, or run into an own unit."""
    read = [parse_order(order, position.map, position) for order in orders]
    given = {province(order.location): order for order in read}
    goals = [province(order.destination) for order in read if order.kind == OrderKind.MOVE]
    wrong = [f"two moves to {goal}" for goal in set(goals) if goals.count(goal) > 1]
    for order in read:
        helped = given.get(province(order.target)) if order.target else None
        if helped is not None:
            moving = helped.kind == OrderKind.MOVE
            fits = moving and province(helped.destination) == province(order.destination)
            if (order.kind == OrderKind.SUPPORT_HOLD) == moving or (order.destination and not fits):
                wrong.append(f"{order} with {helped}")
        if order.kind == OrderKind.MOVE:
            stays = given.get(province(order.destination))
            if stays is not None and stays.kind != OrderKind.MOVE:
                wrong.append(f"{order} into {stays}")
            convoys = [other for other in read if other.kind == OrderKind.CONVOY]
            if order.via and not any(other.target == order.location for other in convoys):
                wrong.append(f"{order} without a convoy")
    return wrong


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("number", range(0, len(MOVEMENT), 2))
def test_every_line_fits_together(number: int, search: str) -> None:
    with Engine(seed=number, search=search) as engine:
        for answer in engine.search_all(MOVEMENT[number], nodes=7_000).values():
            for line in answer.lines:
                assert not contradictions(MOVEMENT[number], line.orders), line.orders


def test_any_choice_can_be_completed_to_a_set_that_fits() -> None:
    chance = random.Random(5)
    for position in MOVEMENT:
        for power in position.map.powers:
            if not position.units_of(power):
                continue
            space = search_space(position, power, evaluator(position.map), Maxims.named())
            for _ in range(30):
                wild = struct.pack(f"<{space.n_units}H", *map(chance.randrange, space.counts()))
                full = space.completed(wild)
                codes = struct.unpack(f"<{space.n_units}Q", space.orders(full))
                orders = [str(decode(position.map, code)) for code in codes]
                assert not contradictions(position, orders), orders
                assert space.completed(full) == full


def test_orders_that_fit_stay_as_they_are() -> None:
    position = Position.start()
    space = search_space(position, "TURKEY", evaluator(position.map), Maxims.named())
    node = space.node_of(
        from_orders(position, "TURKEY", ["A CON - BUL", "F ANK - CON", "A SMY S F ANK - CON"])
    )
    assert space.completed(node) == node
