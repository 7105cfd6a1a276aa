"""training/temporal.py: weights by temporal differences, from games to a file that the engine takes."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bordeaux import Map, Position, evaluate
from bordeaux.arena.bench import positions
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.evaluation import read_weights
from bordeaux.formats.games import Game, GamePhase

MAP = Map.standard()
SAMPLE = Path(__file__).resolve().parents[1] / "data" / "human.jsonl.gz"


@pytest.fixture
def temporal(importable: None) -> ModuleType:
    return importlib.import_module("training.temporal")


@pytest.fixture
def chains_module(importable: None) -> ModuleType:
    return importlib.import_module("training.chains")


@pytest.mark.parametrize("name", ["default", "paper"])
def test_a_value_is_the_sum_of_what_is_fitted(chains_module: ModuleType, name: str) -> None:
    start = chains_module.Start(*read_weights(name))
    measures, judge = chains_module.Measures(start), evaluator(MAP, name)
    seen = [board for board, _ in positions() if board.phase.kind == "M"]
    assert {board.phase.season for board in seen} == {"S", "F"}
    for board in seen:
        for power in range(len(MAP.powers)):
            value = float(np.dot(measures(board, power), start.parts))
            assert value == pytest.approx(judge.evaluate(board.packed, power)[0], abs=0.05)


def test_weights_that_are_put_back_are_the_same_evaluation(chains_module: ModuleType, tmp_path: Path) -> None:
    start = chains_module.Start(*read_weights("default"))
    same = start.with_parts(start.parts)
    assert same == start
    path = tmp_path / "same.toml"
    path.write_text(same.to_toml('by "hand"', {"prospect": 0.25}), "utf-8")
    assert "prospect = 0.25" in path.read_text("utf-8")
    assert evaluate(Position.start(), str(path)) == evaluate(Position.start())


def chains(chains_module: ModuleType, ends: list[float], lengths: list[int], parts: np.ndarray) -> object:
    rows = sum(lengths)
    seasons = np.arange(rows) % 2
    held = np.zeros(len(lengths), bool)
    return chains_module.Chains(parts, seasons, np.array(lengths), np.array(ends), held)


def test_returns_mix_the_next_value_with_what_comes_after(
    temporal: ModuleType, chains_module: ModuleType
) -> None:
    values = np.array([0.1, 0.2, 0.4, 0.5, 0.6])
    both = chains(chains_module, [1.0, float("nan")], [3, 2], np.zeros((5, len(chains_module.PARTS))))
    # The last of the first chain comes to 1; who left the second tells no end.
    assert temporal.returns(values, both, 0.5) == pytest.approx([0.45, 0.7, 1.0, 0.6, 0.6])
    assert temporal.returns(values, both, 0.0) == pytest.approx([0.2, 0.4, 1.0, 0.6, 0.6])
    assert temporal.returns(values, both, 1.0) == pytest.approx([1.0, 1.0, 1.0, 0.6, 0.6])


def test_weights_that_made_the_ends_are_found_again(temporal: ModuleType, chains_module: ModuleType) -> None:
    start = chains_module.Start(*read_weights("default"))
    rng = np.random.default_rng(5)
    true = start.parts * rng.uniform(0.4, 2.5, len(start.parts))
    true[list(chains_module.PARTS).index("stalemate")] = 0.0
    parts = np.abs(rng.normal(size=(4000, len(true)))) / true.clip(1)
    ends = temporal.squashed(parts @ true - parts @ true @ np.ones(4000) / 4000)
    made = chains(chains_module, list(ends), [1] * 4000, parts)
    weights = temporal.fitted(made, start, 0.7, 0.0, ())
    scale = temporal.safe_centre(start.parts) / temporal.safe_centre(true)
    assert weights == pytest.approx(true * scale, rel=0.02, abs=0.5)
    assert temporal.safe_centre(weights) == pytest.approx(temporal.safe_centre(start.parts))
    held = temporal.fitted(made, start, 0.7, 0.0, ("owned", "danger"))
    assert held[0] == pytest.approx(start.parts[0]) and held[2] == pytest.approx(start.parts[2])
    # Drawn strongly to the start, nothing moves.
    assert temporal.fitted(made, start, 0.7, 1e6, ()) == pytest.approx(start.parts, rel=0.01)


def game(orders: dict[int, dict[str, list[str]]]) -> Game:
    """Ten movement phases in which Turkey moves back and forth, others as given by a phase's number."""
    position, phases = Position.start(), []
    for number in range(10):
        to = "A SMY - ARM" if position.unit_at("SMY") is not None else "A ARM - SMY"
        given = {"TURKEY": [to], **orders.get(number, {})}
        phases.append(GamePhase(str(position.phase), position.to_json(), given))
        position = position.next(given)
    phases.append(GamePhase(str(position.phase), position.to_json(), {}))
    return Game("g", "standard", (), tuple(phases))


def test_who_has_left_tells_no_end(chains_module: ModuleType) -> None:
    measures = chains_module.Measures(chains_module.Start(*read_weights("default")))
    stays = {number: {"ITALY": ["A ROM H"]} for number in (0, 9)}
    chains = list(chains_module.chains_of(game({2: {"FRANCE": ["A PAR H"]}, **stays}), measures))
    assert [len(chain) for chain, _ in chains] == [3, 10, 10]
    ends = [end for _, end in chains]
    assert np.isnan(ends[0]) and ends[1] == ends[2] == pytest.approx(9 / (6 * 9 + 16))
    assert list(chains_module.chains_of(Game("g", "standard", (), game({}).phases[:6]), measures)) == []


def run(temporal: ModuleType, capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    assert temporal.main([str(argument) for argument in arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_from_games_to_weights_twice_the_same(
    temporal: ModuleType,
    chains_module: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chains_module, "CHUNK", 4)
    out, work = tmp_path / "td.toml", tmp_path / "work"
    first = run(temporal, capsys, SAMPLE, "--out", out, "--work", work)
    text = out.read_text("utf-8")
    values = evaluate(Position.start(), str(out))
    assert values != evaluate(Position.start()) and all(value.value > 0 for value in values.values())
    assert first["positions"] > 1000 and min(first["after"]["weights"].values()) >= 0
    # What a kill has left is not measured again, and what is missing is.
    kept = sorted(work.iterdir())
    assert len(kept) > 1
    kept[0].unlink()
    measure, calls = chains_module.measured_chunk, []

    def counted(games: list[Game], measures: object) -> object:
        calls.append(len(games))
        return measure(games, measures)

    monkeypatch.setattr(chains_module, "measured_chunk", counted)
    assert run(temporal, capsys, SAMPLE, "--out", out, "--work", work) == first
    assert calls == [4] and out.read_text("utf-8") == text
    assert sorted(work.iterdir()) == kept


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none.jsonl"], "none.jsonl"),
        ([str(SAMPLE), "--start", "papre"], "unknown evaluation 'papre'"),
        ([str(SAMPLE), "--keep", "own"], "--keep has no own"),
        ([str(SAMPLE), "--trace", "1.5"], "'1.5' is not a number from 0 to 1"),
    ],
)
def test_bad_input_is_one_line(
    temporal: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert temporal.main([*arguments, "--out", str(tmp_path / "td.toml")]) == 2
    errors = capsys.readouterr().err
    assert errors.startswith("bordeaux: ") and said in errors and errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
