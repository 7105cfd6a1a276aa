"""A short run of the fuzzer; the long one is started by hand (`tools/fuzz_daide.py`)."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE

FUZZER = Path(__file__).resolve().parents[2] / "tools" / "fuzz_daide.py"


@pytest.mark.parametrize("target", ["language", "frames"])
@pytest.mark.slow
def test_rubbish_is_always_answered(target: str) -> None:
    done = subprocess.run(
        [sys.executable, FUZZER, "--messages", "200", "--target", target, "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert f"{target}: 200 messages" in done.stdout
    assert ", 0 crashes," in done.stdout
    for outcome in ("right", "syntax", "brackets", "level"):
        assert f" {outcome} " in done.stdout


@pytest.mark.slow
def test_a_live_server_stands_rubbish() -> None:
    done = subprocess.run(
        [sys.executable, FUZZER, "--messages", "3000", "--target", "server", "--seed", "7"],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    assert ", 0 crashes," in done.stdout
    played = int(done.stdout.split(" phases played")[0].rpartition(" ")[2].replace(",", ""))
    assert played > 0, "the game went on meanwhile"
