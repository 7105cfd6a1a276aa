"""What `orders` tells of an answer: the others' expected orders, and with --explain the reasons."""

import json
import re
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from bordeaux import Position, evaluate
from bordeaux.cli.report.explain import Aligned, print_explanation
from bordeaux.engine import Found

from .conftest import Run, Save

POWERS = Position.start().map.powers


def test_the_expected_orders_of_the_others_are_told(run: Run) -> None:
    answer = json.loads(run("orders", "start", "--power", "FRANCE", "--nodes", "3000", "--json").stdout)
    expected = answer["powers"]["FRANCE"]["expected"]
    assert set(expected) == set(POWERS) - {"FRANCE"}
    for lines in expected.values():
        assert 1 <= len(lines) <= 3
        assert all(set(line) == {"orders", "value", "probability"} for line in lines)
        shares = [line["probability"] for line in lines]
        assert shares == sorted(shares, reverse=True)


def test_the_readable_form_shows_them_but_for_powers_that_have_a_table_of_their_own(run: Run) -> None:
    some = run("orders", "start", "--power", "FRA", "--power", "ENG", "--nodes", "3000").stdout
    assert "FRANCE expects of the others" in some
    assert re.search(r"^ power +share +orders$", some, re.MULTILINE) and "probability" not in some
    expected = some.partition("expects of the others")[2].partition("\n\n")[2]
    rows = [line.split()[0] for line in expected.splitlines() if line.split() and line.split()[0] in POWERS]
    assert rows[:5] == [power for power in POWERS if power not in ("FRANCE", "ENGLAND")]
    every = run("orders", "start", "--power", "all", "--nodes", "3000").stdout
    assert "expects of the others" not in every
    assert all(f"{power}, S1901M: " in every for power in POWERS)


def test_explain_in_json(run: Run) -> None:
    args = ("orders", "start", "--power", "TURKEY", "--nodes", "3000", "--json")
    plain = json.loads(run(*args).stdout)["powers"]["TURKEY"]
    answer = json.loads(run(*args, "--explain").stdout)["powers"]["TURKEY"]
    assert [key for key in answer if key not in plain] == ["terms", "marginals", "goals"]
    assert answer["orders"] == plain["orders"]
    assert set(answer["terms"]) == set(evaluate(Position.start())["TURKEY"].terms)
    for term in answer["terms"].values():
        assert list(term) == ["before", "after", "change"]
        assert term["change"] == pytest.approx(term["after"] - term["before"], abs=0.002)
    assert list(answer["marginals"]) == answer["orders"]
    assert answer["goals"] == {}


def test_explain_for_people_shows_each_order_and_the_terms_that_moved(run: Run) -> None:
    args = ("orders", "start", "--power", "TURKEY", "--nodes", "3000", "--explain")
    answer = json.loads(run(*args, "--json").stdout)["powers"]["TURKEY"]
    lines = run(*args).stdout.splitlines()
    reasons = lines[next(place for place, line in enumerate(lines) if "what the orders are for" in line) :]
    text = "\n".join(reasons)
    for order, points in answer["marginals"].items():
        assert f"{order}" in text
        assert f"{points:.2f}" in text
    for term, moved in answer["terms"].items():
        assert (term in text.split()) == (abs(moved["change"]) >= 0.005)
    assert "-0.00" not in text
    assert not any(line.endswith(" ") for line in lines)


@pytest.mark.parametrize(("phase", "before"), [("W1901A", "no orders"), ("S1901M", "all hold")])
def test_what_is_compared_with_is_named(
    run: Run, save: Save, start: dict[str, Any], phase: str, before: str
) -> None:
    start["name"] = phase
    if phase.endswith("A"):
        start["units"]["FRANCE"].remove("A PAR")
    path = save("position.json", start)
    result = run("orders", path, "--power", "FRANCE", "--nodes", "500", "--explain")
    assert result.exit_code == 0
    assert before in result.stdout


def test_regional_goals_are_shown_where_there_are_some(capsys: pytest.CaptureFixture[str]) -> None:
    answer = Found("TURKEY", ("F ANK - BLA",), 1.0, (), 1, 0.1, goals=(("Balkans", 12.5),))
    for width in (80, 140):
        print_explanation(Position.start(), answer, width)
        assert "Balkans" in (shown := capsys.readouterr().out)
        assert "+12.50" in shown


@pytest.mark.parametrize(
    ("width", "rows"),
    [
        (80, ["aaaaa   bb      ccccc"]),
        (16, ["aaaaa   bb", "ccccc"]),
        (12, ["aaaaa", "bb", "ccccc"]),
        (3, ["aaa", "aa", "bb", "ccc", "cc"]),
    ],
)
def test_orders_stand_in_as_many_columns_as_fit(width: int, rows: list[str]) -> None:
    console = Console(width=width, force_terminal=False, color_system=None)
    with console.capture() as captured:
        console.print(Aligned([Text("aaaaa"), Text("bb"), Text("ccccc")], 5))
    assert [line.rstrip() for line in captured.get().splitlines()] == rows


@pytest.mark.parametrize("columns", [40, 60, 80, 140])
def test_no_line_is_wider_than_the_screen(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = run("orders", "start", "--power", "FRANCE", "--nodes", "2000", "--explain").stdout.splitlines()
    assert max(map(len, lines)) <= columns
