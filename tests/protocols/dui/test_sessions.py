"""The sessions of docs/protocol.md, held against the program; and its Python."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
import golden  # noqa: E402

PAGE = (ROOT / "docs" / "protocol.md").read_text("utf-8")
SESSIONS = re.findall(r"```session\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(SESSIONS)))
@pytest.mark.slow
def test_a_session_of_the_page_is_true(number: int) -> None:
    command = [sys.executable, "-m", "bordeaux", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        assert engine.stdin is not None and engine.stdout is not None
        watchdog = threading.Timer(PATIENCE, engine.kill)
        watchdog.start()
        gap = False
        for line in SESSIONS[number].splitlines():
            if line.startswith("> "):
                print(line[2:], file=engine.stdin, flush=True)
            elif line.strip() == "...":
                gap = True
            else:
                answer = engine.stdout.readline().rstrip("\n")
                while gap and answer and not golden.same(line[2:], answer):
                    answer = engine.stdout.readline().rstrip("\n")
                assert golden.same(line[2:], answer), f"{answer!r} instead of {line!r}"
                gap = False
        watchdog.cancel()
        engine.stdin.close()
        assert engine.wait(PATIENCE) == 0


def test_every_command_and_option_of_the_engine_stands_on_the_page() -> None:
    from bordeaux.press.language.dui import TYPES
    from bordeaux.protocols.dui.machine import Machine
    from bordeaux.protocols.dui.options import OPTIONS

    for name in [*Machine()._commands, *(option.name for option in OPTIONS.values()), *TYPES]:
        assert f"`{name}" in PAGE, name


@pytest.mark.slow
def test_its_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "protocol.md", "exec"), {})
    assert "F ANK" in capsys.readouterr().out
