"""Analyses in a process beside: rounds, streams, stops, and a process that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bordeaux import Position
from bordeaux.engine import Limit, Request
from bordeaux.search.analysis import Analysis, Found
from bordeaux.search.config import PAPER
from bordeaux.web import analyses as analyses_module
from bordeaux.web.analyses import Analyses, RunningAnalysis, SearchAsk
from bordeaux.web.events import Hub
from tests.patience import PATIENCE
from tests.players.playing import standard

from ..jobs.seen import children, gone

START = Position.start()


def asked(
    nodes: int | None = 30_000, powers: tuple[str, ...] = ("FRANCE", "TURKEY"), **more: Any
) -> SearchAsk:
    return SearchAsk(Request(START, powers, Limit(None, nodes)), **more)


def endless() -> SearchAsk:
    """Nodes that no test comes to, by the search of the paper: rounds are short, and go on. The other search
    ends when it has looked at all that there is."""
    return asked(10**9, search=PAPER)


class Ear(Hub):
    """A hub that keeps all that is told."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[tuple[str, str, Any]] = []
        self.news = threading.Condition()

    def publish(self, topic: str, name: str, data: Any) -> None:
        with self.news:
            self.published.append((topic, name, data))
            self.news.notify_all()

    def until(self, analysis: RunningAnalysis, condition: Callable[[str, Any], bool]) -> Any:
        """The first event of an analysis for which a condition holds."""

        def found() -> list[Any]:
            told = [(name, data) for topic, name, data in self.published if topic == analysis.id]
            return [data for name, data in told if condition(name, data)]

        with self.news:
            assert self.news.wait_for(found, PATIENCE)
            return found()[0]

    def all(self, analysis: RunningAnalysis) -> list[tuple[str, Any]]:
        """All events of an analysis, to its end."""
        self.until(analysis, lambda name, _: name == "end")
        return [(name, data) for topic, name, data in self.published if topic == analysis.id]


@pytest.fixture
def ear() -> Ear:
    return Ear()


@pytest.fixture
def analyses(ear: Ear, own_children: Callable[[], list[int]]) -> Iterator[Analyses]:
    made = Analyses(ear)
    yield made
    made.close()
    assert own_children() == []


def whole_round(name: str, content: Any) -> bool:
    return name == "analysis" and bool(content["final"])


@pytest.mark.slow
def test_rounds_grow_and_answers_come_at_once(analyses: Analyses, ear: Ear) -> None:
    events = ear.all(analyses.begin(asked()))
    assert events[-1] == ("end", {"reason": "limit"})
    rounds = [content for name, content in events if name == "analysis"]
    assert rounds[0]["nodes"] == 0 and set(rounds[0]["answers"]) == {"FRANCE", "TURKEY"}
    assert all(answer["orders"] for answer in rounds[0]["answers"].values())
    last = [event for event in rounds if event["final"]]
    assert [event["round"] for event in last] == [1, 2, 3]
    spent = [event["nodes"] for event in last]
    growth = [after - before for before, after in zip([0, *spent], spent, strict=False)]
    # The last round ends before its limit, with nothing more to try.
    assert growth[1] > 1.2 * growth[0] and growth[2] >= growth[1]
    assert spent[-1] < 33_000
    assert [event["nodes"] for event in rounds] == sorted(event["nodes"] for event in rounds)
    for event in last:
        assert set(event["answers"]) == {"FRANCE", "TURKEY"}
        for answer in event["answers"].values():
            assert answer["lines"][0]["orders"] == answer["orders"] and len(answer["lines"]) <= 5
            assert answer["effects"] and "RUSSIA" in answer["expected"]


def test_a_limit_that_is_over_before_the_first_round_leaves_it_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(analyses_module, "monotonic", lambda: now)
    search = analyses_module.AnalysisRounds(SearchAsk(Request(START, ("FRANCE",), Limit(0.4, None))))
    now = 107.0
    assert search._limit() == Limit(analyses_module.SECONDS / 2)
    search._progress = analyses_module.Progress(1, 100, 7.0)
    assert search._limit() is None


def test_with_nodes_the_answer_is_the_same_every_time(analyses: Analyses, ear: Ear) -> None:
    def plain(events: list[tuple[str, Any]]) -> list[Any]:
        rounds = [content for name, content in events if whole_round(name, content)]
        return [(content["round"], content["nodes"], content["answers"]) for content in rounds]

    first = plain(ear.all(analyses.begin(asked(12_000))))
    # In between the engine is told a line, and has to forget it.
    event = asked(4000)._replace(history=((START, {"FRANCE": []}),))
    ear.all(analyses.begin(event))
    assert plain(ear.all(analyses.begin(asked(12_000)))) == first and len(first) == 2


def test_stopped_it_ends_and_what_was_found_stays(analyses: Analyses, ear: Ear) -> None:
    analysis = analyses.begin(endless())
    assert ear.until(analysis, whole_round)["answers"].keys() == {"FRANCE", "TURKEY"}
    analyses.stop(analysis)
    events = ear.all(analysis)
    assert events[-1] == ("end", {"reason": "stopped"})
    newest = [content for name, content in events if name == "analysis"][-1]
    assert newest["final"] or newest["round"] > 1
    analyses.stop(analysis)
    again = analyses.begin(asked(4000))
    assert ear.all(again)[-1] == ("end", {"reason": "limit"})


