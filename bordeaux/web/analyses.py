"""Analyses: one search at a time in a process beside the page, in rounds of doubled length, for all
listeners."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator
from dataclasses import replace
from time import monotonic
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position
from bordeaux.engine import Engine, Limit, Request
from bordeaux.formats.games import Played
from bordeaux.jobs import gentle, process, spare_cores
from bordeaux.jobs.background import BackgroundTask, GivenUp, background
from bordeaux.search.analysis import Analysis, Found, first_answers, found_to_json, line_to_json
from bordeaux.search.config import LEARNT
from bordeaux.search.task import MOST_THREADS
from bordeaux.web.events import Event, Hub

# So complete answers come early, and a search can be continued. A round starts from the results of earlier
# ones. The process keeps an engine, which remembers the last line; a longer line costs only its new part.

LIMIT, STOPPED = "limit", "stopped"
"""The reasons for the end of a search."""
SECONDS, NODES = 0.5, 4000
"""The limits of the first round."""
HALF = 0.5
"""Share of a round after which it has searched as much as the one before."""
PULSE = 0.25
"""Seconds between two progress reports of a search without a better result."""
MEMORY = 40
"""Movement phases of a line that the beliefs about the powers use."""
NICENESS = 10


class Progress(NamedTuple):
    """The progress of an analysis: rounds, their nodes and seconds, and the sets that were found."""

    rounds: int = 0
    nodes: int = 0
    seconds: float = 0.0
    seeds: tuple[tuple[str, ...], ...] = ()


class SearchAsk(NamedTuple):
    """A search that the page requests. It has a request, whose limit is that of all rounds together (seconds,
    nodes, or neither: until it is stopped). It has the movement phases of the line that leads there, and
    which search is wanted. It also has the progress of a process that died or of another analysis, and the
    nodes and seconds of another analysis, which do not count against the limit."""

    request: Request
    history: tuple[Played, ...] = ()
    search: str = LEARNT
    progress: Progress = Progress()
    spent: tuple[int, float] = (0, 0.0)


def search(ask: SearchAsk | None) -> str:
    """Search in rounds until the limit or a stop, and report all results to the pool; returns the reason of
    the end. Without a search it only loads what a search needs.

    Reports are ``("progress", Progress)`` after every round, and ``("analysis", EVENT)``. An event has
    ``round``, ``nodes``, ``nps``, ``seconds`` (of all rounds), ``depth``, ``final`` (the round is over) and
    ``answers``, for each power with a new answer.
    """
    gentle(NICENESS)
    if ask is None:
        with Engine(seed=0) as engine:
            engine.search_all(Position.start(), nodes=1)
        return LIMIT
    return AnalysisRounds(ask).run()


class EngineDesk:
    """The engine of this process, and its current line."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._search = ""
        self._told: tuple[Played, ...] = ()

    def engine(self, search: str) -> Engine:
        """An engine for a search."""
        if self._engine is None or self._search != search:
            if self._engine is not None:
                self._engine.close()
            # One process of the paper's search has the same answer every time, and any threads of the other.
            threads = min(spare_cores(), MOST_THREADS) if search == LEARNT else 1
            self._engine = Engine(threads=threads, explain=True, search=search)
            self._search, self._told = search, ()
        return self._engine

    def tell(self, history: tuple[Played, ...]) -> None:
        """Tell the engine a line and nothing else, or a part of it if the pool asks to stop."""
        assert self._engine is not None
        if self._told != history[: len(self._told)]:
            self._engine.forget()
            self._told = ()
        for position, orders in history[len(self._told) :]:
            if process.stopped():
                return
            self._engine.observe(position, orders)
            self._told = (*self._told, (position, orders))


_desk = EngineDesk()


