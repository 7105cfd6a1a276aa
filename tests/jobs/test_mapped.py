"""A function mapped over a stream by processes, and the end of them (point 18 of issue 14)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest

from bordeaux.jobs.mapped import BATCH, mapped
from tests.cli.processes import PATIENCE

ORPHANS = """
import time
from multiprocessing import active_children
from bordeaux.jobs.mapped import mapped
with mapped(time.sleep, [0.0] * 8 + [600.0] * 80, 2) as answers:
    for _ in range(8):
        next(answers)
    print(*(child.pid for child in active_children()), flush=True)
    next(answers)
"""


def long_after_the_first(number: int) -> int:
    """Quick for the first batch; for all others longer than any test waits."""
    if number >= BATCH:
        time.sleep(600)
    return number


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_answers_come_in_order(processes: int) -> None:
    with mapped(abs, range(-100, 0), processes) as answers:
        assert list(answers) == list(range(100, 0, -1))
    assert active_children() == []


def test_leaving_early_waits_for_nothing_that_has_begun() -> None:
    with pytest.raises(KeyboardInterrupt), mapped(long_after_the_first, range(100), 2) as answers:
        assert [next(answers) for _ in range(BATCH)] == list(range(BATCH))
        raise KeyboardInterrupt
    assert active_children() == []


def test_the_processes_of_a_killed_parent_end() -> None:
    with subprocess.Popen([sys.executable, "-c", ORPHANS], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        children = [int(word) for word in parent.stdout.readline().split()]
        parent.kill()
    assert len(children) == 2
    deadline = time.monotonic() + PATIENCE
    while any(alive(child) for child in children):
        assert time.monotonic() < deadline, "they are still there"
        time.sleep(0.05)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{process}/stat").read_text(encoding="utf-8")
    return status.rpartition(")")[2].split()[0] != "Z"


def test_processes_leave_ctrl_c_to_the_parent() -> None:
    with mapped(signal_itself, range(2 * BATCH), 2) as answers:
        assert list(answers) == [0] * 2 * BATCH


def signal_itself(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    return 0
