"""Line-ups balanced over the powers, and the jobs that they make.

A *seating* names a player for every power. All sequences of seatings here are infinite and have fixed
prefixes, so a tournament can be continued.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

from bordeaux.arena.job import Job
from bordeaux.board.errors import BordeauxError, quote
from bordeaux.players.protocol import Limit
from bordeaux.press.language.levels import NO_PRESS

__all__ = [
    "OURS",
    "Ratio",
    "Seating",
    "against",
    "block",
    "derived",
    "drawn",
    "jobs",
    "mixed",
    "pairs",
    "read_ratio",
]

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
    """Seatings drawn by lot, as in paper 001 (section 3.3). If there are fewer players than seats, each gets
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


def block(seatings: Iterable[Seating], most: int = 1000) -> int | None:
    """The number of games after which the seats are balanced for the first time: every player has had every
    seat equally often. None if this exceeds `most`."""
    counts: dict[str, list[int]] = {}
    for games, seating in enumerate(itertools.islice(seatings, most), start=1):
        for seat, spec in enumerate(seating):
            counts.setdefault(spec, [0] * len(seating))[seat] += 1
        if all(min(by_seat) == max(by_seat) for by_seat in counts.values()):
            return games
    return None


def jobs(
    seatings: Iterable[tuple[int | None, Seating]],
    *,
    seed: int,
    limit: Limit,
    until: int,
    map: str = "standard",
    stale_years: int | None = 5,
    keep: bool = False,
    health: bool = False,
    level: int = NO_PRESS,
) -> Iterator[Job]:
    """Jobs for (pair, seating), numbered from 0. The seed of each is derived from `seed` and its number, or
    from its pair, so that all games of a pair share it."""
    for index, (pair, seating) in enumerate(seatings):
        number = index if pair is None else pair
        yield Job(
            index, seating, derived(seed, number), limit, until, map, stale_years, pair, keep, health, level
        )


def derived(seed: int, number: int) -> int:
    """The seed of the game of a number, below 2 ** 48; the same on every machine."""
    return int.from_bytes(blake2b(f"{seed} {number}".encode(), digest_size=6).digest(), "big")
