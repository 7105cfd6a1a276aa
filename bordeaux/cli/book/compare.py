"""``bordeaux book compare``: two books, or a book and a collection of games."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.board.phase import Phase
from bordeaux.cli.book import STANDARD, book_option
from bordeaux.cli.options import count_option, json_option, processes_option
from bordeaux.cli.report.output import Phrases, percent, plural, print_json, print_table, print_text, table
from bordeaux.cli.report.progress import counting
from bordeaux.jobs import available_cores
from bordeaux.openings.book import Book, phase_order
from bordeaux.openings.making.comparison import Difference, collect_games, compare, compare_games, places
from bordeaux.openings.schema import is_book

LISTED = 12
MOST_LISTED = 100_000


@click.command("compare")
@book_option
@click.argument("second", metavar="BOOK|GAMES")
@click.option("--power", metavar="P", default="", help="Only sets of this power.")
@click.option("--phase", metavar="NAME", default="", help="Only sets of this phase, like F1901M.")
@count_option("--limit", between=(1, MOST_LISTED), default=LISTED, help="Sets in each list.")
@processes_option("Processes that read games.  [default: one a core]")
@json_option
def command(
    source: str, second: str, power: str, phase: str, limit: int, processes: int | None, as_json: bool
) -> None:
    """Compare a book with another one, or with recorded games.

    The other BOOK is a file, or the word standard for the one that comes with Bordeaux; GAMES is a file of
    saved games. Sets are listed by surprise: how far the two ways to play differ there, 0 for not at all. Of
    games there are two lists, what people play that the engine dislikes, and the reverse; where the engine
    has not searched, the book stands for it.

    \b
    Examples:
      bordeaux book compare mine.jsonl
      bordeaux book compare games.jsonl.gz --book mine.jsonl --power AUSTRIA --limit 5
    """
    book = Book.named(source)
    if power:
        power = book.map.power(power)
    if phase:
        phase = str(Phase.parse(phase, book.map.start_phase.year))
        known = sorted({place.phase for place in places(book)}, key=phase_order)
        if phase not in known:
            raise BordeauxError(f"--phase: the book has no sets of {phase}; its phases: {', '.join(known)}")
    if second == STANDARD or is_book(second):
        differences = of_phase(compare(book, Book.named(second), power), phase)
        if as_json:
            print_json(
                {
                    "differences": [difference.to_json() for difference in differences[:limit]],
                    "all": len(differences),
                }
            )
        else:
            heading = f"{source} against {second}: {plural(len(differences), 'set')} of orders that differ"
            names = Path(source).stem, Path(second).stem
            sides = names if names[0] != names[1] else ("first", "second")
            show(heading, differences[:limit], sides, books=True)
        return
    with counting("games") as counter:
        games, played = collect_games(second, book, processes or available_cores(), counter.update)
    differences = of_phase(compare_games(book, played, power), phase)
    people = [difference for difference in differences if difference.second > difference.first]
    engine = [difference for difference in differences if difference.second < difference.first]
    if as_json:
        print_json(
            {
                "games": games,
                "people": [difference.to_json() for difference in people[:limit]],
                "engine": [difference.to_json() for difference in engine[:limit]],
            }
        )
        return
    print_text(f"{plural(games, 'game')}, {plural(len(differences), 'set')} at places that the book knows")
    show("People play it, the engine dislikes it", people[:limit], ("engine", "people"))
    show("The engine likes it, people do not play it", engine[:limit], ("engine", "people"))
    if any(not difference.engine for difference in (*people[:limit], *engine[:limit])):
        print_text("(b) not searched: the share is the book's, not the engine's")


def of_phase(differences: Iterable[Difference], phase: str) -> list[Difference]:
    """The differences of one phase, or all."""
    return [difference for difference in differences if not phase or difference.place.phase == phase]


def show(
    heading: str, differences: Iterable[Difference], sides: tuple[str, str], books: bool = False
) -> None:
    """Print a list of differences."""
    listed = list(differences)
    numbers = [*sides, "games", "score", "score there", "loss", "surprise"]
    heads = [head for head in numbers if head != ("games" if books else "score there")]
    made = table("power", "phase", "name", "orders", *heads, numbers=heads)
    for difference in listed:
        cells = {
            sides[0]: percent(difference.first) + ("" if difference.engine or books else " (b)"),
            sides[1]: percent(difference.second),
            "games": f"{difference.games:,}",
            "score": share(difference.value),
            "score there": share(difference.second_value),
            "loss": share(difference.loss),
            "surprise": f"{difference.surprise:.2f}",
        }
        made.add_row(
            difference.place.power,
            difference.place.phase,
            difference.name,
            Phrases(difference.orders),
            *(cells[head] for head in heads),
        )
    if listed:
        print_table(heading, made)
    else:
        print_text(f"{heading}: nothing")


def share(value: float | None) -> str:
    """A value; "" for None."""
    return "" if value is None else percent(value)
