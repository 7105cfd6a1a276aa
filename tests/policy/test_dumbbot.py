"""Fast policies: what their numbers mean, and their draws."""

from __future__ import annotations

import struct
from collections import Counter

import pytest

from bordeaux import Map, Position, legal_orders
from bordeaux._ext.net.dumbbot import DumbBotPolicy
from bordeaux.arena import bench
from bordeaux.board.submission import decode
from bordeaux.policy.dumbbot import ANY, DUMBBOT, WEAK_VARIANT, ChanceWalk, Policy, draw
from tests.players.playing import STRIP

MAP = Map.standard()
POLICIES = {"dumbbot": DUMBBOT, "weak": WEAK_VARIANT}


def texts(orders: bytes, map: Map = MAP) -> list[str]:
    return [str(decode(map, code)) for code in struct.unpack(f"<{len(orders) // 8}Q", orders)]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
@pytest.mark.parametrize(
    "position", [position for position, _ in bench.positions()], ids=lambda position: str(position.phase)
)
def test_a_draw_is_legal_and_complete_in_every_phase(position: Position, policy: Policy) -> None:
    chooser = policy.chooser(position.map, 3)
    for number, power in enumerate(position.map.powers):
        drawn = texts(draw(chooser, position.packed, number), position.map)
        owed = position.orderable().get(power, ())
        legal = {order for orders in legal_orders(position, power).values() for order in orders} | {"WAIVE"}
        # The weak variant may retreat to where it cannot go, which is a disbandment.
        assert set(drawn) <= legal or (policy.weak_variant and position.phase.kind == "R")
        assert len(drawn) == (abs(position.adjustments(power)) if position.phase.kind == "A" else len(owed))


@pytest.mark.parametrize(
    "walk", [ChanceWalk(-1, 500, (1, 1, 1)), ChanceWalk(101, 500, (1, 1, 1)), ChanceWalk(50, -1, (1, 1, 1))]
)
def test_numbers_that_make_no_sense_are_refused(walk: ChanceWalk) -> None:
    with pytest.raises(ValueError, match="no such walk"):
        DUMBBOT._replace(walk=walk).chooser(MAP)


# The walk among choices: how often it stops where.

DRAWS = 40_000
#: Five standard deviations of the rarest and the most even frequency.
NEAR = 5 * (0.25 / DRAWS) ** 0.5


def frequencies(values: list[int], weak_variant: bool) -> list[float]:
    """How often walks end on each of some values."""
    numbers = DUMBBOT.schemes, DUMBBOT.size, -1, weak_variant, 1, 50, 500
    choice = DumbBotPolicy(STRIP.tables, *numbers, (ANY, ANY, ANY), 1)
    ends = Counter(choice.walked(values, ANY) for _ in range(DRAWS))
    return [ends[place] / DRAWS for place in range(len(values))]


@pytest.mark.parametrize(
    ("values", "weak_variant", "expected"),
    [
        ([100], False, [1.0]),
        # A tenth worse is fifty in a hundred of a hurdle, after an even chance.
        ([100, 90], False, [0.75, 0.25]),
        ([100, 80], False, [1.0, 0.0]),
        ([100, 100], False, [0.5, 0.5]),
        # From 95 to 90 the hurdle is 500 * 5 / 95, which is 26: the value that the walk stands on counts.
        ([100, 95, 90], False, [1 - 0.375, 0.375 * (1 - 0.37), 0.375 * 0.37]),
        ([0, -5], False, [0.5, 0.5]),
        # Among removals values grow: no hurdle but the first draw.
        ([100, 200, 5000], False, [0.5, 0.25, 0.25]),
        # The weak variant draws once, and minds any gap.
        ([100, 98], True, [0.6, 0.4]),
        ([100, 90], True, [1.0, 0.0]),
        ([100, 102], True, [0.6, 0.4]),
    ],
)
def test_how_often_a_walk_ends_where(values: list[int], weak_variant: bool, expected: list[float]) -> None:
    assert frequencies(values, weak_variant) == pytest.approx(expected, abs=NEAR)