def test_a_stop_leaves_the_answers_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    now, events, stopped = [100.0], list[Any](), list[bool]()

    def answered(value: float, *, final: bool = False) -> Analysis:
        return Analysis({"FRANCE": Found("FRANCE", (), value, (), 100, 1.0)}, ("FRANCE",), final)

    class Searched:
        def analyse(self, request: Request, stop: Callable[[], bool]) -> Iterator[Analysis]:
            assert request.limit.time is not None
            now[0] += 0.8 * request.limit.time
            yield answered(0.5)
            if request.limit.time > analyses_module.SECONDS:
                stopped.append(True)
                # What is being measured gets few samples.
                yield answered(0.9)
            yield answered(0.9 if stopped else 0.5, final=True)

    search = analyses_module.AnalysisRounds(SearchAsk(Request(START, ("FRANCE",), Limit(None, None))))
    monkeypatch.setattr(search, "_engine", Searched())
    monkeypatch.setattr(search, "_at_once", lambda: None)
    monkeypatch.setattr(analyses_module, "monotonic", lambda: now[0])
    monkeypatch.setattr(analyses_module._desk, "tell", lambda _: None)
    monkeypatch.setattr("bordeaux.jobs.process.stopped", lambda: bool(stopped))
    monkeypatch.setattr("bordeaux.jobs.process.tell", events.append)
    assert search.run() == "stopped"
    told = [content for kind, content in events if kind == "analysis"]
    assert [(event["round"], event["final"]) for event in told] == [(1, False), (1, True), (2, False)]
    assert {event["answers"]["FRANCE"]["value"] for event in told} == {0.5}
    # What the round cost is kept.
    assert events[-1][0] == "progress" and (events[-1][1].rounds, events[-1][1].nodes) == (1, 200)


def test_a_new_one_ends_the_one_before_even_one_that_has_not_begun(
    analyses: Analyses, ear: Ear, own_children: Callable[[], list[int]]
) -> None:
    many = [analyses.begin(endless()) for _ in range(3)]
    last = analyses.begin(asked(4000))
    for process in many:
        assert ear.all(process)[-1] == ("end", {"reason": "superseded"})
    assert ear.all(last)[-1] == ("end", {"reason": "limit"})
    assert len(own_children()) == 1


@pytest.mark.slow
def test_a_killed_process_is_told_and_replaced_and_the_search_goes_on(
    analyses: Analyses, ear: Ear, own_children: Callable[[], list[int]]
) -> None:
    analysis = analyses.begin(endless())
    before = ear.until(analysis, lambda name, content: whole_round(name, content) and content["round"] == 2)
    (process,) = own_children()
    os.kill(process, signal.SIGKILL)
    fault = ear.until(analysis, lambda name, _: name == "error")
    assert fault["again"] and "SIGKILL" in fault["error"]
    after = ear.until(
        analysis, lambda name, content: whole_round(name, content) and content["round"] > before["round"]
    )
    assert after["nodes"] > before["nodes"]
    assert own_children() != [process] and len(own_children()) == 1
    analyses.stop(analysis)
    assert ear.all(analysis)[-1] == ("end", {"reason": "stopped"})


def test_a_process_that_dies_again_and_again_ends_the_analysis_and_no_more(
    analyses: Analyses, ear: Ear, own_children: Callable[[], list[int]]
) -> None:
    analysis = analyses.begin(endless())

    while analysis.ended is None:
        for process in own_children():
            os.kill(process, signal.SIGKILL)
        time.sleep(0.05)
    events = ear.all(analysis)
    faults = [content for name, content in events if name == "error"]
    assert [fault["again"] for fault in faults] == [True, True, False]
    assert events[-1] == ("end", {"reason": "error"})
    assert ear.all(analyses.begin(asked(4000)))[-1] == ("end", {"reason": "limit"})


def test_a_phase_with_little_to_do_ends_before_its_time(analyses: Analyses, ear: Ear) -> None:
    winter = standard("W1901A", {"FRANCE": ["A PAR"]}, {"FRANCE": ["PAR", "BRE"]})
    events = ear.all(analyses.begin(SearchAsk(Request(winter, (), Limit(600.0)))))
    assert events[-1] == ("end", {"reason": "limit"})
    assert events[-2][1]["answers"]["FRANCE"]["orders"][0].endswith("BRE B")


SCRIPT = """
import threading
from bordeaux import Position
from bordeaux.engine import Limit, Request
from bordeaux.jobs import process
from bordeaux.search.config import PAPER
from bordeaux.web.analyses import Analyses
from bordeaux.web.events import Hub
from bordeaux.web.analyses import SearchAsk

class Loud(Hub):
    def publish(self, topic, name, data):
        print(name, flush=True)

Analyses(Loud()).begin(SearchAsk(Request(Position.start(), (), Limit(None, None)), search=PAPER))
threading.Event().wait()
"""


def test_a_killed_server_leaves_no_process_that_searches_on() -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stdout.readline() == "analysis\n"
        workers = children(server.pid)
        assert workers
        server.kill()
    assert gone(*workers)
