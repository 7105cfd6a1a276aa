"""Errors for people: what is wrong, where, and how to correct it, in one line."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


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


@contextmanager
def placed(where: str, kind: type[BordeauxError] | None = None) -> Iterator[None]:
    """Errors inside have the place `where` before their text, and are of that `kind` or of their own."""
    try:
        yield
    except BordeauxError as error:
        raise (kind or type(error))(f"{where}: {error}") from None


def nearest(word: str, choices: Iterable[str]) -> str:
    """Return ``"; did you mean 'X'?"`` for the choice most like `word`, or an empty string."""
    by_fold = {choice.casefold(): choice for choice in choices}
    near = difflib.get_close_matches(word.casefold()[:60], by_fold, n=1, cutoff=0.65)
    return f"; did you mean {by_fold[near[0]]!r}?" if near else ""


def quote(text: object, limit: int = 60) -> str:
    """Quote user input for an error message, cut to `limit` characters."""
    shown = text if isinstance(text, str) else _shown(text)
    return repr(shown if len(shown) <= limit else shown[:limit] + "...")


def _shown(value: object) -> str:
    """A value in a message; a text in quotes."""
    if isinstance(value, str):
        return quote(value)
    try:
        shown = " ".join(repr(value).split())
    except ValueError:
        # Python prints no number of more than some thousand digits.
        return "a number of many digits"
    return shown if len(shown) <= 60 else shown[:60] + "..."


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """The value of an argument, a whole number (NumPy's too) from `least` to `most`. Raises BordeauxError."""
    if not isinstance(value, bool) and isinstance(value, Integral):
        number = int(value)
        if least <= number and (most is None or number <= most):
            return number
    bounds = f"from {least} on" if most is None else f"from {least} to {most}"
    raise BordeauxError(f"{name} must be a whole number {bounds}, not {_shown(value)}")


def positive(name: str, value: object) -> float:
    """The value of an argument, a finite number above 0. Raises BordeauxError."""
    if not isinstance(value, bool) and isinstance(value, Real):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if 0 < number < math.inf:
            return number
    raise BordeauxError(f"{name} must be a positive number, not {_shown(value)}")


def of_kind(name: str, value: T, kind: Any, what: str, error: type[BordeauxError] = BordeauxError) -> T:
    """The value of an argument if it is of a kind, which the message calls `what`. Raises `error`."""
    if not isinstance(value, kind):
        raise error(f"{name} must be {what}, not {_shown(value)}")
    return value


def flag(name: str, value: bool) -> bool:
    """The value of an argument, True or False. Raises BordeauxError."""
    return of_kind(name, value, bool, "True or False")


def name_of(source: str | Path) -> str:
    """The name of a source in a message: standard input, or the path, shortened to its end."""
    name = str(source)
    if name == "-":
        return "standard input"
    printable = name if name.isprintable() else repr(name)[1:-1]
    return printable if len(printable) <= 100 else "..." + printable[-100:]
