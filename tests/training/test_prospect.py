"""The prospect is fitted from a few games, the same from the same seed; PyTorch is not needed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bordeaux import Game, Map, Position, load_games
from bordeaux.evaluation.prospect import compiled, load_weights, prospect_value
from tests.training.conftest import GAMES
from training import prospect as training
from training import prospect_examples as examples
from training.split import TEST, TRAIN


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return load_games(GAMES)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory, games: list[Game]) -> Path:
    """The examples of the sample of games, as the command keeps them."""
    path = tmp_path_factory.mktemp("prospect") / "examples.npz"
    examples.examples(GAMES, path, None)
    return path


@pytest.mark.slow
def test_a_tiny_run_gives_weights_that_are_read_and_judge(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, page = tmp_path / "made.npz", tmp_path / "page.md"
    arguments = ["--cache", str(cache), "--out", str(made), "--report", str(page), "--epochs", "1"]
    arguments += ["--siblings", "9"]
    assert training.main([str(GAMES), *arguments]) == 0
    weights = load_weights(made)
    assert weights.header == json.loads(capsys.readouterr().out)
    assert str(tmp_path) not in weights.header["command"]
    assert weights.header["phases"] > 100 and weights.header["held_out"] > 10
    shares = compiled(Map.standard(), weights).shares(Position.start().packed)
    assert sum(shares) == pytest.approx(1, abs=1e-5) and len(set(shares)) == 7
    figures = weights.header["figures"]
    assert figures["prospect"]["share_log"] < np.log(7)
    assert page.read_text("utf-8").count("| prospect |") >= 1


@pytest.fixture(scope="module")
def beside(games: list[Game]) -> examples.Siblings:
    """A few groups of siblings, valued as the engine does."""
    return examples.siblings(games, prospect_value(Map.standard(), scale=1.0), 12, 3)


def test_siblings_differ_by_the_orders_of_one_power(games: list[Game], beside: examples.Siblings) -> None:
    assert beside.rows.shape[:3] == beside.shares.shape == (12, examples.SIBLINGS, 7)
    assert beside.shares.sum(-1) == pytest.approx(1, abs=1e-5)
    assert (beside.part != TEST).all()
    # Who has nothing left expects nothing, and most groups hold positions that differ.
    assert not beside.shares[beside.rows[..., 0] == 0].any()
    assert (beside.rows != beside.rows[:, :1]).any((1, 2, 3)).mean() > 0.5
    again = examples.siblings(games, prospect_value(Map.standard(), scale=1.0), 12, 3)
    for one, two in zip(beside, again, strict=True):
        np.testing.assert_array_equal(one, two)


def test_the_slope_of_differences_is_that_of_their_squares(beside: examples.Siblings, cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(np.arange(0, 20))
    plan = training.FitPlan(epochs=0)
    model = training.fit(few, few, plan)
    model.weights[:] = np.random.default_rng(1).normal(size=len(model.weights)).astype(np.float32) * 0.1

    def loss() -> float:
        return float((model.differences(beside)[1].astype(float) ** 2).sum(-1).mean())

    slope = model.slope_of(beside)
    for row in np.argsort(-abs(slope))[:3]:
        old = model.weights[2 * row]
        ends = []
        for step in (1e-2, -1e-2):
            model.weights[2 * row] = old + step
            ends.append(loss())
        model.weights[2 * row] = old
        assert slope[row] == pytest.approx((ends[0] - ends[1]) / 2e-2, rel=0.02)


def test_differences_are_learnt_from_siblings(beside: examples.Siblings, cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(np.arange(0, 60))
    plan = training.FitPlan(epochs=20, batch=20, groups=12, differing=1000.0)
    seen = beside._replace(part=np.full_like(beside.part, TRAIN))
    results = training.fit(few, few, plan)
    both = training.fit(few, few, plan, results, seen)
    before, after = ((model.differences(seen)[1] ** 2).mean() for model in (results, both))
    assert after < before / 2


def test_phases_without_weight_teach_nothing(cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(np.arange(0, 60))
    few.left[:30] = True
    plan = training.FitPlan(epochs=1, batch=30, left=0.0)
    alone = training.fit(few.only(np.arange(30, 60)), few, plan).weights
    assert np.allclose(training.fit(few, few, plan).weights, alone, atol=1e-3)


def test_what_is_seen_often_is_learnt(cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(np.arange(0, 40))
    before, after = (
        training.losses(*training.fit(few, few, training.FitPlan(epochs=n, batch=10)).foretell(few), few)
        for n in (0, 3)
    )
    for head in before:
        assert after[head].mean() < before[head].mean() / 2


@pytest.mark.slow
def test_examples_are_what_was_kept(cache: Path, games: list[Game]) -> None:
    again = examples.gathered(iter(games))
    kept = examples.examples(GAMES, cache, None)
    for name, array in vars(again).items():
        assert np.array_equal(array, getattr(kept, name), equal_nan=array.dtype.kind == "f"), name
    assert again.shares.sum(1) == pytest.approx(1, abs=1e-5)
    assert again.alive.any(1).all() and not (again.shares[~again.alive] > 0).any()
    won = again.winner < 7
    assert (again.shares[won, again.winner[won]] == 1).all()


def test_the_end_of_a_game_is_its_last_state_carried_out(games: list[Game]) -> None:
    for game in games:
        end = examples.ending(game)
        if end is None:
            assert int(game.phases[-1].name[1:5]) < examples.EARLIEST
            continue
        counts = [len(game.phases[-1].state["centers"].get(power, ())) for power in examples.MAP.powers]
        if game.phases[-1].name[0] != "F":
            squares = [count * count for count in counts]
            wanted = [square / sum(squares) for square in squares]
            if max(counts) > 17:
                wanted = [float(count > 17) for count in counts]
            assert end.shares == pytest.approx(wanted)
        assert (end.winner < 7) == (max(end.shares) == 1.0)


def test_who_never_orders_again_has_left(games: list[Game]) -> None:
    phases = [phase for phase in games[0].phases if phase.name.endswith("M")]
    silent = Game(
        "silent",
        "standard",
        (),
        tuple(
            phase if number < 2 else phase.__class__(phase.name, phase.state, phase.orders | {"FRANCE": []})
            for number, phase in enumerate(phases)
        ),
    )
    last = examples.last_orders(silent)
    assert last[examples.MAP.powers.index("FRANCE")] <= 1
    assert max(last) > 1
