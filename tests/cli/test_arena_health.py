"""``bordeaux arena --health``: the table, the JSON, and logs that go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bordeaux.arena.health import FIGURES
from tests.cli.conftest import Run


@pytest.mark.slow
def test_the_command_counts_and_goes_on_from_a_log(run: Run, tmp_path: Path) -> None:
    log, games = tmp_path / "results.jsonl", tmp_path / "games.jsonl"
    options = ("--players", "hold,random", "--until", "1902", "--processes", "1", "--health", "--seed", "4")
    kept = ("--save", str(log), "--games-file", str(games))
    run("arena", *options, *kept, "--games", "1")
    more = json.loads(run("arena", *options, *kept, "--games", "2", "--json").stdout)
    whole = json.loads(run("arena", *options, "--games", "2", "--json").stdout)
    for name in ("hold", "random"):
        assert more["players"][name]["health"] == whole["players"][name]["health"]
    assert whole["players"]["hold"]["health"]["all_hold"]["share"] == 1.0
    assert len(games.read_text().splitlines()) == 2
    lines = run("arena", *options, "--games", "2").stdout.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("Health"))
    assert any(line.split()[:2] == ["hold", "100"] for line in lines[start:])
    assert all(f"{figure.head}: {figure.text}" in lines for figure in FIGURES)


def test_the_table_fits_a_narrow_window(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    options = ("--players", "dumbbot,haai-berserk,dumbbot-weak", "--games", "1", "--until", "1905")
    lines = run("arena", *options, "--processes", "1", "--health").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
