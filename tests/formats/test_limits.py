"""Files that would take very long, or all memory, are refused early.

The tests measure work, not time: bytes that were unpacked, and memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

import click
import numpy as np
import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.arena.presets import own_preset
from bordeaux.arena.tournament import GamesFile, Log
from bordeaux.board.map import parse_map
from bordeaux.board.toml import DEEPEST, MOST_KEYS, parse_toml
from bordeaux.cli.human import plain_lines
from bordeaux.cli.join import _password as password_in
from bordeaux.cli.program import FILE, input_lines, read_settings
from bordeaux.evaluation import evaluator
from bordeaux.evaluation.prospect import learnt_value, load_value_net, load_weights
from bordeaux.formats import source as source_module
from bordeaux.formats.games import read_games
from bordeaux.formats.load import read_position
from bordeaux.formats.order_sheet import read_orders
from bordeaux.formats.source import LARGEST_ARRAYS, LARGEST_TEXT, MOST_BLANK
from bordeaux.openings.book import Book
from bordeaux.openings.making.build import SearchJournal
from bordeaux.openings.making.rules import Rules
from bordeaux.policy.net import load_net
from bordeaux.review.journal import Journal
from bordeaux.search.config import SearchConfig

MEGABYTE = 1 << 20
START = Position.start()


class Endless(io.RawIOBase):
    """Bytes that never end, with a beginning; `given` counts what was read of them."""

    def __init__(self, beginning: bytes, unit: bytes) -> None:
        self.beginning = beginning
        self.unit = unit * (1 + 65536 // len(unit))
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data, self.beginning = self.beginning or self.unit, b""
        count = min(len(buffer), len(data))
        buffer[:count] = data[:count]
        self.given += count
        return count


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes, bytes], Endless]]:
    """Makes the next source one without an end, as 10 GB of blank lines under gzip are for all practical
    purposes; memory is measured from then on."""

    def prepare(beginning: bytes, unit: bytes) -> Endless:
        stream = Endless(beginning, unit)
        handle = cast(IO[bytes], io.BufferedReader(stream))
        monkeypatch.setattr(source_module, "unpacked", lambda file: handle)
        tracemalloc.start()
        return stream

    yield prepare
    tracemalloc.stop()


@contextlib.contextmanager
def little_memory(most: int) -> Iterator[None]:
    """What is done in the block takes less than so many bytes."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()


BLANK = (b"\n", b"\t" * 80 + b"\r\n")


@pytest.mark.parametrize("unit", BLANK, ids=repr)
def test_blank_lines_without_an_end(tmp_path: Path, endless: Any, unit: bytes) -> None:
    path = tmp_path / "blank.json.gz"
    path.touch()
    game = json.dumps({"id": "g", "phases": [{"name": "S1901M", "state": START.to_json()}]}).encode()
    for read in (read_position, lambda source: list(read_games(source))):
        for beginning in (b"", game + b"\n"):
            stream = endless(beginning, unit)
            with pytest.raises(BordeauxError, match=r"blank\.json\.gz.*more than 64 kB of blank lines"):
                read(path)
            assert stream.given < len(beginning) + MOST_BLANK + MEGABYTE
            assert tracemalloc.get_traced_memory()[1] < 8 * MEGABYTE


@pytest.mark.parametrize("beginning", [b"S1901M\n", b"NOW (SPR 1901)\n", b"FRANCE: A PAR H\n", b""])
def test_plain_text_without_an_end(tmp_path: Path, endless: Any, beginning: bytes) -> None:
    """A line for every byte takes a hundred times the memory of the text."""
    path = tmp_path / "text.gz"
    path.touch()
    readers: list[Callable[[Path], object]] = [lambda source: read_orders(str(source), START)]
    readers += [read_position] if beginning[:1] in b"SN" and beginning else []
    for read in (*readers, Rules.load):
        stream = endless(beginning, b"\n")
        with pytest.raises(BordeauxError, match=f"more than {LARGEST_TEXT >> 20} MB in one document"):
            read(path)
        assert stream.given < LARGEST_TEXT + MEGABYTE
        assert tracemalloc.get_traced_memory()[1] < 4 * LARGEST_TEXT


