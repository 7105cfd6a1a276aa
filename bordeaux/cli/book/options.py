"""Options that the commands about books share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.openings.book import Book

__all__ = ["book_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


def book_option(command: Command) -> Command:
    """Add --book FILE; the command gets the `Book` as ``book``, the shipped one without the option."""
    return click.option(
        "--book",
        "book",
        metavar="FILE",
        callback=lambda context, option, path: Book.load(path),
        help="The book; else the one that comes with Bordeaux.",
    )(command)
