"""What shells complete."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

BASH = shutil.which("bash")


def completed(*words: str) -> list[str]:
    """What the program says to bash for a line, of which the last word is begun."""
    environment = os.environ | {
        "_BORDEAUX_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("bordeaux", *words)),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-m", "bordeaux"], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


@pytest.mark.slow
def test_commands_options_powers_players_and_files_are_completed() -> None:
    assert completed("adj") == ["plain,adjudicate"]
    assert completed("book", "sh") == ["plain,show"]
    assert "plain,--nodes" in completed("orders", "start", "--no")
    assert completed("orders", "start", "--power", "tu") == ["plain,TURKEY"]
    assert completed("orders", "st") == ["plain,start", "file,st"]
    assert completed("play", "--players", "dumbbot,peo") == ["plain,dumbbot,people"]
    assert completed("adjudicate", "start", "--orders", "x") == ["file,x"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_for_every_shell_says_where_it_goes(run: Run, shell: str) -> None:
    done = run("completion", shell)
    assert done.exit_code == 0
    assert done.stdout.startswith("# In ~/.") and f"{shell}_complete" in done.stdout
    answer = json.loads(run("completion", shell, "--json").stdout)
    assert answer["shell"] == shell and answer["script"] in done.stdout
    assert run("completion", "tcsh").exit_code == 2


@pytest.mark.skipif(BASH is None, reason="no bash")
@pytest.mark.slow
def test_bash_itself_completes(tmp_path: Path) -> None:
    program = tmp_path / "bordeaux"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m bordeaux "$@"\n')
    program.chmod(0o755)
    script = (
        'eval "$(bordeaux completion bash)"; COMP_WORDS=(bordeaux leg); COMP_CWORD=1;'
        ' _bordeaux_completion bordeaux leg bordeaux; echo "${COMPREPLY[@]}"'
    )
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [str(BASH), "--norc", "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "legal", done.stderr
