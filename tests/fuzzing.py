"""How many examples fuzz tests try."""

from __future__ import annotations

import os

__all__ = ["examples"]


def examples(usual: int) -> int:
    """As many as usual, or as the variable BORDEAUX_FUZZ says: for a long hunt."""
    return int(os.environ.get("BORDEAUX_FUZZ", usual))
