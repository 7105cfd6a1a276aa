"""Tables and help texts in narrow windows: no word and no number is broken."""

from __future__ import annotations

import csv
import io
import json
import os
import socket
from pathlib import Path

import pytest
from rich.console import Console

from bordeaux.arena.tournament import GamesFile
from bordeaux.board.cleaning import clean
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.report import output
from bordeaux.cli.report.output import (
    Phrases,
    check_place,
    check_places,
    console,
    fitted,
    print_json,
    write_whole,
)
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.formats.games import read_games, write_document
from bordeaux.openings.book import to_csv
from bordeaux.view.book import report
from tests.board.test_cleaning import EVIL
from tests.cli.processes import PATIENCE, piped, terminal
from tests.daide.client.house import House, house
from tests.openings.small_book import small_book

from .conftest import Run, complaint, shown


@pytest.mark.parametrize("width", [32, 80, 140, 400])
def test_what_has_no_room_beside_stands_in_lines(width: int) -> None:
    figures = ["engine", "people", "games", "value"]
    made = output.table("player", "phase", "orders", *figures, numbers=figures)
    orders = ["A VIE - GAL", "F TRI - ALB", "A BUD - SER", "F AEG S F STP/SC - BOT"]
    for number in range(3):
        cells = ["12.3 % (b)", "100.0 %", "12,345", "0.143\n(0.122-0.222)"]
        made.add_row(f"bordeaux:nodes={number}", "S1901M", Phrases(orders), *cells)
    lines = shown(fitted(made, Console(width=width)), width)
    assert all(len(line) <= width for line in lines)
    text = "\n".join(lines)
    assert text.count("bordeaux:nodes=") == text.count("F AEG S F STP/SC - BOT") == 3
    assert text.count("12.3 % (b)") == text.count("(0.122-0.222)") == 3
    assert text.count("player") == (3 if width < 140 else 1)


def test_phrases_end_lines_between_them() -> None:
    phrases = Phrases(["A VIE - GAL", "F TRI - ALB", "A BUD - SER"])
    assert shown(phrases, 30) == ["A VIE - GAL; F TRI - ALB;", "A BUD - SER"]
    assert shown(phrases, 12) == ["A VIE - GAL;", "F TRI - ALB;", "A BUD - SER"]
    assert str(phrases) == "A VIE - GAL; F TRI - ALB; A BUD - SER"


NAME = "Mallory\x1b]0;owned\x07\r\n\x9b2J\u202e"
OBEYED = ("\x1b]0;owned", "\x9b", "\u202e", "\x07")


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
        served.stop()
        out, _ = process.communicate(timeout=PATIENCE)
    assert all(line.isprintable() for line in out.split("\n"))
    talk = [json.loads(line) for line in out.splitlines() if "Mallory" in line]
    texts = [letter["text"].encode("utf-8", "surrogateescape") for letter in talk]
    assert texts == [text.encode("utf-8", "surrogateescape") for text in EVIL.values()]


@pytest.mark.parametrize("command", ["observe", "human"])
@pytest.mark.slow
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


def test_everything_on_a_console_goes_through_it(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setenv("COLUMNS", "0")
    shown = console(stream)
    for text in EVIL.values():
        shown.print(text)
        shown.print({text: text})
    told = stream.getvalue()
    assert told.strip() and all(line.isprintable() for line in told.split("\n"))


def test_json_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    print_json(EVIL)
    out = capsys.readouterr().out
    assert out[:-1].isprintable() and json.loads(out) == EVIL


def test_reports_and_tables_of_a_book_by_others() -> None:
    evil = "=cmd|'/C calc'!A0\x1b[2J\u202e<script>"
    book = small_book(name=evil)
    page = report(book, evil)
    assert "<script" not in page and all(line.isprintable() for line in page.split("\n"))
    cells = [cell for row in csv.reader(io.StringIO(to_csv(book))) for cell in row]
    assert cells and not any(cell.startswith(("=", "@", "\t", "\r")) for cell in cells)


@pytest.mark.slow
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


SHORT = ("--until", "1901", "--nodes", "5")


@pytest.mark.parametrize("option", ["--save", "--games-file", "--csv", "--plot"])
def test_a_pipe_is_not_replaced(run: Run, tmp_path: Path, option: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused = complaint(run("arena", "--players", "hold", *SHORT, "--games", "1", option, pipe))
    assert f"{option}: {pipe} is no ordinary file" in refused
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
