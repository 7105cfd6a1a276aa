"""Progress on standard error, only if it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import timedelta
from time import monotonic

from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.progress_bar import ProgressBar
from rich.text import Text

from bordeaux.cli.report.output import console

SHORT = 0.5
"""Seconds: waits up to this long need no bar."""
EVERY = 2.0
"""Seconds between two notes, which may take some time."""


class Counter:
    """Shows a count on a bar, if there is one."""

    def __init__(self, progress: Progress | None = None) -> None:
        self._progress = progress
        self._looked = monotonic()

    def update(self, count: int, note: Callable[[], str] | None = None) -> None:
        """Show that `count` items are done, and a `note`, which is asked for now and then."""
        if self._progress is not None:
            (task,) = self._progress.task_ids
            self._progress.update(task, completed=count)
            if note is not None and monotonic() > self._looked + EVERY:
                self._progress.update(task, note=note())
                self._looked = monotonic()


@contextmanager
def bar(unit: str, *columns: ProgressColumn, count: int = 0, total: float | None = None) -> Iterator[Counter]:
    """Show progress in these columns on standard error if it is a terminal, until the work is done."""
    if not sys.stderr.isatty():
        yield Counter()
        return
    # Four times a second takes nothing noticeable from the work. Standard output is not caught: results are
    # printed there meanwhile.
    with Progress(
        *columns, console=console(sys.stderr), transient=True, refresh_per_second=4, redirect_stdout=False
    ) as progress:
        progress.add_task(unit, completed=count, total=total, note="")
        yield Counter(progress)


class ElapsedBar(BarColumn):
    """A bar that fills with time instead of with reported steps."""

    def render(self, task: Task) -> ProgressBar:
        """The bar."""
        task.completed = min(task.elapsed or 0.0, task.total or 0.0)
        return super().render(task)


class TimeUsedColumn(ProgressColumn):
    """The used and the available seconds: ``1.3 of 5.0 s``.

    After the end of the time the text says so, as the search is then only finishing.
    """

    def render(self, task: Task) -> Text:
        """The text; without a total only the used seconds."""
        gone = task.elapsed or 0.0
        if task.total is None:
            return Text(f"{gone:.1f} s")
        ending = ", ending" if gone > task.total else ""
        return Text(f"{min(gone, task.total):.1f} of {task.total:.1f} s{ending}")


def counting(unit: str) -> AbstractContextManager[Counter]:
    """Show a count of `unit` that grows with `Counter.update`, for work of unknown length."""
    return bar(unit, BarColumn(), TextColumn("{task.completed:,.0f} {task.description}"), TimeElapsedColumn())


class Estimate(ProgressColumn):
    """The remaining time, from the steps of this run: earlier steps took none."""

    def __init__(self, before: int) -> None:
        super().__init__()
        self._before = before

    def render(self, task: Task) -> Text:
        """The text."""
        done = task.completed - self._before
        if done < 1 or task.total is None or task.elapsed is None:
            return Text("-:--:-- left")
        left = task.elapsed / done * (task.total - task.completed)
        return Text(f"{timedelta(seconds=round(left))} left")


def estimating(unit: str, before: int, total: int) -> AbstractContextManager[Counter]:
    """Show how many of `total` items are done and the time for the others; `before` of them were done in an
    earlier run."""
    return bar(
        unit,
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f} {task.description}"),
        TimeElapsedColumn(),
        Estimate(before),
        TextColumn("{task.fields[note]}"),
        count=before,
        total=total,
    )


def waiting(what: str, seconds: float | None = None, shown: bool = True) -> AbstractContextManager[object]:
    """Show that `what` is in progress: a bar that is full after `seconds`, or an indefinite one without.
    There is none with `shown` false, and for short waits."""
    if not shown or (seconds is not None and seconds <= SHORT):
        return nullcontext()
    elapsed = ElapsedBar() if seconds else BarColumn()
    return bar(what, TextColumn("{task.description}"), elapsed, TimeUsedColumn(), total=seconds)
