"""Every reader of foreign texts is linear: four times the text takes at most five times the steps.

Each run takes some of the hostile texts; BORDEAUX_FUZZ=100 takes all of them (some minutes).
"""

from __future__ import annotations

import contextlib
import importlib
import inspect
import itertools
import pkgutil
import random
import re
from collections.abc import Callable, Iterator

import pytest

from bordeaux import BordeauxError, Map, Position, board, formats
from bordeaux.board.cleaning import csv_cell
from bordeaux.board.notation import parse_order, read_order
from bordeaux.formats.daide import position_from_daide
from bordeaux.formats.dui import orders_from_dson, position_from_dfen
from bordeaux.formats.load import position_in
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.formats.registry import game_of_pages
from bordeaux.studies.intake import read_any
from tests.patience import examples
from tests.steps import Counted, Steps, counted

__all__ = ["counted"]

SHORT, LONG = 40, 800
MOST = 5
START, MAP = Position.start(), Map.standard()

READERS: dict[str, tuple[str, Callable[[str], object]]] = {
    "pages": ("<html>Spring 1901<br>", game_of_pages),
    "orders": ("", lambda text: orders_from_text(text, START, [])),
    "anything": ("", lambda text: read_any(text.encode())),
    "position": ("S1901M\nFRANCE: A PAR; ", lambda text: position_in(text.encode())),
    "script": ("Spring 1901\nvar unitsByPlayer = {", lambda text: position_in(text.encode())),
    "order": ("", lambda text: parse_order(text, MAP, START)),
    "DSON": ("", lambda text: orders_from_dson(text, MAP, START)),
    "DFEN": ("1901fr/Aavie/-/", position_from_dfen),
    "DAIDE": ("NOW (SPR 1901) ", position_from_daide),
    "cell": ("=", csv_cell),
}
"""Readers, each with a beginning that it takes for its own."""

FILLED = {"Map": MAP, "Position": START, "str": "x.map", "Beside": lambda other: ""}
"""What readers want besides their text, by its annotation."""
NO_READERS = {"as_codes", "codes_in", "start_of"}
"""They take what we have made ourselves."""


def found() -> dict[str, tuple[str, Callable[[str], object]]]:
    """Every public function of the rooms of readers that takes a text first, and no more than FILLED has."""
    readers: dict[str, tuple[str, Callable[[str], object]]] = {}
    for room in (board, formats):
        for info in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            module = importlib.import_module(info.name)
            for name, function in inspect.getmembers(module, inspect.isfunction):
                if name.startswith("_") or function.__module__ != info.name or name in NO_READERS:
                    continue
                text, *others = inspect.signature(function).parameters.values() or (None,)
                more = [other.annotation for other in others if other.default is other.empty]
                if text is not None and text.annotation in ("str", "bytes") and set(more) <= FILLED.keys():
                    readers[f"{info.name}.{name}"] = "", called(function, text.annotation == "bytes", more)
    return readers


def called(function: Callable[..., object], binary: bool, more: list[str]) -> Callable[[str], object]:
    rest = [FILLED[annotation] for annotation in more]
    return lambda text: function(text.encode() if binary else text, *rest)


FOUND = found()

