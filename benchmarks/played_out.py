"""Sets of orders that were played out, and which of them the search puts first.

    python benchmarks/played_out.py [--file FILE] [--json]
    python benchmarks/played_out.py --play N [--file FILE] > NEW

A change of the beliefs, of the values or of the measure of sets is tried here in seconds, before matches take
hours. `benchmarks/data/played_out.jsonl` has positions of games of the engine against six of `MIND`, one a
line. In 25 of them the seat stood still later (`still-1`), with at most six centres; in 15 it was about to
lose a centre, and was eliminated later (`early-1`). Each line has:

- `id`, and `held_out`, for a position that is not looked at while the search is changed;
- `power`, whose orders are searched for;
- `before`: the last two movement phases, each with ``state`` and ``orders``, which the engine observes;
- `state`: the board;
- `sets`: each with its ``orders``; ``share`` is what it came to, and ``error`` the standard error of that.

A share is the mean over playouts of two years, in which six of `MIND` play the others, and the engine with
`NODES` nodes goes on for the power; the end is valued by the prospect. ``--play`` plays every set N times,
and prints the lines with what the sets come to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import correlation, fmean, stdev
from typing import Any, NamedTuple

import click

from bordeaux import Engine, Position, adjudicate
from bordeaux.arena.game import owing
from bordeaux.arena.player_specs import create
from bordeaux.board.cleaning import json_line
from bordeaux.board.errors import BordeauxError, FormatError, flag, quote
from bordeaux.cli.options import json_option, whole
from bordeaux.cli.program import Script
from bordeaux.cli.report.output import print_json, print_table, table
from bordeaux.evaluation.prospect import prospect
from bordeaux.formats.source import parse_json
from bordeaux.players.base import Limit, Seat, Turn
from bordeaux.rules.adjudication import legal_orders

DATA = Path(__file__).parent / "data" / "played_out.jsonl"
MIND, NODES, YEARS = "people:wide=true,temperature=0.5", 1000, 2

Orders = Mapping[str, Sequence[str]]


class Case(NamedTuple):
    """A position with sets of orders of a power, and the share that each came to. See above."""

    id: str
    held_out: bool
    power: str
    before: tuple[tuple[Position, Orders], ...]
    position: Position
    sets: tuple[tuple[str, ...], ...]
    shares: tuple[float, ...]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Case:
        """A line of the file. Raises BordeauxError for an invalid position or for sets that cannot be
        compared, KeyError for a missing field, and ValueError or TypeError for one of another kind."""
        position = Position.from_json(data["state"])
        power = position.map.power(data["power"])
        legal = [*legal_orders(position, power).values()]
        sets = tuple(tuple(line["orders"]) for line in data["sets"])
        for orders in sets:
            if len(orders) != len(legal) or not all({*orders} & {*ways} for ways in legal):
                raise BordeauxError(f"the set {quote(', '.join(orders))} has no legal order for each unit")
        if len({frozenset(orders) for orders in sets}) < max(2, len(sets)):
            raise BordeauxError("two sets or more are needed, each of them once")
        return cls(
            data["id"],
            flag("held_out", data["held_out"]),
            power,
            tuple((Position.from_json(phase["state"]), phase["orders"]) for phase in data["before"]),
            position,
            sets,
            tuple(float(line["share"]) for line in data["sets"]),
        )

    def chosen(self) -> tuple[float, list[float]]:
        """What the set came to that the search puts first, and how it values all of them, in order."""
        with Engine() as engine:
            for position, orders in self.before:
                engine.observe(position, orders)
            lines = engine.lines(self.position, self.power, self.sets)
        shares = dict(zip(map(frozenset, self.sets), self.shares, strict=True))
        values = {frozenset(line.orders): line.value for line in lines}
        return shares[frozenset(lines[0].orders)], [values[orders] for orders in shares]

    def played(self, orders: Sequence[str], seed: int) -> float:
        """The share that a set comes to in one playout."""
        map = self.position.map
        players = {
            power: create("bordeaux" if power == self.power else MIND, Seat(power, map, seed))
            for power in map.powers
        }

        def told(position: Position, orders: Mapping[str, Sequence[Any]]) -> Position:
            """The position after orders, which all players observe."""
            turn = Turn(position, orders, adjudicate(position, orders).after)
            for player in players.values():
                player.observe(turn)
            return turn.after

        for before, known in self.before:
            told(before, known)
        now, given = self.position, [*orders]
        while now.phase.kind != "-" and now.phase.year < self.position.phase.year + YEARS:
            sent: dict[str, Sequence[Any]] = {}
            for power in (map.powers[number] for number in owing(now)):
                kept = given if power == self.power else []
                sent[power] = kept or players[power].orders(now, Limit(None, NODES))
            now, given = told(now, sent), []
        return prospect(now)[self.power].share


def read(path: Path) -> Iterator[tuple[dict[str, Any], Case]]:
    """The lines of a file, each with its case. Raises FormatError with the line, and OSError."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            data = parse_json(line)
            yield data, Case.from_json(data)
        except (BordeauxError, LookupError, TypeError, AttributeError, ValueError) as error:
            raise FormatError(f"{path}, line {number}: this is no played-out position ({error})") from None


def figures(cases: Sequence[Case]) -> dict[str, float | None]:
    """Of some cases: what the set came to that the search puts first, the mean of all sets, and the best one,
    as means; and the mean correlation, within a position, of the values with what the sets came to, if there
    is one."""
    rows, correlations = [], []
    for case in cases:
        share, values = case.chosen()
        rows.append((share, fmean(case.shares), max(case.shares)))
        if stdev(values) and stdev(case.shares):
            correlations.append(correlation(values, case.shares))
    chosen, mean, best = (round(fmean(column), 4) for column in zip(*rows, strict=True))
    alike = round(fmean(correlations), 3) if correlations else None
    return {"positions": len(cases), "chosen": chosen, "mean": mean, "best": best, "correlation": alike}


def with_playouts(data: dict[str, Any], case: Case, count: int) -> dict[str, Any]:
    """A line with what its sets come to in so many playouts."""
    sets = []
    for orders in case.sets:
        shares = [case.played(orders, seed) for seed in range(count)]
        error = stdev(shares) / math.sqrt(count)
        sets.append({"orders": orders, "share": round(fmean(shares), 4), "error": round(error, 4)})
    return data | {"sets": sets}


@click.command(cls=Script)
@click.option("--file", "path", type=Path, default=DATA, show_default=False, help="Other positions.")
@click.option("--play", "count", type=whole(2, 10_000), metavar="N", help="Play all sets out.")
@json_option
def main(path: Path, count: int | None, as_json: bool) -> None:
    """Value sets of orders that were played out, and print what those came to that are put first."""
    cases = [*read(path)]
    if not cases:
        raise BordeauxError(f"{path} has no position")
    if count is not None:
        for data, case in cases:
            print(json_line(with_playouts(data, case, count)), flush=True)
        return
    rows = {
        name: figures(chosen)
        for name, held in {"looked at": False, "held out": True}.items()
        if (chosen := [case for _, case in cases if case.held_out is held])
    }
    if as_json:
        print_json(rows)
        return
    columns = ("positions", "chosen", "mean", "best", "correlation")
    made = table("", *columns, numbers=columns)
    for name, row in rows.items():
        made.add_row(name, *("-" if (cell := row[column]) is None else f"{cell:g}" for column in columns))
    print_table("Sets that were played out", made)


if __name__ == "__main__":
    main()