class AnalysisRounds:
    """The rounds of one analysis."""

    def __init__(self, ask: SearchAsk) -> None:
        self._ask = ask
        self._engine = _desk.engine(ask.search)
        self._begun = monotonic() - ask.progress.seconds
        self._progress = ask.progress
        self._shown: dict[str, dict[str, Any]] = {}
        self._told = 0.0
        self._depth = 0
        self._last = False

    def run(self) -> str:
        """Search until the limit or a stop; returns the reason."""
        self._at_once()
        _desk.tell(self._ask.history[-MEMORY:])
        if process.stopped():
            return STOPPED
        before = 0
        while (limit := self._limit()) is not None:
            begun = monotonic()
            latest = self._round(limit)
            nodes = nodes_of(latest)
            if process.stopped():
                # The answers of before stay; what the round cost is kept.
                spent = self._progress.nodes + nodes
                self._progress = self._progress._replace(nodes=spent, seconds=monotonic() - self._begun)
                process.tell(("progress", self._progress))
                return STOPPED
            half = share_of(limit, monotonic() - begun, nodes) > HALF
            self._close(latest, nodes)
            if self._last or not (half or nodes > before):
                # A round that ends by itself so soon, and did no more than the one before, has looked at all
                # that there is.
                break
            before = nodes
        return LIMIT

    def _at_once(self) -> None:
        """Report the orders of a fast policy before the engine gets the line, which takes longer."""
        request = self._ask.request
        if not self._progress.rounds and request.position.phase.kind != "-":
            answers = first_answers(request.position, request.powers, self._engine.task(request).bonds, 0.0)
            self._send(Analysis(answers, request.powers), 1, 0)

    def _limit(self) -> Limit | None:
        """The limit of the next round, None if nothing is left. A round takes all of the limit if less would
        remain than the next round should have."""
        time, nodes = self._ask.request.limit
        spent, seconds = self._ask.spent
        left = None if time is None else time + seconds - (monotonic() - self._begun)
        if left is not None and not self._progress.rounds:
            # On a busy machine what comes before the first round may have taken all of a short limit.
            left = max(left, SECONDS / 2)
        more = None if nodes is None else nodes + spent - self._progress.nodes
        if (left is not None and left <= 0) or (more is not None and more <= 0):
            return None
        longer = 2.0**self._progress.rounds
        if more is not None:
            count = int(NODES * longer)
            self._last = more < 3 * count
            return Limit(left, more if self._last else count)
        length = SECONDS * longer
        self._last = left is not None and left < 3 * length
        return Limit(left if self._last else length)

    def _round(self, limit: Limit) -> Analysis:
        """One round. Until it has taken as long as the one before, the earlier result is the better answer,
        and only progress is reported. So it is after a stop, which leaves no time to measure."""
        number = self._progress.rounds + 1
        begun = monotonic()
        seeds = [*self._ask.request.seeds, *self._progress.seeds]
        request = replace(self._ask.request, limit=limit, seeds=seeds)
        latest: Analysis | None = None
        for latest in self._engine.analyse(request, process.stopped):
            nodes = nodes_of(latest)
            if latest.final or not nodes or process.stopped():
                continue
            if number == 1 or share_of(limit, monotonic() - begun, nodes) > HALF:
                self._send(latest, number, nodes)
            elif monotonic() - self._told > PULSE:
                self._send(Analysis(latest.answers, ()), number, nodes)
        assert latest is not None
        return latest

    def _close(self, latest: Analysis, nodes: int) -> None:
        """Report the result of a round."""
        number = self._progress.rounds + 1
        self._send(Analysis(latest.answers, tuple(latest.answers), True), number, nodes)
        seeds = tuple(line.orders for answer in latest.answers.values() for line in answer.lines)
        self._progress = Progress(number, self._progress.nodes + nodes, monotonic() - self._begun, seeds)
        process.tell(("progress", self._progress))

    def _send(self, analysis: Analysis, number: int, nodes: int) -> None:
        """Report an event: the answers of the powers that have changed, with the earlier expectations of the
        others and explanations of the same orders where there are no new ones."""
        self._told = monotonic()
        answers = {}
        for power in analysis.changed:
            found = analysis.answers[power]
            answer = answer_to_json(found._replace(lines=found.lines[: self._ask.request.lines]))
            known = self._shown.get(power)
            if known is not None and not analysis.final:
                answer["expected"] = answer["expected"] or known["expected"]
                if answer["orders"] == known["orders"]:
                    answer["effects"] = known["effects"]
            answers[power] = self._shown[power] = answer
        total, seconds = self._progress.nodes + nodes, monotonic() - self._begun
        self._depth = max(self._depth, *(answer.depth for answer in analysis.answers.values()))
        event = {
            "round": number,
            "nodes": total,
            "nps": round(total / seconds) if seconds > 0 else 0,
            "seconds": round(seconds, 3),
            "depth": self._depth,
            "final": analysis.final,
            "answers": answers,
        }
        process.tell(("analysis", event))


