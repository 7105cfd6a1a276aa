"""``bordeaux book explore``: navigate through a book in the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.book import book_option
from bordeaux.cli.options import count_option, json_option, map_option, phase_option, whole
from bordeaux.cli.prompt import input_lines
from bordeaux.cli.prompt.book_walk import WORDS, WalkGuide, WalkLeft
from bordeaux.cli.report import BAD_INPUT, report
from bordeaux.engine import Engine
from bordeaux.formats.load import read_position
from bordeaux.openings.book import Book
from bordeaux.openings.entry import SOURCES
from bordeaux.openings.making.walk import Walk, advised

LISTED = 12
MOST_LISTED = 10_000


@click.command("explore")
@click.argument("position", metavar="[POSITION]", default="start")
@phase_option
@map_option
@book_option
@click.option("--power", metavar="P", help="The power to look at first.")
@count_option("--limit", between=(1, MOST_LISTED), default=LISTED, help="Sets that are listed.")
@click.option("--games", "recorded", metavar="FILE", help="Recorded games, for the words results and games.")
@click.option(
    "--least",
    type=whole(0, MOST_LISTED),
    metavar="N",
    default=0,
    help="Only sets played in at least N games.",
)
@click.option("--source", type=click.Choice(SOURCES), help="Count the games of one source alone.")
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    book: Book,
    power: str | None,
    limit: int,
    recorded: str | None,
    least: int,
    source: str | None,
    as_json: bool,
) -> int:
    """Walk through a book from POSITION on (start, without it).

    It shows the sets of one power: their names, how often they are played, the results of their players,
    and the score that the engine expects. Enter a number to go on with that set; the others play their
    commonest sets. help lists all words. Where the book ends, the engine plays for powers without a set.
    Lines may come through a pipe. With --games the words results and games list recorded games that came
    to the same position, and their ends.

    \b
    Examples:
      bordeaux book explore
      bordeaux book explore --games games.jsonl.gz --source human --least 20
      printf 'FRANCE\\n1\\nbest\\nup\\nquit\\n' | bordeaux book explore start --power AUSTRIA
    """
    where = read_position(position, phase=phase, map=board or book.map)
    typed = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and not as_json
    bad = False
    with Engine(seed=0) as engine:
        walk = Walk(book, where, power, advised(engine))
        walk.least, walk.source = least, source or ""
        guide = WalkGuide(walk, limit, as_json, recorded)
        guide.show()
        try:
            for line in prompted(walk) if typed else input_lines():
                try:
                    guide.obey(line)
                except BordeauxError as error:
                    bad = not typed
                    report(str(error))
        except WalkLeft:
            pass
    return BAD_INPUT if bad else 0


def prompted(walk: Walk) -> Iterator[str]:
    """The lines typed at a prompt, with completion of words and powers."""
    words = [word for word in WORDS if word.islower()] + ["set", "orders", *walk.position.map.powers]
    session: PromptSession[str] = PromptSession(completer=WordCompleter(words, ignore_case=True))
    while True:
        try:
            yield session.prompt(f"{walk.power} {walk.position.phase}> ")
        except KeyboardInterrupt:
            continue  # as in a shell, Ctrl-C throws away the line; Ctrl-D leaves
        except EOFError:
            return
