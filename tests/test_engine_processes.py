"""An engine with several processes for the paper's search: what its workers do, and what happens to those
that do not. The processes themselves are tested in tests/search/paper/test_processes.py."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from bordeaux import Engine, Map, Position, legal_orders
from bordeaux.arena import bench
from bordeaux.jobs.process import started
from bordeaux.search.analysis import Found
from bordeaux.search.paper import processes
from tests.jobs.seen import fields, gone, state, wait_until
from tests.patience import PATIENCE

MAP = Map.standard()
START = Position.start()
POSITIONS = [position for position, _ in bench.positions() if position.phase.kind == "M"]
LATE = next(position for position in POSITIONS if position.phase.year > 1903)


def check(position: Position, answer: Found) -> None:
    """Every order legal, and one for each unit."""
    legal = {order for orders in legal_orders(position, answer.power).values() for order in orders}
    assert set(answer.orders) <= legal
    assert len(answer.orders) == len(position.units_of(answer.power))
    if answer.orders:
        assert answer.lines[0].orders == answer.orders


@pytest.fixture(autouse=True)
def time_to_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers may take as long to start as a busy machine needs."""
    monkeypatch.setattr(processes, "PATIENCE", PATIENCE)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(search="paper", processes=3) as engine:
        yield engine


def idle(workers: Iterable[int]) -> bool:
    """Whether all workers wait for something to do."""
    return all(state(worker) == "S" for worker in workers)


def warm(engine: Engine) -> tuple[int, ...]:
    """The process ids of the workers, which have started and are idle. On a busy machine one that is late is
    replaced, so that they may be others than before."""

    def ready() -> bool:
        engine.warm_up(START)
        return len(engine.workers) == engine.processes - 1 and idle(engine.workers)

    wait_until(ready)
    return engine.workers


@pytest.mark.parametrize("processes", [2, pytest.param(8, marks=pytest.mark.slow)])
def test_answers_are_legal_and_complete(processes: int) -> None:
    with Engine(search="paper", processes=processes) as engine:
        for position in (START, POSITIONS[-1]):
            answers = engine.search_all(position, time=0.1)
            assert tuple(answers) == MAP.powers
            for answer in answers.values():
                check(position, answer)
            power = max(MAP.powers, key=lambda power: len(position.units_of(power)))
            *_, last = engine.improvements(position, power, time=0.1)
            check(position, last)


@pytest.mark.slow
def test_workers_start_once_for_an_engine_and_only_where_they_are_wanted() -> None:
    with Engine(search="paper", processes=1) as alone:
        alone.search(START, "FRANCE", nodes=1000)
        assert alone.workers == ()
    with Engine(search="paper", processes=3) as engine:
        assert engine.workers == ()
        retreats = next(position for position, _ in bench.positions() if position.phase.kind == "R")
        engine.warm_up(retreats)
        engine.search_all(retreats, nodes=1000)
        assert engine.workers == ()

        def kept() -> bool:
            first = warm(engine)
            assert len(set(first)) == 2
            engine.search_all(LATE, time=0.1)
            warm(engine)
            engine.search(LATE, "FRANCE", time=0.1)
            return warm(engine) == first

        wait_until(kept)


def test_a_search_does_not_wait_until_the_workers_have_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def stuck(*args: Any) -> subprocess.Popen[bytes]:
        process = started(*args)
        process.send_signal(signal.SIGSTOP)
        return process

    monkeypatch.setattr(processes, "started", stuck)
    with Engine(search="paper", processes=3) as engine:
        check(START, engine.search(START, "FRANCE", nodes=1000))
        assert engine.workers == ()


def test_workers_search_along() -> None:
    """A worker computes while the master searches."""

    def used(worker: int) -> int:
        """Hundredths of seconds that a worker has computed; 0 if it was replaced on a busy machine."""
        return sum(map(int, fields(worker)[11:13]))

    idle_until: dict[int, int] = {}
    with Engine(search="paper", processes=2) as engine:

        def computes() -> bool:
            (worker,) = warm(engine)
            before = idle_until.setdefault(worker, used(worker))
            return engine.search(START, "FRANCE", time=0.2).nodes > 0 and used(worker) > before + 5

        wait_until(computes)


def test_a_killed_worker_costs_its_share_and_is_replaced(engine: Engine) -> None:
    before = warm(engine)
    steps = engine.improvements(LATE, "FRANCE", time=0.6)
    next(steps)
    os.kill(before[0], signal.SIGKILL)
    *_, last = steps
    check(LATE, last)
    for answer in engine.search_all(LATE, time=0.3).values():
        check(LATE, answer)
    wait_until(lambda: before[0] not in warm(engine))


@pytest.mark.slow
def test_a_stop_from_outside_ends_the_search_for_all(engine: Engine) -> None:
    warm(engine)
    stop = threading.Event()
    timer = threading.Timer(0.3, stop.set)
    timer.start()
    *_, last = engine.improvements(LATE, "FRANCE", time=3600, stop=stop.is_set)
    timer.join()
    check(LATE, last)
    warm(engine)


@pytest.mark.slow
def test_a_limit_in_nodes_is_one_for_all_processes_together(engine: Engine) -> None:
    warm(engine)

    def together() -> bool:
        answer = engine.search(LATE, "FRANCE", nodes=60_000)
        check(LATE, answer)
        # Half of the limit is for finding sets. What a busy machine tells late is not counted in time.
        assert answer.nodes >= 30_000
        return answer.nodes < 120_000

    wait_until(together)


@pytest.mark.slow
def test_two_searches_at_once_both_get_their_answers(engine: Engine) -> None:
    warm(engine)
    steps = engine.improvements(LATE, "FRANCE", time=0.4)
    next(steps)
    check(LATE, engine.search(LATE, "TURKEY", time=0.1))
    *_, last = steps
    check(LATE, last)


@pytest.mark.slow
def test_an_engine_serves_one_map_after_another(engine: Engine) -> None:
    workers = warm(engine)
    other = Position.start(Map.load("pure"))
    check(other, engine.search(other, other.map.powers[0], time=0.2))
    assert gone(*workers)
    check(START, engine.search(START, "FRANCE", time=0.2))


@pytest.mark.parametrize("closed", [True, False])
def test_the_workers_end_with_the_engine(closed: bool) -> None:
    engine = Engine(search="paper", processes=3)
    workers = warm(engine)
    if closed:
        with pytest.raises(ZeroDivisionError), engine:
            raise ZeroDivisionError
        engine.close()
        assert engine.workers == ()
    else:
        del engine
        gc.collect()
    assert gone(*workers)
