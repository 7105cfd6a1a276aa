"""Rollouts and games of candidate sets, given bytes that may be no orders: refused or put up with."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux import Position
from bordeaux._ext.net.policy import Chooser
from bordeaux._ext.search.expand import Expander
from bordeaux._ext.search.joint import CandidateGame, consequences
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.valuer import Valuer
from bordeaux.board.code import make_code
from bordeaux.board.order import OrderKind
from bordeaux.policy.dumbbot import DUMBBOT, WEAK_VARIANT
from bordeaux.search.bestfirst import Maxims, search_space
from tests.rubbish import (
    EVALUATOR,
    MAP,
    N_LOCATIONS,
    N_POWERS,
    NUMBERS,
    POSITIONS,
    RELAXED,
    codes,
    or_odd,
    packed_codes,
    refusing,
    use,
)

CHOOSERS = [DUMBBOT.chooser(MAP, 3), WEAK_VARIANT.chooser(MAP, 3), Chooser(MAP.tables)]
ROLLOUTS = [
    *(Rollout(EVALUATOR, chooser) for chooser in CHOOSERS),
    *(Rollout(Valuer(MAP.tables), chooser) for chooser in CHOOSERS),
]
WINTERS = [position for position in POSITIONS if position.phase.kind == "A"][:2]
RETREAT = next(position for position in POSITIONS if position.phase.kind == "R")


@st.composite
def sets(draw: st.DrawFn, position: Position) -> Any:
    """A set of orders as bytes: legal ones, with others among them, for units that are there or not."""
    by_power = position.packed.legal().values()
    legal = st.sampled_from([code for places in by_power for listed in places.values() for code in listed])
    places = st.sampled_from([MAP.location(unit.kind, unit.location).index for unit in position.units])
    own = codes(places)
    # A fault in one order hides what the others would do, so that most sets are of one sort.
    sort = draw(st.sampled_from([legal, own, codes(), st.one_of(legal, own)]))
    return draw(or_odd(st.lists(sort, max_size=20).map(packed_codes)))


@given(st.data(), st.sampled_from(POSITIONS), st.sampled_from(ROLLOUTS), or_odd(st.integers(-1, 3)))
@RELAXED
def test_rollouts(data: st.DataObject, position: Position, rollout: Rollout, movements: Any) -> None:
    own, others = (data.draw(or_odd(st.lists(sets(position), max_size=3))) for _ in range(2))
    seeds = data.draw(or_odd(st.lists(or_odd(st.integers(0, 2**64)), max_size=3)))
    with refusing():
        rows = rollout.compare(position.packed, data.draw(NUMBERS), own, others, movements, seeds)
        assert len(rows) == len(own)
    with refusing():
        rollout.compare(position.packed, 0, own, others, movements, range(len(others)))
    with refusing():
        for end in rollout.ends(position.packed, data.draw(sets(position)), movements, [1, 2]):
            use(end)


@pytest.mark.parametrize("position", [*WINTERS, RETREAT], ids=lambda position: str(position.phase))
def test_every_order_outside_movement_is_legal_or_refused(position: Position) -> None:
    """A build where nobody owns the centre once was by the power of number -1, whose count of builds
    lies outside of all counts."""
    rollout, packed = ROLLOUTS[0], position.packed
    for kind in range(OrderKind.WAIVE):
        for place in range(N_LOCATIONS):
            code = make_code(kind, place, place)
            if any(packed.is_legal(code, power) for power in range(N_POWERS)):
                (end,) = rollout.ends(packed, packed_codes([code]), 0, [1])
                use(end)
                continue
            with pytest.raises(ValueError, match="not legal"):
                rollout.ends(packed, packed_codes([code]), 0, [1])
            with pytest.raises(ValueError, match="not legal"):
                rollout.compare(packed, 0, [b""], [packed_codes([code])], 0, [1])
            for power in range(N_POWERS):
                with pytest.raises(ValueError, match="not legal"):
                    packed.adjudicate([(power, code)])


@pytest.mark.parametrize("kind", [OrderKind.RETREAT, OrderKind.DISBAND, OrderKind.BUILD, OrderKind.WAIVE])
def test_a_movement_phase_takes_orders_of_movement_alone(kind: OrderKind) -> None:
    start = Position.start().packed
    with pytest.raises(ValueError, match="none of a movement phase"):
        ROLLOUTS[0].ends(start, packed_codes([int(kind)]), 1, [1])
    with pytest.raises(ValueError, match="none of a movement phase"):
        start.adjudicate([(0, int(kind))])


@given(st.data(), st.sampled_from([position for position in POSITIONS if position.phase.kind == "M"]))
@RELAXED
def test_candidate_games(data: st.DataObject, position: Position) -> None:
    packed, powers = position.packed, st.integers(-1, N_POWERS)
    legal = packed.legal()
    actions: dict[int, Any] = {
        power: [packed_codes([data.draw(st.sampled_from(listed)) for listed in legal[power].values()])]
        for power in data.draw(st.sets(st.sampled_from(sorted(legal))))
    }
    for power in data.draw(st.sets(powers, max_size=1)):
        actions[power] = data.draw(or_odd(st.lists(sets(position), max_size=2)))
    # In C these are arguments of __new__ (`__cinit__`).
    game = CandidateGame.__new__(CandidateGame, room=data.draw(st.integers(1, 4)), seed=7)  # type: ignore[call-arg]
    # What is half made, or never was, must be as safe as what is whole.
    for _ in range(data.draw(st.integers(0, 2))):
        with refusing():
            game.__init__(packed, EVALUATOR, actions, data.draw(sets(position)))  # type: ignore[misc]
    for power in (data.draw(or_odd(powers)), *range(2)):
        with refusing():
            game.add(power, data.draw(sets(position)))
        with refusing():
            game.credit(power, data.draw(or_odd(st.integers(-1, 5))), data.draw(or_odd(st.floats())))
        with refusing():
            game.start(power, data.draw(or_odd(st.lists(or_odd(st.floats()), max_size=5))), True)
        with refusing():
            game.start(power, [1.0] * game.actions(power), data.draw(st.booleans()))
        with refusing():
            game.run(data.draw(st.integers(-1, 5)), every=data.draw(st.integers(0, 5)))
        with refusing():
            values, _ = game.against(power, data.draw(st.integers(0, 3)), final=data.draw(st.booleans()))
            assert len(values) == game.actions(power) == len(game.average(power)) == len(game.strategy(power))
            game.value(power)
        with refusing():
            game.fade(data.draw(or_odd(st.floats(-1, 2))))


@given(st.data(), st.sampled_from(POSITIONS))
@RELAXED
def test_what_sets_come_to(data: st.DataObject, position: Position) -> None:
    given_sets, around = (data.draw(or_odd(st.lists(sets(position), max_size=3))) for _ in range(2))
    with refusing():
        assert len(consequences(position.packed, given_sets, around)) == len(given_sets)


START = Position.start()
FRANCE = MAP.powers.index("FRANCE")


def space_of_france() -> Expander:
    return search_space(START, "FRANCE", EVALUATOR, Maxims.named())


READERS = {
    "a space's background": lambda orders: space_of_france().set_backgrounds([orders], [1.0]),
    "a node of a space": lambda orders: space_of_france().node_of(orders),
    "a candidate game": lambda orders: CandidateGame(START.packed, EVALUATOR, {FRANCE: [orders]}),
    "what sets come to": lambda orders: consequences(START.packed, [orders], [b""]),
    "a rollout": lambda orders: Rollout(EVALUATOR, DUMBBOT.chooser(MAP)).compare(
        START.packed, FRANCE, [orders], [b""], 0, [1]
    ),
}


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@pytest.mark.parametrize(
    ("orders", "complaint"),
    [
        (b"\x01\x00\x00", "8 bytes for each unit"),
        (struct.pack("<Q", OrderKind.HOLD | N_LOCATIONS << 16), "not on the map"),
        (struct.pack("<Q", OrderKind.MOVE | N_LOCATIONS << 32), "not on the map"),
        (struct.pack("<Q", OrderKind.CONVOY | N_LOCATIONS << 48), "not on the map"),
        (struct.pack("<Q", 200), "not on the map"),
    ],
)
def test_what_is_no_set_of_orders_is_refused(
    reader: Callable[[bytes], object], orders: bytes, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        reader(orders)
