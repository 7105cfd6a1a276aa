"""Random lines: no crash, one line of error at most for each, one answer for each go. Memory does not grow:
`tools/fuzz_protocol.py --pipe` shows it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))
import fuzz_protocol

from tests.fuzzing import examples

LINES = examples(120)


def test_random_lines_to_the_machine() -> None:
    counted: Counter[str] = Counter()
    assert fuzz_protocol.here(11, LINES, counted) == []
    assert counted["lines"] == LINES and LINES / 10 < counted["errors"] < LINES * 0.9
    assert counted["answers"] == counted["go"] > 0


def test_random_lines_through_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    counted: Counter[str] = Counter()
    assert [
        through_pipe
        for through_pipe in fuzz_protocol.through_pipes(12, LINES // 2, counted)
        if "grown" not in through_pipe
    ] == []
    assert counted["answers"] == counted["go"] > 0 and counted["errors"] <= counted["lines"] == LINES // 2
