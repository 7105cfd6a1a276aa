"""The results of recorded games that reached a place of a book, for ``explore``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.report.layout import Phrases
from bordeaux.cli.report.output import print_json, print_table, print_text, table
from bordeaux.cli.report.progress import counting
from bordeaux.formats.games import read_games
from bordeaux.openings.making.walk import Walk
from bordeaux.openings.names import name_of
from bordeaux.openings.results import Fate, PlayedGame, fates, fates_by_set, games_through

__all__ = ["ExploredGames"]

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
            name = str(called) if called else ""
            made.add_row(Phrases(orders), name, f"{own.games:,}", f"{own.solos:,}", *means)
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
    return f"{100 * fate.survived / fate.games:.1f} %" if fate.games else ""


def _mean(fate: Fate) -> str:
    return "" if fate.centres is None else f"{fate.centres:.2f}"
