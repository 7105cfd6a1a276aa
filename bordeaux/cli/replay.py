"""``bordeaux replay``: adjudicate recorded games again and compare with the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any

import click

from bordeaux.board.map import Map
from bordeaux.cli.options import json_option, map_option, processes_option
from bordeaux.cli.report import NO
from bordeaux.cli.report.output import plural, print_json, print_table, print_text, table
from bordeaux.cli.report.progress import counting
from bordeaux.formats.games import Game, read_games
from bordeaux.jobs import available_cores
from bordeaux.jobs.pool import mapped
from bordeaux.rules.replay import Mismatch, ReplayReport, replay_game

SHOWN = 20
"""How many findings of a kind the readable form lists."""


@click.command("replay")
@click.argument("paths", metavar="GAME...", nargs=-1, required=True)
@processes_option("Processes that replay.  [default: one a core]")
@map_option
@json_option
def command(paths: tuple[str, ...], board: Map | None, processes: int | None, as_json: bool) -> int | None:
    """Check recorded games against the rules.

    Every recorded phase is adjudicated afresh and compared with the recorded next state: phase,
    units, centres, and retreats where the record has them. A GAME is a saved game or a file with
    one a line; .gz is fine, - is standard input. Saved pages of the hobby's sites, and folders of
    them, are games as well (docs/formats.md); unreadable parts are noted.

    A difference is explained where another rule, or a gap in the record, leads to exactly what is
    recorded. The exit code is 1 where one is not. Recorded results are compared as well, but their
    words vary from program to program and do not count.

    \b
    Examples:
      bordeaux replay game.json
      bordeaux replay human.jsonl.gz selfplay.jsonl.gz --json
      bordeaux replay game.json --map board.toml
    """
    total = ReplayReport("")
    games = 0
    notes: list[str] = []
    recorded = noted(chain.from_iterable(read_games(path, board) for path in paths), notes)
    with (
        mapped(partial(replay_game, map=board), recorded, processes or available_cores()) as reports,
        counting("games") as counter,
    ):
        for games, one in enumerate(reports, start=1):
            total.add(one)
            counter.update(games)
    if as_json:
        print_json({**as_dict(games, total), "notes": notes})
    else:
        print_report(games, total)
    return NO if unexplained(total) else None


def noted(games: Iterable[Game], notes: list[str]) -> Iterator[Game]:
    """The games as they are read, with their unreadable parts added to `notes`."""
    for game in games:
        notes += [f"{game.id}: {note}" for note in game.notes]
        yield game


def unexplained(total: ReplayReport) -> list[Mismatch]:
    """The mismatches without a known explanation."""
    return [mismatch for mismatch in total.mismatches if mismatch.explanation is None]


def as_dict(games: int, total: ReplayReport) -> dict[str, Any]:
    """The report in the command's JSON form."""
    return {
        "games": games,
        "phases": total.phases,
        "compared": total.compared,
        "mismatches": [mismatch.to_json() for mismatch in total.mismatches],
        "unexplained": len(unexplained(total)),
        "results": {
            "compared": total.results,
            "differences": [difference.to_json() for difference in total.differences],
        },
        "unreadable": total.unreadable,
    }


def print_report(games: int, total: ReplayReport) -> None:
    """Print the counts, then the differences, unexplained ones first."""
    open_cases, many = unexplained(total), len(total.mismatches)
    print_text(
        f"{plural(games, 'game')}, {plural(total.phases, 'phase')}, {plural(total.compared, 'next state')}"
        f" compared: {many} mismatch{'es' * (many != 1)}, {len(open_cases)} of them unexplained"
    )
    if total.results:
        print_text(
            f"{plural(total.results, 'result')} compared: {plural(len(total.differences), 'difference')}"
        )
    if total.unreadable:
        print_text(f"{plural(len(total.unreadable), 'order')} could not be read; their units had none")
    if open_cases:
        made = table("game", "phase", "difference")
        for mismatch in open_cases[:SHOWN]:
            made.add_row(mismatch.game, mismatch.phase, "\n".join(mismatch.difference))
        print_table("Unexplained", made)
        if len(open_cases) > SHOWN:
            print_text(f"... and {len(open_cases) - SHOWN} more; --json lists all")
    examples: dict[str, list[str]] = {}
    for mismatch in total.mismatches:
        if mismatch.explanation:
            rule, _, detail = mismatch.explanation.partition(": ")
            examples.setdefault(rule, []).append(f"{mismatch.game} {mismatch.phase}: {detail}")
    if examples:
        made = table("rule that differs", "times", "for example", numbers=("times",))
        for rule, listed in sorted(examples.items(), key=lambda item: -len(item[1])):
            made.add_row(rule, f"{len(listed):,}", listed[0])
        print_table("Explained", made)
    if total.differences:
        words = Counter((difference.expected, difference.got) for difference in total.differences)
        made = table("recorded", "adjudicated", "times", numbers=("times",))
        for (expected, got), count in words.most_common(SHOWN):
            made.add_row(", ".join(expected) or "ok", ", ".join(got) or "ok", f"{count:,}")
        print_table("Results that differ", made)
