"""Runs games as jobs on the cores of this machine, and finds the player to blame for a dead process."""

from __future__ import annotations

import importlib
from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from bordeaux.arena.game import Watch, play
from bordeaux.arena.guard import Create
from bordeaux.arena.job import CRASH, STALL, Fault, Job, Result
from bordeaux.board.errors import BordeauxError
from bordeaux.jobs import pool, process

CREATE = "bordeaux.arena.player_specs:create"
"""The function that makes players, as ``module:function``."""
HARD_GRACE = 2.0
"""Seconds after which the process of a player that the alarm has not stopped is ended."""
PATIENCE = 3
"""Deaths outside any player after which a job is given up."""


class GameAttempt(NamedTuple):
    """A job, the players that are out because they ended its process, and the player that was thinking at
    each of its deaths (-1: none)."""

    job: Job
    lost: tuple[Fault, ...] = ()
    deaths: tuple[int, ...] = ()


@dataclass(frozen=True)
class GameRunner:
    """Plays games with the players from the function named `create`, ``module:function``. If it is `watched`,
    the pool is informed of every phase."""

    create: str
    watched: bool = False

    def __call__(self, game: GameAttempt) -> Result:
        """Play a game; raises what `play` raises."""
        return play(
            game.job,
            creator(self.create),
            watch=process.tell if self.watched else None,
            notice=notice,
            lost=game.lost,
        )


def creator(name: str) -> Create:
    """The function ``module:function`` that makes players. Raises BordeauxError if it does not exist."""
    module, _, attribute = name.partition(":")
    try:
        create: Create = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise BordeauxError(f"nothing makes players: {error}") from None
    return create


def notice(seat: int, phase: str, ends: float) -> None:
    """Record the player that is called, in case it ends the process or does not return."""
    process.note(f"{seat} {phase}", ends)


def blame(game: GameAttempt, death: pool.Death) -> GameAttempt:
    """The game again, without the player that ended its process if it did so for the second time."""
    number, _, phase = death.note.partition(" ")
    seat = int(number or -1)
    deaths = (*game.deaths, seat)
    if seat < 0:
        if sum(1 for moment in deaths if moment < 0) == PATIENCE:
            raise BordeauxError(
                f"game {game.job.index} cannot be played: its worker {death.text} before any player was"
                f" called, {PATIENCE} times; its last words are on standard error"
            )
        return game._replace(deaths=deaths)
    if len(deaths) == 1:
        return game._replace(deaths=deaths)
    fault = Fault(seat, STALL if death.late else CRASH, phase, death.text)
    return GameAttempt(game.job, (*game.lost, fault), deaths)


def run(
    jobs: Iterable[Job], *, processes: int = 1, create: str = CREATE, watch: Watch | None = None
) -> Generator[Result]:
    """Play jobs in `processes` worker processes and yield each result as soon as it is there.

    `create` names the function that makes the players, ``module:function``. `watch` is called for every phase
    of kept games. A worker that dies, or whose player does not return and cannot be stopped, is replaced, and
    its game is played again. If that happens again in the same game, the player that was thinking gets the
    fault, and the game is played without it from that phase on.

    Closing the iterator ends the workers and all their child processes. Raises BordeauxError for a job that
    cannot be played, and for a worker that dies repeatedly outside any player.
    """
    run_game = GameRunner(create, watch is not None)
    yield from results(
        pool.run(
            run_game, map(GameAttempt, jobs), processes=processes, died=blame, heard=watch, grace=HARD_GRACE
        )
    )


def results(outcomes: Generator[pool.JobOutcome[GameAttempt, Result]]) -> Generator[Result]:
    """The results of games; the first game without a result ends all."""
    with closing(outcomes):
        for outcome in outcomes:
            if outcome.error is not None and not isinstance(outcome.error, BordeauxError):
                raise RuntimeError(f"game {outcome.job.job.index} broke the arena") from outcome.error
            yield outcome.result()
