"""``bordeaux arena``: tournaments between players, with an interval for every result."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import click
from click.core import ParameterSource

from bordeaux.arena import tables
from bordeaux.arena.job import Result
from bordeaux.arena.plan import MOST_YEARS, TournamentPlan, read_ratio, read_starts
from bordeaux.arena.player_specs import check
from bordeaux.arena.presets import PresetPlan, Sparring, preset, presets
from bordeaux.arena.runner import run
from bordeaux.arena.statistics import SCORES
from bordeaux.arena.tournament import GamesFile, Log, Play, check_name, play_all, read_log
from bordeaux.board.errors import BordeauxError, name_of
from bordeaux.board.map import Map
from bordeaux.cli.games import game_options, limit_of, players_of, table_map
from bordeaux.cli.options import force_option, json_option, processes_option, whole
from bordeaux.cli.program import Stopped, stoppable
from bordeaux.cli.report import report
from bordeaux.cli.report.output import check_places, print_json, write_whole
from bordeaux.cli.report.progress import estimating
from bordeaux.cli.report.standings import as_dict, drawn, print_all, report_faults
from bordeaux.jobs import available_cores

AnyPlan = TournamentPlan | PresetPlan


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


def gather(
    plan: AnyPlan, play: Play, save: str | None, games_file: str | None
) -> tuple[list[Result], Stopped | None]:
    """Play until all games are there, or the user stops it; returns the results by index.

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
                estimating("games", len(known), plan.total) as bar,
            ):
                for result in results:
                    finished.append(result)
                    bar.update(len(finished), lambda: running(finished, plan.order[0]))
        except Stopped as error:
            stopped = error
            if log is not None:
                # The signal may have come between the writing of a result and its counting.
                written = read_log(log.path).results
                finished = [result for index, result in written.items() if index < plan.total]
    return sorted(finished, key=lambda result: result.index), stopped


def how_to_go_on(played: int, total: int, save: str | None) -> str:
    """The advice after a tournament was stopped."""
    if save is None:
        return f"stopped after {played} of {total} games; with --save FILE a tournament can go on later"
    again = shlex.join(["bordeaux", *sys.argv[1:]])
    return f"stopped after {played} of {total} games; the same command goes on: {again}"


def running(results: Sequence[Result], name: str) -> str:
    """The sum of squares of a player so far, with its interval."""
    held = list(tables.seats_of(results, name))
    measure = tables.interval_of(held, SCORES["sum_of_squares"]) if held else None
    return "" if measure is None else f"{name} sum of squares {tables.number(measure, 3)}"


GAMES = 70
YEARS = 3
MOST_GAMES = 1_000_000
SET_BY_PRESETS = ("against", "ratio", "seats", "stale", "map")


