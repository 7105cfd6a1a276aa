"""Tables and help texts in narrow windows: no word and no number is broken (point 17 of issue 14)."""

from __future__ import annotations

import asyncio
import csv
import importlib
import io
import json
import os
import re
import socket
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from rich.console import Console, RenderableType
from rich.table import Table

from bordeaux import Position
from bordeaux.arena.tournament import GamesFile
from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError
from bordeaux.cli import main
from bordeaux.cli.report import explain, output
from bordeaux.cli.report.files import check_place, check_places, write_whole
from bordeaux.cli.report.output import Phrases, console, fitted, print_json, print_prose
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.formats.games import read_games, write_document
from bordeaux.openings.book import Book
from bordeaux.openings.export import to_csv
from bordeaux.view.book import report
from tests.board.test_cleaning import EVIL
from tests.cli.processes import PATIENCE, piped, terminal
from tests.daide.client.house import House, house

from .conftest import Run, Save

WIDTH = 80
EDGE = re.compile("[\u2500-\u257f]+")


def shown(what: RenderableType, width: int) -> list[str]:
    """The lines of something in a window of a width."""
    console = Console(width=width, color_system=None, markup=False, highlight=False, emoji=False)
    with console.capture() as captured:
        console.print(what)
    return [line.rstrip() for line in captured.get().splitlines()]


@pytest.mark.parametrize("width", [30, 41, 60])
def test_sentences_are_broken_between_orders_not_within_them(
    width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    orders = [
        "F WES - TUN",
        "A MAR S A PAR - BUR",
        "F NTH C A LON - NWY",
        "A LON - NWY VIA",
        "F STP/NC H",
        "A VIE R TYR",
    ]
    text = f"What mattered was {', '.join(orders)}, and A good Day for Italy."
    monkeypatch.setenv("COLUMNS", str(width))
    print_prose(text)
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines) == text and len(lines) > 2 and max(map(len, lines)) <= width
    assert all(any(order in line for line in lines) for order in orders)


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


NAME = "Mallory\x1b]0;owned\x07\r\n\x9b2J\u202e"
OBEYED = ("\x1b]0;owned", "\x9b", "\u202e", "\r\nMallory")


def shout(served: House, *texts: str) -> None:
    """Say something to all, as a stranger may."""
    host, _, port = served.address.rpartition(":")
    with socket.create_connection((host, int(port)), PATIENCE) as link:
        link.sendall(wire.im())
        for text in texts:
            link.sendall(wire.dm(d.encode(d.ADM(NAME, text))))
        reader, heard = wire.FrameReader("client"), 0
        while heard <= len(texts):
            heard += len(reader.feed(link.recv(65536)))


@pytest.mark.slow
def test_observe_prints_lines_that_obey_nobody() -> None:
    with house() as served, piped("observe", served.address) as process:
        assert process.stdout is not None
        process.stdout.readline()
        shout(served, *EVIL.values())
        served.seat(7)
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and err == ""
    talk = [line for line in out.split("\n") if "Mallory" in line]
    assert len(talk) == len(EVIL), "a line each, and none that somebody faked"
    assert talk[0].startswith(f"{clean(NAME)} to all: \\x1b[2J")
    assert all(line.isprintable() for line in out.split("\n"))
    assert not any(line.startswith("bordeaux: you have lost") for line in out.splitlines())


@pytest.mark.slow
def test_observe_as_json_keeps_every_character_and_writes_none_raw() -> None:
    with house() as served, piped("observe", served.address, "--json") as process:
        assert process.stdout is not None
        process.stdout.readline()
        shout(served, *EVIL.values())
        served.seat(7)
        out, _ = process.communicate(timeout=PATIENCE)
    assert all(line.isprintable() for line in out.split("\n"))
    talk = [json.loads(line) for line in out.splitlines() if "Mallory" in line]
    texts = [letter["text"].encode("utf-8", "surrogateescape") for letter in talk]
    assert texts == [text.encode("utf-8", "surrogateescape") for text in EVIL.values()]


@pytest.mark.parametrize("command", ["observe", "human"])
def test_a_terminal_is_not_steered_by_strangers(command: str) -> None:
    with house() as served, terminal(command, served.address, columns=120, lines=40) as shown:
        shown.until("waiting for the game")
        shout(served, "\x1b[2Jfirst\x1b]0;owned\x07\u202e\x9b2J\x07", "the last word")
        shown.until("the last word")
        served.seat(7 if command == "observe" else 6)
        shown.until("S1901M")
        assert not any(sequence in shown.raw for sequence in OBEYED)
        assert "\x1b[2Jfirst" not in shown.raw
        assert "\\x1b[2Jfirst" in shown.text.replace("\n", "")
        served.stop()
        shown.end()


