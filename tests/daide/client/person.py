"""A person as the tests have them: notes what they are told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from bordeaux.daide import language as d
from bordeaux.daide.client.human import Human
from bordeaux.players.base import Turn
from tests.patience import PATIENCE


class Person(Human):
    """Notes what it is told; with a `plan`, does something at every phase."""

    plan: Callable[[Person], Awaitable[None]] | None = None

    def __init__(self, address: str, **rest: Any) -> None:
        self.documents: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.got: list[str] = []
        self.turns: list[str] = []
        rest.pop("time", None)
        super().__init__(address, save=self.documents.append, **rest)

    def turned(self, latest: Turn | None) -> None:
        self.turns.append(f"{'-' if latest is None else latest.before.phase} {self.table.phase}")

    def letter(self, message: d.FRM, number: int) -> None:
        self.got.append(f"{number} {message}")

    def tell(self, line: str) -> None:
        self.lines.append(line)

    async def until(self, true: Callable[[], object]) -> None:
        """Wait for something."""
        async with asyncio.timeout(PATIENCE):
            while not true():
                await asyncio.sleep(0.005)

    async def hears(self, *words: str) -> None:
        """Wait until something is told with all these words."""
        await self.until(lambda: any(all(word in line for word in words) for line in self.lines))
