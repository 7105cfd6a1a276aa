"""Builds of a player side by side: each has played the same seats and seeds of a sparring table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from bordeaux.arena.job import Result
from bordeaux.arena.presets import PresetPlan, Sparring
from bordeaux.arena.statistics import Interval, bootstrap, centres, sum_of_squares
from bordeaux.arena.tournament import changes, read_log
from bordeaux.board.errors import BordeauxError

ALL = "all"
"""The name of the mean over all opponents and tables, each with equal weight."""
MEASURES: dict[str, tuple[Callable[[Result, int], float], float]] = {
    "sum_of_squares": (sum_of_squares, 1.0),
    "centres": (centres, 34.0),
}
"""What is compared, with its largest value on the standard map."""
FREE = ("players", "paired", "games kept", "health")
"""Parts of a set-up in which the logs of two builds may differ."""


class MeasuredBuild(NamedTuple):
    """A build with its games by their number at the table."""

    name: str
    results: Mapping[int, Result]


class BuildRow(NamedTuple):
    """The row of a build: for every measure its mean by opponent, and in `gained` the difference to the first
    build in the games that both have played; empty for the first."""

    name: str
    games: int
    means: dict[str, dict[str, Interval]]
    gained: dict[str, dict[str, Interval]]

    def to_json(self) -> dict[str, Any]:
        """The row for programs."""
        return {
            "name": self.name,
            "games": self.games,
            **{measure: plain(by_table) for measure, by_table in self.means.items()},
            "gained": {measure: plain(by_table) for measure, by_table in self.gained.items()},
        }


def plain(by_table: Mapping[str, Interval]) -> dict[str, Any]:
    """Intervals as JSON values."""
    return {table: interval.to_json() for table, interval in by_table.items()}


def read_build(path: str, plan: PresetPlan) -> MeasuredBuild:
    """The build whose games are in a log of the same table. Raises BordeauxError for any other log."""
    try:
        text = read_log(Path(path), "--baseline")
    except OSError as error:
        raise BordeauxError(f"--baseline: cannot read {path}: {error.strerror}") from None
    before, now = (
        {name: value for name, value in setup.items() if name not in FREE}
        for setup in (text.setup or {}, plan.setup())
    )
    changed = changes(before, now)
    if changed:
        raise BordeauxError(f"--baseline: {path} holds games of another set-up ({changed})")
    if len((text.setup or {}).get("players", ())) != 1:
        raise BordeauxError(f"--baseline: {path} holds games of several players; give the log of one")
    return MeasuredBuild(Path(path).stem, text.results)


def builds_of(plan: PresetPlan, results: Iterable[Result]) -> list[MeasuredBuild]:
    """The players of a plan as builds, named by their specs."""
    assert isinstance(plan.preset, Sparring)
    ours = plan.preset.players[: max(1, len(plan.candidates))]
    games: list[dict[int, Result]] = [{} for _ in ours]
    for result in results:
        number, place = divmod(result.index, len(ours))
        games[place][number] = result
    return [MeasuredBuild(name, played) for name, played in zip(ours, games, strict=True)]


def compared(plan: PresetPlan, builds: Sequence[MeasuredBuild]) -> list[BuildRow]:
    """A row for every build that has games; the later ones are compared with the first."""
    assert isinstance(plan.preset, Sparring)
    table_of = plan.preset.table_of
    last = max((number for build in builds for number in build.results), default=-1)
    seats = [seats[0] for seats in islice(plan.preset.our_seats(plan.seed), last + 1)]
    rows: list[BuildRow] = []
    first: Mapping[int, Result] = {}
    for build in builds:
        if not build.results:
            continue
        means, gained = {}, {}
        for measure, (score, top) in MEASURES.items():
            values = {number: score(result, seats[number]) for number, result in build.results.items()}
            means[measure] = by_table(values, table_of, (0.0, top))
            differences = {
                number: value - score(first[number], seats[number])
                for number, value in values.items()
                if number in first
            }
            if differences:
                gained[measure] = by_table(differences, table_of, (-top, top))
        rows.append(BuildRow(build.name, len(build.results), means, gained))
        first = first or build.results
    return rows


def by_table(
    values: Mapping[int, float], table_of: Callable[[int], str], bounds: tuple[float, float]
) -> dict[str, Interval]:
    """The means of values of games by their table, and over all tables."""
    numbers = sorted(values)
    counts: dict[str, list[int]] = {}
    for number in numbers:
        counts.setdefault(table_of(number), []).append(number)
    means = {
        table: bootstrap([values[number] for number in played], bounds=bounds)
        for table, played in counts.items()
    }
    weights = [1.0 / len(counts[table_of(number)]) for number in numbers]
    return means | {ALL: bootstrap([values[number] for number in numbers], weights=weights, bounds=bounds)}