@pytest.mark.slow
def test_names_in_the_table_at_the_end() -> None:
    with house() as served, piped("observe", served.address) as process:
        assert process.stdout is not None
        process.stdout.readline()
        host, _, port = served.address.rpartition(":")
        with socket.create_connection((host, int(port)), PATIENCE) as link:
            link.sendall(wire.im())
            link.sendall(wire.dm(d.encode(d.NME(NAME, "1\x1b[2J"))))
            link.sendall(wire.dm(d.encode(d.YES(d.MAP("standard")))))
            served.until(lambda game: game.open_chairs == 6)
            served.seat(6)
            link.sendall(wire.dm(d.encode(d.DRW())))
            served.until(lambda game: game.state == "running")
            served.call(agree(served))
            out, _ = process.communicate(timeout=PATIENCE)
    assert "Mallory" in out and "shares the draw" in out
    assert all(line.isprintable() for line in out.split("\n"))
    assert all(line.isprintable() for line in served.lines)


async def agree(served: House) -> None:
    """Let all players accept a draw."""
    for client in list(served.game._table.seats.clients):
        served._host._ask(client, partial(served.game.received, client, ("DRW",)))
    await asyncio.sleep(0)


def test_everything_on_a_console_goes_through_it() -> None:
    stream = io.StringIO()
    shown = console(stream)
    for text in EVIL.values():
        shown.print(text)
        shown.print({text: text})
    assert all(line.isprintable() for line in stream.getvalue().split("\n"))


def test_json_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_json(EVIL)
    out = capsys.readouterr().out
    assert out[:-1].isprintable() and json.loads(out) == EVIL


def test_reports_and_tables_of_a_book_by_others(tmp_path: Path) -> None:
    book = Book.load()
    evil = "=cmd|'/C calc'!A0\x1b[2J\u202e<script>"
    page = report(book, evil)
    assert "<script" not in page and all(line.isprintable() for line in page.split("\n"))
    cells = [cell for row in csv.reader(io.StringIO(to_csv(book))) for cell in row]
    assert cells and not any(cell.startswith(("=", "@", "\t", "\r")) for cell in cells)


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


SHORT = ("--until", "1901", "--nodes", "5")


@pytest.mark.parametrize("option", ["--save", "--games-file", "--csv", "--plot"])
def test_a_pipe_is_not_replaced(run: Run, tmp_path: Path, option: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("arena", "--players", "hold", *SHORT, "--games", "1", option, pipe)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"{option}: {pipe} is no ordinary file" in result.stderr
    assert pipe.is_fifo()


def test_play_does_not_replace_a_pipe(run: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = run("play", "--players", "hold*7", *SHORT, "--save", pipe)
    assert result.exit_code == 2
    assert pipe.is_fifo()


def test_a_device_is_no_place_and_neither_is_a_link_to_it(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    for path in ("/dev/null", str(link)):
        with pytest.raises(BordeauxError, match="no ordinary file"):
            check_place(path, "--csv")


def test_a_link_stays_a_link(run: Run, tmp_path: Path) -> None:
    table, link = tmp_path / "table", tmp_path / "link"
    link.symlink_to(table)
    check_place(str(link), "--csv")
    write_whole(str(link), "one\n")
    assert link.is_symlink()
    assert table.read_text() == "one\n"
    write_document(link, {"id": "0"})
    assert link.is_symlink()
    assert table.read_text() == '{"id": "0"}\n'
    result = run("play", "--players", "hold*7", *SHORT, "--save", link, "--force")
    assert result.exit_code == 0, result.stderr
    assert link.is_symlink()
    assert len(list(read_games(table))) == 1


def test_games_put_in_order_stay_behind_a_link(tmp_path: Path) -> None:
    games, link = tmp_path / "games", tmp_path / "link"
    link.symlink_to(games)
    with GamesFile(link) as file:
        file.append(1, {"id": "1-0"})
        file.append(0, {"id": "0-0"})
    assert link.is_symlink()
    assert games.read_text() == '{"id": "0-0"}\n{"id": "1-0"}\n'


def test_two_options_do_not_share_a_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "one")
    check_places({"--csv": str(tmp_path / "one"), "--plot": str(tmp_path / "two"), "--save": None})
    with pytest.raises(BordeauxError, match=r"--plot: .*link is the file of --csv already"):
        check_places({"--csv": str(tmp_path / "one"), "--plot": str(tmp_path / "link")})
