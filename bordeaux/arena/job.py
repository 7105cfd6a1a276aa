"""A game to be played, and its result: plain values for processes and files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from bordeaux.board.errors import FormatError, quote
from bordeaux.players.base import Limit
from bordeaux.press.language.levels import NO_PRESS

SOLO = "solo"
"""One power owns more than half of the centres."""
STALE = "stale"
"""No centre has changed hands for `Job.stale_years` (Håård 2004, section 3.3)."""
DRAW = "draw"
"""The survivors have agreed; at level 0 no player can."""
CAP = "cap"
"""The last year of the job is over."""

CRASH = "crash"
"""A player raised an exception, or ended the process that it played in."""
STALL = "stall"
"""A player took longer than its limit and the grace."""
ILLEGAL = "illegal"
"""A player gave an order that its power may not give in this position, or that cannot be read."""
LETTER = "letter"
"""A player wrote a letter that may not be delivered, or too many letters."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the player in a seat. `kind` is ``crash``, ``stall``, ``illegal`` or ``letter``. `phase` is
    the phase ("" before the first), `text` one line of detail. `count` is the number of illegal orders or
    undelivered letters in that phase; other faults count once."""

    seat: int
    kind: str
    phase: str
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Job:
    """One game to be played, with everything that determines it.

    `seats` are the specs of the players in the order of the powers of the map. `seed` determines all random
    choices. `limit` is the limit of a player for one phase, `until` the last year. `stale_years` is the
    number of years without a change of ownership that end the game (None: never). The jobs of one `pair`
    share seed and seats, except one group of seats. `keep` asks for the saved game.
    `level` is the highest level of press (`bordeaux.press.language.levels`), 0 for none. `start` is
    the first position in its JSON form (None: that of the map).
    """

    index: int
    seats: tuple[str, ...]
    seed: int
    limit: Limit
    until: int
    map: str = "standard"
    stale_years: int | None = 5
    pair: int | None = None
    keep: bool = False
    level: int = NO_PRESS
    start: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a job.

    `end` is ``solo``, ``stale``, ``draw`` or ``cap``. `phase` is the last phase played, or the one in which a
    draw was agreed. `winner` is the seat of a solo. `centres` holds the number of centres of every seat, at
    the start and after every year. `alive` says who has a unit or centre at the end, `eliminated` the year in
    which the others lost theirs (None if they had none at the start). For every seat, `seconds` is the time
    of its player for orders and talks, and `orders` the number of its orders. `total` is the duration of the
    game in seconds. `game` is the saved game if the job asks for it. `level` is that of the job, and
    `letters` the number that every seat has sent, None without talks.
    """

    index: int
    seats: tuple[str, ...]
    seed: int
    end: str
    phase: str
    winner: int | None
    centres: tuple[tuple[int, ...], ...]
    alive: tuple[bool, ...]
    eliminated: tuple[int | None, ...]
    faults: tuple[Fault, ...]
    seconds: tuple[float, ...]
    orders: tuple[int, ...]
    total: float
    pair: int | None = None
    game: dict[str, Any] | None = None
    level: int = NO_PRESS
    letters: tuple[int, ...] | None = None

    @property
    def overhead(self) -> float:
        """The time in seconds that the arena itself took, without the players."""
        return self.total - sum(self.seconds)

    def to_json(self) -> dict[str, Any]:
        """The result as plain JSON values."""
        return {**values(self), "faults": [values(fault) for fault in self.faults]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Result:
        """Read what `to_json` gives. Raises FormatError."""
        try:
            given = dict(data)
            for name in ("seats", "alive", "eliminated", "seconds", "orders"):
                given[name] = tuple(given[name])
            given["centres"] = tuple(tuple(int(count) for count in year) for year in given["centres"])
            given["faults"] = tuple(Fault(**fault) for fault in given["faults"])
            if given.get("letters") is not None:
                given["letters"] = tuple(given["letters"])
            result = cls(**given)
            check(result)
            return result
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"{quote(data)} is no result of the arena: {error}") from None


def values(of: Fault | Job | Result) -> dict[str, Any]:
    """The fields of a value by name, not copied."""
    return {field.name: getattr(of, field.name) for field in fields(of)}


def check(result: Result) -> None:
    """Raise ValueError for an impossible result. Other code relies on this check."""
    count = len(result.seats)
    of_seats = (result.alive, result.eliminated, result.seconds, result.orders, *result.centres)
    if not result.centres or any(len(of_seat) != count for of_seat in of_seats):
        raise ValueError(f"not a value for each of {count} seats")
    if result.letters is not None and list(map(type, result.letters)) != [int] * count:
        raise ValueError(f"not the letters of each of {count} seats")
    seats = [fault.seat for fault in result.faults]
    seats += [] if result.winner is None else [result.winner]
    if not all(type(seat) is int and 0 <= seat < count for seat in seats):
        raise ValueError("a seat that is not there")
    if type(result.index) is not int or result.index < 0:
        raise ValueError("no number of a game")
    if result.end not in (SOLO, STALE, DRAW, CAP) or (result.end == SOLO) != (result.winner is not None):
        raise ValueError("no end of a game")
    if not all(math.isfinite(number) for number in (result.total, *result.seconds, *result.orders)):
        raise ValueError("a number that is not finite")
    if not all(
        isinstance(part, str) for fault in result.faults for part in (fault.kind, fault.phase, fault.text)
    ):
        raise ValueError("a fault that is not in words")
