"""Fast policies: what their numbers mean, and their draws."""

from __future__ import annotations

import struct
from collections import Counter

import pytest

from bordeaux import Map, Position, legal_orders
from bordeaux.arena import bench
from bordeaux.board.submission import decode
from bordeaux.players.base import Limit, Seat
from bordeaux.players.dumbbot import DumbBot, WeakDumbBot
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT, ChanceWalk, Policy, draw

MAP = Map.standard()
LATER = next(position for position, _ in bench.positions() if str(position.phase) == "S1904M")
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


def test_equal_seeds_draw_equally_and_others_do_not() -> None:
    def drawn(seed: int) -> list[bytes]:
        chooser = DUMBBOT.chooser(MAP, seed)
        return [draw(chooser, LATER.packed, 2) for _ in range(20)]

    assert drawn(5) == drawn(5) != drawn(6)
    assert len(set(drawn(5))) == 3


@pytest.mark.parametrize(("policy", "player"), [(DUMBBOT, DumbBot), (WEAK_VARIANT, WeakDumbBot)])
def test_the_policy_is_what_the_player_plays(policy: Policy, player: type[DumbBot]) -> None:
    """Over many seeds both give the same orders about equally often."""
    chooser, number, times = policy.chooser(MAP, 1), MAP.powers.index("TURKEY"), 300
    drawn = Counter(order for _ in range(times) for order in texts(draw(chooser, LATER.packed, number)))
    played = Counter(
        str(order)
        for seed in range(times)
        for order in player(Seat("TURKEY", MAP, seed)).orders(LATER, Limit())
    )
    assert sum(abs(drawn[order] - played[order]) for order in drawn | played) < 0.25 * drawn.total()


@pytest.mark.parametrize(
    "walk", [ChanceWalk(-1, 500, (1, 1, 1)), ChanceWalk(101, 500, (1, 1, 1)), ChanceWalk(50, -1, (1, 1, 1))]
)
def test_numbers_that_make_no_sense_are_refused(walk: ChanceWalk) -> None:
    with pytest.raises(ValueError, match="no such walk"):
        DUMBBOT._replace(walk=walk).chooser(MAP)
