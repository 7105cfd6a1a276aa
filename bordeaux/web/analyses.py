"""Analyses: one search at a time in a process beside the page, and what it has found for whoever listens."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.web.channel import Channel, Event
from bordeaux.web.rounds import Ask, Progress, search
from bordeaux.web.workroom import Given, Task, Workroom

__all__ = ["SUPERSEDED", "Analyses", "Analysis"]

SUPERSEDED, STOPPED, FAILED = "superseded", "stopped", "error"
LONELY = 60.0
"""Seconds after which an analysis that nobody listens to ends, if it has no limit of its own."""
LOOK = 1.0
"""Seconds between two looks for listeners."""
KEPT = 20
"""Analyses that late listeners can still ask for."""


class Analysis:
    """One analysis of a node of a study: its `channel` has the events ``analysis``, ``error`` and ``end``. A
    process that dies is told as an ``error`` with ``again``; the stream ends with ``end`` alone."""

    def __init__(self, study: str, node: str, ask: Ask) -> None:
        self.id = secrets.token_hex(8)
        self.study = study
        self.node = node
        self.channel = Channel(self._newest)
        self.task = Task(ask, self._heard, self._died)
        self.ended: str | None = None
        self._why: str | None = None
        self._progress = ask.progress
        self._latest: dict[str, Any] | None = None
        self._answers: dict[str, Any] = {}
        self._error: dict[str, Any] | None = None

    def why(self, reason: str) -> None:
        """Note why it is asked to end; the first reason counts."""
        self._why = self._why or reason

    def end(self, reason: str, error: str | None = None) -> None:
        """End the stream."""
        if error is not None:
            self._fault(error, again=False)
        self.ended = self._why or reason
        self.channel.send("end", {"reason": self.ended})
        self.channel.close()

    def _newest(self) -> Iterator[Event]:
        """The newest of everything."""
        if self._latest is not None:
            yield "analysis", {**self._latest, "answers": self._answers}
        if self._error is not None:
            yield "error", self._error
        if self.ended is not None:
            yield "end", {"reason": self.ended}

    def _heard(self, message: tuple[str, Any]) -> None:
        kind, content = message
        if isinstance(content, Progress):
            self._progress = content
            return
        self._latest = content
        self._answers |= content["answers"]
        self.channel.send(kind, content)

    def _died(self, text: str) -> Ask:
        """Tell that the process has died; what is to be searched by the next one."""
        self._fault(f"the process of the engine {text}; another one goes on", again=True)
        ask: Ask = self.task.job
        return ask._replace(progress=self._progress)

    def _fault(self, text: str, *, again: bool) -> None:
        self._error = {"error": text, "again": again}
        self.channel.send("error", self._error)


class Analyses:
    """All analyses of a server; one runs at a time, and a new one ends the one before."""

    def __init__(self) -> None:
        self._room = Workroom(search)
        self._known: dict[str, Analysis] = {}
        self._running: dict[Analysis, asyncio.Task[None]] = {}
        self._warming: asyncio.Task[None] | None = None

    def warm_up(self) -> None:
        """Start the process, so that the first analysis need not wait for it."""
        self._warming = asyncio.create_task(self._warm())

    async def _warm(self) -> None:
        with suppress(BordeauxError):
            await self._room.do(Task(None, lambda told: None))

    def begin(self, study: str, node: str, ask: Ask) -> Analysis:
        """Begin an analysis, and end the one that runs."""
        for other in list(self._running):
            self._ask_to_stop(other, SUPERSEDED)
        analysis = Analysis(study, node, ask)
        self._known[analysis.id] = analysis
        for identity in list(self._known)[:-KEPT]:
            del self._known[identity]
        self._begin(analysis)
        return analysis

    def get(self, identity: str) -> Analysis | None:
        """The analysis of an id, None for one that is not known any more."""
        return self._known.get(identity)

    def stop(self, analysis: Analysis) -> None:
        """Ask an analysis to end; what it has found by then is told."""
        if analysis in self._running:
            self._ask_to_stop(analysis, STOPPED)

    async def close(self) -> None:
        """End everything."""
        for analysis in list(self._running):
            self._ask_to_stop(analysis, STOPPED)
        await self._room.close()
        waiting = [*self._running.values(), *([self._warming] if self._warming is not None else ())]
        await asyncio.gather(*waiting, return_exceptions=True)

    def _begin(self, analysis: Analysis) -> None:
        running = asyncio.create_task(self._run(analysis))
        self._running[analysis] = running
        running.add_done_callback(lambda _: self._running.pop(analysis))

    def _ask_to_stop(self, analysis: Analysis, reason: str) -> None:
        analysis.why(reason)
        self._room.stop(analysis.task)

    async def _run(self, analysis: Analysis) -> None:
        work = asyncio.ensure_future(self._room.do(analysis.task))
        watch = asyncio.create_task(self._watch(analysis))
        try:
            analysis.end(await work)
        except Given:
            analysis.end(STOPPED)
        except BordeauxError as error:
            analysis.end(FAILED, str(error))
        except Exception as error:
            # Of the search, in its process: the page is told, and the server goes on.
            analysis.end(FAILED, f"the search failed: {type(error).__name__}: {error}")
        finally:
            watch.cancel()

    async def _watch(self, analysis: Analysis) -> None:
        """End an analysis without a limit that nobody has listened to for a while."""
        ask: Ask = analysis.task.job
        seen = monotonic()
        while ask.request.limit == (None, None):
            await asyncio.sleep(LOOK)
            if analysis.channel.listeners:
                seen = monotonic()
            elif monotonic() > seen + LONELY:
                self._ask_to_stop(analysis, STOPPED)
                return
