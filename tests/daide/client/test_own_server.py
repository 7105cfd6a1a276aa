"""Whole games on our own server, each side a process of its own where it matters."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
BORDEAUX = [sys.executable, "-m", "bordeaux"]


@contextmanager
def server(*options: str) -> Iterator[str]:
    """The address of a server that runs as long as the block, and ends well with its game."""
    process = subprocess.Popen(
        [*BORDEAUX, "server", "--port", "0", "--seed", "7", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on "), line
        yield line.split()[-1]
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


@pytest.mark.slow
def test_the_example_plays_a_game() -> None:
    with server("--fill", "hold", "--open", "1", "--level", "10", "--until", "1902") as address:
        run = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "daide_bot.py"), address, "0.05"],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("a draw of ") and run.stderr == ""
