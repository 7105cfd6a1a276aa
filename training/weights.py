"""Weights as the file that the core is given: arrays of 16-bit floats by name, and a header."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from bordeaux.formats.beside import beside
from training.model import Net
from training.relations import Fitted

__all__ = ["save_weights"]

FORMAT = 1


def save_weights(path: Path, net: Net, fitted: Fitted, header: dict[str, Any]) -> None:
    """Write a net, with what was fitted to it, as ``.npz``: beside its place first, then moved there.

    The header is JSON as an array of bytes; ``format`` and ``kind`` are added to it. Raises OSError.
    """
    arrays = {name: each.detach().cpu().numpy().astype(np.float16) for name, each in net.named_parameters()}
    # The row of what is not known.
    arrays["input"][0] = 0
    arrays["sharpness"] = fitted.sharpness.astype(np.float16)
    arrays["relation"] = fitted.relation.astype(np.float16)
    text = json.dumps({"format": FORMAT, "kind": "policy", **header})
    part = beside(path)
    with part.open("wb") as handle:
        np.savez_compressed(handle, **arrays, header=np.frombuffer(text.encode(), np.uint8))
    part.replace(path)
