"""Games of self-play as saved games, in the form of the PyPI package ``diplomacy``.

The command is ``python -m training.league.export FOLDER|SHARD --out games.jsonl.gz``. `bordeaux replay`
checks such games against the rules, and `training.people` can train on them as on games of people.
"""

from __future__ import annotations

import contextlib
import gzip
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import click

from bordeaux.board.cleaning import json_line
from bordeaux.board.code import codes_in
from bordeaux.board.errors import BordeauxError
from bordeaux.board.position import Position
from bordeaux.board.submission import decode
from bordeaux.cli.report import NO, report
from bordeaux.formats.games import Game, GamePhase
from bordeaux.formats.whole_files import whole
from bordeaux.rules import adjudicate
from training.command import Command, summary_of
from training.league.records import Notice, Shard, read_shard, shards_below

RULES = ("NO_PRESS",)


def exported(shard: Shard) -> Iterator[Game]:
    """The games of a shard, one after the other, each with its last position without orders at the end.

    Results and the last position are adjudicated again; every other position is as recorded, so a replay
    finds records that break the rules. Raises BordeauxError, with the game, for an impossible position.
    """
    for number in range(shard.n_games):
        identity = shard.identity(number)
        try:
            yield Game(identity, shard.map.name, RULES, tuple(_phases(shard, number)))
        except ValueError as error:
            raise BordeauxError(f"game {identity}: {error}") from None


def _phases(shard: Shard, number: int) -> Iterator[GamePhase]:
    after: Position | None = None
    for phase in shard.phases_of(number):
        position = Position.from_packed(shard.map, shard.packed(phase))
        orders = {
            shard.map.powers[power]: [decode(shard.map, code) for code in codes_in(codes)]
            for power, codes in shard.orders(phase).items()
        }
        resolution = adjudicate(position, orders)
        texts = {power: [str(order) for order in given] for power, given in orders.items()}
        yield GamePhase(str(position.phase), position.to_json(), texts, resolution.results)
        after = resolution.after
    if after is not None:
        yield GamePhase(str(after.phase), after.to_json(), {})


def write_games(path: str | Path, games: Iterable[Game]) -> int:
    """Write games one a line, under gzip if the name ends in ``.gz``, atomically; returns their number.
    Raises OSError, and exceptions of the iterator."""
    written = 0
    with whole(path) as part, part.open("wb") as file, _packing(file, Path(path)) as handle:
        for game in games:
            handle.write((json_line(game.to_json()) + "\n").encode())
            written += 1
    return written


def _packing(file: IO[bytes], target: Path) -> contextlib.AbstractContextManager[IO[bytes]]:
    if target.suffix != ".gz":
        return contextlib.nullcontext(file)
    # Neither name nor time, so that the same games are the same file.
    return gzip.GzipFile("", "wb", fileobj=file, mtime=0)  # type: ignore[return-value]


def shards_in(source: Path, notice: Notice) -> Iterator[Shard]:
    """The shard in a file, or all below a folder by name, one at a time. `notice` is called for each
    unreadable one below a folder, which is left out. Raises BordeauxError and OSError for a single file, and
    if a folder holds no shards."""
    if not source.is_dir():
        yield read_shard(source)
        return
    for path in shards_below(source):
        try:
            shard = read_shard(path)
        except (BordeauxError, OSError) as error:
            notice(f"left out: {error}")
            continue
        yield shard


def _some(source: Path, shards: Iterable[Shard]) -> Iterator[Game]:
    """The games of the shards. Raises BordeauxError where there are none."""
    written = False
    for shard in shards:
        for game in exported(shard):
            written = True
            yield game
    if not written:
        raise BordeauxError(f"{source} holds no game that can be read")


@click.command(cls=Command, help=summary_of(__doc__))
@click.argument("source", type=Path, metavar="FOLDER|SHARD")
@click.option(
    "--out", type=Path, required=True, metavar="FILE", help="File of saved games; under gzip with .gz."
)
def main(source: Path, out: Path) -> int:
    """Export the games of a shard, or of the shards below a folder. The exit code is 1 if shards were left
    out, each in one line on standard error."""
    left_out: list[str] = []

    def notice(line: str) -> None:
        left_out.append(line)
        report(line)

    games = write_games(out, _some(source, shards_in(source, notice)))
    print(f"{games:,} games in {out}")
    return NO if left_out else 0


if __name__ == "__main__":
    sys.exit(main())
