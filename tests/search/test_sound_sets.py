"""Whatever the search hands out fits together: the maxims hold for whole sets, seeds included. And hardly
anybody with three units or more answers that all of them hold."""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pytest

from bordeaux import Engine, Position
from bordeaux.arena import bench
from bordeaux.board.notation import parse_order
from bordeaux.board.order import OrderKind
from bordeaux.board.submission import decode
from bordeaux.evaluation import evaluator
from bordeaux.formats.games import read_games
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
@pytest.mark.parametrize("number", range(0, len(MOVEMENT), 3))
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


SAMPLE = Path(__file__).parents[1] / "data" / "human.jsonl.gz"
BUDGET = 5_000
#: Every so many phases of the recorded games, which are different ones from game to game.
STRIDE = 5


def questions() -> list[tuple[Position, str]]:
    """Movement positions of the bench with each power, and of recorded games with one each; all of three
    units or more."""
    asked = [(position, power) for position in MOVEMENT for power in position.map.powers]
    for number, game in enumerate(read_games(SAMPLE)):
        positions = (game.position(index) for index in range(number % STRIDE, len(game.phases), STRIDE))
        movements = (position for position in positions if position.phase.kind == "M")
        for position in islice(movements, 5):
            largest = sorted(position.map.powers, key=lambda power: -len(position.units_of(power)))
            asked.append((position, largest[number % 3]))
    return [(position, power) for position, power in asked if len(position.units_of(power)) >= 3]


@pytest.mark.slow
def test_all_hold_is_hardly_ever_the_answer() -> None:
    asked = questions()[::9]
    assert len(asked) > 20
    held = []
    with Engine(seed=2) as engine:
        for position, power in asked:
            engine.forget()
            orders = engine.search(position, power, nodes=BUDGET).orders
            assert len(orders) == len(position.units_of(power))
            if all(order.endswith(" H") for order in orders):
                held.append(f"{position.phase} {power}: {', '.join(orders)}")
    assert len(held) <= len(asked) / 30, held
