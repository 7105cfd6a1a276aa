"""What the README shows is run: its Python as it stands, its commands as far as they need no file."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line[2:]
    for language, text in BLOCKS
    if language == "console"
    for line in text.splitlines()
    if line.startswith("$ ") and "bordeaux " in line and "games.jsonl.gz" not in line
]


def test_python_runs() -> None:
    blocks = [text for language, text in BLOCKS if language == "python"]
    assert blocks
    for text in blocks:
        exec(compile(text, "README.md", "exec"), {})


@pytest.mark.parametrize("command", COMMANDS)
def test_command_runs(command, tmp_path) -> None:
    quick = command.replace("bordeaux bench", "bordeaux bench --quick")
    quick = re.sub(r"--games \d+", "--games 7", quick)
    quick = re.sub(r"--until \d+", "--until 1903", quick)
    if "arena" in quick and "--until" not in quick:
        quick += " --until 1903"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run = subprocess.run(
        ["bash", "-o", "pipefail", "-c", quick],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout


def test_every_command_has_its_tour() -> None:
    from bordeaux.cli import main

    shown = {shlex.split(command.split("|")[-1])[1] for command in COMMANDS} | {"replay"}
    assert set(main.commands) <= shown
