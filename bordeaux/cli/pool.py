"""A function mapped over a long stream by several processes, in order and in bounded memory."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from typing import TypeVar

__all__ = ["mapped"]

Item = TypeVar("Item")
Answer = TypeVar("Answer")

BATCH = 8
"""Items that a process is handed at once."""

AHEAD = 4
"""Batches for each process that are under way: this bounds memory."""


@contextmanager
def mapped(
    function: Callable[[Item], Answer], items: Iterable[Item], processes: int
) -> Iterator[Iterator[Answer]]:
    """Apply `function` to `items` in `processes` processes and give the answers in order.

    Fewer items than a batch are done here, without processes. What `function` or `items` raises is
    raised here; leaving the context, also by Ctrl-C, ends the processes.
    """
    stream = iter(items)
    first = list(islice(stream, BATCH)) if processes > 1 else []
    if len(first) < BATCH:
        yield (function(item) for source in (first, stream) for item in source)
        return
    # Of the standard library, because that pickles in C: for whole games most of the cost.
    pool = ProcessPoolExecutor(processes, initializer=leave_interrupts_to_the_parent)
    try:
        # The first batch goes out at once, so that the processes fork before any thread starts.
        waiting = deque([pool.submit(apply_to_all, function, first)])
        yield in_order(pool, function, stream, waiting, AHEAD * processes)
    finally:
        pool.shutdown(cancel_futures=True)


def in_order(
    pool: ProcessPoolExecutor,
    function: Callable[[Item], Answer],
    stream: Iterator[Item],
    waiting: deque[Future[list[Answer]]],
    most: int,
) -> Iterator[Answer]:
    """Answers in the order of the items, with at most `most` batches under way."""
    while waiting:
        while len(waiting) < most and (batch := list(islice(stream, BATCH))):
            waiting.append(pool.submit(apply_to_all, function, batch))
        yield from waiting.popleft().result()


def apply_to_all(function: Callable[[Item], Answer], batch: list[Item]) -> list[Answer]:
    """What a process does with a batch."""
    return [function(item) for item in batch]


def leave_interrupts_to_the_parent() -> None:
    """Ctrl-C goes to every process of a terminal; only the parent is to answer."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
