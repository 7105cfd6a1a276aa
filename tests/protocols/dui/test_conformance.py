"""The conformance script: a good engine passes, and each kind of bad one fails where it should."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import dui_conformance
import golden
from tests.patience import PATIENCE
from tests.protocols.dui.engines import BORDEAUX, EXAMPLE, TINY, changed

SCRIPT = Path(__file__).resolve().parents[3] / "tools" / "dui_conformance.py"
CHECKS = {check.run.__name__: check for check in dui_conformance.CHECKS}


def why(command: list[str], *names: str) -> str:
    """Why an engine fails the first of some checks that it fails; empty if it passes all."""
    for name in names:
        with dui_conformance.Talk(command) as talk:
            try:
                if not CHECKS[name].shakes:
                    talk.shake_hands()
                CHECKS[name].run(talk)
            except (dui_conformance.Failed, dui_conformance.Early) as failure:
                return str(failure)
    return ""


def test_the_whole_script_passes_the_tiny_engine() -> None:
    run = subprocess.run(
        [sys.executable, "-I", "-S", str(SCRIPT), *TINY], capture_output=True, text=True, timeout=PATIENCE
    )
    assert run.returncode == 0, run.stdout
    assert f"{len(CHECKS)} passed, 0 failed, 0 to be wished for" in run.stdout
    assert all(re.search(rf"^passed +{name} ", run.stdout, re.MULTILINE) for name in CHECKS)


@pytest.mark.slow
def test_our_engine_passes_what_is_hardest() -> None:
    with dui_conformance.Talk(BORDEAUX) as talk:
        for name in ("handshake", "retreats", "builds", "disbands", "information", "infinite"):
            CHECKS[name].run(talk)
        for name in ("ready_in_search", "bad_lines", "long_lines", "press", "newgame", "end_of_input"):
            CHECKS[name].run(talk)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("handshake", "id author anybody\\n", "", "no line 'id author X'"),
        ("handshake", "protocol_version 1\\n", "", "protocol_version"),
        ("movement", '"{unit} H"', '"{unit} - mos"', "cannot go there"),
        ("movement", '"{unit} H"', '"{unit.upper()} H"', "not written as DUI"),
        ("movement", 'f"{unit} H" for unit in own', '"A vie H" for unit in own', "two orders for one unit"),
        ("coasts", ".replace('.', '/')", "", "not written as DUI"),
        ("retreats", '[0])} D"', '[0])} H"', "is illegal"),
        ("builds", '["W"] * due', '["A bre B"] * due', "A bre B is illegal"),
        ("builds", '["W"] * due', '["A par B"] * due', "two builds in one place"),
        ("builds", '["W"] * due', "[]", "expected two orders"),
        ("disbands", "own[due:]", "own[:1]", "expected two orders"),
        ("infinite", '"infinite" in rest', '"nothing" in rest', "came too early"),
        ("same_again", "searching = False\n", 'say("bestorders")\n', "came too early"),
        (
            "unknown",
            "for line in sys.stdin:\n",
            "for line in sys.stdin:\n        assert line[0] != 'x'\n",
            "ended",
        ),
        ("leave", '"quit":\n            break', '"quit":\n            sys.exit(3)', "exit code was 3"),
        ("leave", 'command == "quit"', 'command == "bye"', "still there"),
    ],
)
def test_each_fault_is_found(
    name: str, old: str, new: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dui_conformance, "ENDING", 0.7)
    assert message in why(changed(tmp_path, (old, new)), name)


def test_the_exit_code_says_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = tuple(CHECKS[name] for name in ("handshake", "version", "bad_go"))
    monkeypatch.setattr(dui_conformance, "CHECKS", chosen)
    monkeypatch.setattr(dui_conformance, "HANDSHAKE", 5.0)
    assert dui_conformance.main(changed(tmp_path, ("id author anybody\\n", ""))) == 1
    assert "FAILED  handshake" in capsys.readouterr().out
    assert dui_conformance.main(TINY) == 0
    assert dui_conformance.main(["./nowhere"]) == 2 and dui_conformance.main([]) == 2
    assert EXAMPLE.is_file()


# The sessions of docs/protocol.md, held against the program; and its Python.

PAGE = (golden.ROOT / "docs" / "protocol.md").read_text("utf-8")
SESSIONS = re.findall(r"```session\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(SESSIONS)))
@pytest.mark.slow
def test_a_session_of_the_page_is_true(number: int) -> None:
    with subprocess.Popen(BORDEAUX, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
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
    from bordeaux.protocols.dui.machine import COMMANDS
    from bordeaux.protocols.dui.options import OPTIONS

    for name in [*COMMANDS, *(option.name for option in OPTIONS.values()), *TYPES]:
        assert f"`{name}" in PAGE, name


@pytest.mark.slow
def test_its_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(block, "protocol.md", "exec"), {})
    assert "F ANK" in capsys.readouterr().out
