"""``bordeaux book show``: the entries of a book for a position."""

from __future__ import annotations

import click

from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.cli.book import book_option, position_of
from bordeaux.cli.options import json_option, powers_of, powers_option, start_options, whole
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import Phrases, percent, print_json, print_table, print_text, table
from bordeaux.openings.book import Book
from bordeaux.openings.entry import Entry
from bordeaux.openings.names import entry_to_json, name_of

LISTED = 12
MOST_LISTED = 100_000


@click.command("show")
@start_options
@powers_option("Only this power; may be repeated.")
@book_option
@click.option(
    "--limit",
    type=whole(1, MOST_LISTED),
    metavar="N",
    help=f"Sets of a power that are listed; {LISTED} without --json.",
)
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    names: tuple[str, ...],
    source: str,
    limit: int | None,
    as_json: bool,
) -> int | None:
    """Show the orders that the book has for POSITION (start, without it), those first that it plays most.
    Those with weight 0 are there to be studied: the book does not play them.

    Score is the share of the final result that the engine expects, as in `orders`, in JSON `value`.
    Result is the mean share that players got, in JSON `score`: of the squared centres, 1 for a solo. The
    games are those in which a power played the set with the same units in the same phase, wherever the
    others stood. The exit code is 1 where the book has nothing.

    \b
    Examples:
      bordeaux book show --power AUSTRIA
      bordeaux book show game.json --phase F1901M --json
    """
    book = Book.named(source)
    where = position_of(position, phase, board, book)
    powers = powers_of(where.map, names or ("all",))
    entries = {power: listed for power in powers if (listed := book.entries(where, power))}
    if as_json:
        answers = {
            power: [entry_to_json(where, power, entry) for entry in listed[:limit]]
            for power, listed in entries.items()
        }
        print_json({"phase": str(where.phase), "exact": where in book, "powers": answers})
    elif not entries:
        print_text(f"{where.phase}: the book has nothing for this position.")
    else:
        print_found(where, book, entries, limit or LISTED)
    return None if entries else NO


def print_found(position: Position, book: Book, by_power: dict[str, tuple[Entry, ...]], limit: int) -> None:
    """Print a table for every power, with a maximum number of sets."""
    numbers = ("weight", "games", "result", "score")
    for power, entries in by_power.items():
        node = book.get(position)
        exact = "" if node is not None and power in node.powers else ", wherever the others stand"
        made = table(*numbers, "name", "orders", numbers=numbers)
        for entry in entries[:limit]:
            result = entry.record.score
            made.add_row(
                percent(entry.weight, 0),
                f"{entry.games:,}",
                "" if result is None else percent(result),
                "" if entry.value is None else percent(entry.value),
                name_of(power, entry.orders, str(position.phase), position.map) or "",
                Phrases(entry.orders),
            )
        print_table(f"{power}, {position.phase}{exact}", made)
        if len(entries) > limit:
            print_text(f"{len(entries) - limit} more, with --limit {len(entries)}")
    print_text(
        "Score is the share of the result that the engine expects, result the share that players got in"
        " recorded games. Games are recorded or published."
    )
