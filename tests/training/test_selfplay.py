"""training/selfplay.py: a generation from games over training to a match, which fits the evaluation here."""

from __future__ import annotations

import gzip
import importlib.resources
import json
from pathlib import Path
from types import ModuleType

import pytest

from bordeaux.formats.games import read_games
from tests.evaluation.test_terms import WEIGHTS_OF_DEFAULT

PLAYER = "bordeaux:evaluation={value}"
LEARN = "training.temporal {games} --start {start} --out {out}"


@pytest.fixture
def selfplay(importable: None, only_training: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setenv("PYTHONPATH", str(only_training))
    return importlib.import_module("training.selfplay")


@pytest.fixture
def weights(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(WEIGHTS_OF_DEFAULT, "utf-8")
    return path


def options(folder: Path, weights: Path, **changed: object) -> list[str]:
    chosen = {
        "value": weights,
        "player": PLAYER,
        "learn_value": LEARN,
        "minds": "dumbbot,hold",
        "games": 2,
        "match_games": 2,
        "nodes": 60,
        "until": 1904,
        "processes": 1,
        **changed,
    }
    named = [(f"--{name.replace('_', '-')}", str(value)) for name, value in chosen.items()]
    return [str(folder), *(word for pair in named for word in pair)]


def test_a_generation_plays_learns_and_holds_a_match(
    selfplay: ModuleType, tmp_path: Path, weights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "one"
    code = selfplay.main(options(folder, weights))
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert code == (0 if told["kept"] else 1) and told["match"]["games"] == 2
    assert ("are better and kept" if told["kept"] else "the old ones stay") in err
    # The new weights are others, and where the old ones lay are those that the match was for.
    new = folder / "value-new.toml"
    assert new.read_text("utf-8") != WEIGHTS_OF_DEFAULT
    assert weights.read_text("utf-8") == (new.read_text("utf-8") if told["kept"] else WEIGHTS_OF_DEFAULT)
    assert (folder / "value-old.toml").read_text("utf-8") == WEIGHTS_OF_DEFAULT
    # The games are whole saved games, with what our searches came to and nobody else's.
    assert [len(game.phases) > 8 for game in read_games(folder / "games.jsonl.gz")] == [True, True]
    ours = f"bordeaux:evaluation={folder / 'value-old.toml'}"
    with gzip.open(folder / "games.jsonl.gz") as lines:
        games = [json.loads(line) for line in lines]
    for game in games:
        seats = {power for power, spec in game["players"].items() if spec == ours}
        assert 0 < len(seats) < 7
        for phase in game["phases"][:-1]:
            owing = {power for power, orders in phase["orders"].items() if power in seats}
            assert set(phase.get("searched", {})) == owing
            for power, lines in phase.get("searched", {}).items():
                assert sorted(lines[0]["orders"]) == sorted(phase["orders"][power])
                assert sum(each["probability"] for each in lines) == pytest.approx(1, abs=0.01)


def test_it_goes_on_where_it_was_stopped(
    selfplay: ModuleType,
    tmp_path: Path,
    weights: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole, again = tmp_path / "whole", tmp_path / "again"
    selfplay.main(options(whole, weights, seed=3))
    first = json.loads(capsys.readouterr().out)
    weights.write_text(WEIGHTS_OF_DEFAULT, "utf-8")

    class Killed(Exception):
        pass

    def killed(*_: object, **__: object) -> None:
        raise Killed

    # Stopped after one game, after training, and in the match.
    real = selfplay.run_searched

    def one_game(jobs: object, **rest: object) -> object:
        for result in real(jobs, **rest):
            yield result
            raise Killed

    for name, broken in (("run_searched", one_game), ("run", killed)):
        with monkeypatch.context() as patch, pytest.raises(Killed):
            patch.setattr(selfplay, name, broken)
            selfplay.main(options(again, weights, seed=3))
    assert (again / "value-new.toml").exists() and not (again / "report.json").exists()
    selfplay.main(options(again, weights, seed=3))
    same = json.loads(capsys.readouterr().out)
    assert same == first
    games = [
        [phase.orders for game in read_games(folder / "games.jsonl.gz") for phase in game.phases]
        for folder in (whole, again)
    ]
    assert games[0] == games[1]
    # What is done stays done, and other options are another generation.
    assert selfplay.main(options(again, weights, seed=3)) == (0 if first["kept"] else 1)
    assert json.loads(capsys.readouterr().out) == first
    assert selfplay.main(options(again, weights, seed=4)) == 2
    assert "holds a generation with another --seed" in capsys.readouterr().err


@pytest.mark.parametrize(("mean", "kept"), [(1.0, True), (0.0, False), (None, False)])
def test_only_what_a_match_shows_better_is_kept(
    selfplay: ModuleType,
    tmp_path: Path,
    weights: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    mean: float | None,
    kept: bool,
) -> None:
    """Matches with a result that is told: all seats of the new weights have a mean share, or their part."""
    folder = tmp_path / "one"
    folder.mkdir()
    learnt = WEIGHTS_OF_DEFAULT.replace("owned = 160", "owned = 170")
    (folder / "value-new.toml").write_text(learnt, "utf-8")

    def told(jobs, processes):  # type: ignore[no-untyped-def]
        for job in jobs:
            new = [seat for seat, spec in enumerate(job.seats) if "value-new" in spec]
            sides = {seat: float(seat in new) for seat in range(7)}
            share = 2 if mean is None else None
            counts = tuple(share or (10 if sides[seat] == mean else 0) for seat in range(7))
            yield selfplay.Result(
                job.index, job.seats, job.seed, "cap", "W1904A", None, (counts,), (True,) * 7,
                (None,) * 7, (), (0.0,) * 7, (0,) * 7, 0.0,
            )  # fmt: skip

    monkeypatch.setattr(selfplay, "run", told)
    monkeypatch.setattr(selfplay.Generation, "play", lambda self: folder / "none.jsonl.gz")
    code = selfplay.main(options(folder, weights, match_games=200))
    match = json.loads(capsys.readouterr().out)["match"]
    assert (code, match["better"]) == (0 if kept else 1, kept)
    assert weights.read_text("utf-8") == (learnt if kept else WEIGHTS_OF_DEFAULT)
    # It ends as soon as it is decided.
    assert match["games"] < 200


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"player": "bordeaux:evaluation={policy}"}, "nothing is given for 'policy'"),
        ({"minds": "dumbot"}, "no player 'dumbot'"),
        ({"games": 0}, "--games must be a positive number"),
        ({"value": "none.toml"}, "none.toml"),
        ({"learn_value": "training.temporal {games} --start {start}"}, "training ended with 2"),
    ],
)
def test_bad_input_is_one_line(
    selfplay: ModuleType,
    tmp_path: Path,
    weights: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, object],
    said: str,
) -> None:
    monkeypatch.setattr(selfplay.Generation, "play", lambda self: self.folder / "none.jsonl.gz")
    assert selfplay.main(options(tmp_path / "one", weights, **changed)) == 2
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("selfplay: ")]
    assert len(lines) == 1 and said in lines[0]


def test_weights_of_the_package_are_never_written_over(
    selfplay: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = Path(str(importlib.resources.files("bordeaux.evaluation"))) / "weights" / "default.toml"
    before = ours.read_bytes()
    assert selfplay.main(options(tmp_path / "one", ours)) == 2
    assert "comes with the package and stays as it is" in capsys.readouterr().err
    assert ours.read_bytes() == before
