"""Tables and help texts in narrow windows: no word and no number is broken (point 17 of issue 14)."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from typing import Any

import click
import pytest
from click.testing import CliRunner
from rich.console import Console, RenderableType
from rich.table import Table

from bordeaux import Position
from bordeaux.cli import main
from bordeaux.cli.report import explain, output
from bordeaux.cli.report.output import Phrases, fitted

from .conftest import Run, Save

WIDTH = 80
EDGE = re.compile("[\u2500-\u257f]+")


def shown(what: RenderableType, width: int) -> list[str]:
    """The lines of something in a window of a width."""
    console = Console(width=width, color_system=None, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(what)
    return [line.rstrip() for line in captured.get().splitlines()]


def words_of(made: Table) -> set[str]:
    """Every word in the cells and headers of a table."""
    cells = [cell for column in made.columns for cell in (column.header, *column.cells)]
    words = {word for cell in cells for line in shown(cell, 10_000) for word in line.split()}
    return words | {f"{column.header}:".split()[-1] for column in made.columns}


class Tables:
    """Notes every table that is laid out, and what is wrong with it in a window of `WIDTH`."""

    def __init__(self) -> None:
        self.count = 0
        self.faults: list[str] = []

    def fitted(self, made: Table, console: Console) -> RenderableType:
        words = words_of(made)
        laid = fitted(made, console)
        lines = shown(laid, console.width)
        self.count += 1
        self.faults += [f"too wide: {line}" for line in lines if len(line) > console.width]
        self.faults += [
            f"broken: {word!r} in {line}"
            for line in lines
            for word in EDGE.sub("", line).split()
            if word not in words
        ]
        return laid


@pytest.fixture
def tables(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    """Every table of a command, in a window of `WIDTH` columns."""
    noted = Tables()
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    for module in (output, explain):
        monkeypatch.setattr(module, "fitted", noted.fitted)
    yield noted
    assert noted.faults == []


BOOK = ("book", "show", "start")
PLAYERS = "bordeaux-paper:nodes=5,seed=7,dumbbot-weak,diplominator,haai-berserk,manchi-defence,random,hold"
COMMANDS = {
    "orders": ("orders", "start", "--power", "RUSSIA", "--nodes", "3000", "--explain"),
    "orders for all": ("orders", "start", "--power", "all", "--nodes", "3000"),
    "orders from the book": ("orders", "start", "--power", "ITALY", "--book", "--nodes", "10"),
    "legal": ("legal", "start"),
    "evaluate": ("evaluate", "start", "--shares"),
    "evaluate with one term": ("evaluate", "start", "--evaluation", "paper"),
    "book show": (*BOOK, "--power", "FRANCE", "--power", "RUSSIA"),
    "book novelties": ("book", "novelties"),
    "book compare": ("book", "compare", "--book", "standard", "standard"),
    "book stats": ("book", "stats"),
    "play": ("play", "--players", PLAYERS, "--until", "1925", "--nodes", "5", "--stale", "0"),
    "arena": ("arena", "--players", PLAYERS.partition(",ha")[0], "--against", "hold", "--games", "7"),
    "graph": ("graph",),
}


SLOW = ("play", "arena", "book compare")


def long_words(name: str) -> tuple[str, ...]:
    """The command of a name, with what makes it short."""
    command = COMMANDS[name]
    return (*command, "--until", "1902", "--nodes", "5", "--processes", "1") if name == "arena" else command


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in COMMANDS]
)
def test_every_table_fits_eighty_columns(run: Run, tables: Tables, name: str) -> None:
    result = run(*long_words(name))
    assert result.exit_code == 0, result.stderr
    assert tables.count > 0 or name == "book compare"
    assert max(map(len, result.stdout.splitlines())) <= WIDTH


@pytest.mark.slow
def test_games_held_against_the_book(run: Run, save: Save, tables: Tables) -> None:
    openings: list[dict[str, list[str]]] = [
        {"AUSTRIA": ["A VIE - TYR", "F TRI - VEN", "A BUD - TRI"], "RUSSIA": ["A WAR - LVN", "A MOS - STP"]},
        {"AUSTRIA": ["A VIE - GAL", "F TRI - ALB", "A BUD - SER"], "FRANCE": ["A PAR - BUR", "A MAR - SPA"]},
    ]
    games = [
        {"id": str(number), "phases": [
            {"name": "S1901M", "state": Position.start().to_json(), "orders": orders},
            {"name": "F1901M", "state": Position.start().next(orders).to_json(), "orders": {}},
        ]}
        for number in range(20)
        for orders in openings
    ]  # fmt: skip
    path = save("games.jsonl", "\n".join(map(json.dumps, games)))
    result = run("book", "compare", "--book", "standard", path)
    assert result.exit_code == 0, result.stderr
    assert tables.count == 2


def test_the_words_of_explore(run: Run, tables: Tables) -> None:
    result = run("book", "explore", "start", "--power", "AUSTRIA", input="1\nall\nboard\nhelp\nquit\n")
    assert result.exit_code == 0
    assert tables.count >= 4
    assert max(map(len, result.stdout.splitlines())) <= WIDTH


def test_results_with_their_reasons(run: Run, save: Save, tables: Tables) -> None:
    orders = {
        "AUSTRIA": ["A VIE - GAL", "F TRI S A VIE - GAL", "A BUD - PAR"],
        "RUSSIA": ["A WAR - GAL", "F STP/SC C A MOS - SWE"],
    }
    run("adjudicate", "start", "--orders", save("orders.json", orders))
    assert tables.count == 2


def test_mismatches_in_a_record(run: Run, save: Save, tables: Tables) -> None:
    start = Position.start().to_json()
    fall = {**start, "name": "F1901M", "units": {**start["units"], "RUSSIA": ["A GAL", "F STP/NC", "F RUM"]}}
    results = {"A VIE": ["bounce", "dislodged"], "A PAR": [""]}
    phases = [
        {"name": "S1901M", "state": start, "orders": {}, "results": results},
        {"name": "F1901M", "state": fall, "orders": {}},
    ]
    game = {"id": "a-game-with-a-rather-long-identifier-0123456789", "phases": phases}
    run("replay", save("game.json", game))
    assert tables.count == 2


@pytest.mark.parametrize("width", [30, 40, 60, 80, 120, 400])
def test_what_has_no_room_beside_goes_below_or_into_further_tables(width: int) -> None:
    figures = ["engine", "people", "games", "value", "loss", "bits", *map(str, range(1900, 1936))]
    made = output.table("player", "phase", "orders", *figures, numbers=figures)
    orders = ["A VIE - GAL", "F TRI - ALB", "A BUD - SER", "F AEG S F STP/SC - BOT"]
    for number in range(3):
        cells = ["12.3 % (b)", "100.0 %", "12,345", "1,234.5", "0.143\n(0.122-0.222)", "10.22", *["12"] * 36]
        made.add_row(f"bordeaux:nodes={number}", "S1901M", Phrases(orders), *cells)
    words = words_of(made)
    lines = shown(fitted(made, Console(width=width)), width)
    assert all(len(line) <= width for line in lines)
    words_shown = [word for line in lines for word in EDGE.sub("", line).split()]
    assert set(words_shown) <= words
    # A header is left out where a text stands on a line of its own and is plain to see.
    assert {word for word in words - set(words_shown) if not word.endswith(":")} <= {"player", "orders"}
    text = "\n".join(lines)
    assert text.count("F AEG S F STP/SC - BOT") == 3
    assert text.count("(0.122-0.222)") == 3


def test_a_word_that_is_wider_than_the_window_is_all_that_is_broken() -> None:
    made = output.table("player", "games", numbers=["games"])
    made.add_row("program:" + "x" * 60, "123,456")
    lines = shown(fitted(made, Console(width=30)), 30)
    assert all(len(line) <= 30 for line in lines)
    assert "".join(line.strip() for line in lines).count("x") == 60
    assert any(line.strip() == "123,456" for line in lines)


def test_phrases_end_lines_between_them() -> None:
    phrases = Phrases(["A VIE - GAL", "F TRI - ALB", "A BUD - SER"])
    assert shown(phrases, 30) == ["A VIE - GAL; F TRI - ALB;", "A BUD - SER"]
    assert shown(phrases, 12) == ["A VIE - GAL;", "F TRI - ALB;", "A BUD - SER"]
    assert str(phrases) == "A VIE - GAL; F TRI - ALB; A BUD - SER"


def commands(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names of a program's commands, those of its groups as well."""
    yield path
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name)


@pytest.mark.parametrize("path", list(commands(main)), ids=" ".join)
def test_every_help_text_fits_eighty_columns(path: tuple[str, ...]) -> None:
    result = CliRunner().invoke(main, [*path, "--help"], terminal_width=WIDTH)
    assert result.exit_code == 0
    wide = CliRunner().invoke(main, [*path, "--help"], terminal_width=1000, max_content_width=1000)
    lines = result.stdout.splitlines()
    assert [line for line in lines if len(line) > WIDTH] == []
    assert set(result.stdout.split()) - {"\\"} == set(wide.stdout.split())
    # Names of Python's types mean nothing to people (point 22).
    metavars = re.findall(r"--[a-z-]+ ([A-Z]+(?: [A-Z]+)*)", result.stdout)
    assert {"READ", "FLOAT RANGE", "INTEGER RANGE", "INTEGER", "TEXT", "FLOAT", "PATH"}.isdisjoint(metavars)


def test_the_commands_are_those_that_there_are() -> None:
    names: list[Any] = [path[0] for path in commands(main) if path]
    assert set(names) == set(main.list_commands(click.Context(main)))
    assert all(importlib.import_module(f"bordeaux.cli.{name}") for name in names)
