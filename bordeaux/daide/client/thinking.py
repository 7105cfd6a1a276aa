"""Thinking within a phase: its duration, its thread, and the orders to send if it yields nothing."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TypeAlias

from bordeaux.board.order import Order, OrderKind
from bordeaux.board.position import Position
from bordeaux.daide import translate
from bordeaux.players.hold_and_random import holding

Orders: TypeAlias = Sequence[Order | str]
"""A complete set of orders for one power, as `Order` or in any notation that Bordeaux reads."""

#: Seconds that a search has at least, even at the deadline.
LEAST = 0.05


def margin(limit: float) -> float:
    """The seconds before a deadline by which the server should have the orders: a second, as servers count
    whole ones and some round down; a twentieth of a long limit; at most a third of a short one."""
    return min(max(1.0, limit / 20), limit / 3)


def seconds_to_think(wanted: float | None, left: float | None, kept: float) -> float | None:
    """The seconds for a search: those wanted, or the rest of the phase minus the margin `kept`, whichever is
    less; None without either limit."""
    if left is None:
        return wanted
    usable = max(left - kept, LEAST)
    return usable if wanted is None else min(wanted, usable)


def fallback(position: Position, power: str) -> list[Order]:
    """Orders if there are no better ones: hold, disband, waive, and removals by the rules for civil disorder.
    They are complete, so the power does not appear absent."""
    if position.phase.kind != "A":
        return holding(position, power)
    due = translate.adjustments_owed(position, power)
    if due >= 0:
        return [Order(OrderKind.WAIVE)] * due
    kept = set(position.next({}).units_of(power))
    removed = (unit for unit in position.units_of(power) if unit not in kept)
    return [Order(OrderKind.DISBAND, unit.kind, unit.location) for unit in removed]


class Thought(threading.Thread):
    """The search of one phase: `think`, which runs in this thread, returns one set of orders, or an iterator
    of better and better ones. `on_found` is called in the event loop for every set, then `done`, with the
    exception if there was one; nothing after `stop`. It begins after the thought `before` it."""

    def __init__(
        self,
        think: Callable[[], Orders | Iterator[Orders]],
        on_found: Callable[[Thought, Orders], None],
        done: Callable[[Thought, Exception | None], None],
        before: Thought | None = None,
    ) -> None:
        super().__init__(name="bordeaux-thought", daemon=True)
        self._think = think
        self._found = on_found
        self._done = done
        self._before = before
        self._loop = asyncio.get_running_loop()
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Ask it to end; it ends at its next step."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        """Whether it has been asked to end."""
        return self._stopped.is_set()

    def run(self) -> None:
        """The function of the thread, started with ``start``."""
        if self._before is not None:
            self._before.join()
            self._before = None
        error: Exception | None = None
        try:
            given: Orders | Iterator[Orders] = () if self.is_stopped else self._think()
            for orders in given if isinstance(given, Iterator) else (given,):
                if self.is_stopped:
                    break
                self.tell(self._found, self, tuple(orders))
            if isinstance(given, Generator):
                given.close()
        except Exception as raised:
            error = raised
        self.tell(self._done, self, error)

    def tell(self, call: Callable[..., None], *args: object) -> None:
        """Call a function in the event loop, unless the thought has been asked to end by then."""
        # The loop is closed when a program ends without waiting for us.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(lambda: None if self.is_stopped else call(*args))


def stopped() -> bool:
    """Whether the thought that runs in this thread has been asked to end; False in other threads."""
    thread = threading.current_thread()
    return isinstance(thread, Thought) and thread.is_stopped
