"""Tables of a tournament in windows of every width: nothing is cut off, figures stay whole."""

import re
from pathlib import Path

import pytest

from .conftest import Run

PLAYED = ("--players", "random,bordeaux-paper:nodes=5", "--against", "hold", "--games", "2")
QUICK = ("--until", "1901", "--nodes", "5", "--processes", "1")


@pytest.fixture(scope="module")
def log(run: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tournament, all of its games played: the command shows its tables again."""
    path = tmp_path_factory.mktemp("standings") / "log"
    assert run("arena", *PLAYED, *QUICK, "--save", path).exit_code == 0
    return path


@pytest.mark.parametrize(("columns", "ends"), [("80", 3 * 6), ("139", 3 * 6), ("140", 3 * 7)])
def test_intervals_stand_unbroken(
    run: Run, log: Path, monkeypatch: pytest.MonkeyPatch, columns: str, ends: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    output = run("arena", *PLAYED, *QUICK, "--save", log).stdout
    assert max(map(len, output.splitlines())) <= int(columns)
    standings = output.partition("In brackets")[0]
    assert len(re.findall(r"\([0-9.]+-[0-9.]+\)", standings)) == ends
    assert ("eliminated " in standings) == (columns == "140")


@pytest.mark.parametrize("columns", ["40", "60", "80", "150", "200"])
def test_no_figure_is_cut_off(run: Run, log: Path, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    output = run("arena", *PLAYED, *QUICK, "--save", log).stdout
    differences = output.partition("More than random")[2]
    assert "…" not in output
    assert differences.count("(") == differences.count(")") > 4
