"""The signatures of the searches and the outputs on the pages are what Bordeaux prints today.

`make golden` renews both.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import golden
from bordeaux.arena import bench

SHOWING = [
    page for page in golden.PAGES if any(command.first < command.last for command in golden.commands(page))
]


@pytest.mark.parametrize("kind", ["quick", pytest.param("bench", marks=pytest.mark.slow)])
def test_the_signatures_of_the_bench_are_the_recorded_ones(kind: str) -> None:
    recorded = json.loads(golden.GOLDEN.read_text("utf-8"))[kind]
    assert bench.signatures(quick=kind == "quick") == recorded, (
        "a search changed; on purpose? then make golden"
    )


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.name)
@pytest.mark.slow
def test_a_page_shows_what_the_program_prints(page: Path) -> None:
    stale = [(shown.command, wanted) for shown, wanted in golden.stale(page)]
    assert stale == [], "make golden"


def test_the_readme_shows_something() -> None:
    assert golden.ROOT / "README.md" in SHOWING


PAGE = """# A page

<!-- varies: in # s -->
```console
$ printf 'one\\n3 found in 1.5 s\\n'
one
3 found in 0.1 s
$ seq 9
1
2
...
9
$ echo quiet   # nothing is shown
```
<!-- not run: nobody has it -->
```console
$ unheard-of --option \\
    more
words
```
"""


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "page.md"
    path.write_text(PAGE, "utf-8")
    return path


def test_commands_are_found_with_what_stands_below_them(page: Path) -> None:
    commands = list(golden.commands(page))
    assert [shown.last - shown.first for shown in commands] == [2, 4, 0, 1]
    assert commands[0].varies == ("in # s",) and commands[3].not_run == "nobody has it"
    assert commands[3].command == "unheard-of --option \\\n    more"
    assert golden.stale(page) == []


@pytest.mark.parametrize(
    ("before", "after", "command", "wanted"),
    [
        ("\n3 found", "\n4 found", "printf", ["one", "3 found in 1.5 s"]),
        ("one\n3", "one\ntwo\n3", "printf", ["one", "3 found in 1.5 s"]),
        ("\n2\n", "\n7\n", "seq", ["1", "2", "...", "9"]),
        ("\n9\n", "\n8\n9\n10\n", "seq", ["1", "2", "...", "7", "8", "9"]),
    ],
)
def test_what_is_stale_is_found(page: Path, before: str, after: str, command: str, wanted: list[str]) -> None:
    page.write_text(PAGE.replace(before, after, 1), "utf-8")
    [(shown, lines)] = golden.stale(page)
    assert shown.command.startswith(command) and lines == wanted


def test_a_part_of_a_line_may_be_left_out_and_is_not_guessed() -> None:
    assert golden.renewed(["a ... z"], ["a b z"]) == ["a ... z"]
    with pytest.raises(golden.CannotError, match="by hand"):
        golden.renewed(["a ... z"], ["a b y"])
    with pytest.raises(golden.CannotError, match="more than one"):
        golden.renewed(["...", "b", "..."], ["a", "b", "c"])


def test_a_command_that_fails_is_named(page: Path) -> None:
    page.write_text(PAGE.replace("$ seq 9", "$ seq nine"), "utf-8")
    with pytest.raises(golden.CannotError, match=r"page\.md, line 8: seq nine: "):
        golden.stale(page)
