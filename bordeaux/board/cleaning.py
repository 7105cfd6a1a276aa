"""Cleans text from outside before it is shown to people.

Names, press, books and games of others may contain anything. Examples are escape sequences that change a
terminal, line ends that fake output, characters that reverse the direction of writing, and spreadsheet
formulas. All code that shows, logs or writes such text for people cleans it with this module first. Data
for programs (JSON, saved games, the language of DAIDE) keep every character, escaped so that no terminal
interprets it.
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

#: The beginning of a cell that a spreadsheet computes.
_FORMULA = re.compile(r"\s*[=+\-@|%]")
_UNUSUAL = re.compile(r"[^ -~]")
_NUMBER = re.compile(r"\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


def clean(text: str, *, lines: bool = False) -> str:
    """Text with all unprintable characters escaped, as in ``\x1b[2J``.

    These are all characters that Unicode calls not printable: control characters of both sets with the tab,
    DEL, characters that change the direction of writing, invisible ones, and surrogates. Line ends are among
    them, and are kept only with `lines`.
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() or (lines and letter == "\n") else ascii(letter)[1:-1]
        for letter in text
    )


def html_text(text: str) -> str:
    """Text for HTML or SVG, also in an attribute."""
    return html.escape(clean(text, lines=True))


def csv_cell(value: object) -> object:
    """A value for a cell of a CSV file: text is cleaned, and text that a spreadsheet would read as a formula
    gets an apostrophe in front, which marks it as text. Numbers are unchanged."""
    if not isinstance(value, str):
        return value
    shown = clean(value)
    return f"'{shown}" if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else shown


def json_line(value: Any) -> str:
    """A value as JSON on one line that reads back as the same value; characters that `clean` would escape are
    escaped. Raises what `json.dumps` does."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else _UNUSUAL.sub(_json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    letter = match[0]
    return letter if letter.isprintable() else json.dumps(letter)[1:-1]
