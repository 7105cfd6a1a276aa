"""``bordeaux book``: opening books; one module per command, as in `bordeaux.cli`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.program import CommandGroup
from bordeaux.openings.book import Book

__all__ = ["STANDARD", "book_file", "book_name", "book_option", "command"]


@click.command(
    "book",
    cls=CommandGroup,
    invoke_without_command=True,
    no_args_is_help=False,
    package="bordeaux.cli.book",
    command_names=("show", "explore", "name", "compare", "novelties", "export", "verify", "build"),
)
@click.pass_context
def command(context: click.Context) -> None:
    """Show, walk through, compare, export, check and build opening books.

    A book holds positions from Spring 1901 on with weighted sets of orders for every power. Without
    --book FILE it is the one that comes with Bordeaux.

    \b
    Examples:
      bordeaux book show start
      bordeaux book name "A PAR - BUR" "A MAR S A PAR - BUR" "F BRE - MAO"
      bordeaux book verify
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


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


def book_file(command: Command) -> Command:
    """Add FILE, which is short for --book FILE."""
    file = click.argument(
        "file", metavar="[FILE]", required=False, is_eager=True, expose_value=False, callback=_filed
    )
    return file(book_option(command))


def book_name() -> str:
    """The user's name of this command's book."""
    name: str = click.get_current_context().meta.get(_NAME, STANDARD)
    return name


def _filed(context: click.Context, argument: click.Parameter, name: str | None) -> None:
    if name is not None:
        context.meta[_NAME] = name


def _loaded(context: click.Context, option: click.Parameter, name: str) -> Book:
    filed = context.meta.setdefault(_NAME, name)
    if name not in (filed, STANDARD):
        raise BordeauxError(f"--book {name}: the book is {filed} already; name one")
    return Book.named(filed)
