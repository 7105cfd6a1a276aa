"""A walk through a book at the terminal: the commands, and the games behind its sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.table import Table

from bordeaux.board.errors import BordeauxError, MapError, nearest, quote
from bordeaux.cli.report.output import Phrases, console, percent, print_json, print_table, print_text, table
from bordeaux.cli.report.progress import counting
from bordeaux.formats.games import read_games
from bordeaux.openings.book import Row
from bordeaux.openings.entry import SOURCES
from bordeaux.openings.making.walk import Walk, WalkStep, favourite
from bordeaux.openings.names import name_of
from bordeaux.openings.results import Fate, PlayedGame, fates, fates_by_set, games_through
from bordeaux.view.textmap import draw_board

NEEDED = "give the games with --games FILE, like bordeaux book explore --games games.jsonl.gz"


class ExploredGames:
    """A file of games, and the results of those that reached the present place."""

    def __init__(self, source: str | None, as_json: bool) -> None:
        self.source = source
        self.as_json = as_json
        self._known: dict[Any, list[PlayedGame]] = {}

    def results(self, walk: Walk, limit: int) -> None:
        """Show every power's games, solos, survivals and mean centres, and those of each set of the selected
        power. Raises BordeauxError without a file."""
        played = self._through(walk)
        by_power = fates(played, walk.position.map)
        by_set = fates_by_set(played, walk.position, walk.power)
        phase = str(walk.position.phase)
        if self.as_json:
            print_json(
                {
                    "phase": phase,
                    "games": len(played),
                    "powers": {power: fate.to_json() for power, fate in by_power.items()},
                    "power": walk.power,
                    "sets": [
                        {
                            "orders": list(orders),
                            "powers": {name: fate.to_json() for name, fate in by_power.items()},
                        }
                        for orders, by_power in list(by_set.items())[:limit]
                    ],
                }
            )
            return
        if not played:
            print_text(f"No game in {self.source} comes to this position of {phase}.")
            return
        made = table(
            "power", "solos", "survived", "mean centres", numbers=("solos", "survived", "mean centres")
        )
        for power, fate in by_power.items():
            made.add_row(power, f"{fate.solos:,}", _share(fate), _mean(fate))
        print_table(f"{phase}: {len(played):,} games of {self.source}, at their end", made)
        self._sets(walk, by_set, limit)

    def _sets(self, walk: Walk, by_set: Mapping[Any, Mapping[str, Fate]], limit: int) -> None:
        if not by_set:
            return
        tags = [walk.position.map.tags[power] for power in walk.position.map.powers]
        heads = ["games", "solos", *tags]
        made = table("orders", "name", *heads, numbers=heads)
        for orders, by_power in list(by_set.items())[:limit]:
            own = by_power[walk.power]
            called = name_of(walk.power, orders, str(walk.position.phase))
            means = [_mean(fate) for fate in by_power.values()]
            made.add_row(Phrases(orders), called or "", f"{own.games:,}", f"{own.solos:,}", *means)
        print_table(f"{walk.power}'s sets: its solos, and the mean centres of all powers", made)

    def games(self, walk: Walk, number: int | None, limit: int) -> None:
        """List the games to open: all that reached this place, or those in which the selected power played
        its set of a number. Raises BordeauxError without a file, and for an unknown number."""
        played = self._through(walk)
        if number is not None:
            rows = walk.rows()
            if not 1 <= number <= len(rows):
                raise BordeauxError(f"there is no set {number} of {walk.power} here: it has {len(rows)}")
            played = [game for game in played if game.orders.get(walk.power) == rows[number - 1].orders]
        if self.as_json:
            print_json({"file": self.source, "games": [game.to_json() for game in played[:limit]]})
            return
        if not played:
            print_text("No such game.")
            return
        made = table("game", "id", "until", "won by", "centres", numbers=("game",))
        for game in played[:limit]:
            ending = ", ".join(
                f"{walk.position.map.tags[power]} {count}"
                for power, count in sorted(game.centres.items(), key=lambda item: -item[1])
                if count
            )
            made.add_row(str(game.number), game.id, game.last, game.victor, ending)
        print_table(f"{len(played):,} games", made)
        first = played[0]
        print_text(f"Open one: bordeaux analyse {self.source} --game {first.number} --phase {first.phase}")

    def _through(self, walk: Walk) -> list[PlayedGame]:
        if self.source is None:
            raise BordeauxError(NEEDED)
        by_set = self._known.get(walk.position)
        if by_set is None:
            with counting("games") as counter:
                read = 0

                def counted() -> Any:
                    nonlocal read
                    for game in read_games(self.source or ""):
                        read += 1
                        counter.update(read)
                        yield game

                by_set = list(games_through(counted(), walk.position))
            self._known[walk.position] = by_set
        return by_set


def _share(fate: Fate) -> str:
    return percent(fate.survived / fate.games) if fate.games else ""


def _mean(fate: Fate) -> str:
    return "" if fate.centres is None else f"{fate.centres:.2f}"


WORDS = {
    "N": "go on with set N of the power shown; the others play what is chosen, or played most",
    "best": "go on with the set of the highest score",
    "most": "go on with the set that is played most",
    "go": "go on with what is chosen; the power shown too plays what is played most",
    "set P N": "choose set N for power P, and stay",
    "orders P ...": "choose orders for power P, like orders FRANCE A PAR - BUR; F BRE - MAO, and stay",
    "P": "look at power P, like FRANCE or FRA",
    "all": "the most played and the best set of every power",
    "results": "solos, survivals and mean centres of every power in the games of --games, and by set",
    "games N": "the games of --games in which set N was played, to open; games alone: all that come here",
    "least N": "show sets that were played in at least N games",
    "source NAME": "count games of human, statistics or selfplay alone; source all: as the book has them",
    "board": "the position",
    "up": "back to the phase before",
    "top": "back to the beginning",
    "help": "this list",
    "quit": "leave",
}
"""Words that are understood, and what they mean."""


class WalkLeft(Exception):
    """The user has quit."""


class WalkGuide:
    """Carries out the commands of a user who explores a book.

    `limit` is the number of sets that are listed; with `as_json` every stop is one line of JSON.
    """

    def __init__(self, walk: Walk, limit: int, as_json: bool, games: str | None = None) -> None:
        self.walk = walk
        self.recorded = ExploredGames(games, as_json)
        self.limit = limit
        self.as_json = as_json
        self._words: dict[str, Callable[[str], None]] = {
            "best": lambda rest: self._favourite(engine=True),
            "most": lambda rest: self._favourite(engine=False),
            "go": lambda rest: self._go(),
            "set": self._set,
            "orders": self._orders,
            "power": self._look,
            "all": lambda rest: self._all(),
            "results": lambda rest: self.recorded.results(self.walk, self.limit),
            "games": self._games,
            "least": self._least,
            "source": self._source,
            "board": lambda rest: self._board(),
            "up": lambda rest: self._back(self.walk.up),
            "top": lambda rest: self._back(self.walk.top),
            "help": lambda rest: self._help(),
            "?": lambda rest: self._help(),
            "quit": lambda rest: self._quit(),
            "exit": lambda rest: self._quit(),
        }

    def obey(self, line: str) -> None:
        """Carry out a line. Raises BordeauxError for an invalid one, Left at quit."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return
        known = self._words.get(word.lower())
        if known is not None:
            known(rest.strip())
        elif word.isdecimal() and len(word) < 10:
            self.walk.pick(int(word))
            self._go()
        else:
            try:
                self._look(line)
            except MapError:
                choices = [*self._words, *self.walk.position.map.powers]
                raise BordeauxError(
                    f"no word {quote(word)}{nearest(word, choices)}; help lists all"
                ) from None

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
            counted = f"{len(rows)} sets, {games:,} games" if len(rows) > 1 else f"1 set, {games:,} games"
            print_table(f"{phase}, {walk.power}: {counted}", listing(rows[: self.limit], numbered=True))
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

    def _go(self) -> None:
        step = self.walk.go()
        if self.as_json:
            print_json({"played": step.phase, "orders": _lists(step.orders), "how": step.how})
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

    def _favourite(self, engine: bool) -> None:
        row = favourite(self.walk.rows(), engine=engine)
        if row is None:
            raise BordeauxError(f"the book has no set of {self.walk.power} here")
        self.walk.choose(row.power, row.orders)
        self._go()

    def _set(self, rest: str) -> None:
        power, _, number = rest.rpartition(" ")
        if not power or not number.isdecimal() or len(number) > 9:
            raise BordeauxError(f"set {quote(rest)}: expected a power and a number, like set FRANCE 2")
        self.walk.pick(int(number), power.strip())
        self.show()

    def _orders(self, rest: str) -> None:
        power, _, orders = rest.partition(" ")
        given = [text.strip() for text in orders.replace(",", ";").split(";") if text.strip()]
        if not given:
            raise BordeauxError("orders: expected a power and its orders, like orders FRANCE A PAR - BUR")
        self.walk.choose(power, given)
        self.show()

    def _look(self, rest: str) -> None:
        self.walk.look(rest.strip())
        self.show()

    def _all(self) -> None:
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

    def _games(self, rest: str) -> None:
        if rest and not (rest.isdecimal() and len(rest) < 10):
            raise BordeauxError(
                f"games {quote(rest)}: expected the number of a set, like games 1, or nothing"
            )
        self.recorded.games(self.walk, int(rest) if rest else None, self.limit)

    def _least(self, rest: str) -> None:
        if not rest.isdecimal() or len(rest) > 9:
            raise BordeauxError(f"least {quote(rest)}: expected a number of games, like least 20")
        self.walk.least = int(rest)
        self.show()

    def _source(self, rest: str) -> None:
        if rest.lower() not in ("all", *SOURCES):
            raise BordeauxError(f"source {quote(rest)}: expected all, {', '.join(SOURCES)}")
        self.walk.source = "" if rest.lower() == "all" else rest.lower()
        self.show()

    def _board(self) -> None:
        if self.as_json:
            print_json(self.walk.position.to_json())
            return
        shown = console()
        shown.print(draw_board(self.walk.position, shown.width))

    def _back(self, go: Callable[[], None]) -> None:
        go()
        self.show()

    def _help(self) -> None:
        if self.as_json:
            print_json({"words": WORDS})
            return
        made = table("word", "what it does")
        for word, meaning in WORDS.items():
            made.add_row(word, meaning)
        print_table("Words", made)

    def _quit(self) -> None:
        raise WalkLeft


