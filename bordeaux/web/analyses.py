"""Analyses: one search at a time in a process beside the page, and its results for all listeners."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.web.events import Event, Hub
from bordeaux.web.rounds import Progress, SearchAsk, search
from bordeaux.web.workroom import GivenUp, RoomTask, Workroom

__all__ = ["SUPERSEDED", "Analyses", "RunningAnalysis"]

SUPERSEDED, STOPPED, FAILED = "superseded", "stopped", "error"
LONELY = 60.0
"""Seconds without a listener after which an analysis without a limit of its own ends."""
KEPT = 20
"""The number of analyses that later listeners can still request."""


class RunningAnalysis:
    """One analysis. The topic of its `id` has the events ``analysis``, ``error`` and ``end``. If the process
    dies there is an ``error`` with ``again``; only ``end`` ends the stream. `ended` gives the reason of the
    end. `about` identifies the search: another one with the same value may continue from its result."""

    def __init__(self, ask: SearchAsk, hub: Hub, about: str = "") -> None:
        self.id = secrets.token_hex(8)
        self.about = about
        self.task = RoomTask(ask, self._over, self._heard, self._died, self._look)
        self.ended: str | None = None
        self._hub = hub
        self._lock = threading.Lock()
        self._why: str | None = None
        self._progress = ask.progress
        self._latest: dict[str, Any] | None = None
        self._answers: dict[str, Any] = {}
        self._error: dict[str, Any] | None = None
        self._seen = monotonic()

    def go_on_from(self, other: RunningAnalysis) -> None:
        """Continue another analysis of the same powers: its answers become the first ones of this one. The
        limit is that of the new rounds."""
        ask: SearchAsk = self.task.job
        with other._lock:
            self._latest, self._answers = other._latest, dict(other._answers)
            self._progress = other._progress
        self.task.job = ask._replace(progress=self._progress, spent=self._progress[1:3])

    def why(self, reason: str) -> None:
        """Record the reason for which it is asked to end; the first reason counts."""
        self._why = self._why or reason

    def alike(self, ask: SearchAsk) -> bool:
        """Whether this has the same request, except the limit and the number of lines."""
        mine: SearchAsk = self.task.job
        same = replace(ask.request, limit=mine.request.limit, lines=mine.request.lines) == mine.request
        chosen, before = ask.options, mine.options
        told = ask.history == mine.history
        return same and told and (chosen.book, chosen.search) == (before.book, before.search)

    def newest(self) -> Iterator[Event]:
        """The latest events of each kind, for a listener that joins late."""
        with self._lock:
            if self._latest is not None:
                yield "analysis", {**self._latest, "answers": dict(self._answers)}
            if self._error is not None:
                yield "error", self._error
            if self.ended is not None:
                yield "end", {"reason": self.ended}

    def _heard(self, message: tuple[str, Any]) -> None:
        kind, content = message
        if isinstance(content, Progress):
            self._progress = content
            return
        with self._lock:
            self._latest = content
            self._answers.update(content["answers"])
        self._hub.publish(self.id, kind, content)

    def _died(self, text: str) -> SearchAsk:
        """Report that the process has died; returns the search for the next one."""
        self._fault(f"the process of the engine {text}; another one goes on", again=True)
        ask: SearchAsk = self.task.job
        return ask._replace(progress=self._progress)

    def _over(self, reason: str | None, error: Exception | None) -> None:
        if isinstance(error, GivenUp):
            reason = STOPPED
        elif isinstance(error, BordeauxError):
            self._fault(f"the search was given up: {error}", again=False)
        elif error is not None:
            # The page is told, and the server goes on.
            self._fault(f"the search failed: {type(error).__name__}: {error}", again=False)
        with self._lock:
            self.ended = self._why or reason or FAILED
        self._hub.publish(self.id, "end", {"reason": self.ended})
        self._hub.end(self.id)

    def _fault(self, text: str, *, again: bool) -> None:
        with self._lock:
            self._error = {"error": text, "again": again}
        self._hub.publish(self.id, "error", self._error)

    def _look(self) -> None:
        """End an analysis without listeners after a while."""
        if self._hub.listeners(self.id):
            self._seen = monotonic()
        elif monotonic() > self._seen + LONELY:
            self.why(STOPPED)
            self.task.asked.set()


class Analyses:
    """All analyses of a server. One runs at a time, and a new one ends the one before. Results go to `hub`.
    Methods may be called from any thread."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._room = Workroom(search)
        self._lock = threading.Lock()
        self._known: dict[str, RunningAnalysis] = {}

    def warm_up(self) -> None:
        """Start the process in advance, so that the first analysis begins at once."""
        self._room.do(RoomTask(None, lambda answer, error: None))

    def begin(self, ask: SearchAsk, about: str = "", after: str | None = None) -> RunningAnalysis:
        """Begin an analysis, and end the running one. With `after`, the id of another, it continues from that
        one's result if it is known and of the same kind."""
        analysis = RunningAnalysis(ask, self._hub, about)
        other = None if after is None else self._known.get(after)
        if other is not None and other.about == about and other.alike(ask):
            analysis.go_on_from(other)
        with self._lock:
            for other in self._known.values():
                self._ask_to_stop(other, SUPERSEDED)
            self._known[analysis.id] = analysis
            for identity in list(self._known)[:-KEPT]:
                del self._known[identity]
            self._room.do(analysis.task)
        return analysis

    def get(self, identity: str) -> RunningAnalysis | None:
        """The analysis of an id, None if it is unknown."""
        return self._known.get(identity)

    def stop(self, analysis: RunningAnalysis) -> None:
        """Ask an analysis to end; its results until then are reported."""
        self._ask_to_stop(analysis, STOPPED)

    def close(self) -> None:
        """End all analyses and the process."""
        self._room.close()

    def _ask_to_stop(self, analysis: RunningAnalysis, reason: str) -> None:
        if analysis.ended is None:
            analysis.why(reason)
            self._room.stop(analysis.task)
