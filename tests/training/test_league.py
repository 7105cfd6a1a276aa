"""A run of the league: generation after generation, to the same weights whatever comes between."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from random import Random

import numpy as np
import pytest

from bordeaux import BordeauxError
from bordeaux.evaluation.prospect import load_value_net
from bordeaux.policy.net import load_net
from tests.training.conftest import GAMES
from training.league import games, ladder, policy, reliability, value
from training.league.__main__ import main, settings_of
from training.league.matches import Mind, one_against_six, three_against_four
from training.league.records import read_shard
from training.league.run import League, Settings

SMALL = ["--games", "4", "--matches", "2", "--until", "1902", "--play.draws", "2", "--play.samples", "2"]
SMALL += ["--play.first_end", "1902", "--play.last_end", "1903", "--processes", "1", "--generations", "2"]
FILES = ("policy.npz", "value.npz", "matches.json", "games/shard-00000.npz")
FEW = games.Options(
    games=3, draws=2, samples=2, first_end=1901, last_end=1902, policy="engines", value="hand"
)


def contents(folder: Path) -> dict[str, bytes]:
    """What a run has come to, by file."""
    files = {
        f"{number}/{name}": folder / f"generation-{number:04}" / name for number in (1, 2) for name in FILES
    }
    return {name: path.read_bytes() for name, path in files.items()} | {
        name: (folder / name).read_bytes() for name in ("ladder.json", "ladder.md", "ladder.svg")
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two generations that nothing came between."""
    folder = tmp_path_factory.mktemp("league") / "run"
    assert main([str(folder), *SMALL]) == 0
    return folder


def work_done(folder: Path) -> int:
    """Files that a run has written, finished and unfinished ones."""
    return sum(1 for path in folder.rglob("*") if path.is_file() and "logs" not in path.parts)


@pytest.mark.slow
def test_a_run_leaves_nets_matches_and_a_ladder(whole: Path) -> None:
    answer = json.loads((whole / "ladder.json").read_text())
    assert [generation["number"] for generation in answer["generations"]] == [1, 2]
    assert [generation["games"] for generation in answer["generations"]] == [4, 8]
    for generation in answer["generations"]:
        load_net(whole / generation["policy"])
        load_value_net(whole / generation["value"])
        for name in ("engines", "people", "before"):
            interval = generation["centres"][name]
            assert interval["games"] == 2 and interval["low"] <= interval["mean"] <= interval["high"]
        assert {"people", "dumbbot"} <= set(generation["alone"])
    assert "generation 1" in answer["generations"][1]["alone"]
    names = {rung["name"] for rung in answer["ratings"]}
    assert {"generation 1", "generation 2", "engines", "people", "dumbbot"} == names
    text = (whole / "ladder.md").read_text()
    assert "| generation 2 |" in text and "| 2 | 8 |" in text
    ElementTree.fromstring((whole / "ladder.svg").read_text())
    # The logs are for TensorBoard, whose writer is of the extra `train`.
    assert bool(find_spec("tensorboardX")) == (whole / "logs").is_dir()
    with np.load(whole / "generation-0002" / "value.npz") as archive:
        header = json.loads(archive["header"].tobytes())
    assert (header["run"], header["generation"], header["games"]) == ("run", 2, 8)
    assert header["command"] == "python -m training.league run"


@pytest.mark.slow
def test_killed_again_and_again_it_comes_to_the_same(
    whole: Path, only_training: Path, tmp_path: Path
) -> None:
    folder, chance, kills = tmp_path / "run", Random(1), 0
    command = [sys.executable, "-m", "training.league", str(folder), *SMALL]
    environment = os.environ | {"PYTHONPATH": str(only_training)}
    while True:
        before = work_done(folder)
        with subprocess.Popen(
            command, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            start_new_session=True,
        ) as process:  # fmt: skip
            # Each run gets at least one file further, so that an end comes also on a busy machine.
            while process.poll() is None and (kills >= 3 or work_done(folder) == before):
                time.sleep(0.005)
            time.sleep(chance.uniform(0.0, 0.1))
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            _, said = process.communicate()
            assert process.returncode == 0, said.decode()
            break
    assert kills == 3
    assert contents(folder) == contents(whole)


