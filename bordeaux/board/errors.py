"""Errors for people: what is wrong, where, and how to correct it, in one line."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class BordeauxError(ValueError):
    """Base of everything that Bordeaux raises for input it cannot accept; its text is one line."""


class MapError(BordeauxError):
    """A map file contradicts itself, or a name is not on the map."""


class PositionError(BordeauxError):
    """A position that is impossible on the board."""


class OrderError(BordeauxError):
    """An order that cannot be read, or that names something not on the map."""


class FormatError(BordeauxError):
    """A file or message in a form that Bordeaux does not read."""


class ReadingNote(UserWarning):
    """A part of a file that could not be read, or that differs from the rules. The rest is read."""


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'X'?"`` for the choice most like `word`, or an empty string."""
    by_fold = {choice.casefold(): choice for choice in choices}
    near = difflib.get_close_matches(word.casefold()[:60], by_fold, n=1, cutoff=0.6)
    return f"; did you mean {by_fold[near[0]]!r}?" if near else ""


def quote(text: object, limit: int = 60) -> str:
    """Quote user input for an error message, cut to `limit` characters."""
    shown = text if isinstance(text, str) else repr(text)
    return repr(shown if len(shown) <= limit else shown[:limit] + "...")


def name_of(source: str | Path) -> str:
    """The name of a source in a message: standard input, or the path, shortened to its end."""
    name = str(source)
    if name == "-":
        return "standard input"
    printable = name if name.isprintable() else repr(name)[1:-1]
    return printable if len(printable) <= 100 else "..." + printable[-100:]
