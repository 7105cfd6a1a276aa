"""The Python of docs/studies/openings.md runs as it stands there, and its commands are commands."""

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "studies" / "openings.md").read_text("utf-8")


def test_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "docs/studies/openings.md", "exec"), names)
    *sets, best = capsys.readouterr().out.splitlines()
    assert len(sets) == 5 and names["best"].name in best and names["best"].power == "RUSSIA"


def test_every_command_of_the_page_is_one() -> None:
    commands = re.findall(r"^\$ .*\bbordeaux book (\w+)", PAGE, re.MULTILINE)
    assert set(commands) == {"explore", "novelties", "export"}
