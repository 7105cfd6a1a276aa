"""How long tests wait for what other processes and threads do, and how many examples they try."""

from __future__ import annotations

import asyncio
import os
import selectors
from collections.abc import Coroutine
from typing import Any

__all__ = ["PATIENCE", "examples", "run_steadily"]

PATIENCE = 600.0
"""Seconds after which a test gives up waiting. No test asserts that something is quick: on a machine that has
ten times as much to do as it has cores, everything takes ten times as long."""


STEP = 0.004
"""Seconds that pass at most between two looks of a `SteadyLoop` at the clock."""


class SteadySelector(selectors.DefaultSelector):
    """Waits for STEP at most."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        return super().select(STEP if timeout is None else min(timeout, STEP))


class SteadyLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while a busy machine holds the test up. A timeout of 100 ms
    comes after 25 rounds of the loop at the earliest: all who are in this loop can act in time."""

    def __init__(self) -> None:
        self._now = self._seen = 0.0
        super().__init__(SteadySelector())

    def time(self) -> float:
        seen = super().time()
        self._now += min(seen - self._seen, STEP)
        self._seen = seen
        return self._now


def run_steadily(what: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in such a loop, within PATIENCE."""

    async def limited() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await what

    with asyncio.Runner(loop_factory=SteadyLoop) as runner:
        return runner.run(limited())


def examples(usual: int) -> int:
    """As many as usual, or as the variable BORDEAUX_FUZZ says: a number for a long hunt, or with a percent
    sign a share of what is usual."""
    wanted = os.environ.get("BORDEAUX_FUZZ") or "100%"
    return max(1, usual * int(wanted[:-1]) // 100) if wanted.endswith("%") else int(wanted)
