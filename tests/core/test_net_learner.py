"""The policy learns in the core: slopes are those of the loss, what is learnt becomes likelier."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from bordeaux import Map, Position
from bordeaux._ext.learn.net_learner import NetLearner
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.net.weights import Net
from bordeaux._ext.search.rollout import Rollout
from bordeaux.evaluation import evaluator
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People

MAP = Map.standard()
Arrays = dict[str, NDArray[np.float32]]


@pytest.fixture(scope="module")
def raw() -> dict[str, bytes]:
    """Games with retreats and builds, in which all powers but one seek best responses."""
    chooser = People(MAP, net=load_net("engines")).chooser
    rollout = Rollout(evaluator(MAP), People(MAP).chooser)
    responds = ([(0, 4, 1.0)], [(0, 1.0, 1.0)], 3, 1, -1, 0)
    play = SelfPlay(MAP.tables, [chooser], [rollout], [responds, ([(0, 1, 1.0)], [], 0, 1, -1, 0)])
    return play.play(Position.start().packed, [bytes([0, 0, 0, 1, 0, 0, 0])] * 2, [3, 4], [1905, 1906])


@pytest.fixture(scope="module")
def games(raw: dict[str, bytes]) -> Recorded:
    return Recorded(MAP.tables, raw)


def arrays_of(net: Net) -> Arrays:
    return {
        name: np.frombuffer(data, np.float32).reshape(shape).copy()
        for name, (shape, data) in net.arrays().items()
    }


def learner(arrays: Arrays | None = None, **more: Any) -> NetLearner:
    return NetLearner(MAP.tables, arrays or arrays_of(load_net("engines")), **more)


def test_slopes_are_those_of_the_loss(games: Recorded) -> None:
    """In builds and removals, where there is no second look, which takes the first one's chances as given."""
    arrays = arrays_of(load_net("engines"))
    chosen = [phase for phase in range(games.n_phases) if games.packed(phase).phase[2] == 2]
    assert len(chosen) > 2
    by_array = {
        name: np.frombuffer(data, np.float32).reshape(shape)
        for name, (shape, data) in learner(arrays).slopes_of(games, chosen).items()
    }
    chance, checked = np.random.default_rng(1), 0
    for name, slopes in by_array.items():
        place = chance.choice(np.argsort(-abs(slopes).ravel())[:5])
        slope = slopes.ravel()[place]
        if abs(slope) < 2e-3:
            continue
        losses = []
        for step in (2e-3, -2e-3):
            changed = arrays | {name: arrays[name].copy()}
            changed[name].ravel()[place] += step
            other = learner(changed)
            other.slopes_of(games, chosen)
            losses.append(other.loss)
        assert (losses[0] - losses[1]) / 4e-3 == pytest.approx(slope, rel=0.1, abs=2e-3), name
        checked += 1
    assert checked > 10


@pytest.mark.slow
def test_what_is_learnt_becomes_likelier(games: Recorded) -> None:
    pupil = learner(keep=0.5)
    phases = range(games.n_phases)
    pupil.judge(games, phases)
    before = pupil.loss, pupil.likely, pupil.first
    choices = pupil.choices
    for step in range(30):
        pupil.learn(games, phases, 2e-3, seed=step)
    pupil.judge(games, phases)
    assert pupil.loss < 0.7 * before[0]
    assert pupil.likely > before[1] and pupil.first > before[2]
    assert pupil.choices == choices > 500
    assert pupil.steps == 30


def test_the_same_batches_give_the_same_bits_also_after_a_stop(games: Recorded) -> None:
    whole, first = learner(), learner()
    for step in range(6):
        whole.learn(games, range(step, games.n_phases, 6), 1e-3, 0.3, 0.3, step)
    for step in range(3):
        first.learn(games, range(step, games.n_phases, 6), 1e-3, 0.3, 0.3, step)
    second = learner()
    second.restore(first.saved())
    for step in range(3, 6):
        second.learn(games, range(step, games.n_phases, 6), 1e-3, 0.3, 0.3, step)
    assert second.saved() == whole.saved()
    assert second.net.arrays() == whole.net.arrays() and second.mean.arrays() == whole.mean.arrays()
    assert whole.net.arrays() != whole.mean.arrays()


def test_judging_changes_nothing(games: Recorded) -> None:
    pupil = learner()
    before = pupil.saved()
    pupil.judge(games, range(games.n_phases))
    pupil.slopes_of(games, range(3))
    assert pupil.saved() == before


def test_what_was_done_in_the_two_movement_phases_before_is_remembered(
    raw: dict[str, bytes], games: Recorded
) -> None:
    """All units hold in the first phase of the first game, in place of what they were ordered."""
    orders = np.frombuffer(raw["orders"], "<u8").copy()
    orders[:22] &= 0xFFFF0000
    other = Recorded(MAP.tables, raw | {"orders": orders.tobytes()})
    moves = [phase for phase in range(games.n_phases) if games.packed(phase).phase[2] == 0][:4]
    pupil, losses = learner(), []
    for phase in moves[1:]:
        for recorded in (games, other):
            pupil.judge(recorded, [phase])
            losses.append(pupil.loss)
    assert losses[0] != losses[1] and losses[2] != losses[3] and losses[4] == losses[5]


def test_who_sought_no_response_teaches_nothing(games: Recorded) -> None:
    """One seat of seven drew its orders; its choices are not among those that are learnt."""
    pupil = learner()
    pupil.judge(games, [0])
    assert pupil.choices == 22 - len(MAP.homes["GERMANY"])


def test_gains_can_weigh(games: Recorded) -> None:
    plain, weighed = learner(), learner(weigh=1.0, unit=50.0)
    plain.judge(games, range(games.n_phases))
    weighed.judge(games, range(games.n_phases))
    assert plain.loss != weighed.loss and plain.choices > weighed.choices > 0


def test_rubbish_is_refused(games: Recorded) -> None:
    pupil = learner()
    for phases in ([games.n_phases], [-1]):
        with pytest.raises(IndexError, match="no phase"):
            pupil.learn(games, phases, 1e-3)
    with pytest.raises(ValueError, match="bytes of a training"):
        pupil.restore(b"none")
    nan = float("nan")
    for name, wrong in (("keep", 1.0), ("decay", -1.0), ("weigh", 2.0), ("unit", 0.0), ("share", nan)):
        with pytest.raises(ValueError, match="outside its range"):
            learner(None, **{name: wrong})
    arrays = arrays_of(load_net("engines"))
    with pytest.raises(ValueError, match="10 rows"):
        learner({**arrays, "input": arrays["input"][:10].copy()})
