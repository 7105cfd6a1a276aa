import json

from .conftest import Run

KEYS = {"signature", "nodes", "nodes_per_second", "adjudications_per_second", "positions"}


def test_the_figures(run: Run) -> None:
    first = run("bench", "--quick", "--json")
    assert (first.exit_code, first.stderr) == (0, "")
    figures = json.loads(first.stdout)
    assert set(figures) >= KEYS
    readable = run("bench", "--quick").stdout
    assert figures["signature"] in readable, "two runs of one program search alike"
    assert "nodes per second" in readable
