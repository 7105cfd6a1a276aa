"""Random lines: no crash, one line of error at most for each, one answer for each go. Memory does not grow:
`tools/fuzz_protocol.py --pipe` shows it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import fuzz_protocol

from tests.fuzzing import examples

LINES = examples(120)


def test_random_lines_to_the_machine() -> None:
    told: Counter[str] = Counter()
    assert fuzz_protocol.here(11, LINES, told) == []
    assert told["lines"] == LINES and LINES / 10 < told["errors"] < LINES * 0.9
    assert told["answers"] == told["go"] > 0


def test_random_lines_through_pipes(capsys: pytest.CaptureFixture[str]) -> None:
    told: Counter[str] = Counter()
    assert [each for each in fuzz_protocol.through_pipes(12, LINES // 2, told) if "grown" not in each] == []
    assert told["answers"] == told["go"] > 0 and told["errors"] <= told["lines"] == LINES // 2
