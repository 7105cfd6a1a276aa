"""Nothing that an engine has started outlives the process that held it, however that comes to its end."""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.jobs.seen import alive, children, gone, parent_of, wait_until
from tests.patience import PATIENCE

#: A script as users write them: nothing guards it against being imported.
SCRIPT = """
import sys, time
from bordeaux import Engine, Position
print("begun", flush=True)
engine = Engine(search="paper", processes=3)
engine.warm_up(Position.start())
engine.search(Position.start(), "FRANCE", time=0.1)
print(*engine.workers, flush=True)
"""
SEARCHING = 'engine.search(Position.start(), "FRANCE", time=600)\n'
IDLE = "time.sleep(600)\n"
FORKING = """
import os
# On a busy machine a worker that is late is replaced: then once more.
for _ in range(20):
    child = os.fork()
    if child == 0:
        engine.warm_up(Position.start())
        engine.search(Position.start(), "FRANCE", time=0.2)
        print("child", *engine.workers, flush=True)
        engine.close()
        sys.exit(0)
    os.waitpid(child, 0)
    before = engine.workers
    engine.search(Position.start(), "FRANCE", time=0.2)
    print("same" if engine.workers == before else "others", flush=True)
    if engine.workers == before:
        break
"""
THREADED = """
import threading
other = Engine(search="paper", processes=2)
thread = threading.Thread(target=other.warm_up, args=[Position.start()])
thread.start()
thread.join()
time.sleep(0.2)
print(*other.workers, flush=True)
time.sleep(600)
"""


@contextlib.contextmanager
def running(tmp_path: Path, rest: str) -> Iterator[tuple[subprocess.Popen[str], list[int]]]:
    """A script in a session of its own, with the process ids of its workers and of their game master."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT + rest, "utf-8")
    with subprocess.Popen(
        [sys.executable, "-P", str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        workers: list[int] = []
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "begun\n"
            workers = [int(part) for part in process.stdout.readline().split()]
            assert len(workers) == 2
            workers += {int(parent_of(worker)) for worker in workers}
            assert len(workers) == 3 and all(map(alive, workers))
            yield process, workers
        finally:
            process.kill()
            for worker in workers:
                if alive(worker):
                    os.kill(worker, signal.SIGKILL)


@pytest.mark.parametrize(
    ("number", "rest"),
    [
        (signal.SIGKILL, SEARCHING),
        pytest.param(signal.SIGTERM, IDLE, marks=pytest.mark.slow),
    ],
    ids=["killed", "told to end"],
)
def test_no_worker_outlives_a_signal_to_its_master(tmp_path: Path, number: int, rest: str) -> None:
    with running(tmp_path, rest) as (process, workers):
        process.send_signal(number)
        assert process.wait(PATIENCE) == -number
        assert gone(*workers)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills a stopped process with its parent")
def test_not_even_a_stopped_worker_outlives_its_killed_master(tmp_path: Path) -> None:
    with running(tmp_path, IDLE) as (process, workers):
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)
        process.kill()
        process.wait(PATIENCE)
        assert gone(*workers)


@pytest.mark.slow
def test_ctrl_c_in_a_terminal_reaches_the_master_alone(tmp_path: Path) -> None:
    with running(tmp_path, SEARCHING) as (process, workers):
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == -signal.SIGINT
        assert err.count("Traceback") == 1 and err.rstrip().endswith("KeyboardInterrupt")
        assert gone(*workers)


@pytest.mark.slow
def test_a_forked_copy_of_the_master_leaves_its_workers_alone(tmp_path: Path) -> None:
    with running(tmp_path, FORKING) as (process, workers):
        out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, err) == (0, "")
        child, verdict = out.splitlines()[-2:]
        assert verdict == "same"
        others = [int(part) for part in child.split()[1:]]
        assert len(others) == 2 and not set(others) & set(workers)
        assert gone(*others, *workers)


def test_workers_outlive_the_thread_that_started_them_but_not_its_process(tmp_path: Path) -> None:
    with running(tmp_path, THREADED) as (process, workers):
        assert process.stdout is not None
        others = [int(part) for part in process.stdout.readline().split()]
        assert len(others) == 1 and all(map(alive, others))
        process.kill()
        process.wait(PATIENCE)
        assert gone(*others, *workers)


@pytest.mark.parametrize("seconds", [0.0, 1.0], ids=["while the workers start", "while all search"])
@pytest.mark.slow
def test_ctrl_c_ends_the_command_in_one_line(seconds: float) -> None:
    words = "orders start --power FRANCE --time 60 --search paper --processes 3"
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "bordeaux", *shlex.split(words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until(lambda: children(process.pid))
        workers = children(process.pid)
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    # Once the search is under way the best so far is printed.
    assert process.returncode == 130
    best = "bordeaux: interrupted: this is the best that was found until then\n"
    assert (bool(out), err) in ((False, "bordeaux: interrupted\n"), (True, best))
    assert not out or out.startswith("FRANCE, S1901M: ")
    assert gone(*workers)
