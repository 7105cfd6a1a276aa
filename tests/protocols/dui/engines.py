"""Engines that speak DUI, good ones and bad ones, as command lines."""

from __future__ import annotations

import sys
from pathlib import Path

__all__ = ["BORDEAUX", "TINY", "changed"]

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "tiny_engine.py"
TINY = [sys.executable, "-I", "-S", str(EXAMPLE)]
BORDEAUX = [sys.executable, "-m", "bordeaux", "engine"]


def changed(folder: Path, *edits: tuple[str, str]) -> list[str]:
    """The command line of a tiny engine with parts of its text replaced."""
    text = EXAMPLE.read_text("utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = folder / "engine.py"
    path.write_text(text, encoding="utf-8")
    return [sys.executable, "-I", "-S", str(path)]
