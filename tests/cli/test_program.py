"""The program as a whole: help, version, interrupts, pipes, terminals."""

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

import bordeaux
from tests.jobs.seen import worked
from tests.patience import PATIENCE

from .conftest import Run

COMMANDS = ("orders", "adjudicate", "replay", "legal", "evaluate", "play", "arena", "bench", "graph")
PROGRAM = [sys.executable, "-P", "-m", "bordeaux"]


def begin(*args: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PROGRAM, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **more,
    )


def examples(run: Run) -> list[str]:
    pages = [run("--help").stdout, *(run(command, "--help").stdout for command in COMMANDS)]
    # Where the window is narrow, an example goes on in the next line.
    lines = [line.strip() for page in pages for line in page.replace(" \\\n", " ").splitlines()]
    return [line.removeprefix("bordeaux ") for line in lines if line.startswith("bordeaux ")]


def test_help_names_every_command(run: Run) -> None:
    for args in ([], ["--help"], ["-h"]):
        result = run(*args)
        assert (result.exit_code, result.stderr) == (0, "")
        assert all(f"\n  {command} " in result.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_has_examples(run: Run, command: str) -> None:
    result = run(command, "--help")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "Examples:\n" in result.stdout
    assert "--json" in result.stdout


def test_examples_of_the_help_work(run: Run) -> None:
    """Those that need no file."""
    tried = [
        shlex.split(line)
        for line in examples(run)
        if " start" in line and ".json" not in line and ".toml" not in line
    ]
    assert len(tried) >= 5
    for args in tried:
        assert run(*args).exit_code == 0


def test_version(run: Run) -> None:
    assert run("--version").stdout == f"bordeaux {bordeaux.__version__}\n"


def test_the_module_is_the_program() -> None:
    done = subprocess.run([*PROGRAM, "legal", "start", "--json"], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == bordeaux.legal_orders(bordeaux.Position.start())
    assert done.stderr == ""


def test_a_failure_of_a_real_run_is_one_line() -> None:
    done = subprocess.run([*PROGRAM, "legal", "nowhere.json"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bordeaux: ")
    assert done.stderr.count("\n") == 1
    assert "nowhere.json" in done.stderr


def test_a_fault_of_the_program_itself_is_one_line_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr("bordeaux.cli.legal.legal_orders", broken)
    result = run("legal", "start")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "internal error" in result.stderr
    assert "RuntimeError: two lines" in result.stderr
    monkeypatch.setenv("BORDEAUX_TRACEBACK", "1")
    assert "Traceback" in run("legal", "start").stderr


def until_worked(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until a command and its children have used so much time of the processor: then they have loaded,
    however busy the machine is."""
    while worked(process.pid) < seconds:
        assert process.poll() is None
        time.sleep(0.02)


@pytest.fixture(scope="module")
def many_games(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A file that takes a while to replay."""
    states = [bordeaux.Position.start()]
    for _ in range(60):
        states.append(states[-1].next({}))
    phases = [{"name": str(state.phase), "state": state.to_json(), "orders": {}} for state in states]
    path = tmp_path_factory.mktemp("many") / "games.jsonl"
    path.write_text((json.dumps({"id": "g", "phases": phases}) + "\n") * 400)
    return str(path)


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("work", ["orders", "watch", "replay", "replay in one process"])
@pytest.mark.slow
def test_an_interrupt_ends_the_program_with_one_line(many_games: str, work: str) -> None:
    args = {
        "orders": ["orders", "start", "--power", "all", "--time", "60"],
        "watch": ["orders", "start", "--power", "ITALY", "--time", "60", "--watch"],
        "replay": ["replay", *[many_games] * 9, "--processes", "2"],
        "replay in one process": ["replay", *[many_games] * 9, "--processes", "1"],
    }[work]
    process = begin(*args)
    until_worked(process, 1.5)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    possible = ["bordeaux: interrupted"]
    if work in ("orders", "watch"):
        possible.append("bordeaux: interrupted: this is the best that was found until then")
    assert errors.splitlines() in [[line] for line in possible]


INTERRUPTED_IMPORT = """
import sys
import bordeaux.__main__

slow = sys.argv.pop(1)
assert slow not in sys.modules

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == slow:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
bordeaux.__main__.run()
"""


@pytest.mark.parametrize(
    "module", ["click", "numpy", "bordeaux.cli.program", "bordeaux.cli.legal", "bordeaux.rules"]
)
def test_an_interrupt_while_the_program_loads_is_quiet(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", INTERRUPTED_IMPORT, module, "legal", "start"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr in ("", "bordeaux: interrupted\n")


def test_all_that_the_package_shows_is_there() -> None:
    for name in bordeaux.__all__:
        assert getattr(bordeaux, name).__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'Endgine'"):
        getattr(bordeaux, "Endgine")  # noqa: B009  # mypy knows that there is none


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
@pytest.mark.parametrize(
    "args",
    [
        ["legal", "start"],
        ["orders", "start", "--power", "all", "--time", "0.5", "--watch"],
        ["evaluate", "start", "--json"],
    ],
)
def test_a_reader_that_goes_away_is_no_error(args: list[str]) -> None:
    process = begin(*args)
    assert process.stdout is not None
    process.stdout.close()
    process.wait(timeout=PATIENCE)
    assert process.returncode == 141
    assert process.stderr is not None
    assert process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(os.name != "posix", reason="terminals of POSIX")
@pytest.mark.parametrize("colour", [True, False])
def test_progress_is_shown_on_a_terminal_only_and_results_apart(colour: bool) -> None:
    import pty

    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm-256color", **({} if colour else {"NO_COLOR": "1"})}
    done = subprocess.run(
        [*PROGRAM, "orders", "start", "--power", "ITALY", "--time", "2", "--json"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env=environment,
        check=True,
    )
    os.close(theirs)
    shown = os.read(ours, 1 << 20)
    os.close(ours)
    assert b"searching" in shown
    assert (b"\x1b[3" in shown) is colour
    assert list(json.loads(done.stdout)["powers"]) == ["ITALY"]
