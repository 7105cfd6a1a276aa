"""``bordeaux book build``: make a book from recorded games, published counts and searches."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from time import monotonic

import click

from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.cli.options import (
    count_option,
    evaluation_option,
    json_option,
    limit_options,
    processes_option,
    seed_option,
)
from bordeaux.cli.program import Stopped, stoppable
from bordeaux.cli.report import report
from bordeaux.cli.report.output import check_places, print_result
from bordeaux.cli.report.progress import counting, estimating
from bordeaux.jobs import available_cores
from bordeaux.openings.making.build import Answer, Build, SearchJournal, SearchSettings, answers
from bordeaux.openings.making.combine import Searched
from bordeaux.openings.making.gathered import gather
from bordeaux.openings.making.published import read_published
from bordeaux.openings.making.rules import Rules
from bordeaux.openings.schema import is_book

DEPTH = 6
MIN_GAMES = 5
POSITIONS = 150
MOST = 2**31


@click.command("build")
@click.option("--games", "games", metavar="FILE", multiple=True, help="Games of people; may be repeated.")
@click.option(
    "--self-play", "selfplay", metavar="FILE", multiple=True, help="Games of programs, as arena saves them."
)
@click.option("--statistics", metavar="FILE", help="Published counts, as CSV.")
@count_option(
    "--depth",
    between=(1, MOST),
    default=DEPTH,
    metavar="PHASES",
    help="Phases from the start on, three a year; retreats come along.",
)
@count_option(
    "--min-games", between=(1, MOST), default=MIN_GAMES, help="Games that a set must have been played in."
)
@count_option(
    "--positions",
    between=(0, MOST),
    default=POSITIONS,
    help="Typical recorded positions to take in and to search.",
)
@limit_options("Search each position for S seconds.", "Search N nodes in each position.")
@seed_option()
@evaluation_option
@click.option("--rules", "rules_path", metavar="FILE", help="How all becomes weights; else as documented.")
@processes_option("Searches at once.  [default: one a core]")
@click.option("--out", required=True, metavar="BOOK", help="The book to write; searches go to BOOK.journal.")
@json_option
def command(
    games: tuple[str, ...],
    selfplay: tuple[str, ...],
    statistics: str | None,
    depth: int,
    min_games: int,
    positions: int,
    time: float | None,
    nodes: int | None,
    seed: int,
    evaluation: str | None,
    rules_path: str | None,
    processes: int | None,
    out: str,
    as_json: bool,
) -> int | None:
    """Make an opening book from games, published counts and searches.

    Without --time and --nodes nothing is searched. Every finished search is written to BOOK.journal at once:
    the same command goes on from there after it was stopped or killed, and another one with other
    games uses what it has found. Remove the journal to search anew.

    \b
    Examples:
      bordeaux book build --games human.jsonl.gz --statistics frequencies.csv --nodes 20000 --out my.jsonl
      bordeaux arena --players bordeaux --games 100 --games-file own.jsonl
      bordeaux book build --self-play own.jsonl --min-games 2 --out own-book.jsonl
    """
    if not (games or selfplay or statistics):
        raise BordeauxError("nothing to make a book from: give --games, --self-play or --statistics")
    search = time is not None or nodes is not None
    journal_path = f"{out}.journal"
    check_places({"--out": out, "journal of --out": journal_path if search else None})
    if Path(out).exists() and Path(out).stat().st_size and not is_book(out):
        raise BordeauxError(f"--out: {out} is there already and is no book; name another file")
    map = Map.standard()
    rules = Rules.load(rules_path)
    published = None if statistics is None else read_published(statistics, map)
    begun = monotonic()
    cores = processes or available_cores()
    with counting("games") as counter:
        gathered = gather(map, depth, {"human": games, "selfplay": selfplay}, cores, counter.update)
    build = Build(gathered, published, map=map, rules=rules, min_games=min_games, typical=positions)
    settings = SearchSettings(time, nodes, seed, evaluation or "default")
    lines: dict[str, Searched] = {}
    search_settings = {name: value for name, value in settings._asdict().items() if value is not None}
    with SearchJournal(journal_path, search_settings) if search else nullcontext() as journal, stoppable():
        if journal is not None:
            tasks = build.tasks()
            left = [task for task in tasks if task.key not in journal.searched]
            try:
                with answers(left, settings, cores) as stream:
                    keep(journal, stream, len(tasks) - len(left), len(tasks))
            except Stopped as stopped:
                done = sum(task.key in journal.searched for task in tasks)
                known = f"{done} of {len(tasks)} positions"
                report(f"stopped after {known}; the same command goes on from {journal_path}")
                return stopped.code
            lines = journal.searched
    book = build.book(lines, search_settings if search else None)
    book.save(out)
    spent = monotonic() - begun
    count = sum(gathered.games().values())
    value = {
        "book": out,
        "positions": len(book),
        "views": len(book.views),
        "games": gathered.games(),
        "odd_records": len(gathered.faults),
        "searched": sum(node.key in lines for node in book),
        "seconds": round(spent, 1),
    }
    said = f"{out}: {len(book):,} positions, {len(book.views):,} views from {count:,} games in {spent:.0f} s"
    if gathered.faults:
        said += f"\n{len(gathered.faults)} games were followed in part, such as {gathered.faults[0]}"
    print_result(as_json, value, said)
    return None


def keep(journal: SearchJournal, stream: Iterable[Answer], before: int, total: int) -> None:
    """Append each answer to the journal as it comes, and show the remaining time."""
    with estimating("positions", before, total) as bar:
        for count, (key, lines_of_position) in enumerate(stream, start=before + 1):
            journal.append(key, lines_of_position)
            bar.update(count)
