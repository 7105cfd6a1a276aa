"""The value learns in the core: slopes are those of the loss, ends are foretold better."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bordeaux import Map, Position
from bordeaux._ext.learn.recorded import Recorded
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.learn.value_learner import ValueLearner
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People
from tests.core.test_value_net import YEAR, Arrays, made

MAP = Map.standard()


@pytest.fixture(scope="module")
def games() -> Recorded:
    """Games of a net, of different lengths."""
    chooser = People(MAP, net=load_net("engines")).chooser
    play = SelfPlay(MAP.tables, [chooser], [], [([(0, 1, 0.5)], [], 0, 1, -1, 0)])
    ends = [1905, 1908, 1912, 1930]
    return Recorded(MAP.tables, play.play(Position.start().packed, [bytes(7)] * 4, range(4), ends))


def learner(arrays: Arrays | None = None, **more: Any) -> ValueLearner:
    return ValueLearner(MAP.tables, arrays or made(), YEAR, **more)


@pytest.mark.parametrize("solos", [0.0, 0.5])
def test_slopes_are_those_of_the_loss(games: Recorded, solos: float) -> None:
    arrays = made()
    slopes = learner(arrays, trace=1.0, solos=solos).slopes_of(games, [1, 2, 3])
    chance, checked = np.random.default_rng(1), 0
    for name, data in slopes.items():
        slope = np.frombuffer(data, np.float32)
        for place in chance.choice(np.argsort(-abs(slope))[:30], 2):
            losses = []
            for step in (3e-4, -3e-4):
                changed = arrays | {name: arrays[name].copy()}
                changed[name].ravel()[place] += step
                other = learner(changed, trace=1.0, solos=solos)
                other.slopes_of(games, [1, 2, 3])
                losses.append(other.loss + solos * other.solo_loss)
            assert (losses[0] - losses[1]) / 6e-4 == pytest.approx(slope[place], rel=0.1, abs=5e-4), name
            checked += abs(slope[place]) > 1e-3
    assert checked > 5


def test_between_end_and_next_phase_lambda_decides(games: Recorded) -> None:
    """With the weights for their own expectations, slopes change with lambda; those of 0 and 1 mix to any."""
    by_trace = [learner(trace=trace).slopes_of(games, [1])["out"] for trace in (0.0, 0.5, 1.0)]
    arrays = [np.frombuffer(data, np.float32) for data in by_trace]
    assert np.linalg.norm(arrays[2]) > 1.5 * np.linalg.norm(arrays[0])
    assert len({array.tobytes() for array in arrays}) == 3


@pytest.mark.slow
def test_ends_are_foretold_better(games: Recorded) -> None:
    pupil = learner(keep=0.5)
    pupil.judge(games, range(4))
    before = pupil.loss, pupil.solo_loss, pupil.error
    phases = pupil.phases
    for step in range(40):
        pupil.learn(games, range(4), 3e-3, seed=step)
    pupil.judge(games, range(4))
    assert pupil.loss < before[0] - 0.3 and pupil.solo_loss < before[1] and pupil.error < before[2] / 2
    assert pupil.phases == phases <= games.n_phases
    assert pupil.steps == 40


def test_the_same_batches_give_the_same_bits_also_after_a_stop(games: Recorded) -> None:
    whole, first, second = learner(), learner(), learner(made(seed=9))
    for step in range(6):
        whole.learn(games, [step % 4], 1e-3, 0.3, step)
    for step in range(3):
        first.learn(games, [step % 4], 1e-3, 0.3, step)
    second.restore(first.saved())
    for step in range(3, 6):
        second.learn(games, [step % 4], 1e-3, 0.3, step)
    assert second.saved() == whole.saved()
    assert second.mean.arrays() == whole.mean.arrays() != whole.net.arrays()


def test_judging_changes_nothing_and_names_can_be_left_out(games: Recorded) -> None:
    pupil = learner()
    before = pupil.saved()
    pupil.judge(games, range(4))
    pupil.slopes_of(games, [2])
    assert pupil.saved() == before
    rows = len(made()["rows"])
    pupil.learn(games, range(4), 1e-3, unname=1.0, seed=1)
    start = np.frombuffer(learner().net.arrays()["rows"][1], np.float32).reshape(rows, -1)
    after = np.frombuffer(pupil.net.arrays()["rows"][1], np.float32).reshape(rows, -1)
    first = pupil.net.first_rows["power"]
    assert np.abs(after - start)[:first].max() > 1e-4
    # Names keep their weights, apart from the decay.
    assert np.abs(after - start)[first:].max() < 1e-4


def test_rubbish_is_refused(games: Recorded) -> None:
    pupil = learner()
    for numbers in ([4], [-1]):
        with pytest.raises(IndexError, match="no game"):
            pupil.learn(games, numbers, 1e-3)
    with pytest.raises(ValueError, match="bytes of a training"):
        pupil.restore(b"none")
    for name, wrong in (("keep", 1.0), ("decay", -1.0), ("trace", 1.1), ("solos", float("nan"))):
        with pytest.raises(ValueError, match="outside its range"):
            learner(None, **{name: wrong})