@pytest.mark.slow
def test_the_same_command_changes_nothing_and_another_is_refused(
    whole: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(whole)
    times = (whole / "generation-0001" / "policy.npz").stat().st_mtime
    assert main([str(whole), *SMALL]) == 0
    # What is not said is as the folder has it.
    assert main([str(whole), "--generations", "1"]) == 0
    assert contents(whole) == before
    assert (whole / "generation-0001" / "policy.npz").stat().st_mtime == times
    capsys.readouterr()
    assert main([str(whole), "--games", "5"]) == 2
    said = capsys.readouterr().err
    assert "holds a run with another games (4)" in said and len(said.splitlines()) == 1


def test_settings_are_those_of_the_folder_and_of_the_command(tmp_path: Path) -> None:
    settings = Settings(games=7, rivals={"old": "x.npz"}, play=games.Options(draws=3))
    League(tmp_path, settings)
    asked: dict[str, object] = {"rival": [], "games": None, "play.draws": None, "value.trace": 0.25}
    made = settings_of(tmp_path, asked)
    assert (made.games, made.play.draws, made.rivals) == (7, 3, {"old": "x.npz"})
    assert made.value_plan.trace == 0.25
    assert settings_of(tmp_path / "none", asked).games == Settings().games


def test_a_run_without_gain_ends() -> None:
    up, level = {"low": 0.1}, {"low": -0.2}
    assert ladder.climbed([], 3) and ladder.climbed([level, level], 3)
    assert ladder.climbed([level, up, level, level], 3)
    assert not ladder.climbed([up, level, level, level], 3)


def test_ratings_are_those_that_made_the_shares() -> None:
    strengths = {"a": 1.2, "b": 0.4, "c": 0.0}
    chance = np.random.default_rng(1)
    results = ladder.Results()
    for _ in range(400):
        names = [str(name) for name in chance.choice(list(strengths), 7)]
        weights = np.exp([strengths[name] for name in names])
        winner = chance.choice(7, p=weights / weights.sum())
        results.names.append(names)
        results.shares.append([float(seat == winner) for seat in range(7)])
    rungs = ladder.rated(results, "c")
    assert [rung.name for rung in rungs] == ["a", "b", "c"]
    for rung in rungs:
        assert rung.low <= rung.rating <= rung.high
        assert rung.low - 0.2 < strengths[rung.name] < rung.high + 0.2
    assert rungs[2].rating == 0 and ladder.rated(ladder.Results(), "c") == []


@pytest.mark.slow
def test_games_come_in_shards_that_follow_from_the_seed(tmp_path: Path) -> None:
    first = games.play_generation(tmp_path / "one", 1, FEW)
    again = games.play_generation(tmp_path / "two", 1, FEW)
    other = games.play_generation(tmp_path / "three", 1, replace(FEW, seed=2))
    assert first[0].read_bytes() == again[0].read_bytes() != other[0].read_bytes()
    shard = read_shard(first[0])
    assert shard.n_games == 3 and shard.header["minds"] == list(games.MINDS)
    assert (shard.arrays()["seats"] == 0).any(1).all()
    assert shard.header["options"] == asdict(FEW)


@pytest.mark.slow
def test_a_damaged_shard_is_named_and_played_again(tmp_path: Path) -> None:
    (path,) = games.play_generation(tmp_path, 1, FEW)
    whole_shard, said = path.read_bytes(), list[str]()
    path.write_bytes(whole_shard[:100])
    with pytest.raises(BordeauxError, match="none of the shards"):
        policy.train_policy([path], "engines", policy.PolicyPlan(), notice=said.append)
    assert path.name in said[0]
    games.play_generation(tmp_path, 1, FEW, notice=said.append)
    assert any(line_said.startswith("played again") and path.name in line_said for line_said in said)
    assert path.read_bytes() == whole_shard


def test_games_by_other_options_are_not_mixed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(tmp_path), "--games", "2", "--draws", "2", "--samples", "2", "--last-end", "1902"]
    words += ["--first-end", "1901", "--value", "hand", "--processes", "1"]
    assert games.main(words) == 0
    assert json.loads(capsys.readouterr().out) == {"generation": 1, "games": 2, "shards": 1}
    assert games.main([*words, "--temperature", "0.7"]) == 2
    assert "another temperature (1.0)" in capsys.readouterr().err


@pytest.mark.slow
def test_the_commands_of_policy_and_value_go_on_from_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games.play_generation(tmp_path, 1, FEW)
    for module, start in ((policy, "engines"), (value, "prospect")):
        first, second = tmp_path / "first.npz", tmp_path / "second.npz"
        for begin, out in ((start, first), (str(first), second)):
            assert module.main([str(tmp_path), "--start", begin, "--out", str(out), "--passes", "1"]) == 0
        assert first.read_bytes() != second.read_bytes()
        with np.load(second) as archive:
            assert "--start first.npz" in json.loads(archive["header"].tobytes())["command"]
        assert module.main([str(tmp_path / "none"), "--out", str(first)]) == 2
        assert module.main([str(tmp_path), "--start", "none.npz", "--out", str(first)]) == 2
        assert module.main([str(tmp_path), "--out", str(first), "--passes", "0"]) == 2
    said = capsys.readouterr().err
    assert said.count("bordeaux: ") == 6


def test_matches_have_both_seatings() -> None:
    net, dumb = Mind("engines"), Mind("dumbbot")
    match = three_against_four(net, dumb, 8, 1, until=1903)
    assert sorted(match.ours.sum(1)) == [3] * 4 + [4] * 4
    assert match.centres.shape == (8, 7) and np.allclose(match.shares.sum(1), 1, atol=1e-5)
    lead = match.lead()
    assert lead.low < lead.mean < lead.high and lead.games == 8
    alone = one_against_six(net, dumb, 7, 1, until=1902)
    assert (alone.ours == np.eye(7, dtype=bool)).all()
    same = three_against_four(net, dumb, 8, 1, until=1903)
    assert (same.centres == match.centres).all()


@pytest.mark.slow
def test_a_best_response_is_better_than_a_draw() -> None:
    seeks = Mind("engines", value="hand", draws=8, samples=6)
    lead = three_against_four(seeks, Mind("engines"), 40, 3, until=1908).lead()
    assert lead.low > 0


def test_reliability_is_told_by_spans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert reliability.main(["prospect", str(GAMES), "--limit", "3", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["games"] == 3 and answer["phases"] > 20 and 0 < answer["brier"] < 2
    for span in answer["spans"]:
        assert span["from"] <= span["expected"] <= span["to"] and 0 <= span["came"] <= 1
    # What all powers expect, and what came to all of them, is one for each phase.
    for key in ("expected", "came"):
        assert sum(span["powers"] * span[key] for span in answer["spans"]) == pytest.approx(
            answer["phases"], rel=0.02
        )
    assert reliability.main(["prospect", str(GAMES), "--limit", "2"]) == 0
    assert "2 games" in capsys.readouterr().out
    for words, said in (
        (["hand", str(GAMES)], "points, not shares"),
        (["none.npz", str(GAMES)], "none.npz"),
        (["prospect", str(tmp_path / "none")], "none"),
    ):
        assert reliability.main(words) == 2
        assert said in capsys.readouterr().err
