"""Which processes there are."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

from tests.patience import PATIENCE


def wait_until(condition: Callable[..., object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it has not come to that"
        time.sleep(0.01)


def alive(process: int) -> bool:
    """Whether a process is there and no corpse."""
    return state(process) not in ("", "Z", "X")


def gone(*processes: int) -> bool:
    """Whether all processes end, if they are given some time."""
    deadline = time.monotonic() + PATIENCE
    while any(map(alive, processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not any(map(alive, processes))


def children(parent: int | None = None) -> list[int]:
    """The living children of a process, of this one if none is named."""
    wanted = str(os.getpid() if parent is None else parent)
    numbers = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return [number for number in numbers if parent_of(number) == wanted and alive(number)]


def fields(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["", ""]


def state(process: int) -> str:
    return fields(process)[0]


def parent_of(process: int) -> str:
    return fields(process)[1]