def _lists(orders: dict[str, Any]) -> dict[str, list[str]]:
    return {power: list(given) for power, given in orders.items()}


def _orders_of(row: Any) -> list[str] | None:
    return None if row is None else list(row.orders)


BEST, MOST = "*", "+"


def listing(rows: Sequence[Row], numbered: bool = False) -> Table:
    """A table with one line for each set; columns without data are left out. ``*`` marks the set with the
    highest score, ``+`` the most frequent one."""
    results = (
        ("centres2", "2 years on", lambda value: f"{value:.2f}"),
        ("centres4", "4 years on", lambda value: f"{value:.2f}"),
        ("survival", "survives", percent),
        ("solo", "solo", percent),
        ("value", "score", percent),
    )
    known = [column for column in results if any(getattr(row, column[0]) is not None for row in rows)]
    heads = ["share", "games", *(heading for _, heading, _ in known)]
    first = ["#"] if numbered else []
    named = any(row.name for row in rows)
    made = table(*first, "", *(["name"] if named else []), "orders", *heads, numbers=[*first, *heads])
    best = max((row.value for row in rows if row.value is not None), default=None)
    most = max((row.share for row in rows if row.share), default=None)
    for number, row in enumerate(rows, 1):
        marks = (BEST if row.value is not None and row.value == best else "") + (
            MOST if row.share and row.share == most else ""
        )
        made.add_row(
            *([str(number)] if numbered else []),
            marks,
            *([row.name] if named else []),
            Phrases(row.orders),
            "" if row.share is None else percent(row.share),
            f"{row.games:,}",
            *("" if (value := getattr(row, field)) is None else form(value) for field, _, form in known),
        )
    return made
