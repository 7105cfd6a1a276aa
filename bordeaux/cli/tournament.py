"""Runs a tournament for ``bordeaux arena``: the request, the progress bar, and the end."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from time import monotonic
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bordeaux.arena import tables
from bordeaux.arena.duel import SequentialTrial
from bordeaux.arena.gamesfile import GamesFile
from bordeaux.arena.job import Result
from bordeaux.arena.lineup import read_ratio
from bordeaux.arena.log import Log
from bordeaux.arena.plan import TournamentPlan
from bordeaux.arena.presets import PresetPlan
from bordeaux.arena.scores import SCORES
from bordeaux.arena.sprt import hypotheses
from bordeaux.arena.starts import read_starts
from bordeaux.arena.tournament import Play, play_all
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.games import players_of
from bordeaux.cli.interrupts import Stopped
from bordeaux.cli.report.errors import report
from bordeaux.cli.report.output import console
from bordeaux.formats.source import name_of

__all__ = ["AnyPlan", "Bar", "from_recorded", "gather", "how_to_go_on", "plan_of", "trial_of"]

AnyPlan = TournamentPlan | PresetPlan
EVERY = 2.0
"""Seconds between two computations of the running score, which takes some time."""


def plan_of(
    board: Map, lists: tuple[str, ...], rival: str | None, ratio: str | None, random: bool, **rest: Any
) -> TournamentPlan:
    """The plan of the options. Raises BordeauxError if they contradict each other."""
    players = tuple(players_of(lists))
    if not players:
        raise BordeauxError("say who plays: --players A,B,C for mixed tables, or --players A --against B")
    seats = len(board.powers)
    if rival is None:
        if ratio is not None:
            raise BordeauxError("--ratio needs --against, the player on the other seats")
        return TournamentPlan(players, None, None, random, seats=seats, **rest)
    if random:
        raise BordeauxError("--seats random is for mixed tables, without --against")
    if len(set(players)) < len(players):
        raise BordeauxError("--players names one candidate twice; with --against each plays in turn")
    rivals = players_of([rival])
    if len(rivals) != 1:
        raise BordeauxError(f"--against takes one player, not {len(rivals)}")
    sides = read_ratio(ratio if ratio is not None else f"1:{seats - 1}", seats)
    return TournamentPlan(players, rivals[0], sides, random, seats=seats, **rest)


def from_recorded(
    plan: TournamentPlan, board: Map, source: str, years: int, games: int | None
) -> TournamentPlan:
    """The plan with games that begin at positions of recorded ones, in the file `source`. Without a wanted
    number of `games` it has as many as the plan, or as there are positions for. Raises BordeauxError."""
    if plan.ratio is not None and plan.ratio.ours != 1:
        raise BordeauxError("--from has one seat for --players, by the position; leave out --ratio")
    starts = read_starts(source, board, years=years, seed=plan.seed, most=plan.games)
    repeats = plan.repeats if plan.rival is None else 1
    most = repeats * len(starts.chosen)
    if games is not None and games > most:
        raise BordeauxError(
            f"{name_of(source)} has {len(starts.chosen)} positions to begin at, for --games {most} at most;"
            " give more recorded games"
        )
    return replace(plan, starts=starts, games=min(plan.games, most))


def trial_of(plan: AnyPlan, score: str, tested: str) -> SequentialTrial:
    """The sequential test of --sprt. Raises BordeauxError for an invalid one."""
    if not isinstance(plan, TournamentPlan) or plan.rival is None:
        raise BordeauxError("--sprt tests one side against a rival: give --players and --against")
    return SequentialTrial(plan.our_seats(), len(plan.candidates), score, *hypotheses(tested))


def gather(
    plan: AnyPlan,
    play: Play,
    save: str | None,
    games_file: str | None,
    trial: SequentialTrial | None,
    score: str,
) -> tuple[list[Result], Stopped | None]:
    """Play until all games are there, the test is over, or the user stops it; returns the results by index.

    Raises BordeauxError for files that cannot be continued, and what the runner raises.
    """
    finished: list[Result] = []
    stopped = None
    with ExitStack() as stack:
        log = stack.enter_context(Log(save, plan.setup())) if save is not None else None
        known = log.results if log is not None else {}
        kept = stack.enter_context(GamesFile(games_file, known)) if games_file is not None else None
        if known:
            report(f"{save} has {len(known)} games; going on from there")
        try:
            with (
                closing(play_all(plan.jobs(), plan.total, play, log, kept)) as results,
                progress(plan.total, plan.order[0], score) as bar,
            ):
                for result in results:
                    finished.append(result)
                    bar.update(finished)
                    if trial is not None and trial.add(result):
                        break
        except Stopped as error:
            stopped = error
    counted = [result for result in finished if trial is None or trial.counts(result)]
    return sorted(counted, key=lambda result: result.index), stopped


def how_to_go_on(played: int, total: int, save: str | None) -> str:
    """The advice after a tournament was stopped."""
    if save is None:
        return f"stopped after {played} of {total} games; with --save FILE a tournament can go on later"
    again = shlex.join(["bordeaux", *sys.argv[1:]])
    return f"stopped after {played} of {total} games; the same command goes on: {again}"


class Bar:
    """Shows the number of finished games, and the running score of one player."""

    def __init__(self, progress: Progress | None, total: int, name: str, score: str) -> None:
        self._progress = progress
        self._name = name
        self._score = score
        self._looked = monotonic()
        self._task = progress.add_task("games", total=total, score="") if progress else None

    def update(self, results: Sequence[Result]) -> None:
        """Show the results so far."""
        if self._progress is None or self._task is None:
            return
        self._progress.update(self._task, completed=len(results))
        if monotonic() > self._looked + EVERY:
            self._progress.update(self._task, score=running(results, self._name, self._score))
            self._looked = monotonic()


def running(results: Sequence[Result], name: str, score: str) -> str:
    """The running score of a player, with its interval."""
    held = list(tables.seats_of(results, name))
    if not held:
        return ""
    measure = tables.interval_of(held, SCORES[score])
    return f"{name} {score.replace('_', ' ')} {tables.number(measure, 3)}"


@contextmanager
def progress(total: int, name: str, score: str) -> Iterator[Bar]:
    """A bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield Bar(None, total, name, score)
        return
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[score]}"),
    )
    shown = console(sys.stderr)
    with Progress(*columns, console=shown, transient=True, refresh_per_second=4) as made:
        yield Bar(made, total, name, score)
