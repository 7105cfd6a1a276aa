"""How the tests call the commands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console, RenderableType

from bordeaux import Position
from bordeaux.cli import main

Save = Callable[[str, Any], str]


def unwrapped(text: str) -> str:
    """The text on one line: where lines wrap depends on the names of files, thus on the temporary folder."""
    return " ".join(text.split())


def complaint(result: Result) -> str:
    """The one line on standard error, without its beginning; fails for anything else."""
    assert result.exit_code == 2, result.stdout + result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("bordeaux: ")
    assert result.stderr.endswith("\n")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    assert "internal error" not in result.stderr
    assert len(result.stderr) < 500
    return result.stderr.removeprefix("bordeaux: ").rstrip("\n")


def shown(what: RenderableType, width: int = 80) -> list[str]:
    """The lines of something in a window of a width."""
    console = Console(width=width, color_system=None, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(what)
    return [line.rstrip() for line in captured.get().splitlines()]


class Run:
    """Calls ``bordeaux`` in this process: ``run("legal", "start", input="...")``."""

    def __call__(self, *args: object, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args], input=input)

    def told(self, *args: object, code: int = 0, input: str | bytes | None = None) -> Any:
        """What a command gives with ``--json``."""
        result = self(*args, "--json", input=input)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout)


@pytest.fixture(scope="session")
def run() -> Run:
    """A caller of commands."""
    return Run()


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write a file, JSON unless it is text or bytes already, and give its name."""

    def write(name: str, content: Any) -> str:
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def start() -> dict[str, Any]:
    """The start position in JSON, to change at will."""
    return Position.start().to_json()


QUICK = ("--nodes", "10", "--until", "1902", "--processes", "1")


def timeless(answer: dict[str, Any]) -> dict[str, Any]:
    """What the command gives in JSON, without what depends on the clock."""
    players = {
        name: {key: value for key, value in player.items() if "second" not in key}
        for name, player in answer["players"].items()
    }
    return {**answer, "players": players, "seconds": 0, "overhead": 0}
