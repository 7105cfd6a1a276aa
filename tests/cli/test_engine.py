"""``bordeaux engine`` as a process: what stands on its streams, and how it ends."""

from __future__ import annotations

import signal
import subprocess

import pytest

from bordeaux.cli.report import BROKEN_PIPE
from tests.cli.processes import PATIENCE, command, piped
from tests.jobs.seen import children, gone


def test_nothing_but_the_protocol_stands_on_standard_output() -> None:
    lines = "dui\nxyzzy\nsetpower france\nsetoption name Threads value 2\ngo nodes 500\nisready\n"
    with piped("engine", "--set", "Seed=4") as engine:
        assert engine.stdin is not None and engine.stdout is not None and engine.stderr is not None
        engine.stdin.write(lines)
        engine.stdin.flush()
        said: list[str] = []
        while not said or not said[-1].startswith("bestorders"):
            said.append(engine.stdout.readline())
        engine.stdin.write("quit\n")
        engine.stdin.close()
        said += engine.stdout.readlines()
        assert engine.wait(PATIENCE) == 0 and engine.stderr.read() == ""
    words = {line.split(None, 1)[0] for line in said}
    assert words == {"id", "option", "protocol_version", "duiok", "info", "readyok", "bestorders"}


@pytest.mark.slow
def test_a_signal_in_mid_search_ends_it_and_its_workers() -> None:
    with subprocess.Popen(
        command("engine", "--set", "Search=paper", "--set", "Threads=2"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write("setpower france\ngo infinite\n")
        engine.stdin.flush()
        while " nodes " not in (line := engine.stdout.readline()):
            assert line.startswith("info")
        workers = children(engine.pid)
        assert workers, "a worker searches beside it"
        engine.send_signal(signal.SIGTERM)
        assert engine.wait(PATIENCE) == 128 + signal.SIGTERM
    assert gone(*workers)


@pytest.mark.slow
def test_an_output_that_nobody_reads_ends_it() -> None:
    with piped("engine") as engine:
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdout.close()
        engine.stdin.write("isready\n" * 3 + "setpower france\ngo infinite\nisready\n")
        engine.stdin.flush()
        engine.stdin.write("isready\n")
        engine.stdin.close()
        assert engine.stderr is not None
        assert engine.wait(PATIENCE) == BROKEN_PIPE and engine.stderr.read() == ""
