"""A rating list in a file: the games that reduce its intervals most are played (`docs/strength.md`).

    python benchmarks/rating_list.py FILE [--players A,B,...] [--games N] [--width N] [--csv FILE]

Options of time, end and seed of games are those of ``bordeaux arena``; a list keeps those of its first game.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import click
from click.core import ParameterSource

from bordeaux.arena import tables
from bordeaux.arena.runner import run
from bordeaux.arena.tournament import Log
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.games import game_options, limit_of, players_of, table_map
from bordeaux.cli.options import json_option, processes_option, whole
from bordeaux.cli.program import CONTEXT, Script, Stopped, stoppable
from bordeaux.cli.report import report
from bordeaux.cli.report.output import check_places, print_json, print_table, print_text, table, write_whole
from bordeaux.cli.report.progress import estimating
from bordeaux.cli.report.standings import report_faults
from bordeaux.jobs import available_cores
from bordeaux.players import registry
from bordeaux.players.base import Limit
from rating_rounds import GameConditions, play_rounds
from strengths import ANCHOR, Strength, strengths

MOST_GAMES, MOST_POINTS = 1_000_000, 100_000
GAMES_EACH = 5
"""The default number of games for each player of a list."""
TOO_FEW = "a rating list needs two players that can sit down: add one with --players"
KEPT = ("time", "nodes", "until", "stale", "seed", "map", "level")
"""Options that a list keeps from its first game on."""


def conditions_of(path: str, options: Mapping[str, Any], is_given: Callable[[str], bool]) -> GameConditions:
    """The conditions of a list: those of its file, unless it is new; given options must agree with them.
    Raises BordeauxError for a file that is not a rating list."""
    values = dict(options)
    kept = stored(path)
    if kept is not None:
        # Either limit stands for both: a list without one in time has one in nodes alone.
        asked = {name for name in KEPT if is_given(name)}
        asked |= {"time", "nodes"} if asked & {"time", "nodes"} else set()
        values |= {name: value for name, value in kept.items() if name in KEPT and name not in asked}
    board = Map.load(values["map"])
    limit = Limit(values["time"], values["nodes"])
    return GameConditions(
        len(board.powers),
        values["seed"],
        limit,
        values["until"],
        values["map"],
        values["stale"],
        values["level"],
    )


def stored(path: str) -> dict[str, Any] | None:
    """The conditions in the first line of a list; None for a missing file, or one without a complete line."""
    place = Path(path)
    if not place.is_file():
        return None
    with place.open("rb") as file:
        line = file.readline(100_000)
    if not line.endswith(b"\n"):
        return None
    try:
        setup = json.loads(line)["setup"]
        known = setup["rating list"] == 1 and all(name in setup for name in KEPT)
    except (ValueError, TypeError, KeyError, RecursionError):
        known = False
    if not known:
        raise BordeauxError(f"{path} is no rating list; name another file, or one that is not there")
    stored_setup: dict[str, Any] = setup
    return stored_setup


def seatable(played: Sequence[str], given: Sequence[str]) -> list[str]:
    """The available players of a list: those that are named, and earlier ones that anybody may ask for, as
    the file may come from anywhere. The others keep their rating, and are reported."""
    there = list(dict.fromkeys(given))
    for spec in played:
        if spec in there:
            continue
        try:
            registry.admitted(spec)
            registry.check(spec)
        except BordeauxError as error:
            report(f"{spec} keeps its rating and plays no more: {error}")
        else:
            there.append(spec)
    return there


@click.command(cls=Script, context_settings=CONTEXT)  # the options name their defaults
@click.argument("path", metavar="FILE")
@click.option(
    "--players",
    "lists",
    metavar="A,B,...",
    multiple=True,
    help="Players to add; without it, a new list has all players of the package.",
)
@click.option(
    "--games", type=whole(1, MOST_GAMES), metavar="N", help="Games in the list.  [default: 5 a player]"
)
@click.option(
    "--width", type=whole(1, MOST_POINTS), metavar="N", help="Play until no interval is wider than N points."
)
@game_options
@processes_option("Games played at once.  [default: one a core]")
@click.option("--csv", "csv_path", metavar="FILE", help="Write a line for every seat of every game.")
@json_option
def main(
    path: str,
    lists: tuple[str, ...],
    games: int | None,
    width: int | None,
    processes: int | None,
    csv_path: str | None,
    as_json: bool,
    **options: Any,
) -> int | None:
    """Play until the rating list in FILE is as asked, and show it."""
    begun = monotonic()
    stopped = None
    check_places({"FILE": path, "--csv": csv_path})
    limit = limit_of(options["time"], options["nodes"])
    options |= {"time": limit.time, "nodes": limit.nodes, "stale": options["stale"] or None}
    context = click.get_current_context()
    conditions = conditions_of(
        path, options, lambda name: context.get_parameter_source(name) is ParameterSource.COMMANDLINE
    )
    table_map(conditions.map, conditions.until)
    named = players_of(lists)
    if len({*named}) == 1 and not Path(path).exists():
        raise BordeauxError(TOO_FEW)
    with ExitStack() as stack:
        log = stack.enter_context(Log(path, conditions.setup(), "FILE"))
        before = len(log.results)
        played = sorted({spec for result in log.results.values() for spec in result.seats})
        players = seatable(played, named or ([] if played else registry.open_names()))
        total = GAMES_EACH * len({*played, *players}) if games is None else games
        if before:
            report(f"{path} has {before} games")
        if len(players) < 2:
            raise BordeauxError(TOO_FEW)
        try:
            with stoppable(), estimating("games", min(before, total), total) as bar:
                play = partial(run, processes=processes or available_cores())
                with closing(play_rounds(conditions, players, total, play, log, width=width)) as results:
                    for _ in results:
                        bar.update(len(log.results))
        except Stopped as error:
            stopped = error
        results_now = [log.results[index] for index in sorted(log.results)]
    rated = strengths(results_now, players)
    if csv_path is not None:
        write_whole(csv_path, tables.print_csv(results_now, Map.load(conditions.map)))
    if as_json:
        print_json(as_dict(rated, len(results_now), monotonic() - begun))
    else:
        print_list(rated, len(results_now))
    report_faults(tables.faults(results_now[before:]))
    if stopped is not None:
        report(f"stopped with {len(results_now)} of {total} games; the same command goes on")
        return stopped.code
    return None


def as_dict(rated: Mapping[str, Strength], games: int, seconds: float) -> dict[str, Any]:
    """A list as JSON."""
    return {
        "players": {
            name: {
                "rating": round(strength.rating.mean, 1),
                "low": round(strength.rating.low, 1),
                "high": round(strength.rating.high, 1),
                "games": strength.games,
                "share": round(strength.share, 4),
            }
            for name, strength in rated.items()
        },
        "games": games,
        "seconds": round(seconds, 2),
    }


def print_list(rated: Mapping[str, Strength], games: int) -> None:
    """Print a list as a table."""
    numbers = ("", "rating", "95 % interval", "games", "share", "solos")
    made = table("", "player", *numbers[1:], numbers=numbers)
    for place, (name, strength) in enumerate(rated.items(), start=1):
        made.add_row(
            str(place),
            name,
            f"{strength.rating.mean:.0f}",
            f"{strength.rating.low:.0f} - {strength.rating.high:.0f}",
            f"{strength.games:,}",
            f"{strength.share:.3f}" if strength.seats else "",
            f"{strength.solo:.1%}" if strength.seats else "",
        )
    print_table(f"{len(rated)} players, {games:,} games", made)
    fixed = f"{ANCHOR} has 1000" if ANCHOR in rated else "the mean of all is 1000"
    print_text(f"400 points: ten times the share of a game; {fixed}. Share: of the end, par is 1 / seats.")


if __name__ == "__main__":
    main()
