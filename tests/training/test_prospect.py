"""The prospect is fitted from a few games, the same from the same seed; PyTorch is not needed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bordeaux import Game, Map, Position, load_games
from bordeaux.evaluation.prospect import Weights, compiled, load_weights
from training import prospect as training
from training import prospect_examples as examples

ROOT = Path(__file__).resolve().parents[2]
GAMES = ROOT / "tests" / "data" / "human.jsonl.gz"


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


def test_targets_by_temporal_differences_are_those_reckoned_by_hand() -> None:
    foretold = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.7, 0.3], [0.5, 0.5]], np.float32)
    came = np.array([[1, 0], [1, 0], [1, 0], [0, 1], [0, 1]], np.float32)
    game = np.array([4, 4, 4, 5, 5], np.int32)
    # Backwards: the end; .5 * .2 + .5 * 1; .5 * .6 + .5 * .6. The second game begins anew.
    wanted = [[0.6, 0.4], [0.6, 0.4], [1, 0], [0.25, 0.75], [0, 1]]
    assert training.temporal(foretold, came, game, 0.5) == pytest.approx(np.array(wanted))
    # At 0 the next position alone, at 1 what came.
    assert training.temporal(foretold, came, game, 0.0) == pytest.approx(
        np.concatenate((foretold[1:3], came[2:3], foretold[4:], came[4:]))
    )
    assert np.array_equal(training.temporal(foretold, came, game, 1.0), came)


def test_lambda_1_is_what_came_and_less_is_another_fit(cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(np.arange(0, 150))
    plan = training.FitPlan(epochs=2, batch=50)
    plain, one, less = (
        training.fit(few, few, how).weights
        for how in (plan, plan._replace(temporal=1.0), plan._replace(temporal=0.5))
    )
    assert np.array_equal(plain, one) and not np.array_equal(plain, less)
    # Without weights to begin with nothing is foretold in the first epoch.
    whole, half = (training.fit(few, few, plan._replace(epochs=1, temporal=by)).weights for by in (1.0, 0.5))
    assert np.array_equal(whole, half)


def test_the_command_begins_with_given_weights(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(name: str, *more: str) -> Weights:
        out = tmp_path / name
        assert training.main([str(GAMES), "--cache", str(cache), "--out", str(out), *more]) == 0
        return load_weights(out)

    first = run("first.npz", "--epochs", "1")
    start = str(tmp_path / "first.npz")
    # No epoch: what is written is what was given.
    same = run("same.npz", "--epochs", "0", "--start", start)
    assert all(np.array_equal(one, two) for one, two in zip(first[:-1], same[:-1], strict=True))
    plain = run("plain.npz", "--epochs", "1", "--start", start)
    by_next = run("next.npz", "--epochs", "1", "--start", start, "--temporal", "0.7")
    assert not np.array_equal(first.rows, plain.rows) and not np.array_equal(plain.rows, by_next.rows)
    assert by_next.header["command"].endswith("--temporal 0.7 --start first.npz")
    capsys.readouterr()


def test_rubbish_to_begin_with_is_one_line(
    cache: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rubbish, never = tmp_path / "rubbish.npz", tmp_path / "never.npz"
    rubbish.write_text("none")
    for more in (
        ["--cache", str(cache), "--start", str(rubbish)],
        ["--cache", str(cache), "--start", str(tmp_path / "missing.npz")],
        # Examples are no weights, and rubbish is no examples.
        ["--cache", str(cache), "--start", str(cache)],
        ["--cache", str(rubbish)],
    ):
        assert training.main([str(GAMES), "--out", str(never), *more]) == 2
        said = capsys.readouterr().err
        assert said.startswith("bordeaux: ") and len(said.splitlines()) == 1, said
    assert not never.exists()


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
    # The positions of a game stand together, each later than the one before.
    same = again.game[1:] == again.game[:-1]
    assert (np.diff(again.game) >= 0).all() and (np.diff(again.year)[same] >= 0).all()
    assert same.sum() == len(same) + 1 - len(np.unique(again.game)) and len(np.unique(again.game)) > 10
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
