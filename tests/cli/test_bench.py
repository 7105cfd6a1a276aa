import json
from pathlib import Path

import pytest

from bordeaux.arena import bench
from bordeaux.arena.puzzles import KINDS, shipped

from .conftest import Run, Save


@pytest.mark.slow
def test_the_figures(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    table = bench.positions()[::16]
    monkeypatch.setattr(bench, "positions", lambda: table)
    first = run("bench", "--quick", "--json")
    assert (first.exit_code, first.stderr) == (0, "")
    figures = json.loads(first.stdout)
    assert figures["signature"] == figures["signatures"]["learnt"] != figures["signatures"]["paper"]
    assert figures["positions"] == len(table)
    assert figures["adjudications_per_second"] > 0 < figures["nodes_per_second"] and figures["nodes"] > 0
    readable = run("bench", "--quick").stdout
    assert figures["signature"] in readable, "two runs of one program search alike"
    assert "nodes per second" in readable


@pytest.mark.slow
def test_the_figures_of_a_sample(run: Run) -> None:
    given = ("bench", "--puzzles", "--sample", "7", "--nodes", "200", "--nodes", "400", "--processes", "1")
    figures = run.told(*given)
    assert figures["nodes"] == 200
    assert set(figures["puzzles"]) <= set(KINDS)
    assert sum(row["count"] for row in figures["puzzles"].values()) == 7
    for row in figures["budgets"]:
        solved = sum(kind["solved"] for kind in row["puzzles"].values())
        assert solved + len(row["failed"]) == 7
    readable = run(*given).stdout
    assert "200 nodes" in readable and "400 nodes" in readable and "all" in readable


def test_another_player_is_put_to_them(run: Run, save: Save, tmp_path: Path) -> None:
    puzzle = shipped()[0]
    path = save("one.jsonl", json.dumps(puzzle.to_json()))
    (tmp_path / "knowing.py").write_text(
        f"class Knowing:\n    def orders(self, position, limit):\n        return {list(puzzle.solution)!r}\n"
        "class Lost:\n    def orders(self, position, limit):\n        raise KeyError(1)\n"
    )
    for name, solved in (("Knowing", 1), ("Lost", 0)):
        spec = f"{tmp_path}/knowing.py:{name}"
        figures = run.told("bench", "--puzzles", "--player", spec, "--file", path, "--nodes", "9")
        assert figures["puzzles"][puzzle.kind] == {"count": 1, "solved": solved}
