"""Jobs for processes of a pool: light to import, and as wayward as needed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bordeaux.jobs.process import note, stopped, tell


class Stubborn(Exception):
    """An error that cannot be made from what it shows."""

    def __init__(self, one: str, two: str) -> None:
        super().__init__(one + two)


def raise_value(text: str) -> None:
    raise ValueError(text)


def raise_stubborn(text: str) -> None:
    raise Stubborn(text, "!")


def unpicklable(text: str) -> Callable[[], str]:
    return lambda: text


def end_with(code: int) -> None:
    note(f"ending with {code}")
    os._exit(code)


def end_once(mark: str) -> str:
    """End the process the first time of all."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def oversleep(seconds: float) -> None:
    """Be late for a deadline of its own."""
    note("asleep", time.monotonic())
    time.sleep(seconds)


def count_up(limit: int) -> int:
    for number in range(limit):
        tell(number)
    return limit


def start_another(mark: str) -> None:
    """Start a process, name it and this one in a file, and never end."""
    child = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)"])
    Path(mark + ".part").write_text(f"{os.getpid()} {child.pid}", "utf-8")
    Path(mark + ".part").rename(mark)
    time.sleep(600)


def do(job: tuple[Callable[..., Any], Any]) -> Any:
    """Call a function of this file, or another, with its argument."""
    function, argument = job
    return function(argument)


class Deadly:
    """A function that ends the process which reads it."""

    def __call__(self, job: Any) -> None:
        raise AssertionError("it is never read")

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (7,)


def long_after_the_first(number: int) -> int:
    """Quick for the first batch; for all others longer than any test waits."""
    if number >= 8:
        time.sleep(600)
    return number


def signal_itself(number: int) -> int:
    os.kill(os.getpid(), signal.SIGINT)
    return 0


def work_until_stopped(mark: str) -> str:
    """Work on until it is asked to come to an end."""
    Path(mark).touch()
    while not stopped():
        time.sleep(0.001)
    return "stopped"


def told_to_stop(job: object) -> str:
    return "stopped" if stopped() else "not asked"
