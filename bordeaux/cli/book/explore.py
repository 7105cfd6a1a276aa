"""``bordeaux book explore``: navigate through a book in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import WordCompleter
from rich.table import Table

from bordeaux.board.errors import BordeauxError, MapError, nearest, quote
from bordeaux.board.map import Map
from bordeaux.cli.book import book_option, position_of
from bordeaux.cli.options import count_option, json_option, start_options
from bordeaux.cli.program import at_terminal, input_lines
from bordeaux.cli.report import BAD_INPUT, report
from bordeaux.cli.report.output import Phrases, console, percent, print_json, print_table, print_text, table
from bordeaux.engine import Engine
from bordeaux.openings.book import Book, Row
from bordeaux.openings.making.walk import Walk, WalkStep, advised, favourite
from bordeaux.view.textmap import draw_board

LISTED = 12
MOST_LISTED = 10_000


@click.command("explore")
@start_options
@book_option
@click.option("--power", metavar="P", help="The power to look at first.")
@count_option("--limit", between=(1, MOST_LISTED), default=LISTED, help="Sets that are listed.")
@json_option
def command(
    position: str,
    phase: str | None,
    board: Map | None,
    source: str,
    power: str | None,
    limit: int,
    as_json: bool,
) -> int:
    """Walk through a book from POSITION on (start, without it).

    It shows the sets of one power: their names, how often they are played, the results of their players,
    and the score that the engine expects. Enter a number to go on with that set; the others play their
    commonest sets. help lists all words. Where the book ends, the engine plays for powers without a set.
    Lines may come through a pipe.

    \b
    Examples:
      bordeaux book explore
      printf 'FRANCE\\n1\\nbest\\nup\\nquit\\n' | bordeaux book explore start --power AUSTRIA
    """
    book = Book.named(source)
    where = position_of(position, phase, board, book)
    typed = at_terminal() and not as_json
    bad = False
    with Engine(seed=0) as engine:
        walk = Walk(book, where, power, advised(engine))
        guide = WalkGuide(walk, limit, as_json)
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
    completer = WordCompleter([*TYPED, *walk.position.map.powers], ignore_case=True)
    session: PromptSession[str] = PromptSession(completer=completer)
    while True:
        try:
            yield session.prompt(f"{walk.power} {walk.position.phase}> ")
        except KeyboardInterrupt:
            continue  # as in a shell, Ctrl-C throws away the line; Ctrl-D leaves
        except EOFError:
            return


WORDS = {
    "N": "go on with set N of the power shown; the others play what is chosen, or played most",
    "best": "go on with the set of the highest score",
    "most": "go on with the set that is played most",
    "go": "go on with what is chosen; the power shown too plays what is played most",
    "set P N": "choose set N for power P, and stay",
    "orders P ...": "choose orders for power P, like orders FRANCE A PAR - BUR; F BRE - MAO, and stay",
    "P": "look at power P, like FRANCE or FRA",
    "all": "the most played and the best set of every power",
    "board": "the position",
    "up": "back to the phase before",
    "top": "back to the beginning",
    "help": "this list",
    "quit": "leave",
}
"""Words that are understood, and what they mean."""
TYPED = [word.split()[0] for word in WORDS if word[0].islower()]


class WalkLeft(Exception):
    """The user has quit."""


class WalkGuide:
    """Carries out the commands of a user who explores a book.

    `limit` is the number of sets that are listed; with `as_json` every stop is one line of JSON.
    """

    def __init__(self, walk: Walk, limit: int, as_json: bool) -> None:
        self.walk = walk
        self.limit = limit
        self.as_json = as_json

    def obey(self, line: str) -> None:
        """Carry out a line. Raises BordeauxError for an invalid one, WalkLeft at quit."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return
        action: Callable[[str], None] | None = getattr(self, f"_word_{word.lower()}", None)
        if action is not None:
            action(rest.strip())
        elif word.isdecimal() and len(word) < 10:
            self.walk.pick(int(word))
            self._word_go()
        else:
            try:
                self.walk.look(line.strip())
            except MapError:
                choices = [*TYPED, *self.walk.position.map.powers]
                raise BordeauxError(
                    f"no word {quote(word)}{nearest(word, choices)}; help lists all"
                ) from None
            self.show()

    def show(self) -> None:
        """Show the sets of the selected power."""
        walk = self.walk
        rows = walk.rows()
        phase = str(walk.position.phase)
        if self.as_json:
            print_json(
                {
                    "phase": phase,
                    "power": walk.power,
                    "sets": [row.to_json() for row in rows[: self.limit]],
                    "chosen": {power: list(orders) for power, orders in walk.chosen.items()},
                }
            )
            return
        if walk.position.phase.kind == "-":
            print_text("The game is over here. Go up.")
        elif not rows:
            print_text(f"{phase}, {walk.power}: {self._nothing()}")
        else:
            games = walk.games()
            sets = "1 set" if len(rows) == 1 else f"{len(rows)} sets"
            print_table(f"{phase}, {walk.power}: {sets}, {games:,} games", listing(rows[: self.limit]))
            if len(rows) > self.limit:
                print_text(f"{len(rows) - self.limit} more, with --limit {len(rows)}")
            if not walk.depth:
                print_text(
                    f"{BEST}: the highest score; {MOST}: played most. Games are recorded ones; `book show`"
                    " adds published counts. Enter a number, or help."
                )
        for power, orders in walk.chosen.items():
            print_text(f"{power} plays {'; '.join(orders)}")

    def _nothing(self) -> str:
        if self.walk.power not in self.walk.powers:
            return f"no orders are due; they are for {', '.join(self.walk.powers) or 'nobody'}."
        return "the book has nothing here. go lets the engine play, up goes back."

    def _word_go(self, rest: str = "") -> None:
        step = self.walk.go()
        if self.as_json:
            orders = {power: list(given) for power, given in step.orders.items()}
            print_json({"played": step.phase, "orders": orders, "how": step.how})
        else:
            self._tell(step)
        if self.walk.powers and self.walk.power not in self.walk.powers:
            self.walk.look(self.walk.powers[0])
        self.show()

    def _tell(self, step: WalkStep) -> None:
        made = table("power", "plays", "")
        for power, orders in step.orders.items():
            made.add_row(power, Phrases(orders), step.how[power])
        print_table(f"{step.phase} is played", made)
        if step.alliances:
            print_text(f"Together: {', '.join(step.alliances)}")

    def _word_best(self, rest: str) -> None:
        self._favourite(engine=True)

    def _word_most(self, rest: str) -> None:
        self._favourite(engine=False)

    def _favourite(self, engine: bool) -> None:
        row = favourite(self.walk.rows(), engine=engine)
        if row is None:
            raise BordeauxError(f"the book has no set of {self.walk.power} here")
        self.walk.choose(row.power, row.orders)
        self._word_go()

    def _word_set(self, rest: str) -> None:
        power, _, number = rest.rpartition(" ")
        if not power or not number.isdecimal() or len(number) > 9:
            raise BordeauxError(f"set {quote(rest)}: expected a power and a number, like set FRANCE 2")
        self.walk.pick(int(number), power.strip())
        self.show()

    def _word_orders(self, rest: str) -> None:
        power, _, orders = rest.partition(" ")
        given = [text.strip() for text in orders.replace(",", ";").split(";") if text.strip()]
        if not given:
            raise BordeauxError("orders: expected a power and its orders, like orders FRANCE A PAR - BUR")
        self.walk.choose(power, given)
        self.show()

    def _word_all(self, rest: str) -> None:
        rows_of_power = {power: self.walk.rows(power) for power in self.walk.powers}
        if self.as_json:
            print_json(
                {
                    "phase": str(self.walk.position.phase),
                    "powers": {
                        power: {
                            "most": _orders_of(favourite(rows)),
                            "best": _orders_of(favourite(rows, engine=True)),
                        }
                        for power, rows in rows_of_power.items()
                    },
                }
            )
            return
        made = table("power", "", "set", "share", "score", numbers=("share", "score"))
        for power, rows in rows_of_power.items():
            usual, best = favourite(rows), favourite(rows, engine=True)
            for row, word in ((usual, "most played"), (best, "best")):
                if row is not None and (word != "best" or row.value is not None):
                    made.add_row(
                        power,
                        word,
                        Phrases([*row.orders, *([f"({row.name})"] if row.name else [])]),
                        "" if row.share is None else percent(row.share),
                        "" if row.value is None else percent(row.value),
                    )
        print_table(f"{self.walk.position.phase}", made)

    def _word_board(self, rest: str) -> None:
        if self.as_json:
            print_json(self.walk.position.to_json())
            return
        shown = console()
        shown.print(draw_board(self.walk.position, shown.width))

    def _word_up(self, rest: str) -> None:
        self.walk.up()
        self.show()

    def _word_top(self, rest: str) -> None:
        self.walk.top()
        self.show()

    def _word_help(self, rest: str) -> None:
        if self.as_json:
            print_json({"words": WORDS})
            return
        made = table("word", "what it does")
        for word, meaning in WORDS.items():
            made.add_row(word, meaning)
        print_table("Words", made)

    def _word_quit(self, rest: str) -> None:
        raise WalkLeft


