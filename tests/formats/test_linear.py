"""Every reader of foreign texts is linear: four times the text takes at most five times the steps.

Each run takes some of the hostile texts; BORDEAUX_FUZZ=100 takes all of them (some minutes).
"""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable

import pytest

from bordeaux import BordeauxError, Map, Position
from bordeaux.board.cleaning import csv_cell
from bordeaux.board.notation import parse_order, read_order
from bordeaux.formats.daide import position_from_daide
from bordeaux.formats.dui import orders_from_dson, position_from_dfen
from bordeaux.formats.hobby import game_of_pages
from bordeaux.formats.load import position_in
from bordeaux.formats.order_sheet import orders_from_text
from bordeaux.studies.intake import read_any
from tests.fuzzing import examples
from tests.steps import Counted, Steps, counted

__all__ = ["counted"]

SHORT = 60
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

HOSTILE = [
    *("<a ", "<!--", "<![", "<", "<td>", "<a b='", "<script>", "<title>", "<meta content='", "&#", "&amp"),
    *("http://x/#", "#", "\f", "x\f", " ", "\t", "\n", "(", ")", "(]", "[", "{", ", ", ";", ": ", "- ", "."),
    *("9", "A ", "A PAR - ", "A PAR H, ", "A PAR S (\n", "FRANCE: ", "France\n", "Spring 1901\n", "(a b "),
    *("Results for Spring of 1901 (x.S1901M)\n", "3 builds ", "the army at ", "and ", "unknown:\n"),
    *("unit positions ", "unitsByPlayer", "x={", "'", '"', "\\'", "/*", "((", "Aavie<boh,", "MTO ", "/game/"),
    *("Content-Type: multipart/x; boundary=a\n\n--a\n", "Content-Type: message/rfc822\n\n"),
]
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

    def steps(text: str) -> int:
        read_order.cache_clear()

        def work() -> None:
            with contextlib.suppress(BordeauxError):
                read(text)

        return counted(work)

    slow = {}
    texts = [(head, unit, TAILS[number % len(TAILS)]) for number, unit in enumerate(HOSTILE)] + ODD
    for begin, unit, tail in random.Random(name).sample(texts, min(len(texts), examples(20))):
        short, long = (steps(begin + unit * (1 + times * SHORT // len(unit)) + tail) for times in (1, 4))
        if long > MOST * short:
            slow[begin, unit, tail] = short, long
    assert slow == {}


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
