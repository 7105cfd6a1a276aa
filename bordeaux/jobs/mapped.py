"""A function mapped over a long stream by several processes, in order and in bounded memory."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from typing import TypeVar

__all__ = ["end", "mapped", "serve"]

Item = TypeVar("Item")
Answer = TypeVar("Answer")

BATCH = 8
"""Items that a process is handed at once."""

LOOK = 1.0
"""Seconds between two looks of a process for its parent."""

AHEAD = 4
"""Batches for each process that are under way: this bounds memory."""


@contextmanager
def mapped(
    function: Callable[[Item], Answer], items: Iterable[Item], processes: int
) -> Iterator[Iterator[Answer]]:
    """Apply `function` to `items` in `processes` processes and give the answers in order.

    Fewer items than a batch are done here, without processes. What `function` or `items` raises is
    raised here; leaving the context, also by Ctrl-C, ends the processes, whatever they are at.
    """
    stream = iter(items)
    first = list(islice(stream, BATCH)) if processes > 1 else []
    if len(first) < BATCH:
        yield (function(item) for source in (first, stream) for item in source)
        return
    # Of the standard library, because that pickles in C: for whole games most of the cost.
    pool = ProcessPoolExecutor(processes, initializer=serve, initargs=(os.getpid(),))
    before = set(active_children())
    try:
        # The first batch goes out at once, so that the processes fork before any thread starts.
        waiting = deque([pool.submit(apply_to_all, function, first)])
        yield in_order(pool, function, stream, waiting, AHEAD * processes)
    except BaseException:
        end(pool, set(active_children()) - before)
        raise
    else:
        pool.shutdown(cancel_futures=True)


def end(pool: ProcessPoolExecutor, children: Iterable[BaseProcess]) -> None:
    """End the processes of a pool; what they have begun may take long, and is not waited for."""
    for child in children:
        child.terminate()
    for child in children:
        child.join()
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


def serve(parent: int) -> None:
    """What a process does first: leave Ctrl-C, which every process of a terminal gets, to the parent, end
    when told to, and end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)

    def watch() -> None:
        # A parent that was killed tells nobody, and its queue stays open as the other children hold it.
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
