"""Rollouts in the core: the same games as by the rules and DumbBot's player, phase by phase."""

from __future__ import annotations

import random
import struct

import pytest

from bordeaux import Map, Position, legal_orders
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.search.rollout import Rollout
from bordeaux.arena import bench
from bordeaux.board.submission import submit
from bordeaux.evaluation import evaluate, evaluator
from bordeaux.players.people import net_of
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT, Policy, draw
from bordeaux.policy.people import People
from tests.core.test_contest import MASK, mixed

MAP = Map.standard()
START = Position.start()
POSITIONS = [position for position, _ in bench.positions()]
#: Nodes that a movement phase counts for which the policy plays.
PHASE = 10


def rollout_of(policy: Policy = DUMBBOT, map: Map = MAP) -> Rollout:
    return Rollout(evaluator(map), policy.chooser(map))


def packed(position: Position, orders: dict[str, list[str]]) -> bytes:
    codes = [code for _, code in submit(position, orders).codes()]
    return struct.pack(f"<{len(codes)}Q", *codes)


def some_orders(position: Position, seed: int) -> dict[str, list[str]]:
    """Some legal orders, in a movement or retreat phase one for most units."""
    chance = random.Random(seed)
    given: dict[str, list[str]] = {}
    for power in position.orderable():
        places = [orders for orders in legal_orders(position, power).values() if chance.random() < 0.8]
        if position.phase.kind == "A":
            places = places[: abs(position.adjustments(power))]
        given[power] = [chance.choice(orders) for orders in places]
    return given


def chance_of(seed: int, position: Position, power: int) -> int:
    """The chance of a power in a phase of a rollout: it depends on nothing that happened before."""
    phase = position.phase
    number = (phase.year * 3 + "SFW".index(phase.season)) * 4 + "MRA".index(phase.kind)
    return mixed((seed + mixed(number * 32 + power)) & MASK)


def by_the_rules(
    position: Position, orders: dict[str, list[str]], movements: int, seed: int, chooser: Chooser
) -> Position:
    """The position after the same game by a policy, each power with the chance of its phase."""
    reached = position.next(orders)
    while reached.phase.kind not in "M-" or (reached.phase.kind == "M" and movements):
        movements -= reached.phase.kind == "M"
        owing = reached.orderable()
        codes = []
        for number, power in enumerate(reached.map.powers):
            if power in owing:
                chooser.chance = chance_of(seed, reached, number)
                drawn = draw(chooser, reached.packed, number)
                codes += [(number, code) for code in struct.unpack(f"<{len(drawn) // 8}Q", drawn)]
        reached = Position.from_packed(reached.map, reached.packed.adjudicate(codes)[0])
    return reached


@pytest.mark.parametrize("policy", [DUMBBOT, WEAK_VARIANT], ids=["dumbbot", "crude"])
@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: str(position.phase))
def test_a_rollout_is_the_game_by_the_rules_from_the_same_seed(position: Position, policy: Policy) -> None:
    rollout = rollout_of(policy, position.map)
    for seed in range(3):
        orders, movements = some_orders(position, seed), 1 + 2 * seed
        (end,) = rollout.ends(position.packed, packed(position, orders), movements, [seed])
        state = Position.from_packed(position.map, end)
        assert state == by_the_rules(position, orders, movements, seed, policy.chooser(position.map))
        assert state.phase.kind in "M-"


def test_what_one_power_does_changes_little_of_what_others_play_on_far_away() -> None:
    """Rollouts with the same chance differ in what differs: the other units draw the same numbers."""
    rollout = Rollout(evaluator(MAP), People(MAP, temperature=1.0, net=net_of("people")).chooser)
    others = {"ENGLAND": ["F LON - NTH"], "FRANCE": ["A PAR - BUR"], "GERMANY": ["A BER - KIE"]}
    given = [packed(START, others | {"TURKEY": [order]}) for order in ("F ANK - BLA", "F ANK - CON")]
    far = [power for power in MAP.powers if power in others]

    def units(joint: bytes, seed: int) -> list[object]:
        (end,) = rollout.ends(START.packed, joint, 1, [seed])
        reached = Position.from_packed(MAP, end)
        return [sorted(map(str, reached.units_of(power))) for power in far]

    same = sum(units(given[0], seed) == units(given[1], seed) for seed in range(40))
    apart = sum(units(given[0], seed) == units(given[1], seed + 1000) for seed in range(40))
    assert same > 30 > 10 > apart


