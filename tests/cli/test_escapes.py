"""Names, talk and press of strangers on the terminals of `observe`, `human` and `bot`, and in files."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import socket
from functools import partial
from pathlib import Path

import pytest

from bordeaux.board.cleaning import clean
from bordeaux.cli.report.output import console, print_json
from bordeaux.daide import language as d
from bordeaux.daide import wire
from bordeaux.openings.book import Book
from bordeaux.openings.export import to_csv
from bordeaux.view.book import report
from tests.board.test_cleaning import EVIL
from tests.cli.processes import PATIENCE, piped, terminal
from tests.daide.client.house import House, house

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
    """Let all accept a draw, whoever plays."""
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
