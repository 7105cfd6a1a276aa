"""Builds of a player side by side: logs of the same sparring table, compared game by game.

    python benchmarks/builds.py BEFORE.log AFTER.log...

A log is what ``bordeaux arena --preset sparring --players A --save LOG`` writes, with one player. A row gives
a build's mean sum of squares (or with --centres its centres) against each opponent, and the difference to the
first build in the games that both have played. Opponents and mixed tables have equal weight in the mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from bordeaux.arena.statistics import Interval, bootstrap, centres, sum_of_squares
from bordeaux.arena.tournament import changes, read_log
from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import json_option
from bordeaux.cli.program import Script
from bordeaux.cli.report.output import print_json, print_table, table

ALL = "all"
FREE = ("players", "games kept")
"""Parts of a set-up in which the logs of two builds may differ."""


def read_build(path: Path, measured_by_centres: bool) -> tuple[dict[str, Any], dict[int, float]]:
    """The set-up of a log, and the score of the player in every game, by number. Raises BordeauxError."""
    try:
        log = read_log(path, "the log")
    except OSError as error:
        raise BordeauxError(f"cannot read {path}: {error.strerror}") from None
    setup = log.setup or {}
    if "partners" not in setup or len(setup["players"]) != 1:
        raise BordeauxError(f"{path} is no log of one player at a sparring table")
    score = centres if measured_by_centres else sum_of_squares
    (player,) = setup["players"]
    values = {number: score(game, game.seats.index(player)) for number, game in log.results.items()}
    return setup, values


def by_table(values: Mapping[int, float], tables: list[str], low: float, high: float) -> dict[str, Interval]:
    """The means of games by their table, and over all tables."""
    played: dict[str, list[float]] = {}
    for number in sorted(values):
        played.setdefault(tables[number % len(tables)], []).append(values[number])
    means = {name: bootstrap(scores, bounds=(low, high)) for name, scores in played.items()}
    every = [(score, 1 / len(scores)) for scores in played.values() for score in scores]
    if every:
        scores, weights = zip(*every, strict=True)
        means[ALL] = bootstrap(scores, weights=weights, bounds=(low, high))
    return means


@click.command(cls=Script)
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--centres", "measured_by_centres", is_flag=True, help="Compare the centres at the end.")
@json_option
def main(logs: tuple[Path, ...], measured_by_centres: bool, as_json: bool) -> None:
    """Compare the builds whose games are in LOGS with the first."""
    first_setup, first = read_build(logs[0], measured_by_centres)
    names = [*first_setup["partners"], *first_setup.get("mixed", ())]
    top = 34.0 if measured_by_centres else 1.0
    rows: dict[str, dict[str, Interval]] = {}
    for path in logs:
        setup, values = read_build(path, measured_by_centres)
        changed = changes(*({k: v for k, v in of.items() if k not in FREE} for of in (first_setup, setup)))
        if changed:
            raise BordeauxError(f"{path} holds games of another set-up ({changed})")
        rows[path.stem] = by_table(values, names, 0.0, top)
        if path != logs[0]:
            gained = {number: value - first[number] for number, value in values.items() if number in first}
            rows[f"{path.stem} - {logs[0].stem}"] = by_table(gained, names, -top, top)
    if as_json:
        print_json({name: {by: cell.to_json() for by, cell in row.items()} for name, row in rows.items()})
        return
    made = table("build", *names, ALL, numbers=(*names, ALL))
    for name, row in rows.items():
        cells = (
            f"{row[by].mean:.3f}\n({row[by].low:.3f}\n{row[by].high:.3f})"
            for by in (*names, ALL)
            if by in row
        )
        made.add_row(name, *cells)
    print_table("Centres by opponent" if measured_by_centres else "Sum of squares by opponent", made)


if __name__ == "__main__":
    main()