@pytest.mark.parametrize("kind", "MRA")
def test_values_are_those_of_the_ends(kind: str) -> None:
    position = next(position for position in POSITIONS if position.phase.kind == kind)
    rollout = rollout_of()
    orders = some_orders(position, 4)
    power = next(iter(orders))
    own = packed(position, {power: orders[power]})
    others = packed(position, {other: given for other, given in orders.items() if other != power})
    rows = rollout.compare(position.packed, MAP.powers.index(power), [own, b""], [others, b""], 2, [7, 8])
    for row, first in zip(rows, (own, b""), strict=True):
        for value, around, seed in zip(row, (others, b""), (7, 8), strict=True):
            (end,) = rollout.ends(position.packed, around + first, 2, [seed])
            after = Position.from_packed(MAP, end)
            assert value == pytest.approx(evaluate(after)[power].value, rel=1e-6)


def test_a_node_for_the_first_phase_and_10_for_every_movement_phase_after_it() -> None:
    rollout = rollout_of()
    rollout.compare(START.packed, 2, [b"", b""], [b"", b"", b""], 0, [1, 2, 3])
    assert rollout.nodes == 6
    rollout.compare(START.packed, 2, [b""], [b"", b""], 2, [1, 2])
    assert rollout.nodes == 6 + 2 * (1 + 2 * PHASE)
    retreats = next(position for position in POSITIONS if position.phase.kind == "R")
    rollout.compare(retreats.packed, 0, [b""], [b""], 1, [1])
    assert rollout.nodes == 6 + 2 * (1 + 2 * PHASE) + 1 + PHASE


def test_the_seed_is_all_its_chance() -> None:
    rollout = rollout_of()
    once = rollout.compare(START.packed, 0, [b""], [b""] * 40, 3, list(range(40)))
    assert rollout.compare(START.packed, 0, [b""], [b""] * 40, 3, list(range(40))) == once
    assert len(set(once[0])) > 10


def test_a_game_that_is_won_is_not_played_on() -> None:
    most = list(MAP.centres[:18])
    units = [unit for unit in START.units if unit.power == "FRANCE"]
    autumn = Position(MAP, "F1910M", units, {"FRANCE": most, "TURKEY": list(MAP.centres[18:])})
    rollout = rollout_of()
    (end,) = rollout.ends(autumn.packed, b"", 5, [1])
    assert Position.from_packed(MAP, end).phase.kind == "-"
    assert rollout.nodes == 1


def test_rubbish_is_refused() -> None:
    rollout = rollout_of()
    with pytest.raises(ValueError, match="8 bytes"):
        rollout.compare(START.packed, 0, [b"1234567"], [b""], 1, [1])
    with pytest.raises(ValueError, match="not on the map"):
        rollout.compare(START.packed, 0, [b"\xff" * 8], [b""], 1, [1])
    winter = next(
        position for position in POSITIONS if position.phase.kind == "A" and position.adjustments("FRANCE")
    )
    build = next(iter(legal_orders(winter, "FRANCE").values()))[0]
    with pytest.raises(ValueError, match="more than 256"):
        rollout.compare(winter.packed, 0, [packed(winter, {"FRANCE": [build]}) * 257], [b""], 1, [1])
    with pytest.raises(ValueError, match="argument"):
        rollout.compare(START.packed, 0, [b""], [b""], 1, [1, 2])
    with pytest.raises(ValueError, match="phase to play"):
        rollout.compare(Position.start(Map.load("pure")).packed, 0, [b""], [b""], 1, [1])
    with pytest.raises(ValueError, match="another map"):
        Rollout(evaluator(MAP), DUMBBOT.chooser(Map.load("pure")))
    with pytest.raises((TypeError, OverflowError)):
        rollout.compare(START.packed, 0, ["A PAR H"], [b""], 1, [1])  # type: ignore[list-item]  # no bytes
    for power in (-1, 7, 99):
        with pytest.raises(ValueError, match="no power number"):
            rollout.compare(START.packed, power, [b""], [b""], 1, [1])
    for movements in (-1, 101):
        with pytest.raises(ValueError, match="movement phases"):
            rollout.compare(START.packed, 0, [b""], [b""], movements, [1])
        with pytest.raises(ValueError, match="movement phases"):
            rollout.ends(START.packed, b"", movements, [1])
    with pytest.raises(ValueError, match="phase to play"):
        rollout.ends(Position.start(Map.load("pure")).packed, b"", 1, [1])
