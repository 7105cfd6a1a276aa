"""How many examples fuzz tests try."""

from __future__ import annotations

import os

__all__ = ["examples"]


def examples(usual: int) -> int:
    """As many as usual, or as the variable BORDEAUX_FUZZ says: a number for a long hunt, or with a percent
    sign a share of what is usual."""
    wanted = os.environ.get("BORDEAUX_FUZZ") or "100%"
    return max(1, usual * int(wanted[:-1]) // 100) if wanted.endswith("%") else int(wanted)
