"""Plays and records games; games in the log are not played again."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import Protocol

from bordeaux.arena.gamesfile import GamesFile
from bordeaux.arena.job import Job, Result
from bordeaux.arena.log import Log

__all__ = ["Play", "play_all"]


class Results(Protocol):
    """An iterator over results that can be closed early, as generators can."""

    def __iter__(self) -> Iterator[Result]:
        """The results."""

    def close(self) -> None:
        """End the runner."""


Play = Callable[[Iterator[Job]], Results]
"""Plays a stream of jobs and yields results in any order: a runner."""


def play_all(
    jobs: Iterable[Job], total: int, play: Play, log: Log | None = None, games: GamesFile | None = None
) -> Generator[Result, None, None]:
    """The results of `total` jobs, numbered from 0: first those of the log, in order, then the new ones as
    they arrive.

    Each new result is written before it is yielded. Its game is written first and then dropped, so the log
    never has a result whose game is missing. Closing this iterator ends the runner.
    """
    known = dict(log.results) if log is not None else {}
    yield from [known[index] for index in sorted(known) if index < total]
    waiting = (job for job in jobs if job.index not in known)
    with closing(play(waiting)) as results:
        for result in results:
            if games is not None and result.game is not None:
                games.append(result.index, result.game)
                result = replace(result, game=None)
            if log is not None:
                log.append(result)
            yield result
