"""Training from what searches came to: lines are read, drawn and learnt in place of what was ordered."""

from __future__ import annotations

import gzip
import importlib
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.formats.games import load_games

LINES = [
    {"orders": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"], "value": 2.0, "probability": 0.7},
    {"orders": ["A PAR - GAS", "A MAR - SPA", "F BRE - ENG"], "value": 1.0, "probability": 0.3},
]
PLAYED = {"FRANCE": LINES[0]["orders"], "ITALY": ["A ROM - APU"]}


def saved(folder: Path, count: int, lines: object = LINES) -> Path:
    """Games of one phase, in which France has searched."""
    start = Position.start()
    after = start.next(PLAYED)
    path = folder / "games.jsonl.gz"
    with gzip.open(path, "wt") as out:
        for number in range(count):
            phases = [
                {"name": "S1901M", "state": start.to_json(), "orders": PLAYED, "searched": {"FRANCE": lines}},
                {"name": str(after.phase), "state": after.to_json(), "orders": {}},
            ]
            out.write(json.dumps({"id": f"{number}-5", "map": "standard", "phases": phases}) + "\n")
    return path


def test_lines_are_drawn_by_their_probability(importable: None, tmp_path: Path) -> None:
    searched = importlib.import_module("training.searched")
    lines = searched.searched_lines(saved(tmp_path, 1000))
    assert len(lines) == 1000 and set(lines["7-5", "S1901M"]) == {"FRANCE"}
    drawn = [searched.drawn(each, *where)["FRANCE"] for where, each in lines.items()]
    again = [searched.drawn(each, *where)["FRANCE"] for where, each in lines.items()]
    assert drawn == again
    counts = Counter(map(tuple, drawn))
    assert counts[tuple(LINES[0]["orders"])] / 1000 == pytest.approx(0.7, abs=0.05)
    assert sum(counts[tuple(each["orders"])] for each in LINES) == 1000


def test_only_what_was_searched_is_taught(importable: None, tmp_path: Path) -> None:
    split = importlib.import_module("training.split")
    searched = importlib.import_module("training.searched")
    path = saved(tmp_path, 1, LINES[1:])
    map, game = Map.standard(), load_games(path)[0]
    france, italy = map.powers.index("FRANCE"), map.powers.index("ITALY")
    plain = next(split.played_phases(game, map))
    assert plain.taught == plain.orders and set(plain.orders) == {france, italy}
    taught = next(split.played_phases(game, map, searched.searched_lines(path)))
    assert taught.orders == plain.orders
    assert set(taught.taught) == {france} and taught.taught[france] != plain.orders[france]


@pytest.mark.parametrize("lines", [[{"orders": ["A PAR H"]}], [{"orders": 5, "probability": 1}], 7])
def test_lines_that_make_no_sense_are_refused(importable: None, tmp_path: Path, lines: object) -> None:
    searched = importlib.import_module("training.searched")
    with pytest.raises(BordeauxError, match="are no lines of a search"):
        searched.searched_lines(saved(tmp_path, 1, lines))


def test_a_net_goes_towards_what_was_searched(
    importable: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    people = importlib.import_module("training.people")
    games, first, second = saved(tmp_path, 40, LINES[:1]), tmp_path / "first.npz", tmp_path / "second.npz"
    given = ["--games", str(games), "--threads", "1", "--batch", "4", "--sizes", "8,8,8,8,8"]
    run = [*given, "--work", str(tmp_path / "first"), "--out", str(first), "--epochs", "1", "--rate", "1e-6"]
    assert people.main(run) == 0
    run = [
        *given,
        "--work",
        str(tmp_path / "second"),
        "--out",
        str(second),
        "--epochs",
        "6",
        "--rate",
        "1e-2",
    ]
    assert people.main([*run, "--start", str(first), "--searched"]) == 0
    # It begins where the first ended, and ends with what was searched as the first choice of each unit.
    begun = people.new_net(0, people.sizes_in(first))
    people.begin_with(begun, first)
    with np.load(first) as file:
        for name, each in begun.named_parameters():
            assert np.array_equal(each.detach().numpy(), file[name].astype(np.float32)), name
    told = [line for line in capsys.readouterr().err.splitlines() if "as it is used" in line]
    accuracy = [float(line.split("movement ")[1].split(" %")[0]) for line in told]
    assert accuracy[-1] > 90 and accuracy[0] < 60


def test_weights_that_cannot_be_trained_on_are_refused(
    importable: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    people = importlib.import_module("training.people")
    bad = tmp_path / "bad.npz"
    bad.write_bytes(b"PK nothing")
    run = ["--games", str(saved(tmp_path, 40)), "--threads", "1", "--work", str(tmp_path / "work")]
    assert people.main([*run, "--out", str(tmp_path / "out.npz"), "--start", str(bad)]) == 2
    assert f"{bad}: damaged, or no archive of weights" in capsys.readouterr().err.splitlines()[-1]
