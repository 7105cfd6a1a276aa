"""What comes from outside is cleaned before people meet it: terminals, logs, HTML, CSV, JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bordeaux.board.cleaning import clean, csv_cell, html_text, json_line

EVIL = {
    "clears the screen": "\x1b[2J",
    "sets the title": "\x1b]0;owned\x07",
    "fakes a line": "x\nbordeaux: you have lost",
    "overwrites": "secret\rpublic",
    "rings": "\x07",
    "ends C strings": "a\0b",
    "is a CSI of eight bits": "\x9b31m",
    "turns writing round": "\u202eecnarF",
    "marks a direction": "\u200f",
    "is invisible": "a\u200bb",
    "separates lines": "a\u2028b\u2029c\x85d",
    "is half a character": "\udc9b",
    "is a tag": "\U000e0041",
}


@pytest.mark.parametrize("text", EVIL.values(), ids=EVIL.keys())
def test_nothing_that_a_terminal_obeys_is_left(text: str) -> None:
    for shown in (clean(text), clean(text, lines=True).replace("\n", ""), html_text(text).replace("\n", "")):
        assert shown.isprintable()
    assert "\n" not in clean(text)
    assert all(letter in clean(text) for letter in text if letter.isprintable()), "nothing is lost"
    line = json_line({text: [text]})
    assert line.isprintable() and json.loads(line) == {text: [text]}


def test_what_people_write_stays_as_it_is() -> None:
    for text in ("Müller & Söhne", "Ærø, Łódź", "日本語", "\N{SNOWMAN} 100 %", ""):
        assert clean(text) == text
        assert json.loads(json_line(text)) == text and ("\\u" in json_line(text)) is False
    assert html_text("<b a='1'>&\"") == "&lt;b a=&#x27;1&#x27;&gt;&amp;&quot;"


@given(st.text(alphabet=st.characters()))
def test_any_text(text: str) -> None:
    assert clean(text).isprintable()
    assert set(clean(text, lines=True)) - {"\n"} <= set(clean(text))
    assert json.loads(json_line(text)) == text


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("=1+2", "'=1+2"),
        ("+SUM(A1)", "'+SUM(A1)"),
        ("-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("\t=1", "'\\t=1"),
        (" =1", "' =1"),
        ("-1.5", "-1.5"),
        ("+3e4", "+3e4"),
        ("A PAR - BUR", "A PAR - BUR"),
        (-1.5, -1.5),
        (None, None),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
    ],
)
def test_cells_are_never_formulas(value: object, cell: object) -> None:
    assert csv_cell(value) == cell
