"""Responses in parts: draws of the proposers, and values against the same samples."""

from __future__ import annotations

import pytest

from bordeaux import Map, Position
from bordeaux._ext.learn.selfplay import Responder
from bordeaux._ext.net.memory import Memory
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.code import codes_in
from bordeaux.board.submission import check, decode
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People

MAP = Map.standard()
START = Position.start()
FRANCE = MAP.powers.index("FRANCE")


def responder(movements: int = -1, samples: int = 6) -> Responder:
    choosers = [People(MAP, net=load_net("engines")).chooser, DUMBBOT.chooser(MAP)]
    rollout = Rollout(evaluator(MAP), People(MAP, net=load_net("engines")).chooser)
    mind = ([(0, 20, 1.0), (1, 2, 1.0)], [(0, 1.0, 1.0)], samples, 1, movements, 0)
    idle: tuple[list[tuple[int, int, float]], list[tuple[int, float, float]], int, int, int, int] = (
        [(1, 1, 1.0)],
        [],
        0,
        1,
        -1,
        0,
    )
    return Responder(MAP.tables, choosers, [rollout], [mind, idle])


def test_draws_are_different_legal_sets() -> None:
    draws = responder().draws(START.packed, None, 0, FRANCE, 3)
    assert len(draws) == len({frozenset(codes_in(drawn)) for drawn in draws}) > 3
    for drawn in draws:
        orders = [decode(MAP, code) for code in codes_in(drawn)]
        assert len(orders) == 3
        assert not any(check(START, "FRANCE", order).fault for order in orders)
    assert draws == responder().draws(START.packed, None, 0, FRANCE, 3)
    assert draws != responder().draws(START.packed, None, 0, FRANCE, 4)


@pytest.mark.parametrize("movements", [-1, 0, 1])
def test_sets_meet_the_same_samples(movements: int) -> None:
    core = responder(movements)
    sets = core.draws(START.packed, None, 0, FRANCE, 1)[:5]
    together = core.values(START.packed, None, 0, FRANCE, sets, 9)
    assert len(set(together)) > 1
    for orders, total in zip(sets, together, strict=True):
        assert core.values(START.packed, None, 0, FRANCE, [orders], 9) == [total]
    assert core.values(START.packed, None, 0, FRANCE, sets, 8) != together


def test_what_is_valued_is_the_position_after_adjudication() -> None:
    """With the others' orders the same in every sample, as they have but one set."""
    position = Position.start()
    alone = Position(MAP, position.phase, [unit for unit in position.units if unit.power == "FRANCE"], {})
    core = responder()
    (hold, *_) = core.draws(alone.packed, None, 0, FRANCE, 1)
    orders = [str(decode(MAP, code)) for code in codes_in(hold)]
    after = alone.next({"FRANCE": orders})
    expected = 6 * evaluator(MAP).points(after.packed, FRANCE)
    assert core.values(alone.packed, None, 0, FRANCE, [hold], 1)[0] == pytest.approx(expected, rel=1e-4)


def test_memory_counts_and_is_forgotten() -> None:
    core = responder()
    position = START.next({})
    given = [(number, b"") for number in range(7)]
    memory = Memory(MAP.tables, position.packed, given)
    first = [core.draws(position.packed, None, 0, FRANCE, seed) for seed in range(3)]
    core.draws(position.packed, memory, 0, FRANCE, 1)
    assert [core.draws(position.packed, None, 0, FRANCE, seed) for seed in range(3)] == first


def test_who_owes_nothing_has_no_sets() -> None:
    england = [unit for unit in START.units if unit.power == "ENGLAND"]
    position = Position(MAP, START.phase, england, {"ENGLAND": MAP.centres[:3]})
    assert responder().draws(position.packed, None, 0, FRANCE, 1) == []


def test_rubbish_is_refused() -> None:
    core = responder()
    sets = core.draws(START.packed, None, 0, FRANCE, 1)
    for mind, power in ((2, 0), (-1, 0), (0, 7)):
        with pytest.raises(IndexError):
            core.draws(START.packed, None, mind, power, 1)
    with pytest.raises(ValueError, match="without samples"):
        core.values(START.packed, None, 1, FRANCE, sets, 1)
    with pytest.raises(ValueError, match="65 sets"):
        core.values(START.packed, None, 0, FRANCE, sets[:1] * 65, 1)
    with pytest.raises(ValueError, match="8 bytes"):
        core.values(START.packed, None, 0, FRANCE, [b"123"], 1)
    with pytest.raises(ValueError, match="not on the map"):
        core.values(START.packed, None, 0, FRANCE, [b"\xff" * 8], 1)
    with pytest.raises(ValueError, match="on the map of the policies"):
        core.draws(Position.start(Map.load("pure")).packed, None, 0, 0, 1)
