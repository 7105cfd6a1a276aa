"""The games that a net of orders is trained on: saved games of people, or shards of self-play."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.position import Position
from bordeaux.formats.games import Game, read_games
from training.league.records import Shard, read_shard
from training.split import played_phases

__all__ = ["Lesson", "SourceGame", "games_in", "size_of"]


class Lesson(NamedTuple):
    """A phase that was played: its `position`, the sets of powers by number (bytes of codes), and the powers
    whose sets are `learnt`. Units without an order hold or disband."""

    position: Position
    orders: dict[int, bytes]
    learnt: Collection[int]


class SourceGame(NamedTuple):
    """A game: its id, which decides its part (`training.split`), and its phases, read when they are asked
    for."""

    id: str
    phases: Iterator[Lesson]


def games_in(source: str | Path, map: Map) -> Iterator[SourceGame]:
    """The games of a file of saved games, or of a folder with shards of self-play below (`training.league`),
    by name.

    Games of other maps have no phases. Of saved games all sets that were sent are learnt, of self-play best
    responses only: other seats have older policies or DumbBot. Raises FormatError for a file without games,
    and BordeauxError for a folder without shards, or with one that cannot be read.
    """
    if not Path(source).is_dir():
        for game in read_games(source):
            yield SourceGame(game.id, _saved(game, map) if game.map == map.name else iter(()))
        return
    for path in _shards(source):
        shard = read_shard(path)
        for number in range(shard.n_games):
            phases = _recorded(shard, number) if shard.map is map else iter(())
            yield SourceGame(shard.identity(number), phases)


def size_of(source: str | Path) -> int:
    """The bytes of the games of a source. Raises OSError, and BordeauxError for a folder without shards."""
    paths = _shards(source) if Path(source).is_dir() else [Path(source)]
    return sum(path.stat().st_size for path in paths)


def _shards(folder: str | Path) -> list[Path]:
    paths = sorted(Path(folder).rglob("shard-*.npz"))
    if not paths:
        raise BordeauxError(f"{folder} holds no shards of self-play")
    return paths


def _saved(game: Game, map: Map) -> Iterator[Lesson]:
    for position, orders in played_phases(game, map):
        yield Lesson(position, orders, orders.keys())


def _recorded(shard: Shard, number: int) -> Iterator[Lesson]:
    for phase in shard.phases_of(number):
        position = Position.from_packed(shard.map, shard.packed(phase))
        # A gain is recorded where several sets were compared.
        learnt = np.flatnonzero(np.isfinite(shard.gains[phase])).tolist()
        yield Lesson(position, shard.orders(phase), learnt)
