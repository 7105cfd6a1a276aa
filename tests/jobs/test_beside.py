"""Jobs in workers of a page, which are played here: answers, exceptions, stops and deaths."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.jobs import beside, pool, process
from bordeaux.jobs.beside import BackgroundWorker, Workers, work
from bordeaux.jobs.pool import BackgroundTask, GivenUp

from . import chores

pytestmark = pytest.mark.usefixtures("importable")


class Played:
    """A worker of a page. It works when the test lets it."""

    def __init__(self, heard: Callable[[bytes], None], died: Callable[[str], None]) -> None:
        self.heard = heard
        self.died = died
        self.waiting: list[bytes] = []
        self.asked = self.ended = False

    def post(self, content: bytes) -> None:
        self.asked = False
        self.waiting.append(content)

    def stop(self) -> None:
        self.asked = True

    def end(self) -> None:
        self.ended = True

    def works(self) -> None:
        work(self.waiting.pop(0), self.heard, lambda: self.asked, lambda: None)


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[Played]:
    """All workers that were begun."""
    made: list[Played] = []

    def start(heard: Callable[[bytes], None], died: Callable[[str], None]) -> Played:
        made.append(Played(heard, died))
        return made[-1]

    workers = Workers()
    workers.start = start
    monkeypatch.setattr(beside, "workers", workers)
    return made


def task_of(job: Any, told: list[Any]) -> BackgroundTask:
    """A task that notes what is heard of it, and how it ended."""
    return BackgroundTask(job, lambda answer, error: told.append((answer, error)), told.append)


def test_a_worker_answers_one_job_after_another(begun: list[Played]) -> None:
    room, told = BackgroundWorker(chores.do), list[Any]()
    room.do(task_of((chores.count_up, 2), told))
    room.do(task_of((chores.raise_value, "wrong"), told))
    room.do(task_of((chores.unpicklable, "text"), told))
    assert room.tasks == 3 and len(begun) == 1
    for _ in range(3):
        begun[0].works()
    assert told[:3] == [0, 1, (2, None)]
    (_, wrong), (_, lost) = told[3:]
    assert isinstance(wrong, ValueError) and str(wrong) == "wrong"
    assert isinstance(lost, Exception) and "lambda" in str(lost)
    assert room.tasks == 0 and len(begun) == 1, "a worker is kept for the next job"
    assert room.answer((abs, -4)) == 4


def test_who_does_not_stop_is_ended_and_another_is_ready(
    begun: list[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "PATIENCE", 0.0)

    async def play() -> list[Any]:
        room, told = BackgroundWorker(chores.do), list[Any]()
        first, second, third = (task_of((abs, -number), told) for number in (1, 2, 3))
        for each in (first, second, third):
            room.do(each)
        room.stop(second)
        room.stop(first)
        await asyncio.sleep(0.01)
        assert begun[0].asked and begun[0].ended and not begun[1].ended
        begun[1].works()
        return told

    told = asyncio.run(play())
    assert [type(error) for _, error in told] == [GivenUp, GivenUp, type(None)]
    assert told[-1] == (3, None)


def test_who_stops_in_time_goes_on_to_work(begun: list[Played]) -> None:
    async def play() -> list[Any]:
        room, told = BackgroundWorker(chores.do), list[Any]()
        task = task_of((chores.told_to_stop, None), told)
        room.do(task)
        room.stop(task)
        begun[0].works()
        await asyncio.sleep(2 * beside.PATIENCE)
        return told

    assert asyncio.run(play()) == [("stopped", None)]
    assert not begun[0].ended


def test_a_worker_that_dies_is_replaced_three_times(begun: list[Played]) -> None:
    room, told = BackgroundWorker(chores.do), list[Any]()
    room.do(task_of((abs, -1), told))
    begun[0].died("out of memory")
    begun[1].works()
    assert told == [(1, None)]
    room.do(task_of((abs, -1), told))
    for number in range(3):
        begun[1 + number].died("out of memory")
    (answer, error) = told[-1]
    assert answer is None and isinstance(error, BordeauxError) and "out of memory" in str(error)


def test_a_message_is_looked_for_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "LOOK", -1.0)
    asked, sent = [False], list[bytes]()

    def breathe() -> None:
        asked[0] = True

    work(pickle.dumps((chores.do, (chores.told_to_stop, None))), sent.append, lambda: asked[0], breathe)
    assert [pickle.loads(content) for content in sent] == [("answer", "stopped")]
    assert not process.stopped()


def test_without_processes_jobs_are_done_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PROCESSES", False)
    asked: list[Any] = [(abs, -1), (chores.raise_value, "wrong")]
    first, second = pool.run(chores.do, asked, processes=4)
    assert first.result() == 1
    with pytest.raises(ValueError, match="wrong"):
        second.result()
