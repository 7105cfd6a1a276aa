"""Jobs in processes: what raises, dies or comes late harms nothing but itself, and nothing is left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bordeaux import BordeauxError
from bordeaux.jobs.pool import AHEAD, BATCH, Death, Pool, mapped, run
from bordeaux.jobs.process import reap, stopped
from bordeaux.jobs.supervisor import Lifeline
from tests.patience import PATIENCE

from . import chores
from .chores import long_after_the_first, signal_itself
from .seen import alive, gone, wait_until

pytestmark = pytest.mark.usefixtures("importable")

PARENT = """
import sys
sys.path.extend(sys.argv[2:])
from bordeaux.jobs.pool import run
from tests.jobs.chores import start_another
list(run(start_another, [sys.argv[1]]))
"""


def test_what_raises_and_what_dies_harms_nothing_else(
    tmp_path: Path, own_children: Callable[[], list[int]]
) -> None:
    wanted: list[tuple[Any, Any]] = [(abs, -number) for number in range(20)]
    once = (chores.end_once, str(tmp_path / "mark"))
    bad = {
        (chores.raise_value, "wrong"): (ValueError, "^wrong"),
        (chores.raise_stubborn, "no"): (RuntimeError, "^Stubborn: no!"),
        (chores.unpicklable, "text"): (Exception, "lambda"),
        (chores.end_with, 3): (BordeauxError, "died 3 times, and at last ended its process with exit code 3"),
    }
    jobs = [*wanted[:10], *bad, once, *wanted[10:]]
    outcomes: dict[Any, Any] = {outcome.job: outcome for outcome in run(chores.do, jobs, processes=2)}
    assert set(outcomes) == {*wanted, once, *bad}
    assert [outcomes[job].result() for job in wanted] == list(range(20))
    assert outcomes[once].result() == "done"
    for job, (kind, text) in bad.items():
        with pytest.raises(kind, match=text):
            outcomes[job].result()
    assert own_children() == []


def test_whoever_asks_decides_what_becomes_of_a_job_whose_process_died() -> None:
    deaths: list[Death] = []

    def died(job: Any, death: Death) -> Any:
        deaths.append(death)
        return (abs, -5) if death.late else (chores.oversleep, 600.0)

    (outcome,) = run(chores.do, [(chores.end_with, 4)], died=died, grace=0.0)
    assert outcome.result() == 5
    assert deaths == [
        Death("ending with 4", False, "ended its process with exit code 4", 1),
        Death("asleep", True, "did not come back", 2),
    ]


def test_a_job_can_tell_how_far_it_is() -> None:
    reported: list[int] = []
    (outcome,) = run(chores.count_up, [4], heard=reported.append)
    assert (outcome.result(), reported) == (4, [0, 1, 2, 3])
    assert chores.count_up(2) == 2, "it may be called without a pool as well"


def test_a_process_that_cannot_even_start_is_not_started_for_ever() -> None:
    (outcome,) = run(chores.Deadly(), [1])
    with pytest.raises(BordeauxError, match="exit code 7"):
        outcome.result()


def test_jobs_are_taken_when_there_is_room_and_closing_leaves_nothing_behind(
    tmp_path: Path, own_children: Callable[[], list[int]]
) -> None:
    taken = []
    mark = tmp_path / "started"

    def stream() -> Any:
        for job in [(abs, -1), (chores.start_another, str(mark)), *[(time.sleep, 0.0)] * 100]:
            taken.append(job)
            yield job

    outcomes = run(chores.do, stream(), processes=2)
    assert next(outcomes).result() == 1
    assert len(taken) == 2
    wait_until(mark.exists)
    processes = [int(word) for word in mark.read_text("utf-8").split()]
    assert all(map(alive, processes))
    outcomes.close()
    assert gone(*processes)
    assert own_children() == []


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_outlives_a_parent_that_is_killed_or_interrupted(
    tmp_path: Path, number: signal.Signals
) -> None:
    mark = tmp_path / "started"
    script = [sys.executable, "-c", PARENT, str(mark), *sys.path]
    with subprocess.Popen(script, stderr=subprocess.DEVNULL) as parent:
        wait_until(mark.exists)
        processes = [int(word) for word in mark.read_text("utf-8").split()]
        parent.send_signal(number)
    assert parent.returncode == -number
    assert gone(*processes)


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is adopted there")
def test_what_a_command_leaves_in_a_session_of_its_own_ends_with_it(tmp_path: Path) -> None:
    lifeline = Lifeline()
    script = "setsid sh -c 'touch $0; sleep 60; echo left' $0 & until [ -e $0 ]; do sleep 0.01; done; exit 7"
    command = lifeline.command(["sh", "-c", script, str(tmp_path / "begun")])
    ended = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False, **lifeline.options)
    lifeline.cut()
    assert (ended.returncode, ended.stdout) == (7, b"")


def test_no_processes_no_pool() -> None:
    with pytest.raises(BordeauxError, match="processes must be a whole number from 1 on, not 0"):
        list(run(abs, [1], processes=0))


def test_jobs_begin_whether_or_not_somebody_looks(tmp_path: Path) -> None:
    marks = [tmp_path / "one", tmp_path / "two"]
    with Pool(chores.do, 2) as pool:
        for mark in marks:
            pool.submit((Path.touch, mark))
        wait_until(lambda: all(mark.exists() for mark in marks))


def test_long_jobs_and_answers_go_through() -> None:
    long = [bytes([number]) * 1_000_000 for number in range(3)]
    results = [outcome.result() for outcome in run(bytes.lower, long, processes=2)]
    assert sorted(results) == long


def test_a_process_that_ended_for_want_of_jobs_is_replaced(own_children: Callable[[], list[int]]) -> None:
    negative: Callable[[int], int] = int.__neg__
    with Pool(negative, 1, idle=0.0) as pool:
        for number in (1, 2):
            pool.submit(-number)
            while not (outcomes := pool.outcomes()):
                pass
            assert outcomes[0].result() == number
            wait_until(lambda: not own_children())


def test_a_job_can_be_asked_to_come_to_an_end_and_the_next_one_is_not(tmp_path: Path) -> None:
    with Pool(chores.do, 1) as pool:
        for number in range(2):
            mark = tmp_path / str(number)
            pool.submit((chores.work_until_stopped, str(mark)))
            wait_until(mark.exists)
            assert not pool.outcomes()
            pool.stop()
            outcomes: list[Any] = []
            wait_until(lambda outcomes=outcomes: outcomes.extend(pool.outcomes()) or outcomes)
            assert outcomes[0].result() == "stopped"
    assert not stopped(), "nobody watches here"


@pytest.mark.parametrize("processes", [1, 3])
def test_answers_come_in_order(processes: int, own_children: Callable[[], list[int]]) -> None:
    with mapped(abs, range(-100, 0), processes) as answers:
        assert list(answers) == list(range(100, 0, -1))
    assert own_children() == []


def test_leaving_early_waits_for_nothing_that_has_begun(own_children: Callable[[], list[int]]) -> None:
    taken: list[int] = []

    def stream() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    with pytest.raises(KeyboardInterrupt), mapped(long_after_the_first, stream(), 2) as answers:
        assert [next(answers) for _ in range(BATCH)] == list(range(BATCH))
        raise KeyboardInterrupt
    assert own_children() == []
    assert len(taken) <= 2 * AHEAD * BATCH


def test_processes_leave_ctrl_c_to_the_parent() -> None:
    with mapped(signal_itself, range(2 * BATCH), 2) as answers:
        assert list(answers) == [0] * 2 * BATCH


def test_a_process_is_waited_for_though_a_signal_has_left_its_lock_taken() -> None:
    """As after Ctrl-C within ``Popen.poll``, where ``Popen.wait`` waits for ever."""
    process = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    process._waitpid_lock.acquire()  # type: ignore[attr-defined]
    reap(process)
    assert process.returncode == 3
    reap(process)
