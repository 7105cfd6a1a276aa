"""What the prospect learns from: positions of recorded games with the results of the games, and siblings.

Every movement phase of a game that reached 1905 or a solo is an example. Siblings are positions that one
power's orders have told apart, each with what playouts by the net of people expect of it.
"""

from __future__ import annotations

import contextlib
import random
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from bordeaux import BordeauxError, Map, evaluate
from bordeaux._ext.search.rollout import Rollout
from bordeaux._ext.value.prospect import N_NOBODY, Prospect, count_rows
from bordeaux.board.code import as_bytes
from bordeaux.formats.games import Game, read_games
from bordeaux.formats.whole_files import whole
from bordeaux.policy.people import People
from training.split import TEST, part_of

MAP = Map.standard()
POWERS = len(MAP.powers)
#: A game that ends before this year without a solo counts as abandoned.
EARLIEST = 1905
#: One phase of so many has the points of the hand-made evaluation.
MEASURED = 7
#: Temperatures at which the other powers' orders are drawn, and a power's own: from what people play to what
#: nobody would. Each set has so many playouts.
USUAL, OWN, PLAYOUTS = (0.7, 0.7, 1.0), (0.7, 1.0, 2.0, 4.0), 2
#: Movement phases of a playout, and the temperature of its orders.
PHASES, ONWARD = 4, 0.5
#: The siblings of a group.
SIBLINGS = len(OWN) * PLAYOUTS
#: The last year whose positions have siblings.
LATEST = 1914

Floats32 = npt.NDArray[np.float32]


@dataclass
class Examples:
    """Positions, n of them, with the results of their games.

    `rows` uint16[n, 7, width] and `common` uint16[n, 4] are the core's lists, padded with row 0. `alive`
    bool[n, 7]. `counts` uint8[n, 7] are centres. `shares` float32[n, 7] are the final ones. `winner` int8[n]
    is 7 for nobody. `year` int16[n]. `part` uint8[n] is that of the game (`training.split`). `left` bool[n]
    tells whether a power had left. `points` float32[n, 7] are those of the hand-made evaluation for some
    positions, else NaN.
    """

    rows: npt.NDArray[np.uint16]
    common: npt.NDArray[np.uint16]
    alive: npt.NDArray[np.bool_]
    counts: npt.NDArray[np.uint8]
    shares: Floats32
    winner: npt.NDArray[np.int8]
    year: npt.NDArray[np.int16]
    part: npt.NDArray[np.uint8]
    left: npt.NDArray[np.bool_]
    points: Floats32

    def only(self, which: npt.NDArray[Any]) -> Examples:
        """Those of a mask, or of some numbers."""
        return Examples(**{name: array[which] for name, array in vars(self).items()})


class Siblings(NamedTuple):
    """Groups of `SIBLINGS` positions, which differ by the orders that one power gave in the phase before.

    `rows` uint16[n, SIBLINGS, 7, width] are as in `Examples`. `shares` float32[n, SIBLINGS, 7] are those
    expected at the end of a playout. `part` uint8[n] is that of the game.
    """

    rows: npt.NDArray[np.uint16]
    shares: Floats32
    part: npt.NDArray[np.uint8]

    def only(self, which: npt.NDArray[Any]) -> Siblings:
        """The groups of a mask, or of some numbers."""
        return Siblings(*(array[which] for array in self))


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


def listed(game: Game, core: Prospect) -> Iterator[tuple[object, ...]]:
    """The examples of a game, as the fields of `Examples` except the part; every `MEASURED`th has points."""
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
        if number % MEASURED == 0:
            points = [value.value for value in evaluate(position).values()]
        counts = [len(position.centres.get(power, ())) for power in MAP.powers]
        yield rows, common, alive, counts, *end, position.phase.year, left, points


def gathered(games: Iterator[Game], most: int | None = None) -> Examples:
    """The examples of all games, or of the first so many."""
    core = Prospect(
        MAP.tables, bytes(8 * count_rows(MAP.tables, True)), bytes(4 * N_NOBODY), True, MAP.start_phase.year
    )
    collected: list[tuple[object, ...]] = []
    parts: list[int] = []
    for number, game in enumerate(games):
        if number == most:
            break
        try:
            these = list(listed(game, core))
        except BordeauxError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        collected += these
        parts += [part_of(game.id)] * len(these)
    if not collected:
        raise BordeauxError("no game came to something: 1905, or a solo")
    columns = list(zip(*collected, strict=True))
    return Examples(
        padded(columns[0]),
        np.frombuffer(b"".join(columns[1]), np.uint16).reshape(len(collected), -1),
        np.array(columns[2], np.bool_),
        np.array(columns[3], np.uint8),
        np.array(columns[4], np.float32),
        np.array(columns[5], np.int8),
        np.array(columns[6], np.int16),
        np.array(parts, np.uint8),
        np.array(columns[7], np.bool_),
        np.array(columns[8], np.float32),
    )


def padded(listed: Sequence[Sequence[bytes]]) -> npt.NDArray[np.uint16]:
    """Lists of rows of all powers as one array, uint16[n, 7, width], padded with row 0."""
    width = max(len(row) for rows in listed for row in rows)
    every = b"".join(row.ljust(width, b"\0") for rows in listed for row in rows)
    return np.frombuffer(every, np.uint16).reshape(len(listed), POWERS, width // 2)


def siblings(games: Iterable[Game], value: Prospect, count: int, seed: int) -> Siblings:
    """So many groups, after positions drawn from games that are not held out; `value` judges the ends of
    playouts. Raises BordeauxError if there is no such position."""
    chance = random.Random(seed)
    known = [
        (game, number)
        for game in games
        if part_of(game.id) != TEST
        for number, phase in enumerate(game.phases)
        if phase.name.endswith("M") and int(phase.name[1:5]) <= LATEST
    ]
    if not known:
        raise BordeauxError("no position to play on: all games are held out")
    draw = {by: People(MAP, temperature=by, seed=seed).chooser for by in (*USUAL, *OWN)}
    rollout = Rollout(value, People(MAP, temperature=ONWARD).chooser)
    rows: list[list[bytes]] = []
    shares: list[list[float]] = []
    parts: list[int] = []
    while len(parts) < count:
        game, number = chance.choice(known)
        try:
            before = game.position(number).packed
        except BordeauxError:
            # Such a game is told of where results are gathered.
            known = [other for other in known if other[0] is not game]
            if not known:
                raise
            continue
        orders = [draw[chance.choice(USUAL)].orders(before, power) for power in range(POWERS)]
        mover = chance.choice([power for power, own in enumerate(orders) if own])
        for by in OWN:
            orders[mover] = draw[by].orders(before, mover)
            joint = b"".join(map(as_bytes, orders))
            seeds = [chance.getrandbits(62) for _ in range(PLAYOUTS)]
            rows += [value.features(after)[0] for after in rollout.ends(before, joint, 0, seeds)]
            shares += [value.shares(end) for end in rollout.ends(before, joint, PHASES, seeds)]
        parts.append(part_of(game.id))
    groups = len(parts), SIBLINGS, POWERS
    return Siblings(
        padded(rows).reshape(*groups, -1),
        np.array(shares, np.float32).reshape(groups),
        np.array(parts, np.uint8),
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
        with whole(cache) as part, part.open("wb") as handle:
            np.savez(handle, **vars(collected))
    return collected
