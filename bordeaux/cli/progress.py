"""Progress on standard error, and only where that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, Progress, Task, TextColumn, TimeElapsedColumn
from rich.progress_bar import ProgressBar

from bordeaux.cli.output import console

__all__ = ["Counter", "counting", "waiting"]

SHORT = 1.5
"""Seconds: waits up to this long need no bar."""


class Counter:
    """Shows a count on a bar, where there is one."""

    def __init__(self, progress: Progress | None, unit: str) -> None:
        self._progress = progress
        self._task = progress.add_task(unit, total=None) if progress else None

    def update(self, count: int) -> None:
        """Show that `count` things are done."""
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=count)


class ElapsedBar(BarColumn):
    """A bar that fills with time instead of with reported steps."""

    def render(self, task: Task) -> ProgressBar:
        task.completed = min(task.elapsed or 0.0, task.total or 0.0)
        return super().render(task)


@contextmanager
def counting(unit: str) -> Iterator[Counter]:
    """Show a count of `unit` that grows with `Counter.update`, for work of unknown length."""
    if not sys.stderr.isatty():
        yield Counter(None, unit)
        return
    columns = (BarColumn(), TextColumn("{task.completed:,.0f} {task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        yield Counter(progress, unit)


@contextmanager
def waiting(what: str, seconds: float | None = None) -> Iterator[None]:
    """Show that `what` is going on: a bar of `seconds`, or one that runs to and fro without."""
    if not sys.stderr.isatty() or (seconds is not None and seconds <= SHORT):
        yield
        return
    columns = (
        TextColumn("{task.description}"),
        ElapsedBar() if seconds else BarColumn(),
        TimeElapsedColumn(),
    )
    # Four times a second, so that drawing takes nothing noticeable from the search.
    shown = console(sys.stderr)
    with Progress(*columns, console=shown, transient=True, refresh_per_second=4) as progress:
        progress.add_task(what, total=seconds)
        yield
