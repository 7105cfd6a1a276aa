"""Thinking within a phase: its duration, its thread, and the orders to send if it yields nothing."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import TypeAlias

from bordeaux.board.order import Order, OrderKind, Unit
from bordeaux.board.position import Position
from bordeaux.daide import translate

Orders: TypeAlias = Sequence[Order | str]
"""A complete set of orders for one power, as `Order` or in any notation that Bordeaux reads."""

#: Seconds that a search has at least, even at the deadline.
LEAST = 0.05


def margin(limit: float) -> float:
    """The seconds before a deadline by which the server should have the orders.

    At least a second, as servers count whole ones and some round down; a twentieth of a long limit; and never
    more than a third of a short one.
    """
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
    match position.phase.kind:
        case "M":
            return [Order(OrderKind.HOLD, unit.kind, unit.location) for unit in position.units_of(power)]
        case "R":
            return [
                Order(OrderKind.DISBAND, dislodged.unit.kind, dislodged.unit.location)
                for dislodged in position.dislodged
                if dislodged.unit.power == power
            ]
        case "A":
            due = translate.adjustments_owed(position, power)
            if due >= 0:
                return [Order(OrderKind.WAIVE)] * due
            kept: set[Unit] = set(position.next({}).units_of(power))
            return [
                Order(OrderKind.DISBAND, unit.kind, unit.location)
                for unit in position.units_of(power)
                if unit not in kept
            ]
    return []


class Thought(threading.Thread):
    """The search of one phase.

    `think` returns one set of orders, or an iterator of better and better ones. It runs in this thread and
    may call `stopped` to see whether to end. `on_found` is called in the event loop for every set, then
    `done`, with the exception if there was one. A thought begins after the one `before` it, so that two never
    run at once. After `stop` nothing more is reported.
    """

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
            if not self.is_stopped:
                self._go_through(self._think())
        except Exception as raised:
            error = raised
        self.tell(self._done, self, error)

    def _go_through(self, given: Orders | Iterator[Orders]) -> None:
        sets: Iterable[Orders] = given if isinstance(given, Iterator) else (given,)
        for orders in sets:
            if self.is_stopped:
                break
            self.tell(self._found, self, tuple(orders))
        if isinstance(given, Generator):
            given.close()

    def tell(self, call: Callable[..., None], *args: object) -> None:
        """Call a function in the event loop, unless the thought has been asked to end by then."""
        # The loop is closed when a program ends without waiting for us.
        with contextlib.suppress(RuntimeError):
            if not self.is_stopped:
                self._loop.call_soon_threadsafe(self._call, call, args)

    def _call(self, call: Callable[..., None], args: tuple[object, ...]) -> None:
        if not self.is_stopped:
            call(*args)


def stopped() -> bool:
    """Whether the thought that runs in this thread has been asked to end; False in other threads."""
    thread = threading.current_thread()
    return isinstance(thread, Thought) and thread.is_stopped
