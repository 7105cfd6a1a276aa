"""Reading and writing the weights of the core: arrays of 16-bit floats by name, and a header."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from bordeaux.board.errors import BordeauxError
from bordeaux.formats.whole_files import write_arrays
from bordeaux.policy.net import load_net
from training.model import Net, Sizes
from training.relations import Fitted

FORMAT = 1


def save_weights(path: Path, net: Net, fitted: Fitted, header: dict[str, Any]) -> None:
    """Write a net, with the fitted relations, as ``.npz``, atomically.

    The header is JSON as an array of bytes; ``format`` and ``kind`` are added to it. Raises OSError.
    """
    arrays = {
        name: tensor.detach().cpu().numpy().astype(np.float16) for name, tensor in net.named_parameters()
    }
    # The row of what is not known.
    arrays["input"][0] = 0
    arrays["sharpness"] = fitted.sharpness.astype(np.float16)
    arrays["relation"] = fitted.relation.astype(np.float16)
    write_arrays(path, {"format": FORMAT, "kind": "policy", **header}, arrays)


def sizes_in(path: Path) -> Sizes:
    """The widths of the net in a file. Raises PolicyError for an invalid file."""
    rounds = load_net(path).rounds
    with np.load(path, allow_pickle=False) as file:
        widths = [file[name].shape[1] for name in ("input", "own2", "own3", "source", "orders")]
        return Sizes(*widths)._replace(rounds=rounds, q=file["ask_kind"].shape[1] if rounds else 0)


def begin_with(net: Net, path: Path) -> None:
    """Give a net the weights of a file. Raises PolicyError for an invalid file, and BordeauxError if the net
    has other shapes."""
    load_net(path)
    with np.load(path, allow_pickle=False) as file, torch.no_grad():
        for name, tensor in net.named_parameters():
            if file[name].shape != tuple(tensor.shape):
                raise BordeauxError(f"{path}: {name} has shape {file[name].shape}, not {tuple(tensor.shape)}")
            tensor.copy_(torch.from_numpy(file[name].astype(np.float32)))
