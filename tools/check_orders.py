"""Check orders for positions of recorded games: all legal, all units ordered, the deadline kept.

    python tools/check_orders.py GAMES.jsonl.gz [--positions N] [--time S]

Draws positions evenly over the kinds of phases, searches all powers with one limit, and prints all faults
and the latest answer. Exit code 1 when an order was illegal, missing or superfluous.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from bordeaux import Engine, Position, legal_orders
from bordeaux.formats.games import read_games


def draw(path: str, count: int, seed: int) -> list[Position]:
    """Positions from different games, as many movement as retreat as adjustment phases."""
    chance = random.Random(seed)
    games = list(read_games(path))
    chance.shuffle(games)
    found: list[Position] = []
    for number, game in enumerate(games):
        kind = "MRMA"[number % 4]
        fitting = [i for i, phase in enumerate(game.phases) if phase.name.endswith(kind)]
        if fitting:
            found.append(game.position(chance.choice(fitting)))
        if len(found) == count:
            break
    return found


def faults(position: Position, orders: dict[str, tuple[str, ...]]) -> list[str]:
    """What is wrong with a set of answers, in words."""
    wrong = []
    orderable = position.orderable()
    for power, given in orders.items():
        legal = {order for each in legal_orders(position, power).values() for order in each}
        wrong += [f"{power} {order}: illegal" for order in given if order not in legal]
        if position.phase.kind == "A":
            owed = abs(position.adjustments(power))
        else:
            owed = len(orderable.get(power, ()))
        ordered = {order.split()[1] for order in given if order != "WAIVE"}
        if len(given) != owed or (position.phase.kind != "A" and len(ordered) != owed):
            wrong.append(f"{power}: {len(given)} orders for {owed} units")
    return wrong


def main() -> int:
    """Check, print, and say by the exit code whether all was well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--time", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    sample = draw(options.games, options.positions, options.seed)
    overruns: list[float] = []
    bad = 0
    with Engine(seed=options.seed) as engine:
        for position in sample:
            begun = time.perf_counter()
            answers = engine.search_all(position, time=options.time)
            overruns.append(time.perf_counter() - begun - options.time)
            wrong = faults(position, {power: found.orders for power, found in answers.items()})
            bad += bool(wrong)
            for line in wrong:
                print(f"{position.phase}: {line}")
    kinds = {kind: sum(position.phase.kind == kind for position in sample) for kind in "MRA"}
    print(f"{len(sample)} positions {kinds}, {bad} with faults, latest answer {max(overruns) * 1000:+.1f} ms")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
