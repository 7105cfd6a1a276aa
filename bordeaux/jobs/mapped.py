"""A function mapped over a long stream by several processes, in order and in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TypeVar

from bordeaux.jobs.pool import Pool

__all__ = ["mapped"]

Item = TypeVar("Item")
Answer = TypeVar("Answer")

BATCH = 8
"""Items in a batch for a process."""

AHEAD = 4
"""Batches for each process that may be running or wait for an earlier one; this limits memory."""


@contextmanager
def mapped(
    function: Callable[[Item], Answer], items: Iterable[Item], processes: int
) -> Iterator[Iterator[Answer]]:
    """Apply `function` to `items` in `processes` processes and yield the answers in order.

    Fewer items than a batch are processed here, without processes. Exceptions of `function` or `items` are
    raised here. Leaving the context, also by Ctrl-C, ends the processes at once.
    """
    stream = iter(items)
    first = list(islice(stream, BATCH)) if processes > 1 else []
    if len(first) < BATCH:
        yield (function(item) for source in (first, stream) for item in source)
        return
    with Pool(partial(apply_to_all, function), processes) as pool:
        yield in_order(pool, batches(first, stream), AHEAD * processes)


def batches(first: list[Item], stream: Iterator[Item]) -> Iterator[tuple[int, list[Item]]]:
    """All batches, numbered."""
    number, batch = 0, first
    while batch:
        yield number, batch
        number, batch = number + 1, list(islice(stream, BATCH))


def in_order(
    pool: Pool[tuple[int, list[Item]], list[Answer]], stream: Iterator[tuple[int, list[Item]]], most: int
) -> Iterator[Answer]:
    """Answers in the order of the items, with at most `most` batches in progress."""
    done: dict[int, list[Answer]] = {}
    given = 0
    while True:
        while pool.room and pool.busy + len(done) < most and (batch := next(stream, None)):
            pool.submit(batch)
        if not pool.busy:
            return
        for outcome in pool.outcomes():
            done[outcome.job[0]] = outcome.result()
        while given in done:
            yield from done.pop(given)
            given += 1


def apply_to_all(function: Callable[[Item], Answer], batch: tuple[int, list[Item]]) -> list[Answer]:
    """The work of a process on a batch."""
    return [function(item) for item in batch[1]]
