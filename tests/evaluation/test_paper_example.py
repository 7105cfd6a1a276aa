"""Hall and Loeb (1995), section 4.2: the worked example, by the rule that section 4.1 states."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bordeaux import Position, evaluate
from bordeaux.search.bestfirst import best_first

SCRIPT = Path(__file__).parents[2] / "examples" / "paper_example.py"
paper_example = SimpleNamespace(**runpy.run_path(str(SCRIPT)))


@pytest.fixture
def example() -> Any:
    return paper_example.Example()


def test_all_hold_is_worth_815() -> None:
    worth = evaluate(Position.start(), "paper", {"TURKEY": paper_example.TABLE_2})["TURKEY"]
    assert worth.value == 815
    assert worth.terms["control"] == 515
    assert worth.terms["owned"] == 300


@pytest.mark.parametrize(
    ("before", "order", "difference"),
    [
        (("A CON - BUL",), "F ANK - CON", 45),
        (("A CON - BUL",), "A SMY - ARM", 20),
        (("A CON - BUL",), "F ANK - ARM", -10),
        (("A CON - BUL",), "A SMY - SYR", 0),
        (("A CON - BUL", "F ANK - BLA"), "A SMY - ARM", 20),
        (("A CON - BUL", "F ANK - BLA"), "A SMY - SYR", 0),
        (("A CON - BUL", "F ANK - BLA"), "A SMY - CON", -10),
    ],
)
def test_differences_of_the_papers_tables(
    example: Any, before: tuple[str, ...], order: str, difference: int
) -> None:
    assert example.value(*before, order) - example.value(*before) == pytest.approx(difference, abs=1e-3)


def test_search_finds_the_best_set(example: Any) -> None:
    best = list(best_first(example.space, example.hold, lambda: False, 10_000))[-1]
    assert example.text(best.choices) == "F ANK - CON, A CON - BUL, A SMY - ARM"
    assert best.value == pytest.approx(1001.67, abs=0.01)


def test_script_prints_the_tables(capsys: pytest.CaptureFixture[str]) -> None:
    paper_example.main()
    printed = capsys.readouterr().out
    assert "815.00  {}   (paper: 815)" in printed
    assert "926.67  {A CON - BUL}   (paper: 959)" in printed
    assert printed.rstrip().endswith("1001.67  {F ANK - CON, A CON - BUL, A SMY - ARM}")
