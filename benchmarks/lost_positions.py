"""Positions that were lost by one phase against another program: what the search plays in them now.

    python benchmarks/lost_positions.py [--nodes 4000,13500,67500] [--seeds 8] [--only NAME] [--file FILE]
                                        [--json]

Twelve texts name some units, their orders, and often better ones. `benchmarks/data/lost.jsonl` has boards for
each text, one a line:

- `text`, and `power`, whose orders are searched for;
- `game` and `phase`: the recorded game of people that the board is from, since the texts have no boards; and
  `changed`, what differs from the record;
- `mistake`: orders of which the text says that one lost something;
- `better`: the orders that the text gives in their place, possibly none;
- `aim`: ``{"keep": "SEV"}`` if no foreign unit may be in a province after the phase, ``{"take": "RUM"}`` if
  an own one must, ``{"moves": "A WAR"}`` if a unit must not bounce; some boards have none;
- `others`: the orders that the others gave in the game, against which the aim is decided;
- `before`: the last two movement phases, each with ``state`` and ``orders``, which the engine observes; and
  `state`, the board.

For each text and number of nodes the table has the share of searches, over boards and seeds, that play a
mistake, all better orders, and a set that reaches the aim.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bordeaux import Engine, Position, adjudicate
from bordeaux.board.errors import BordeauxError, FormatError, quote
from bordeaux.cli.options import MOST_NODES, json_option, whole
from bordeaux.cli.program import Script
from bordeaux.formats.source import parse_json

DATA = Path(__file__).parent / "data" / "lost.jsonl"

Orders = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Lost:
    """A board for one text. `aim` is a kind of aim and what it is about, or None; see above for the rest."""

    id: str
    power: str
    mistake: tuple[str, ...]
    better: tuple[str, ...]
    aim: tuple[str, str] | None
    others: Orders
    before: tuple[tuple[Position, Orders], ...]
    position: Position

    @property
    def text(self) -> str:
        """The name of the text: the identity without the number of the board."""
        return self.id.rpartition("-")[0]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Lost:
        """A line of the file. Raises BordeauxError for an invalid position, KeyError for a missing field."""
        aim = data.get("aim")
        return cls(
            data["id"],
            data["power"],
            tuple(data["mistake"]),
            tuple(data["better"]),
            next(iter(aim.items())) if aim else None,
            data["others"],
            tuple((Position.from_json(phase["state"]), phase["orders"]) for phase in data["before"]),
            Position.from_json(data["state"]),
        )

    def played(self, nodes: int, seed: int) -> tuple[str, ...]:
        """The orders that a search chooses, after it has observed the phases before."""
        with Engine(seed=seed) as engine:
            for position, orders in self.before:
                engine.observe(position, orders)
            previous = self.before[-1][1] if self.before else None
            return engine.search(self.position, self.power, nodes=nodes, previous=previous).orders

    def reached(self, orders: Iterable[str]) -> bool:
        """Whether orders reach the aim, against the orders that the others gave in the game."""
        assert self.aim is not None
        kind, what = self.aim
        resolution = adjudicate(self.position, {**self.others, self.power: list(orders)})
        if kind == "moves":
            return "bounce" not in resolution.results[what]
        unit = resolution.after.unit_at(what)
        if kind == "take":
            return unit is not None and unit.power == self.power
        return unit is None or unit.power == self.power


def read(path: Path) -> Iterator[Lost]:
    """The boards of a file, one a line. Raises FormatError with the line, and OSError."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            yield Lost.from_json(parse_json(line))
        except (BordeauxError, LookupError, TypeError, AttributeError, ValueError) as error:
            raise FormatError(f"{path}, line {number}: this is no lost position ({error})") from None


def figures(boards: Sequence[Lost], nodes: int, seeds: int) -> dict[str, dict[str, int | None]]:
    """By text: how many searches there were, and how many of them played a mistake, all better orders (None
    if the text has none), and a set that reaches the aim (None without an aim)."""
    rows: dict[str, dict[str, int | None]] = {}
    for board in boards:
        sets = [frozenset(board.played(nodes, seed)) for seed in range(1, seeds + 1)]
        counts = {
            "searches": seeds,
            "mistake": sum(not orders.isdisjoint(board.mistake) for orders in sets),
            "better": sum(orders.issuperset(board.better) for orders in sets) if board.better else None,
            "aim": sum(map(board.reached, sets)) if board.aim else None,
        }
        row = rows.setdefault(board.text, dict.fromkeys(counts, 0))
        for name, count in counts.items():
            so_far = row[name]
            row[name] = None if count is None or so_far is None else so_far + count
    return rows


def node_limits(text: str) -> list[int]:
    """Read limits in nodes, joined by commas: in order, each once."""
    read = whole(1, MOST_NODES)
    return sorted({read(part) for part in text.split(",")})


@click.command(cls=Script)
@click.option("--nodes", type=node_limits, default="4000,13500,67500", metavar="N,...", help="Nodes.")
@click.option("--seeds", type=whole(1, 1000), default=8, metavar="N", help="Searches of each board.")
@click.option("--only", default="", metavar="NAME", help="Only boards whose names begin so, as turkey-s1903.")
@click.option("--file", "path", type=Path, default=DATA, show_default=False, help="Other boards.")
@json_option
def main(nodes: list[int], seeds: int, only: str, path: Path, as_json: bool) -> None:
    """Search positions that were lost by one phase, and count mistakes and better orders."""
    boards = [board for board in read(path) if board.id.startswith(only)]
    if not boards:
        raise BordeauxError(f"no board has a name that begins with {quote(only)}")
    tables = {limit: figures(boards, limit, seeds) for limit in nodes}
    if as_json:
        print(json.dumps(tables))
        return
    for limit, rows in tables.items():
        print(f"{limit} nodes  searches  mistake  better  aim")
        for name, row in rows.items():
            cells = ("-" if count is None else str(count) for count in row.values())
            print(f"{name:15}", *(cell.rjust(7) for cell in cells))


if __name__ == "__main__":
    main()
