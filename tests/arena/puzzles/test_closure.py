"""Areas as the core closes them, against the same in plain Python, on recorded and random positions."""

import random

import pytest

from bordeaux.arena import bench
from bordeaux.arena.puzzles import shipped
from bordeaux.board.code import as_bytes
from bordeaux.board.position import Position
from bordeaux.search import proof as in_core

from . import closure
from .oracle import random_position

RECORDED = [
    *(p for p, _ in bench.positions() if (p.phase.season, p.phase.kind) == ("F", "M")),
    *(puzzle.position for puzzle in shipped() if puzzle.position.phase.kind == "M"),
]
#: Areas compared in each position.
AREAS = 12


def compare(position: Position, chance: random.Random) -> int:
    """Compare some areas beside random orders of a power; how many were not too large for the core."""
    powers = [power for power in position.map.powers if position.units_of(power)]
    power = chance.choice(powers)
    others = [other for other in powers if other != power]
    if chance.random() < 0.3:
        others = others[:1]
    plain, core = closure.Field(position, others), in_core.Field(position, others)
    assert core.repliers == plain.repliers and core.owners == plain.owners and core.legal == plain.legal
    for place in plain.repliers:
        assert core.core.moves(place) == [*plain.moves[place]]
    centres = [province.index for province in position.map.provinces if province.centre]
    checked = 0
    for _ in range(AREAS):
        fixed = {}
        for place, owner in plain.owners.items():
            if owner == power and chance.random() < 0.9:
                kind = chance.choice([2, 2, 3, 4, 5])
                codes = [c for c in plain.legal[place] if c & 255 == kind] or plain.legal[place]
                fixed[place] = chance.choice(codes)
        asked = chance.sample(centres, chance.choice([1, 1, 1, 2, 3]))
        expected = plain.near(asked, fixed)
        provinces, choices, touched = core.core.area(asked, as_bytes(fixed.values()))
        assert (provinces, touched) == (expected.provinces, expected.touched)
        if choices is None:
            sizes = [max(map(len, both)) for both in expected.choices.values()]
            assert len(sizes) > 40 or max(sizes) > 128
        else:
            assert list(choices) == list(expected.choices)
            assert choices == {place: (moves, stays) for place, (moves, stays) in expected.choices.items()}
            checked += 1
    return checked


@pytest.mark.slow
def test_areas_are_the_same_in_recorded_positions() -> None:
    chance = random.Random(1)
    assert sum(compare(position, chance) for position in RECORDED) > 0.9 * AREAS * len(RECORDED)


@pytest.mark.parametrize("seed", range(60))
def test_areas_are_the_same_where_units_crowd(seed: int) -> None:
    chance = random.Random(seed)
    assert compare(random_position(chance, chance.randint(1, 5), chance.randint(1, 4)), chance) > 0


def test_what_is_not_on_the_map_is_refused() -> None:
    field = in_core.Field(RECORDED[0], ["FRANCE"]).core
    own = field.repliers()[0]
    with pytest.raises(ValueError, match="no province"):
        field.area([255], b"")
    with pytest.raises(ValueError, match="no province"):
        field.reachers(-1)
    with pytest.raises(ValueError, match="no replier"):
        field.moves(next(place for place in range(200) if place not in field.repliers()))
    assert field.moves(own)
    with pytest.raises(ValueError, match="not on the map"):
        field.area([1], b"\xff" * 8)
