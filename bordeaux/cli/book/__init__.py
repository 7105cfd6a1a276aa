"""``bordeaux book``: opening books; one module per command, as in `bordeaux.cli`."""

from __future__ import annotations

import click

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.cli.program import CommandGroup
from bordeaux.formats.load import START, read_position
from bordeaux.openings.book import Book


@click.command(
    "book",
    cls=CommandGroup,
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
book_option = click.option(
    "--book",
    "source",
    metavar="FILE",
    default=STANDARD,
    help="The book; else, or as standard, the one that comes with Bordeaux.",
)
"""Add --book FILE; the command gets a name for `Book.named` as ``source``."""


def position_of(source: str, phase: str | None, map: Map | None, book: Book) -> Position:
    """The position of a command, as by `read_position`; ``start`` is that of the book."""
    return read_position(source, phase, map or (book.map if source == START else None))
