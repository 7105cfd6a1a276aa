"""Examples for the prospect: positions of recorded games with the results of the games.

Every movement phase of a game that reached 1905 or a solo is one.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux import BordeauxError, Map, evaluate
from bordeaux._ext.value.prospect import N_NOBODY, Prospect, count_rows
from bordeaux.formats.games import Game, read_games

MAP = Map.standard()
POWERS = len(MAP.powers)
#: A game that ends before this year without a solo counts as abandoned.
EARLIEST = 1905

Floats32 = npt.NDArray[np.float32]


def deck(game: str) -> int:
    """The part (of ten) of a game, by its id."""
    return int(hashlib.sha256(game.encode()).hexdigest()[:8], 16) % 10


@dataclass
class Examples:
    """Positions, n of them, with the results of their games.

    `rows` uint16[n, 7, width] and `common` uint16[n, 4] are the core's lists, padded with row 0. `alive`
    bool[n, 7]. `counts` uint8[n, 7] are centres. `shares` float32[n, 7] are the final ones. `winner` int8[n]
    is 7 for nobody. `year` int16[n]. `deck` uint8[n]. `left` bool[n] tells whether a power had left. `points`
    float32[n, 7] are those of the hand-made evaluation for some positions, else NaN. `game` int32[n] is the
    number of the game, whose positions follow each other.
    """

    rows: npt.NDArray[np.uint16]
    common: npt.NDArray[np.uint16]
    alive: npt.NDArray[np.bool_]
    counts: npt.NDArray[np.uint8]
    shares: Floats32
    winner: npt.NDArray[np.int8]
    year: npt.NDArray[np.int16]
    deck: npt.NDArray[np.uint8]
    left: npt.NDArray[np.bool_]
    points: Floats32
    game: npt.NDArray[np.int32]

    def only(self, which: npt.NDArray[Any]) -> Examples:
        """Those of a mask, or of some numbers."""
        return Examples(**{name: array[which] for name, array in vars(self).items()})


class End(NamedTuple):
    """The result of a game: the share of every power, and the number of the power with a solo, 7 for
    nobody."""

    shares: list[float]
    winner: int


def ending(game: Game) -> End | None:
    """The result of a game, None for an abandoned one. The orders of a last Fall are adjudicated."""
    final = game.position(-1)
    for phase in ("M", "R"):
        if (final.phase.season, final.phase.kind) == ("F", phase):
            with contextlib.suppress(BordeauxError):
                final = final.next(game.phases[-1].orders if str(final.phase) == game.phases[-1].name else {})
    counts = [len(final.centres.get(power, ())) for power in MAP.powers]
    most = max(counts)
    if 2 * most > len(MAP.centres):
        return End([float(count == most) for count in counts], counts.index(most))
    if int(game.phases[-1].name[1:5]) < EARLIEST:
        return None
    squares = sum(count * count for count in counts)
    return End([count * count / squares for count in counts], POWERS)


def last_orders(game: Game) -> list[int]:
    """For every power the last movement phase in which it ordered, by number; -1 if it never did."""
    last = [-1] * POWERS
    for number, phase in enumerate(game.phases):
        if phase.name.endswith("M"):
            for power, orders in phase.orders.items():
                if orders:
                    last[MAP.powers.index(power)] = number
    return last


def listed(game: Game, core: Prospect, measured: int) -> Iterator[tuple[object, ...]]:
    """The examples of a game, as the fields of `Examples` except the deck; every `measured`th has points."""
    end = ending(game)
    if end is None:
        return
    last = last_orders(game)
    for number, phase in enumerate(game.phases[: max(last) + 1]):
        if not phase.name.endswith("M"):
            continue
        position = game.position(number)
        rows, common = core.features(position.packed)
        alive = [len(row) > 0 for row in rows]
        standing = [bool(position.units_of(power)) for power in MAP.powers]
        left = any(stands and last[power] < number for power, stands in enumerate(standing))
        points = [np.nan] * POWERS
        if number % measured == 0:
            points = [value.value for value in evaluate(position).values()]
        counts = [len(position.centres.get(power, ())) for power in MAP.powers]
        yield rows, common, alive, counts, *end, position.phase.year, left, points


def gathered(games: Iterator[Game], most: int | None = None, measured: int = 7) -> Examples:
    """The examples of all games, or of the first so many."""
    core = Prospect(
        MAP.tables,
        bytes(8 * count_rows(MAP.tables, True)),
        bytes(4 * N_NOBODY),
        True,
        MAP.start_phase.year,
    )
    collected: list[tuple[object, ...]] = []
    decks: list[int] = []
    numbers: list[int] = []
    for number, game in enumerate(games):
        if number == most:
            break
        try:
            these = list(listed(game, core, measured))
        except BordeauxError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        collected += these
        decks += [deck(game.id)] * len(these)
        numbers += [number] * len(these)
    if not collected:
        raise BordeauxError("no game came to something: 1905, or a solo")
    columns = list(zip(*collected, strict=True))
    width = max(len(row) for rows in columns[0] for row in rows) // 2
    padded = b"".join(row.ljust(2 * width, b"\0") for rows in columns[0] for row in rows)
    return Examples(
        np.frombuffer(padded, np.uint16).reshape(len(collected), POWERS, width),
        np.frombuffer(b"".join(columns[1]), np.uint16).reshape(len(collected), -1),
        np.array(columns[2], np.bool_),
        np.array(columns[3], np.uint8),
        np.array(columns[4], np.float32),
        np.array(columns[5], np.int8),
        np.array(columns[6], np.int16),
        np.array(decks, np.uint8),
        np.array(columns[7], np.bool_),
        np.array(columns[8], np.float32),
        np.array(numbers, np.int32),
    )


def examples(path: Path, cache: Path | None, most: int | None) -> Examples:
    """The examples of a file of games, or the stored ones. Raises BordeauxError, OSError."""
    if cache is not None and cache.exists():
        try:
            with np.load(cache, allow_pickle=False) as arrays:
                return Examples(**dict(arrays))
        except (TypeError, ValueError, EOFError, zipfile.BadZipFile):
            raise BordeauxError(f"{cache} holds no examples of this version: name another file") from None
    collected = gathered(read_games(path), most)
    if cache is not None:
        part = cache.with_name(cache.name + ".part.npz")
        np.savez(part, **vars(collected))
        part.replace(cache)
    return collected
