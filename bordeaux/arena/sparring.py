"""A preset of our own: one player against six of each of several opponents, in one table.

The opponents are players of different kinds and, if given, older builds of Bordeaux. Besides the score, the
table shows the player's health against each (`bordeaux.arena.health`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import Any, ClassVar, NamedTuple

from bordeaux.arena import health, lineup, tables
from bordeaux.arena.comparison import ComparisonRow, ComparisonTable
from bordeaux.arena.job import Result
from bordeaux.arena.lineup import Ratio, Seating
from bordeaux.arena.preset import SEATS, Preset
from bordeaux.arena.scores import SCORES, solo
from bordeaux.arena.statistics import Interval
from bordeaux.board.errors import BordeauxError, quote

__all__ = ["Bout", "Sparring", "read_partner"]


class Bout(NamedTuple):
    """The result of one player against six of one opponent. `partner` is the opponent's name in the table.
    The sum of squares and the share of solos of the player have intervals; `counts` are those of its health.
    """

    player: str
    partner: str
    games: int
    squares: Interval
    solos: Interval
    centres: float
    counts: health.Counts

    def to_json(self) -> dict[str, Any]:
        """The row for programs."""
        return {
            "player": self.player,
            "partner": self.partner,
            "games": self.games,
            "sum_of_squares": self.squares.to_json(),
            "solo": self.solos.to_json(),
            "centres": self.centres,
            "health": health.figures(self.counts),
        }


def read_partner(text: str) -> tuple[str, str]:
    """The name and the spec in ``NAME=SPEC``; a spec without a name is its own name. Raises BordeauxError."""
    name, sign, spec = text.partition("=")
    if not sign or ":" in name:
        name = spec = text
    if not name.strip() or not spec.strip():
        raise BordeauxError(f"{quote(text)} is no partner; write NAME=SPEC, like cfa787b=program:COMMAND")
    return name.strip(), spec.strip()


class Sparring(Preset):
    """One player against six of each opponent; several players play the same seats in turn."""

    standings: ClassVar[bool] = False
    health: ClassVar[bool] = True

    def __init__(self, name: str, data: Mapping[str, Any]) -> None:
        super().__init__(name, data)
        self._each = int(data["games"])
        self._ours: tuple[str, ...] = (str(data["player"]),)
        self._partners: dict[str, str] = {str(spec): str(spec) for spec in data["partners"]}

    def choose(self, players: Sequence[str] = (), older: Iterable[str] = ()) -> None:
        """Replace the player `bordeaux`, and add opponents, each ``NAME=SPEC`` or a spec.

        Raises BordeauxError for a name that is taken, or a player or opponent that is given twice.
        """
        if players:
            self._ours = tuple(players)
        for text in older:
            name, spec = read_partner(text)
            if name in self._partners or spec in self._partners.values():
                raise BordeauxError(f"partner {quote(name)} is there already; give another name or player")
            self._partners[name] = spec
        if len(set(self._ours)) < len(self._ours):
            raise BordeauxError("--players names one player twice")
        both = set(self._ours) & set(self._partners.values())
        if both:
            raise BordeauxError(
                f"{quote(min(both))} cannot be its own partner: give it options that tell the two apart"
            )

    @property
    def games(self) -> int:
        """The number of games in all."""
        return self._each * self.rounds

    @property
    def rounds(self) -> int:
        """One for each player and opponent."""
        return len(self._pairs())

    @property
    def players(self) -> tuple[str, ...]:
        """The specs of all players, ours first."""
        return tuple(dict.fromkeys([*self._ours, *self._partners.values()]))

    def chosen(self) -> dict[str, Any]:
        """The players and their opponents."""
        return {"players": list(self._ours), "partners": dict(self._partners)}

    def seatings(self, seed: int) -> Iterator[Seating]:
        """A game of each pair in turn; within one, our seat rotates through the powers."""
        seatings = (
            lineup.against(ours, self._partners[name], Ratio(1, SEATS - 1), seed)
            for ours, name in self._pairs()
        )
        return chain.from_iterable(zip(*seatings, strict=True))

    def bouts(self, results: Iterable[Result]) -> list[Bout]:
        """The rows of the table, from the results so far."""
        ordered = sorted(results, key=lambda result: result.index)
        bouts = []
        for ours, name in self._pairs():
            met = [
                result
                for result in ordered
                if result.seats.count(ours) == 1 and result.seats.count(self._partners[name]) == SEATS - 1
            ]
            held = list(tables.seats_of(met, ours))
            if not held:
                continue
            counts = tables.health_of(met, ours) or dict.fromkeys(health.NAMES, 0)
            squares = tables.interval_of(held, SCORES["sum_of_squares"])
            centres = sum(result.centres[-1][seat] for result, seat in held) / len(held)
            bouts.append(
                Bout(ours, name, len(held), squares, tables.interval_of(held, solo), centres, counts)
            )
        return bouts

    def rows(self, results: Sequence[Result]) -> list[dict[str, Any]]:
        """The rows of the table for programs."""
        return [bout.to_json() for bout in self.bouts(results)]

    def compare(self, results: Iterable[Result]) -> list[ComparisonTable]:
        """The sums of squares, for a picture; an equal share is one seventh."""
        bouts = self.bouts(results)
        return [
            ComparisonTable(
                f"Sum of squares of {ours} against six",
                "partner",
                {
                    bout.partner: ComparisonRow(bout.partner, None, bout.squares, 1 / SEATS)
                    for bout in bouts
                    if bout.player == ours
                },
            )
            for ours in self._ours
        ]

    def _pairs(self) -> list[tuple[str, str]]:
        """Every player with the name of every opponent."""
        return list(product(self._ours, self._partners))
