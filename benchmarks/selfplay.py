"""Games of self-play per second of one core: in the core, and by a loop in Python, in one run.

    python benchmarks/selfplay.py [--draws 16] [--samples 12] [--until 1914] [--games N] [--rounds N] [--json]

In every phase each power draws `--draws` sets from the net of engines. It values each of them against
`--samples` joint draws of the others, after adjudication with its retreats and builds, and plays the best.
The loop in Python uses `People.draw` for the draws and `Rollout.compare` for the values, as a plain script
does. The core does it all in one call (`bordeaux._ext.learn.selfplay`). Rows of the core:

- ``whole``: the same work, every set with every sample;
- ``halving``: the worse half of the sets is dropped, in three rounds;
- ``league``: the same, with evaluation directly after adjudication, as `python -m training.league` plays.

Seconds are of processor time, the fastest of `--rounds`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from random import Random

import click

from bordeaux import Map, Position
from bordeaux._ext.learn.selfplay import SelfPlay
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.code import codes_in
from bordeaux.board.submission import decode
from bordeaux.cli.options import json_option, whole
from bordeaux.cli.program import Script
from bordeaux.evaluation.prospect import prospect_value
from bordeaux.policy.net import load_net
from bordeaux.policy.people import People

MAP = Map.standard()
POWERS = len(MAP.powers)


def in_python(draws: int, samples: int, until: int, games: int, seed: int) -> int:
    """Games by the loop in Python; returns the number of their phases."""
    chance, phases = Random(seed), 0
    people = People(MAP, net=load_net("engines"), seed=seed)
    rollout = Rollout(prospect_value(MAP), People(MAP, net=load_net("engines")).chooser)
    for _ in range(games):
        position = Position.start()
        while position.phase.kind != "-" and position.phase.year <= until:
            powers = list(position.orderable())
            drawn = [{power: people.draw(position, power) for power in powers} for _ in range(samples)]
            seeds = [chance.getrandbits(64) for _ in drawn]
            played = {}
            for power in powers:
                sets = list({people.draw(position, power) for _ in range(draws)})
                others = [
                    b"".join(given for name, given in orders.items() if name != power) for orders in drawn
                ]
                rows = rollout.compare(position.packed, MAP.powers.index(power), sets, others, 0, seeds)
                best = max(range(len(sets)), key=lambda i: sum(rows[i]))
                played[power] = [decode(MAP, code) for code in codes_in(sets[best])]
            position = position.next(played)
            phases += 1
    return phases


def in_core(
    draws: int, samples: int, until: int, games: int, seed: int, *, rounds: int = 1, movements: int = 0
) -> SelfPlay:
    """Games in the core."""
    chooser = People(MAP, net=load_net("engines")).chooser
    rollout = Rollout(prospect_value(MAP), People(MAP, net=load_net("engines")).chooser)
    mind = ([(0, draws, 1.0)], [(0, 1.0, 1.0)], samples, rounds, movements, 0)
    play = SelfPlay(MAP.tables, [chooser], [rollout], [mind])
    seeds = range(seed * games, (seed + 1) * games)
    play.play(Position.start().packed, [bytes(POWERS)] * games, seeds, [until] * games)
    return play


def rate(work: Callable[[int], object], games: int, rounds: int) -> float:
    """Games per second of processor time, the fastest of a number of rounds."""
    fastest = float("inf")
    for seed in range(rounds):
        begun = time.process_time()
        work(seed)
        fastest = min(fastest, time.process_time() - begun)
    return games / fastest


@click.command(cls=Script)
@click.option("--draws", type=whole(1, 1000), default=16, metavar="N", help="Sets that a power draws.")
@click.option("--samples", type=whole(1, 1000), default=12, metavar="N", help="Joint draws of the others.")
@click.option("--until", type=whole(1901, 9999), default=1914, metavar="YEAR", help="The last year.")
@click.option(
    "--games",
    type=whole(1, 10**6),
    default=4,
    metavar="N",
    help="Of a round; five times as many in the core.",
)
@click.option("--rounds", type=whole(1, 1000), default=3, metavar="N", help="The fastest of them counts.")
@json_option
def main(draws: int, samples: int, until: int, games: int, rounds: int, as_json: bool) -> None:
    """Measure games of self-play a second of one core: in the core, and by a loop in Python around it."""
    given, many = (draws, samples, until), 5 * games
    rates = {
        "python": rate(lambda seed: in_python(*given, games, seed), games, rounds),
        "whole": rate(lambda seed: in_core(*given, many, seed), many, rounds),
        "halving": rate(lambda seed: in_core(*given, many, seed, rounds=3), many, rounds),
        "league": rate(lambda seed: in_core(*given, many, seed, rounds=3, movements=-1), many, rounds),
    }
    if as_json:
        print(json.dumps(rates))
        return
    print(f"games a second, {draws} sets against {samples} samples, to {until}")
    for name, speed in rates.items():
        print(f"{name:<8} {speed:7.2f}   {speed / rates['python']:5.1f} times the loop in Python")


if __name__ == "__main__":
    main()
