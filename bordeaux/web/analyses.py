"""Analyses: one search at a time in a process beside the page, and what it has found for whoever listens."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.web.events import Event, Hub
from bordeaux.web.rounds import Ask, Progress, search
from bordeaux.web.workroom import GivenUp, Task, Workroom

__all__ = ["SUPERSEDED", "Analyses", "Analysis"]

SUPERSEDED, STOPPED, FAILED = "superseded", "stopped", "error"
LONELY = 60.0
"""Seconds after which an analysis that nobody listens to ends, if it has no limit of its own."""
KEPT = 20
"""Analyses that late listeners can still ask for."""


class Analysis:
    """One analysis: the topic of its `id` has the events ``analysis``, ``error`` and ``end``. A process that
    dies is an ``error`` with ``again``; ``end`` alone ends the stream. `ended` says why it ended. `about`
    names what is searched: another one of the same may go on from what was found."""

    def __init__(self, ask: Ask, hub: Hub, about: str = "") -> None:
        self.id = secrets.token_hex(8)
        self.about = about
        self.task = Task(ask, self._over, self._heard, self._died, self._look)
        self.ended: str | None = None
        self._hub = hub
        self._lock = threading.Lock()
        self._why: str | None = None
        self._progress = ask.progress
        self._latest: dict[str, Any] | None = None
        self._answers: dict[str, Any] = {}
        self._error: dict[str, Any] | None = None
        self._seen = monotonic()

    def go_on_from(self, other: Analysis) -> None:
        """Begin where another analysis of the same powers has come to, whose answers are the first ones of
        this one; the limit is that of the rounds to come."""
        ask: Ask = self.task.job
        with other._lock:
            self._latest, self._answers = other._latest, dict(other._answers)
            self._progress = other._progress
        self.task.job = ask._replace(progress=self._progress, spent=self._progress[1:3])

    def why(self, reason: str) -> None:
        """Note why it is asked to end; the first reason counts."""
        self._why = self._why or reason

    def alike(self, ask: Ask) -> bool:
        """Whether this was asked the same, but for the limit and the number of lines."""
        mine: Ask = self.task.job
        same = replace(ask.request, limit=mine.request.limit, lines=mine.request.lines) == mine.request
        return same and (ask.history, ask.book) == (mine.history, mine.book)

    def newest(self) -> Iterator[Event]:
        """The newest of everything, for a listener who comes late."""
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

    def _died(self, text: str) -> Ask:
        """Tell that the process has died; what is to be searched by the next one."""
        self._fault(f"the process of the engine {text}; another one goes on", again=True)
        ask: Ask = self.task.job
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
        """End an analysis that nobody has listened to for a while."""
        if self._hub.listeners(self.id):
            self._seen = monotonic()
        elif monotonic() > self._seen + LONELY:
            self.why(STOPPED)
            self.task.asked.set()


class Analyses:
    """All analyses of a server; one runs at a time, and a new one ends the one before. What is found goes to
    `hub`. Methods may be called from any thread."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._room = Workroom(search)
        self._lock = threading.Lock()
        self._known: dict[str, Analysis] = {}

    def warm_up(self) -> None:
        """Start the process, so that the first analysis need not wait for it."""
        self._room.do(Task(None, lambda answer, error: None))

    def begin(self, ask: Ask, about: str = "", after: str | None = None) -> Analysis:
        """Begin an analysis, and end the one that runs. One `after` another, named by its id, goes on from
        what that has found, if it is known and about the same."""
        analysis = Analysis(ask, self._hub, about)
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

    def get(self, identity: str) -> Analysis | None:
        """The analysis of an id, None for one that is not known any more."""
        return self._known.get(identity)

    def stop(self, analysis: Analysis) -> None:
        """Ask an analysis to end; what it has found by then is told."""
        self._ask_to_stop(analysis, STOPPED)

    def close(self) -> None:
        """End everything."""
        self._room.close()

    def _ask_to_stop(self, analysis: Analysis, reason: str) -> None:
        if analysis.ended is None:
            analysis.why(reason)
            self._room.stop(analysis.task)
