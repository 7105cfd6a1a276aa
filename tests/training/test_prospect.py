"""The prospect is fitted from a few games, the same from the same seed; PyTorch is not needed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bordeaux import Game, Map, Position, load_games
from bordeaux.evaluation.prospect import compiled, load_weights
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


def test_a_tiny_run_gives_weights_that_are_read_and_judge(cache: Path, tmp_path: Path, capsys) -> None:
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


def test_the_same_seed_gives_the_same_weights(cache: Path) -> None:
    kept = examples.examples(GAMES, cache, None)
    few = kept.only(slice(0, 150))
    one, two, other = (
        training.fit(few, few, training.Plan(epochs=1, batch=50, seed=seed)).weights for seed in (3, 3, 4)
    )
    assert one.any() and np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_phases_without_weight_teach_nothing(cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(slice(0, 60))
    few.left[:30] = True
    plan = training.Plan(epochs=1, batch=30, left=0.0)
    alone = training.fit(few.only(slice(30, 60)), few, plan).weights
    assert np.allclose(training.fit(few, few, plan).weights, alone, atol=1e-3)


def test_what_is_seen_often_is_learnt(cache: Path) -> None:
    few = examples.examples(GAMES, cache, None).only(slice(0, 40))
    before, after = (
        training.losses(*training.fit(few, few, training.Plan(epochs=n, batch=10)).foretell(few), few)
        for n in (0, 3)
    )
    for head in before:
        assert after[head].mean() < before[head].mean() / 2


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
            wanted = [each / sum(squares) for each in squares]
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


def test_no_games_are_one_line_and_code_2(tmp_path: Path, capsys) -> None:
    empty = tmp_path / "none.jsonl"
    empty.write_text("")
    for path in (empty, tmp_path / "missing.jsonl"):
        assert training.main([str(path), "--out", str(tmp_path / "never.npz")]) == 2
        said = capsys.readouterr().err
        assert said.startswith("prospect: ") and len(said.splitlines()) == 1
    assert not (tmp_path / "never.npz").exists()
