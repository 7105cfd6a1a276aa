"""Tables of a tournament in windows of every width: nothing is cut off, figures stay whole."""

import re

import pytest

from .conftest import Run

PLAYED = ("--players", "random,bordeaux-paper:nodes=5", "--against", "hold", "--games", "2")
QUICK = ("--until", "1901", "--nodes", "5", "--processes", "1")


@pytest.mark.parametrize(("columns", "ends"), [("80", 3 * 6), ("139", 3 * 6), ("140", 3 * 7)])
def test_intervals_stand_unbroken(run: Run, monkeypatch: pytest.MonkeyPatch, columns: str, ends: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    output = run("arena", *PLAYED, *QUICK).stdout
    assert max(map(len, output.splitlines())) <= int(columns)
    standings = output.partition("In brackets")[0]
    assert len(re.findall(r"\([0-9.]+-[0-9.]+\)", standings)) == ends
    assert ("eliminated " in standings) == (columns == "140")


@pytest.mark.parametrize("columns", ["40", "60", "80", "150", "200"])
def test_no_figure_is_cut_off(run: Run, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    output = run("arena", *PLAYED, *QUICK).stdout
    differences = output.partition("More than random")[2]
    assert "…" not in output
    assert differences.count("(") == differences.count(")") > 4