@click.command("arena")
@click.option(
    "--players",
    metavar="A,B,...",
    multiple=True,
    help="The players, as a mixed table; with --against, each in turn against that one.",
)
@click.option("--against", metavar="B", help="The player on all other seats.")
@click.option("--ratio", metavar="N:M", help="Seats of --players and --against.  [default: 1 and the rest]")
@click.option(
    "--preset",
    "name",
    metavar="NAME",
    help=f"Play a paper's games again, or against sparring partners: {', '.join(presets())}, or FILE.toml.",
)
@click.option(
    "--games",
    type=whole(1, MOST_GAMES),
    metavar="N",
    help=f"Games to play, for each candidate.  [default: {GAMES}, or as many as the paper]",
)
@click.option(
    "--seats",
    type=click.Choice(["balanced", "random"]),
    default="balanced",
    help="How seats are given out.  [default: balanced over the powers]",
)
@click.option(
    "--from",
    "source",
    metavar="FILE",
    help="Begin at positions of the saved games in FILE, each for some years.",
)
@click.option(
    "--years",
    type=whole(1, MOST_YEARS),
    default=YEARS,
    metavar="N",
    help=f"With --from: end a game N years after its start.  [default: {YEARS}]",
)
@game_options
@processes_option("Games played at once.  [default: one a core]")
@click.option(
    "--save", metavar="FILE", help="Keep results in FILE; the same command then goes on from there."
)
@click.option("--games-file", metavar="FILE", help="Save the games, one a line.")
@click.option("--csv", "csv_path", metavar="FILE", help="Write a line for every seat of every game.")
@click.option("--plot", "plot_path", metavar="FILE", help="Draw scores and centres by year, as SVG.")
@force_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    players: tuple[str, ...],
    against: str | None,
    ratio: str | None,
    name: str | None,
    games: int | None,
    seats: str,
    source: str | None,
    years: int,
    time: float | None,
    nodes: int | None,
    until: int,
    stale: int,
    seed: int,
    map: str,
    level: int,
    processes: int | None,
    save: str | None,
    games_file: str | None,
    csv_path: str | None,
    plot_path: str | None,
    force: bool,
    as_json: bool,
) -> int | None:
    """Play a tournament and compare the players.

    Without --against all players of the list sit at mixed tables. With it, one player takes the seats of
    --ratio, and that rival all others; several players are candidates for the same seats and seeds. Seats
    rotate over the powers. They are balanced when the number of games is a multiple of the powers, or at a
    mixed table of the players.

    With --from, games begin in Spring at positions of recorded games, at most three of each. The seat of
    --players is drawn from the powers with four centres or more there. At a mixed table each position is
    played once for each player of the list.

    A game ends with a solo, after some years without a change of owners, after the last year, or with --level
    when all agree to a draw. A fault is a crash, illegal orders, or more than twice the time (and at least a
    second more). The player has no orders then, and is named.

    --preset FILE.toml is a table of your own, with [partners] NAME = "SPEC" and [mixed] NAME = ["NAME", ...].

    \b
    Examples:
      bordeaux arena --players bordeaux --against dumbbot --games 140 --save games.log
      bordeaux arena --players dumbbot,haai-berserk,diplobot,manchi-attack --games 40
      bordeaux arena --preset diplominator --level 10
    """
    play: Play = partial(run, processes=processes or available_cores())
    limit = limit_of(time, nodes)
    if source is None and given(context, "years"):
        raise BordeauxError("--years goes with --from; without it a game ends after the year of --until")
    if source is not None and given(context, "until"):
        raise BordeauxError("--until does not go with --from, where a game ends --years after its start")
    if source is not None and name is not None:
        raise BordeauxError("--from does not go with --preset; leave one of them out")
    keep = games_file is not None
    board = table_map(map, until)
    plan: AnyPlan
    if name is None:
        plan = plan_of(
            board,
            players,
            against,
            ratio,
            seats == "random",
            games=GAMES if games is None else games,
            seed=seed,
            limit=limit,
            until=until,
            map=map,
            stale_years=stale or None,
            keep=keep,
            level=level,
        )
        if source is not None:
            plan = from_recorded(plan, board, source, years, games)
    else:
        for option in SET_BY_PRESETS:
            if given(context, option):
                raise BordeauxError(f"--{option} is set by --preset {name}; leave one of them out")
        last = until if given(context, "until") else None
        chosen = preset(name)
        if isinstance(chosen, Sparring):
            chosen.choose(players_of(players))
            for spec in chosen.players:
                check(spec)
        elif players:
            raise BordeauxError(f"--players is set by --preset {name}; leave one of them out")
        plan = chosen.plan(games=games, seed=seed, limit=limit, until=last, keep=keep, level=level)
    written = {"--games-file": games_file, "--csv": csv_path, "--plot": plot_path}
    # A tournament that goes on has written them before.
    fresh = () if force or (save is not None and Path(save).exists()) else written
    check_places({"--save": save, **written}, fresh)
    if plot_path is not None and not plot_path.lower().endswith(".svg"):
        raise BordeauxError(f"--plot: {plot_path} does not end in .svg; name a file that does")
    if games_file is not None:
        check_name(games_file)
    begun = monotonic()
    with stoppable():
        results, stopped = gather(plan, play, save, games_file)
    seconds = monotonic() - begun
    if csv_path is not None:
        write_whole(csv_path, tables.print_csv(results, board))
    if plot_path is not None:
        write_whole(plot_path, drawn(plan, results))
    if as_json and stopped is None:
        print_json(as_dict(plan, results, seconds))
    elif results and not as_json:
        print_all(plan, results, seconds)
    if stopped is not None:
        report(how_to_go_on(len(results), plan.total, save))
        return stopped.code
    report_faults(tables.faults(results))
    # Short games of players that draw may look alike now and then.
    if (again := tables.repeated(results)) * 2 >= len(results) > 1:
        report(
            f"{again} of {len(results)} games repeat another, and intervals are too narrow by that: "
            "players that draw nothing play the same again (bordeaux:draw=yes draws)"
        )
    return None


def given(context: click.Context, option: str) -> bool:
    """Whether an option, by its name without dashes, is on the command line."""
    return context.get_parameter_source(option) is ParameterSource.COMMANDLINE
