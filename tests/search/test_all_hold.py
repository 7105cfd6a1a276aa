"""Hardly anybody with three units or more answers that all of them hold."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from bordeaux import Engine, Position
from bordeaux.arena import bench
from bordeaux.formats.games import read_games

SAMPLE = Path(__file__).parents[1] / "data" / "human.jsonl.gz"
BUDGET = 5_000
#: Every so many phases of the recorded games, which are different ones from game to game.
STRIDE = 5


def questions() -> list[tuple[Position, str]]:
    """Movement positions of the bench with each power, and of recorded games with one each; all of three
    units or more."""
    bench_positions = [position for position, _ in bench.positions() if position.phase.kind == "M"]
    asked = [
        (bench_position, power) for bench_position in bench_positions for power in bench_position.map.powers
    ]
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
