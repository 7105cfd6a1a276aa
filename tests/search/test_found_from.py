"""Best-first search as a source of candidates: the best sets that it finds from several seeds."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux.arena import bench
from bordeaux.evaluation import evaluator
from bordeaux.policy.people import People
from bordeaux.search.bestfirst import ALL_MAXIMS, Maxims, found_from, search_space

MAP = Map.standard()
POSITIONS = [position for position, _ in bench.positions() if position.phase.kind == "M"][2:12:3]


def largest(position: Position) -> str:
    return max(MAP.powers, key=lambda power: len(position.units_of(power)))


def drawn(position: Position, count: int) -> list[bytes]:
    people = People(MAP, seed=4)
    return [people.draw(position, largest(position)) for _ in range(count)]


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position.phase))
def test_it_finds_more_than_its_seeds(position: Position) -> None:
    space = search_space(position, largest(position), evaluator(MAP), Maxims.named(ALL_MAXIMS))
    seeds = drawn(position, 3)
    sets = found_from(space, seeds, 20, 6000)

    def worth(orders: bytes) -> float:
        return space.value(space.completed(space.node_of(orders)))

    values = [worth(orders) for orders in sets]
    assert 1 < len(sets) == len(set(sets)) <= 20
    assert values == sorted(values, reverse=True)
    assert values[0] >= max(map(worth, seeds))


def test_it_is_the_same_each_time_and_ends_with_its_nodes() -> None:
    position = POSITIONS[-1]
    seeds, runs = drawn(position, 3), []
    for nodes in (1, 400, 400, 20_000):
        space = search_space(position, largest(position), evaluator(MAP), Maxims.named(ALL_MAXIMS))
        runs.append((found_from(space, seeds, 12, nodes), space.nodes))
    (least, few), one, two, (_, many) = runs
    assert one == two
    assert least and 1 < few < one[1] < many
    # The last expansion is carried through.
    assert 400 <= one[1] < 1000
