"""Positions of recorded games at which the games of a tournament begin.

A whole game takes long, and gives one result. Games that continue recorded ones for a few years give several
in the same time, from positions of all kinds. Chess programs are tested from opening books for this reason.
"""

from __future__ import annotations

import heapq
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.board.errors import BordeauxError, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, read_games
from bordeaux.formats.source import name_of

__all__ = ["MOST_YEARS", "Start", "Starts", "read_starts"]

OF_A_GAME = 3
"""Starts of one game at most: its positions resemble each other."""
CENTRES = 4
"""Centres from which on a power is worth a seat: its play still changes something."""
MOST_YEARS = 100
LATEST = 9999 - MOST_YEARS
"""Years have four digits, also in the last year of a game that begins here."""


class Start(NamedTuple):
    """A position in its JSON form, its `year`, and the `seat` of the side that has one seat, by number."""

    position: dict[str, Any]
    year: int
    seat: int


@dataclass(frozen=True)
class Starts:
    """The starts of a tournament, in the order in which they are played, for games of so many `years`.
    `digest` identifies the positions that were there to choose from."""

    chosen: tuple[Start, ...]
    years: int
    digest: str

    def setup(self) -> dict[str, Any]:
        """What determines the games, as plain JSON values."""
        return {"from": self.digest, "years": self.years}


class Ranked(NamedTuple):
    """A start with its place in the order: the number of its game's starts before it, and a draw by lot."""

    before: int
    lot: float
    game: int
    start: Start


def read_starts(path: str | Path, map: Map, *, years: int, seed: int, most: int) -> Starts:
    """At most `most` starts from a file of saved games, in any form that `read_games` takes.

    A start is a movement phase of Spring, other than the first of the map, in which nobody has won and a
    power has at least `CENTRES` centres and a unit; a position that several games have is one start. `seed`
    draws up to `OF_A_GAME` of them from each game, the power of `Start.seat`, and the order: one of each
    game, then the second ones. So fewer starts are the beginning of more.

    Raises FormatError for a file that cannot be read, PositionError for a drawn state that is no position,
    and BordeauxError for games on another map, and if there is no start.
    """
    digest = blake2b(digest_size=8)
    taken: set[Position] = set()

    def ranked() -> Iterator[Ranked]:
        for number, game in enumerate(read_games(path)):
            if game.map != map.name:
                raise BordeauxError(
                    f"{name_of(path)}: game {quote(game.id)} is on map {quote(game.map)}, not {map.name};"
                    " give its map to --map"
                )
            springs = [index for index, phase in enumerate(game.phases) if is_spring(phase.name)]
            states = [(game.phases[index].name, game.phases[index].state) for index in springs]
            digest.update(json.dumps(states, sort_keys=True).encode() + b"\n")
            chance = random.Random(f"starts {seed} {number}")
            chance.shuffle(springs)
            try:
                starts = starts_of(game, springs, map, chance, taken)
            except BordeauxError as error:
                raise type(error)(f"{name_of(path)}: {error}") from None
            for before, start in enumerate(starts):
                yield Ranked(before, chance.random(), number, start)

    chosen = heapq.nsmallest(most, ranked(), key=lambda place: place[:3])
    if not chosen:
        raise BordeauxError(
            f"{name_of(path)} has no position to begin at: a Spring after the first with a power of"
            f" {CENTRES} centres"
        )
    return Starts(tuple(place.start for place in chosen), years, digest.hexdigest())


def is_spring(phase: str) -> bool:
    """Whether a name is that of a movement phase of Spring."""
    return phase.startswith("S") and phase.endswith("M")


def starts_of(
    game: Game, springs: list[int], map: Map, chance: random.Random, taken: set[Position]
) -> list[Start]:
    """The first starts among some phases of a game, by number, without positions that are `taken`, to which
    theirs are added. Raises what `Game.position` raises."""
    taken.add(Position.start(map))
    starts: list[Start] = []
    for index in springs:
        if len(starts) == OF_A_GAME:
            break
        position = game.position(index, map)
        if position in taken:
            continue
        seats = [
            seat
            for seat, power in enumerate(map.powers)
            if position.owners.count(power) >= CENTRES and position.units_of(power)
        ]
        if seats and position.victor is None and position.phase.year <= LATEST:
            taken.add(position)
            starts.append(Start(position.to_json(), position.phase.year, chance.choice(seats)))
    return starts
