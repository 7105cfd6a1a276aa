"""Options that the commands about books share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.openings.book import Book

__all__ = ["STANDARD", "book_name", "book_option"]

STANDARD = "standard"
"""The name of the book that comes with Bordeaux."""
_NAME = "bordeaux.book"

Command = TypeVar("Command", bound=Callable[..., Any])


def book_option(command: Command) -> Command:
    """Add --book FILE; the command gets the `Book` as ``book``, by default or for the name `STANDARD` the
    bundled one. `book_name` gives its name."""
    return click.option(
        "--book",
        "book",
        metavar="FILE",
        default=STANDARD,
        callback=_loaded,
        help="The book; else, or as standard, the one that comes with Bordeaux.",
    )(command)


def book_name() -> str:
    """The user's name of this command's book."""
    name: str = click.get_current_context().meta.get(_NAME, STANDARD)
    return name


def _loaded(context: click.Context, option: click.Parameter, name: str) -> Book:
    context.meta[_NAME] = name
    return Book.named(name)
