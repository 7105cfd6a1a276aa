"""The plan of a tournament: a line-up, the number of games, and all that determines them."""

from __future__ import annotations

import heapq
import itertools
import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.arena.job import Job
from bordeaux.board.errors import BordeauxError, name_of, placed, quote
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, read_games
from bordeaux.players.base import Limit
from bordeaux.press.language.levels import NO_PRESS

# A *seating* names a player for every power. All sequences of seatings here are infinite and have fixed
# prefixes, so a tournament can be continued.

Seating = tuple[str, ...]

OURS = ""
"""The name of a candidate in a seating; no player has this name."""


class Ratio(NamedTuple):
    """The numbers of seats of the two sides."""

    ours: int
    theirs: int


def read_ratio(text: str, seats: int) -> Ratio:
    """Read ``1:6``. Raises BordeauxError unless both sides have a seat and all seats are taken."""
    match = re.fullmatch(r"\s*([0-9]{1,3})\s*:\s*([0-9]{1,3})\s*", text, re.ASCII)
    if match is None:
        raise BordeauxError(f"{quote(text)} is no ratio; write 1:{seats - 1}")
    ratio = Ratio(int(match[1]), int(match[2]))
    if min(ratio) < 1 or sum(ratio) != seats:
        raise BordeauxError(
            f"ratio {quote(text)} does not fill {seats} seats with both sides; try 1:{seats - 1}"
        )
    return ratio


def against(ours: str, theirs: str, ratio: Ratio, seed: int) -> Iterator[Seating]:
    """Seatings of `ours` against `theirs`, in the numbers of `ratio`.

    The seats of our side rotate through all powers. So in every block of as many games as there are powers,
    our side has each power equally often. Then the next pattern of seats follows. Each pattern occurs once,
    in an order determined by `seed`, before they repeat.
    """
    seats = sum(ratio)
    chance = random.Random(f"line-up {seed}")
    patterns = sorted({least(chosen, seats) for chosen in itertools.combinations(range(seats), ratio.ours)})
    while True:
        chance.shuffle(patterns)
        for pattern in patterns:
            first = chance.randrange(seats)
            for turn in range(seats):
                chosen = {(seat + first + turn) % seats for seat in pattern}
                yield tuple(ours if seat in chosen else theirs for seat in range(seats))


def least(chosen: Sequence[int], seats: int) -> tuple[int, ...]:
    """The canonical representative of all rotations of a pattern."""
    return min(tuple(sorted((seat + turn) % seats for seat in chosen)) for turn in range(seats))


def mixed(players: Sequence[str], seats: int, seed: int) -> Iterator[Seating]:
    """Seatings of a mixed table; `players` may be fewer or more than the seats.

    In every block of as many games as there are players, each of them has every seat once. The neighbours
    change from block to block, as `seed` determines.
    """
    chance = random.Random(f"line-up {seed}")
    count = len(players)
    while True:
        order = list(players)
        chance.shuffle(order)
        places = list(range(seats))
        chance.shuffle(places)
        for turn in range(count):
            yield tuple(order[(turn + place) % count] for place in places)


def drawn(players: Sequence[str], seats: int, seed: int) -> Iterator[Seating]:
    """Seatings drawn by lot, as in Håård 2004 (section 3.3). If there are fewer players than seats, each gets
    a seat before any gets a second."""
    chance = random.Random(f"line-up {seed}")
    while True:
        seating: list[str] = []
        while len(seating) < seats:
            seating += chance.sample(list(players), min(len(players), seats - len(seating)))
        chance.shuffle(seating)
        yield tuple(seating)


def pairs(candidates: Sequence[str], seatings: Iterable[Seating]) -> Iterator[tuple[int, Seating]]:
    """Each seating once for every candidate in turn, in the seats of `OURS`: (pair, seating)."""
    for pair, seating in enumerate(seatings):
        for candidate in candidates:
            yield pair, tuple(candidate if spec == OURS else spec for spec in seating)


def jobs(
    seatings: Iterable[tuple[int | None, Seating]],
    *,
    seed: int,
    limit: Limit,
    until: int,
    map: str = "standard",
    stale_years: int | None = 5,
    keep: bool = False,
    level: int = NO_PRESS,
) -> Iterator[Job]:
    """Jobs for (pair, seating), numbered from 0. The seed of each is derived from `seed` and its number, or
    from its pair, so that all games of a pair share it."""
    for index, (pair, seating) in enumerate(seatings):
        number = index if pair is None else pair
        yield Job(index, seating, derived(seed, number), limit, until, map, stale_years, pair, keep, level)


def derived(seed: int, number: int) -> int:
    """The seed of the game of a number, below 2 ** 48; the same on every machine."""
    return int.from_bytes(blake2b(f"{seed} {number}".encode(), digest_size=6).digest(), "big")


