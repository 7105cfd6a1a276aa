"""Games on a real cluster of this machine: a scheduler and two workers, each a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.arena.job import CRASH, Job, Result
from bordeaux.arena.runner import run, run_on_dask
from bordeaux.players.base import Limit
from tests.patience import PATIENCE

PLAYERS = """
import os, time
from pathlib import Path
from bordeaux.players import registry

class Slow:
    def __init__(self, seat):
        self.seat = seat
        Path("begun", str(seat.seed)).touch()
    def orders(self, position, limit):
        time.sleep(0.02)
        return []
    def observe(self, turn):
        pass
    def close(self):
        pass

class Killer(Slow):
    def orders(self, position, limit):
        os._exit(3)

def create(spec, seat):
    return {"slow": Slow, "killer": Killer}[spec](seat) if spec in ("slow", "killer") else \\
        registry.create(spec, seat)
"""


class Cluster:
    """A scheduler on a free port of this machine, and workers that are started when asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "cluster_players.py").write_text(textwrap.dedent(PLAYERS), encoding="utf-8")
        self.environment = {**os.environ, "PYTHONPATH": str(folder)}
        (folder / "begun").mkdir()
        self.log = (folder / "cluster.log").open("wb")
        self.processes: list[subprocess.Popen[bytes]] = []
        noted = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--scheduler-file", str(noted), "--port", "0")
        self.address = wait_for(lambda: address_in(noted))

    def start(self, kind: str, *args: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [
                *(sys.executable, "-P", "-m", f"distributed.cli.dask_{kind}", *args),
                *("--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"),
            ],
            env=self.environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self.log,
        )
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", self.address, "--nthreads", "1", "--no-nanny")

    def close(self) -> None:
        for process in self.processes[::-1]:
            process.kill()
            process.wait()
        self.log.close()


def address_in(noted: Path) -> str | None:
    try:
        address: str = json.loads(noted.read_text(encoding="utf-8"))["address"]
    except (OSError, ValueError):
        return None
    return address


def wait_for(look: Callable[[], str | None]) -> str:
    deadline = time.monotonic() + PATIENCE
    while (seen := look()) is None:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return seen


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    made = Cluster(tmp_path)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster with one worker for tests that do it no harm."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.worker()
        yield made
    finally:
        made.close()


def jobs(count: int, player: str = "random", until: int = 1903) -> list[Job]:
    return [Job(index, (player,) * 7, 100 + index, Limit(), until) for index in range(count)]


def without_times(result: Result) -> dict[str, Any]:
    return {name: value for name, value in result.to_json().items() if name not in ("seconds", "total")}


@pytest.mark.slow
def test_a_worker_is_killed_and_no_game_is_lost_or_counted_twice(cluster: Cluster) -> None:
    workers = [cluster.worker(), cluster.worker()]
    wanted = jobs(10)
    results = []
    for result in run_on_dask(iter(wanted), cluster.address):
        results.append(result)
        if len(results) == 4:
            # By now it also holds results that nobody has fetched, which are lost with it.
            time.sleep(0.3)
            workers[0].send_signal(signal.SIGKILL)
            workers[0].wait()
    assert workers[1].poll() is None
    assert sorted(result.index for result in results) == list(range(10))
    assert {result.faults for result in results} == {()}
    # What a game comes to does not depend on where, and how often, it is played.
    alone = {result.index: without_times(result) for result in run(wanted[:2])}
    assert {result.index: without_times(result) for result in results if result.index < 2} == alone


def test_a_player_that_kills_its_process_is_named_and_nobody_else_suffers(lasting: Cluster) -> None:
    seats = ("random", "killer", *("random",) * 5)
    wanted = [Job(0, seats, 1, Limit(), 1901), *(job for job in jobs(3) if job.index)]
    by_index = {
        result.index: result
        for result in run_on_dask(wanted, lasting.address, create="cluster_players:create")
    }
    assert sorted(by_index) == [0, 1, 2]
    (fault,) = by_index[0].faults
    assert (fault.seat, fault.kind, fault.phase) == (1, CRASH, "S1901M")
    assert by_index[1].faults == by_index[2].faults == ()
    assert [process.poll() for process in lasting.processes] == [None, None]


def test_what_is_not_wanted_any_more_is_not_played(lasting: Cluster) -> None:
    before = {int(file.name) for file in (lasting.folder / "begun").iterdir()}
    results = run_on_dask(jobs(50, "slow", 1901), lasting.address, create="cluster_players:create")
    assert next(results).index == 0
    results.close()
    # One worker plays what it has been asked for in this order.
    assert len(list(run_on_dask(jobs(2), lasting.address))) == 2
    begun = {int(file.name) for file in (lasting.folder / "begun").iterdir()} - before
    assert len(begun) <= 4


def test_a_job_that_cannot_be_played_is_refused_in_one_line(lasting: Cluster) -> None:
    with pytest.raises(BordeauxError, match="begins in 1901, after 1900"):
        list(run_on_dask(jobs(1, until=1900), lasting.address))


@pytest.mark.slow
def test_the_scheduler_goes_away(cluster: Cluster) -> None:
    cluster.worker()
    results = run_on_dask(jobs(50), cluster.address)
    next(results)
    cluster.close()
    with pytest.raises(BordeauxError, match=r"scheduler at tcp://127.0.0.1:[0-9]+ is gone"):
        list(results)


@pytest.mark.slow
def test_a_scheduler_without_workers(cluster: Cluster) -> None:
    patience, said = 0.2, ""
    # On a busy machine the scheduler itself may be late.
    while "has no workers; start some with 'dask worker tcp://" not in said:
        with pytest.raises(BordeauxError) as caught:
            next(run_on_dask(jobs(1), cluster.address, patience=patience))
        patience, said = 2 * patience, str(caught.value)
        assert patience < PATIENCE, said


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense", ""])
@pytest.mark.slow
def test_no_scheduler_at_the_address(address: str) -> None:
    with pytest.raises(BordeauxError, match="no Dask scheduler answers at"):
        next(run_on_dask(jobs(1), address, patience=0.2))


@pytest.mark.slow
def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BordeauxError, match=r"bordeaux-diplomacy\[dask\]"):
        next(run_on_dask(jobs(1), "127.0.0.1:1"))