def _orders_of(row: Any) -> list[str] | None:
    return None if row is None else list(row.orders)


BEST, MOST = "*", "+"


RESULTS: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("centres2", "2 years on", "{:.2f}".format),
    ("centres4", "4 years on", "{:.2f}".format),
    ("survival", "survives", percent),
    ("solo", "solo", percent),
    ("value", "score", percent),
)
"""Figures of a set, with their headings and forms."""


def listing(rows: Sequence[Row]) -> Table:
    """A table with one line for each set; columns without data are left out. ``*`` marks the set with the
    highest score, ``+`` the most frequent one."""
    known = [column for column in RESULTS if any(getattr(row, column[0]) is not None for row in rows)]
    heads = ["share", "games", *(heading for _, heading, _ in known)]
    named = ["name"] * any(row.name for row in rows)
    made = table("#", "", *named, "orders", *heads, numbers=["#", *heads])
    best = max((row.value for row in rows if row.value is not None), default=None)
    most = max((row.share for row in rows if row.share), default=None)
    for number, row in enumerate(rows, 1):
        made.add_row(
            str(number),
            BEST * (row.value is not None and row.value == best)
            + MOST * bool(row.share and row.share == most),
            *[row.name] * len(named),
            Phrases(row.orders),
            "" if row.share is None else percent(row.share),
            f"{row.games:,}",
            *("" if (value := getattr(row, field)) is None else form(value) for field, _, form in known),
        )
    return made
