"""Bordeaux and the PyPI package `diplomacy` on the same positions of recorded games, in one run.

    python benchmarks/against_diplomacy.py GAMES.jsonl.gz [--positions N]

Measures, in microseconds of one core for a movement phase: adjudication, and legal orders of all units. Needs
`diplomacy` 1.1.2.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator

import click
import numpy as np
from diplomacy import Game

from bordeaux import Map, Position
from bordeaux._ext.rules.batch import adjudicate_many
from bordeaux.board.submission import submit
from bordeaux.cli.options import MOST_SEED, whole
from bordeaux.cli.program import Script
from bordeaux.formats.games import read_games


def phases(path: str) -> Iterator[tuple[Position, dict[str, list[str]]]]:
    """Movement phases of recorded games with the orders given."""
    for game in read_games(path):
        for number, phase in enumerate(game.phases):
            if phase.name.endswith("M"):
                orders = {power: list(given) for power, given in phase.orders.items() if given}
                yield game.position(number), orders


def seconds_each(call: Callable[[], object], count: int) -> float:
    """Seconds of processor time for each of `count` pieces of work done by a call."""
    begun, calls = time.process_time(), 0
    while (spent := time.process_time() - begun) < 1:
        call()
        calls += 1
    return spent / calls / count


def ours(sample: list[tuple[Position, dict[str, list[str]]]]) -> dict[str, float]:
    """Bordeaux: adjudication in batches, packed in and out; legal orders as lists of codes."""
    map = Map.standard()
    codes: list[int] = []
    starts = [0]
    for position, orders in sample:
        codes += [code for _, code in submit(position, orders).codes()]
        starts.append(len(codes))
    packed = np.stack([np.frombuffer(position.packed.tobytes(), dtype=np.uint8) for position, _ in sample])
    begins, listed = np.array(starts, dtype=np.int64), np.array(codes, dtype=np.uint64)
    out = np.zeros_like(packed)
    n = len(sample)
    return {
        "adjudication": seconds_each(lambda: adjudicate_many(map.tables, packed, begins, listed, out), n),
        "legal orders": seconds_each(lambda: [position.packed.legal() for position, _ in sample], n),
    }


def theirs(sample: list[tuple[Position, dict[str, list[str]]]]) -> dict[str, float]:
    """The package, with its game objects prepared outside the measured time."""
    adjudication = legal = 0.0
    for position, orders in sample:
        game = Game()
        game.set_state({**position.to_json(), "game_id": "x", "map": "standard", "rules": ["NO_PRESS"]})
        for power, given in orders.items():
            game.set_orders(power, given)
        begun = time.process_time()
        game.get_all_possible_orders()
        legal += time.process_time() - begun
        begun = time.process_time()
        game.process()
        adjudication += time.process_time() - begun
    return {"adjudication": adjudication / len(sample), "legal orders": legal / len(sample)}


@click.command(cls=Script)
@click.argument("games")
@click.option("--positions", type=whole(1, 10**9), default=2000, metavar="N", help="Positions of the sample.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="N", help="Draws other positions.")
def main(games: str, positions: int, seed: int) -> None:
    """Measure Bordeaux and the PyPI package diplomacy on positions of a file of games."""
    every = list(itertools.islice(phases(games), positions * 10))
    sample = random.Random(seed).sample(every, min(positions, len(every)))
    fast, slow = ours(sample), theirs(sample[: max(1, len(sample) // 10)])
    print(f"{len(sample)} movement phases, microseconds each")
    for name, seconds in fast.items():
        line = f"  {name:16} {seconds * 1e6:10.2f}   {1 / seconds:12,.0f} a second"
        if name in slow:
            line += f"   diplomacy {slow[name] * 1e6:10.1f}   ratio {slow[name] / seconds:8,.0f}"
        print(line)


if __name__ == "__main__":
    main()
