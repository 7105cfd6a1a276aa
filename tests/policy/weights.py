"""Files of weights, for tests of how they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

HEADER: dict[str, Any] = {
    "format": 1,
    "kind": "policy",
    "map": "standard",
    "made": "2026-01-01",
    "command": "none",
    "games": 0,
    "held_out": 0,
    "figures": {},
}


def write(path: Path, arrays: dict[str, Any], header: object = HEADER) -> Path:
    """A file of weights."""
    stored = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez_compressed(path, header=stored, **arrays)
    return path