# A whole game takes long, and gives one result. Games that continue recorded ones for a few years give
# several in the same time, from positions of all kinds. Chess programs are tested from opening books for
# this reason.

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

    def ranked() -> Iterator[tuple[int, float, int, Start]]:
        """The starts, each behind its place in the order: the number of its game's starts before it, a draw
        by lot, and the game."""
        for number, game in enumerate(read_games(path)):
            if game.map != map.name:
                raise BordeauxError(
                    f"{name_of(path)}: game {quote(game.id)} is on map {quote(game.map)}, not {map.name};"
                    " give its map to --map"
                )
            springs = [
                index
                for index, phase in enumerate(game.phases)
                if phase.name.startswith("S") and phase.name.endswith("M")
            ]
            states = [(game.phases[index].name, game.phases[index].state) for index in springs]
            digest.update(json.dumps(states, sort_keys=True).encode() + b"\n")
            chance = random.Random(f"starts {seed} {number}")
            chance.shuffle(springs)
            with placed(name_of(path)):
                starts = starts_of(game, springs, map, chance, taken)
            for before, start in enumerate(starts):
                yield before, chance.random(), number, start

    chosen = heapq.nsmallest(most, ranked(), key=lambda place: place[:3])
    if not chosen:
        raise BordeauxError(
            f"{name_of(path)} has no position to begin at: a Spring after the first with a power of"
            f" {CENTRES} centres"
        )
    return Starts(tuple(start for *_, start in chosen), years, digest.hexdigest())


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


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament to be played.

    `players` are the specs of one side, or of the whole table if there is no `rival`. Several players against
    a rival are candidates; they play the same seats and seeds in pairs of games. `ratio` has the seats of
    both sides. `random` draws seats by lot. `games` is the number of games (of each candidate if there are
    several). With `starts` games begin there and end after the years of those, so `until` does not apply; the
    single seat of our side is that of the start. The other fields are those of a `Job`.
    """

    players: tuple[str, ...]
    rival: str | None
    ratio: Ratio | None
    random: bool
    games: int
    seats: int
    seed: int
    limit: Limit
    until: int
    map: str = "standard"
    stale_years: int | None = 5
    keep: bool = False
    level: int = NO_PRESS
    starts: Starts | None = None

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates of a paired tournament; else none."""
        return self.players if self.rival is not None and len(self.players) > 1 else ()

    @property
    def order(self) -> tuple[str, ...]:
        """All specs, in the order of the tables."""
        return tuple(dict.fromkeys([*self.players, *([self.rival] if self.rival is not None else [])]))

    @property
    def total(self) -> int:
        """The number of games in all."""
        return self.games * max(1, len(self.candidates))

    @property
    def repeats(self) -> int:
        """The number of games in a row from one start: one for each candidate; at a balanced mixed table one
        for each player of the list, so that all have every seat of it once."""
        if self.rival is None:
            return 1 if self.random else len(self.players)
        return max(1, len(self.candidates))

    def jobs(self) -> Iterator[Job]:
        """The jobs, in order."""
        plain = jobs(
            islice(self._numbered(), self.total),
            seed=self.seed,
            limit=self.limit,
            until=self.until,
            map=self.map,
            stale_years=self.stale_years,
            keep=self.keep,
            level=self.level,
        )
        return plain if self.starts is None else self._begun(plain, self.starts)

    def setup(self) -> dict[str, Any]:
        """All that determines the games, except their number, as plain JSON values."""
        return {
            "players": list(self.players),
            "against": self.rival,
            "ratio": None if self.ratio is None else list(self.ratio),
            "seats": "random" if self.random else "balanced",
            "seed": self.seed,
            "time": self.limit.time,
            "nodes": self.limit.nodes,
            "until": self.until if self.starts is None else None,
            "stale": self.stale_years,
            "map": self.map,
            "games kept": self.keep,
            # Logs made without talks or starts do not have the words, and go on.
            **({"level": self.level} if self.level else {}),
            **({} if self.starts is None else self.starts.setup()),
        }

    def our_seats(self) -> Iterator[tuple[int, ...]]:
        """The seats of our side in every game, or in every pair where there are candidates, in order.
        Raises BordeauxError without a rival."""
        for seating in self._sides():
            yield tuple(seat for seat, spec in enumerate(seating) if spec == OURS)

    def _sides(self) -> Iterator[Seating]:
        if self.rival is None or self.ratio is None:
            raise BordeauxError("a mixed table has no side of its own; give --against")
        if self.starts is not None:
            seats = [start.seat for start in self.starts.chosen]
            return (tuple(OURS if at == seat else self.rival for at in range(self.seats)) for seat in seats)
        return against(OURS, self.rival, self.ratio, self.seed)

    def _numbered(self) -> Iterator[tuple[int | None, Seating]]:
        if self.candidates:
            return pairs(self.players, self._sides())
        if self.rival is not None:
            return ((None, seating) for _, seating in pairs(self.players, self._sides()))
        seatings = (drawn if self.random else mixed)(self.players, self.seats, self.seed)
        return ((None, seating) for seating in seatings)

    def _begun(self, plain: Iterator[Job], starts: Starts) -> Iterator[Job]:
        """The jobs with their starts."""
        for job in plain:
            start = starts.chosen[job.index // self.repeats]
            yield replace(job, start=start.position, until=start.year + starts.years - 1)
