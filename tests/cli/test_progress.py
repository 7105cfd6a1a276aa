"""The bar of a search: on a terminal, of the time used, and gone in the end."""

import re

import pytest

from .conftest import Run
from .processes import terminal


def test_the_bar_shows_the_time_used_and_leaves_the_answer() -> None:
    with terminal("orders", "start", "--power", "FRANCE", "--time", "0.8") as shown:
        at = shown.until("searching")
        shown.until(" of 0.8 s", at)
        shown.until("FRANCE, S1901M: ", at)
        assert shown.end() == 0
    last = shown.text.rindex("of 0.8 s")
    assert last < shown.text.index("FRANCE, S1901M: ")
    # The line of the bar is erased before the answer is printed.
    assert "\x1b[2K" in shown.raw[shown.raw.rindex("of 0.8 s") : shown.raw.index("FRANCE, S1901M: ")]


@pytest.mark.slow
def test_without_a_limit_of_time_the_seconds_are_counted() -> None:
    with terminal("orders", "start", "--power", "FRANCE", "--nodes", "3000") as shown:
        assert shown.end() == 0
    bar = shown.text.partition("FRANCE, S1901M: ")[0]
    assert re.search(r"searching .* \d+\.\d s", bar)
    assert " of " not in bar


@pytest.mark.slow
def test_a_short_search_and_watched_lines_need_no_bar() -> None:
    for options in (["--time", "0.2"], ["--nodes", "3000", "--watch"]):
        with terminal("orders", "start", "--power", "FRANCE", *options) as shown:
            assert shown.end() == 0
        assert "searching" not in shown.text
        assert "F BRE" in shown.text


def test_nothing_but_the_answer_without_a_terminal(run: Run) -> None:
    result = run("orders", "start", "--power", "FRANCE", "--time", "0.6")
    assert result.stderr == ""
    assert "searching" not in result.stdout
