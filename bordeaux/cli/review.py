"""``bordeaux review``: the review of a finished game, as a page or as JSON."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from time import monotonic

import click

from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError
from bordeaux.board.map import Map
from bordeaux.board.pieces import named_map
from bordeaux.cli.options import (
    game_of,
    game_option,
    json_option,
    limit_options,
    map_option,
    powers_of,
    powers_option,
    processes_option,
    seed_option,
)
from bordeaux.cli.program import Stopped, stoppable
from bordeaux.cli.report import report
from bordeaux.cli.report.output import (
    check_places,
    plural,
    print_json,
    print_table,
    print_text,
    table,
    write_whole,
)
from bordeaux.cli.report.progress import Counter, estimating
from bordeaux.engine import Limit
from bordeaux.review import DEFAULT, Review, review_game
from bordeaux.review.telling import ACCURACY, summary
from bordeaux.view.review import page, title_of


@click.command("review")
@click.argument("source", metavar="GAME")
@game_option
@map_option
@powers_option("Judge P alone; may be repeated.")
@limit_options(
    "Search S seconds for each; in all it takes up to twice that.",
    f"Search N nodes for each; {DEFAULT.nodes:,} without --time.",
)
@seed_option()
@processes_option("Phases at once.  [default: one a core]")
@click.option("--out", metavar="FILE", required=True, help="A name in .html or .json.")
@json_option
def command(
    source: str,
    wanted: str | None,
    board: Map | None,
    names: tuple[str, ...],
    time: float | None,
    nodes: int | None,
    seed: int,
    processes: int | None,
    out: str,
    as_json: bool,
) -> int | None:
    """Review a finished GAME: what each power's orders lost, and where the game turned.

    Every phase is searched for every power, with what it could know and again with the orders of the others
    known; --time and --nodes are for one power in one phase. The page needs no network and no script. The
    work so far is kept in FILE.journal. After a stop the same command goes on from there.

    \b
    Examples:
      bordeaux review game.json --out review.html
      bordeaux review games.jsonl.gz --game 17 --power FRANCE --time 1 --out review.html
      bordeaux review game.json --nodes 20000 --out review.json
    """
    form = out.rpartition(".")[2].lower()
    if form not in ("html", "json"):
        raise BordeauxError(f"--out: {out} ends in neither .html nor .json; name a file that does")
    journal = f"{out}.journal"
    check_places({"--out": out, "journal of --out": journal})
    limit = DEFAULT if time is None and nodes is None else Limit(time, nodes)
    game = game_of(source, wanted, board)
    powers = powers_of(board or named_map(game.map), names) if names else None
    began = monotonic()
    with stoppable(), ExitStack() as stack:
        bars: list[Counter] = []
        counts = (0, 0)

        def progress(done: int, total: int) -> None:
            nonlocal counts
            counts = done, total
            if not bars:
                bars.append(stack.enter_context(estimating("phases", done, total)))
            bars[0].update(done)

        try:
            reviewed = review_game(
                game,
                limit=limit,
                powers=powers,
                processes=processes,
                progress=progress,
                seed=seed,
                map=board,
                journal=journal,
            )
        except Stopped as stopped:
            stack.close()
            report(
                f"stopped after {counts[0]} of {counts[1]} phases; the same command goes on from {journal}"
                if bars
                else "stopped before the first phase was done"
            )
            return stopped.code
    spent = monotonic() - began
    write_whole(out, page(reviewed) if form == "html" else json_line(reviewed.to_json()) + "\n")
    Path(journal).unlink(missing_ok=True)
    if as_json:
        accuracies = {power: of_power.accuracy for power, of_power in reviewed.powers.items()}
        points = len(reviewed.turning_points)
        print_json({"file": out, "form": form, "accuracy": accuracies, "turning_points": points})
    else:
        show(reviewed, spent)
        print_text(f"written to {out}")
    return None


def show(review: Review, seconds: float) -> None:
    """Print each power's accuracy, and the turning points, as on the page."""
    numbers = ["centres", "accuracy", "lost"]
    columns = ("worst phase", "opening", "no orders in")
    made = table("power", *numbers, *columns, numbers=numbers)
    for row in summary(review):
        silent = plural(row.silent, "phase") if row.silent else ""
        made.add_row(row.power, str(row.centres), row.accuracy, row.lost, row.worst, row.opening, silent)
    name, first, last = review.game.id or "the game", review.moments[0], review.moments[-1]
    print_table(f"{name}, {first.phase} to {last.phase}", made)
    print_text(ACCURACY)
    if review.skipped:
        phase, why = review.skipped[0]
        print_text(f"{plural(len(review.skipped), 'phase')} could not be read, such as {phase}: {why}")
    for number, point in enumerate(review.turning_points, 1):
        print_text(f"{number}. {title_of(point)}. {point.why}")
    judged = sum(phase.sent for power in review.powers.values() for phase in power.phases)
    print_text(f"{plural(judged, 'set')} of orders reviewed in {timedelta(seconds=round(seconds))}")