def nodes_of(analysis: Analysis) -> int:
    """The nodes that a search has used."""
    return max((answer.nodes for answer in analysis.answers.values()), default=0)


def share_of(limit: Limit, seconds: float, nodes: int) -> float:
    """The used share of a limit, of time or of nodes, whichever is larger."""
    of_time = seconds / limit.time if limit.time else 0.0
    return max(of_time, nodes / limit.nodes if limit.nodes else 0.0)


def answer_to_json(answer: Found) -> dict[str, Any]:
    """The result of a search for a power in the page's form; the event has the seconds."""
    told = found_to_json(answer, explained=True)
    del told["seconds"]
    return told | {"lines": [line_to_json(line) | {"level": line.level} for line in answer.lines]}


SUPERSEDED, FAILED = "superseded", "error"
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
        self.task = BackgroundTask(ask, self._over, self._heard, self._died, self._look)
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
        """Continue another analysis of the same powers, whose answers are the first ones of this one."""
        ask: SearchAsk = self.task.job
        with other._lock:
            self._latest, self._answers = other._latest, dict(other._answers)
            self._progress = other._progress
        self.task.job = ask._replace(progress=self._progress, spent=self._progress[1:3])

    def why(self, reason: str) -> None:
        """Record the reason for which it is asked to end; the first reason counts."""
        self._why = self._why or reason

    def alike(self, ask: SearchAsk) -> bool:
        """Whether this has the same request, line and search, except the limit and the number of lines."""
        mine: SearchAsk = self.task.job
        request = replace(ask.request, limit=mine.request.limit, lines=mine.request.lines)
        return (request, ask.history, ask.search) == (mine.request, mine.history, mine.search)

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
        elif error is not None:
            known = isinstance(error, BordeauxError)
            what = "was given up" if known else f"failed: {type(error).__name__}"
            self._fault(f"the search {what}: {error}", again=False)
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
    """All analyses of a server, one at a time: a new one ends the one before. Any thread may ask."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._room = background(search)
        self._lock = threading.Lock()
        self._known: dict[str, RunningAnalysis] = {}

    def warm_up(self) -> None:
        """Start the process in advance, so that the first analysis begins at once."""
        self._room.do(BackgroundTask(None, lambda answer, error: None))

    def begin(self, ask: SearchAsk, about: str = "", after: str | None = None) -> RunningAnalysis:
        """Begin an analysis, and end the running one. With `after`, the id of another, it continues from that
        one's result if it is known and of the same kind."""
        analysis = RunningAnalysis(ask, self._hub, about)
        other = None if after is None else self._known.get(after)
        if other is not None and other.about == about and other.alike(ask):
            analysis.go_on_from(other)
        with self._lock:
            for other in self._known.values():
                self.stop(other, SUPERSEDED)
            self._known = dict([*self._known.items(), (analysis.id, analysis)][-KEPT:])
            self._room.do(analysis.task)
        return analysis

    def get(self, identity: str) -> RunningAnalysis | None:
        """The analysis of an id, None if it is unknown."""
        return self._known.get(identity)

    def stop(self, analysis: RunningAnalysis, reason: str = STOPPED) -> None:
        """Ask an analysis to end; its results until then are reported."""
        if analysis.ended is None:
            analysis.why(reason)
            self._room.stop(analysis.task)

    def close(self) -> None:
        """End all analyses and the process."""
        self._room.close()