HOSTILE = [
    *("<a ", "<!--", "<![", "<", "<td>", "<a b='", "<script>", "<title>", "<meta content='", "&#", "&amp"),
    *("http://x/#", "#", "\f", "x\f", " ", "\t", "\n", "(", ")", "(]", "[", "{", ", ", ";", ": ", "- ", "."),
    *("9", "A ", "A PAR - ", "A PAR H, ", "A PAR S (\n", "FRANCE: ", "France\n", "Spring 1901\n", "(a b "),
    *("Results for Spring of 1901 (x.S1901M)\n", "3 builds ", "the army at ", "and ", "unknown:\n"),
    *("unit positions ", "unitsByPlayer", "x={", "'", '"', "\\'", "/*", "((", "Aavie<boh,", "MTO ", "/game/"),
    *("Content-Type: multipart/x; boundary=a\n\n--a\n", "Content-Type: message/rfc822\n\n"),
]
MAPS = [
    ("COAST par ABUTS bur\nFRANCE par\n", unit, "x")
    for unit in (
        *("FRANCE @\n", "FRANCE @\nUNPLAYED FRANCE\n", "A @\n", "RULE @\n", "POWER@ @\n"),
        *("COAST @ ABUTS par\n", "COAST par ABUTS @\n", "@ = @ @\n", "Name = par @\n"),
    )
]
"""Texts of maps; ``@`` is another word each time."""
ODD = [
    ("A PAR H (a b", " ", "x"),
    ("unit positions", "\t", "x"),
    ("#", "&", "shared=x y"),
    ("MIME-Version: 1.0\n", "Content-Type: multipart/x; boundary=a\n\n--a\n", "x"),
    ("MIME-Version: 1.0\nContent-Type: text/html\n\n", "<p ", "x"),
    ("var orders = {'a': ", "{'a': ", "/*"),
]
TAILS = ("x", "\n\nx", ")", "'", "-->", ">")


@pytest.mark.filterwarnings("ignore::bordeaux.board.errors.ReadingNote")
@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_at_most_five_times_the_steps(
    name: str, counted: Callable[[Callable[[], object]], int]
) -> None:
    head, read = READERS[name]
    texts = [(head, unit, TAILS[number % len(TAILS)]) for number, unit in enumerate(HOSTILE)] + ODD
    assert slow_texts(random.Random(name).sample(texts, min(len(texts), examples(20))), read, counted) == {}


@pytest.mark.filterwarnings("ignore::bordeaux.board.errors.ReadingNote")
@pytest.mark.parametrize("name", FOUND)
def test_so_does_every_reader_that_there_is(
    name: str, counted: Callable[[Callable[[], object]], int]
) -> None:
    head, read = FOUND[name]
    texts = [*MAPS, *((head, unit, "x") for unit in HOSTILE)]
    if name.endswith("package_map"):
        assert slow_texts(MAPS, read, counted, LONG) == {}
    assert slow_texts(random.Random(name).sample(texts, min(len(texts), examples(4))), read, counted) == {}


def words() -> Iterator[str]:
    """Words of letters, each another one."""
    return ("".join(letters) for letters in itertools.product("bcdfg", repeat=6))


def slow_texts(
    texts: list[tuple[str, str, str]],
    read: Callable[[str], object],
    counted: Callable[[Callable[[], object]], int],
    length: int = SHORT,
) -> dict[tuple[str, str, str], tuple[int, int]]:
    """The texts that take more than MOST times the steps if they are four times as long."""

    def steps(text: str) -> int:
        read_order.cache_clear()

        def work() -> None:
            with contextlib.suppress(BordeauxError):
                read(text)

        return counted(work)

    slow = {}
    for begin, unit, tail in texts:
        counts = (1 + times * length // len(unit) for times in (1, 4))
        made = ("".join(unit.replace("@", word) for word in itertools.islice(words(), n)) for n in counts)
        short, long = (steps(begin + text + tail) for text in made)
        if long > MOST * short:
            slow[begin, unit, tail] = short, long
    return slow


@pytest.mark.parametrize(
    ("pattern", "unit", "count"),
    [
        (r"\d+\.?\d*x", "1", 30),
        (r"(?:a+b?)+c", "a", 3),
        (r"\s*x", " ", 30),
        (r"<!--.*?-->", "<!--", 30),
    ],
)
def test_what_is_not_linear_shows(pattern: str, unit: str, count: int) -> None:
    numbers = []
    for times in (1, 4):
        steps = Steps()
        assert Counted(re.compile(pattern), steps).search(unit * count * times) is None
        numbers.append(steps.number)
    assert numbers[1] > MOST * numbers[0]
