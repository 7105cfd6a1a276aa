"""`benchmarks/ablation.py`: a line for every engine, and on from where it stopped."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "ablation.py"


def ablation(*args: str) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-P",
        str(SCRIPT),
        "--against",
        "hold",
        "--until",
        "1901",
        "--nodes",
        "50",
        *args,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


@pytest.mark.slow
def test_every_engine_has_a_line_and_a_second_run_goes_on(tmp_path: Path) -> None:
    kept, written = tmp_path / "games.log", tmp_path / "result.json"
    options = (
        "--games",
        "7",
        "--ideas",
        "rollouts,beliefs+policy",
        "--save",
        str(kept),
        "--json",
        str(written),
    )
    first = ablation(*options)
    assert first.returncode == 0, first.stderr
    head, *lines = first.stdout.splitlines()
    assert head.split("  ")[0] == "engine"
    assert [line[:24].strip() for line in lines] == [
        "all ideas",
        "without rollouts",
        "without beliefs+policy",
    ]
    assert [line.count("(") for line in lines] == [1, 2, 2]
    result = json.loads(written.read_text("utf-8"))
    assert len(result["players"]) == 4
    again = ablation(*options)
    assert (again.returncode, again.stdout) == (0, first.stdout)
    assert "going on from there" in again.stderr


def test_an_idea_that_is_none_is_named() -> None:
    done = ablation("--ideas", "rollout")
    assert done.returncode == 2
    assert done.stderr.splitlines() == [done.stderr.strip()]
    assert "unknown idea 'rollout'" in done.stderr