DEEP = 100_000
MANY = 300_000
REFUSED = {
    "a deep key": ("a." * DEEP + "a = 1", f"a key of more than {DEEPEST} parts"),
    "a deep key with blanks": ("a . " * DEEP + "a = 1", f"a key of more than {DEEPEST} parts"),
    "a deep key in quotes": ('"a".' * DEEP + "a = 1", f"a key of more than {DEEPEST} parts"),
    "a deep key in other quotes": ("'a'." * DEEP + "a = 1", f"a key of more than {DEEPEST} parts"),
    "a deep table": ("[" + "a." * DEEP + "a]", f"a key of more than {DEEPEST} parts"),
    "a deep key in a table": ("x = {" + "a." * DEEP + "a = 1}", f"a key of more than {DEEPEST} parts"),
    "many keys": ("".join(f"key{n} = 1\n" for n in range(MANY)), f"more than {MOST_KEYS:,} keys"),
    "many tables": ("  [[a]]\n" * MANY, f"more than {MOST_KEYS:,} keys"),
    "brackets": ("x = " + "[" * DEEP, "nested too deeply"),
    "a long number": ("x = " + "9" * 10_000, "Exceeds the limit"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_toml_that_no_file_of_ours_has(kind: str) -> None:
    text, says = REFUSED[kind]
    with little_memory(10 * len(text) + 8 * MEGABYTE):
        for read in (parse_toml, parse_map, Rules.read, SearchConfig.from_toml):
            with pytest.raises(BordeauxError) as caught:
                read(text)
            assert says in str(caught.value)
            assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "text", ["a" * MEGABYTE, '"' * MEGABYTE, "a " * MEGABYTE, "a-" * MEGABYTE, "'\\\"" * MEGABYTE]
)
def test_what_is_looked_for_is_found_in_one_go(text: str) -> None:
    """A search that went back for every letter would take hours here."""
    with pytest.raises(BordeauxError):
        parse_toml(text)


def test_dots_in_texts_are_no_parts_of_keys() -> None:
    dots = ". ".join(["and so on"] * 200) + "." * 200
    assert parse_toml(f"a.b = \"{dots}\"\nc = '{dots}'")["a"] == {"b": dots}
    assert parse_toml("a = [" + "0.5, " * 100 + "]")["a"] == [0.5] * 100
    assert parse_toml("x." * 15 + "y = 1")


def no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard input is a line without an end."""
    handle = io.BufferedReader(Endless(b"", b"x"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(handle))


def settings(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FILE, str(path))
    read_settings()


NAMED: dict[str, Callable[[Path, pytest.MonkeyPatch], object]] = {
    "policy": lambda path, _: load_net(path),
    "value": lambda path, _: learnt_value(Map.standard(), str(path)),
    "value net": lambda path, _: load_value_net(path),
    "prospect": lambda path, _: load_weights(path),
    "evaluation": lambda path, _: evaluator(Map.standard(), str(path)),
    "settings": settings,
    "table of players": lambda path, _: own_preset(path),
    "password": lambda path, _: password_in(str(path)),
    "results": lambda path, _: Log(path, {}),
    "games": lambda path, _: GamesFile(path, [1]),
    "review": lambda path, _: Journal(path, {}),
    "searches": lambda path, _: SearchJournal(path, {}),
    "book": lambda path, _: Book.load(str(path)),
    "map": lambda path, _: Map.load(str(path)),
    "orders": lambda path, _: read_orders(str(path), START),
    "games of people": lambda path, _: list(read_games(path)),
}
SEEKING = ("policy", "value", "value net", "prospect", "evaluation", "results", "games", "review", "searches")
"""Their readers go to and fro in a file, so /dev/zero is not all that can be too long for them."""


@pytest.mark.parametrize(
    ("kind", "hole"), [*((kind, False) for kind in NAMED), *((kind, True) for kind in SEEKING)]
)
def test_every_file_that_is_named_has_a_size_at_which_its_reader_stops(
    kind: str, hole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path("/dev/zero")
    if hole:
        monkeypatch.chdir(tmp_path)
        path = Path("hole.npz")
        with path.open("wb") as handle:
            handle.truncate(10 << 30)
    with little_memory(300 * MEGABYTE), pytest.raises((BordeauxError, click.UsageError)) as caught:
        NAMED[kind](path, monkeypatch)
    assert len(str(caught.value).splitlines()) == 1 and path.name in str(caught.value)


UNLIMITED = re.compile(
    r"\.read_bytes\(\)|\.read_text\(|np\.load\(|tomllib\.load\(|json\.load\(|\.readlines\(|\.read(line)?\(\)"
)
OURS = re.compile(r'resources\.files|files\("bordeaux|_DATA / |__file__|\b(turn|settings|reader)\.read\(\)')
KNOWN = {
    "bordeaux/arena/tournament.py": "its lines have been read before",
    "bordeaux/cli/program.py": "modules of the package",
    "bordeaux/daide/language/grammar.py": "a file of the package",
    "bordeaux/daide/server/fill.py": "asyncio has a limit for a line",
    "bordeaux/formats/source.py": "their sizes are added up before",
    "bordeaux/jobs/supervisor.py": "a file of the system",
    "bordeaux/view/textmap.py": "a file of the package",
    "bordeaux/web/reviews.py": "what the page itself has written",
    "bordeaux/web/standalone/__init__.py": "files of the package",
}


def test_no_reader_of_files_is_without_a_limit() -> None:
    root, found = Path(__file__).resolve().parents[2], set()
    for room, name in (
        ("bordeaux", "bordeaux"),
        ("openings", "bordeaux/openings"),
        ("metamap", "bordeaux/metamap"),
    ):
        for path in (root / room).rglob("*.py"):
            lines = path.read_text("utf-8").splitlines()
            if any(UNLIMITED.search(line) and not OURS.search(line) for line in lines):
                found.add(f"{name}/{path.relative_to(root / room)}")
    assert found == set(KNOWN), "give the reader a limit, as bordeaux.formats.source does, or say why not"


def test_arrays_that_are_small_when_they_are_packed(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    np.savez_compressed(path, header=np.zeros(LARGEST_ARRAYS, np.uint8))
    assert path.stat().st_size < MEGABYTE
    Map.standard()
    with little_memory(LARGEST_ARRAYS + MEGABYTE):
        for read in (load_net, load_value_net, load_weights):
            with pytest.raises(BordeauxError, match=r"bomb\.npz.*more than 64 MB when it is unpacked"):
                read(path)


def test_a_line_of_commands_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    no_end(monkeypatch)
    with pytest.raises(BordeauxError, match="standard input: a line of more than 100,000 characters"):
        next(input_lines())

    async def first() -> None:
        async for _ in plain_lines():
            raise AssertionError("a line without an end has come to one")

    no_end(monkeypatch)
    with pytest.raises(BordeauxError, match="standard input: a line of more than 100,000 characters"):
        asyncio.run(first())
