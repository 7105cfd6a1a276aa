"""Compares the engine's orders with those that were played, and each idea with its absence.

    python tools/hindsight.py GAMES... [--positions 500] [--nodes 6000 | --time S] [--ideas a,b,c+d]
                              [--from 1901] [--until 1910] [--units 3] [--seed 1] [--json]

A match of a hundred games measures centres to about one. This tool measures one phase to some hundredths,
since all engines get the same positions and the same orders of the others. Positions are drawn from saved
games, at most a few from each, with a power of at least `--units` units. Games of several kinds of players
are best, since no policy in our code predicts them. The engine sees the earlier movement phases, as a
player would, and gives orders; the others repeat the recorded orders. Then the fast policy plays for
everybody through four movement phases, 32 times with the same random numbers for all. The power's centres
are counted. This evaluates one phase, not a game; a match must confirm the result.

`--ideas` names what to leave out, as in ``benchmarks/ablation.py``; the default is every idea in turn. The
table has the mean number of centres. It has the difference to the engine with all ideas by pairs of
positions, with its 95 % interval. It also has the number of positions with a different result. ``played``
are the recorded orders.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Sequence
from typing import NamedTuple

import click

from bordeaux import Engine, Limit, Position, load_games
from bordeaux._ext.search.rollout import Rollout
from bordeaux.board.order import Order
from bordeaux.cli.options import MOST_NODES, MOST_SEED, json_option, seconds, whole
from bordeaux.cli.program import Script
from bordeaux.evaluation import evaluator
from bordeaux.policy.dumbbot import DUMBBOT
from bordeaux.search.config import IDEAS, Ideas
from bordeaux.search.sets import from_orders

WHOLE = "all ideas"
PLAYED = "played"
#: Positions of one game, movement phases of a rollout, and the number of rollouts.
A_GAME, PLAYED_ON, SAMPLES = 6, 4, 32
#: Earlier movement phases that the engine observes.
SEEN = 8


class Case(NamedTuple):
    """A movement position, the selected power, the orders of all, and the phases before."""

    position: Position
    power: str
    orders: dict[str, list[str]]
    history: list[tuple[Position, dict[str, list[Order]]]]


def cases(paths: Sequence[str], years: range, units: int, seed: int) -> list[Case]:
    """The positions of some years with a power of so many units, in random order by the seed. Raises
    BordeauxError for invalid games."""
    chance = random.Random(seed)
    found_cases: list[Case] = []
    for path in paths:
        for game in load_games(path):
            played = game.history(len(game.phases) - 1)
            numbers = [
                number
                for number, (position, _) in enumerate(played)
                if number and position.phase.year in years
            ]
            for number in sorted(chance.sample(numbers, min(A_GAME, len(numbers)))):
                position, orders = played[number]
                given = {power: [str(order) for order in sets] for power, sets in orders.items()}
                powers = [power for power in given if len(position.units_of(power)) >= units]
                if powers:
                    before = [(was, dict(sets)) for was, sets in played[max(0, number - SEEN) : number]]
                    found_cases.append(Case(position, chance.choice(sorted(powers)), given, before))
    chance.shuffle(found_cases)
    return found_cases


def asked(case: Case, number: int, without: Sequence[str], limit: Limit) -> list[str]:
    """The engine's orders in a case, without some ideas."""
    with Engine(seed=number, without=without) as engine:
        for position, orders in case.history:
            engine.observe(position, orders)
        previous = case.history[-1][1] if case.history else None
        answer = engine.search(
            case.position, case.power, previous=previous, nodes=limit.nodes, time=limit.time
        )
    return list(answer.orders)


def centres(case: Case, own: Sequence[str]) -> float:
    """The mean centres of the power after its orders and the others', continued by the policy."""
    position = case.position
    map = position.map
    rollout = Rollout(evaluator(map), DUMBBOT.chooser(map))
    given = {**case.orders, case.power: own}
    joint = b"".join(from_orders(position, power, orders) for power, orders in given.items())
    ends = rollout.ends(position.packed, joint, PLAYED_ON, list(range(1, SAMPLES + 1)))
    return sum(Position.from_packed(map, end).owners.count(case.power) for end in ends) / SAMPLES


def difference(values: Sequence[float], base: Sequence[float]) -> tuple[float, float]:
    """The mean of the differences by pairs, and half the width of its 95 % interval."""
    behind = [one - other for one, other in zip(values, base, strict=True)]
    mean = math.fsum(behind) / len(behind)
    scatter = math.fsum((difference - mean) ** 2 for difference in behind) / max(1, len(behind) - 1)
    return mean, 1.96 * math.sqrt(scatter / len(behind))


def measured(chosen: Sequence[Case], ideas: Sequence[str], limit: Limit) -> dict[str, list[float]]:
    """Centres by engine, for every case; reports progress on standard error."""
    engines = {WHOLE: (), **{f"without {idea}": tuple(idea.split("+")) for idea in ideas}}
    values: dict[str, list[float]] = {PLAYED: [], **{name: [] for name in engines}}
    for number, case in enumerate(chosen):
        known: dict[tuple[str, ...], float] = {}
        sets = {name: asked(case, number, without, limit) for name, without in engines.items()}
        for name, own in {**sets, PLAYED: case.orders[case.power]}.items():
            key = tuple(sorted(own))
            if key not in known:
                known[key] = centres(case, own)
            values[name].append(known[key])
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {len(chosen)}", end="", file=sys.stderr, flush=True)
    return values


def table(values: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """The output: mean, difference to all ideas, its half width, share of the positions that differ."""
    rows = {}
    base = values[WHOLE]
    for name, own in values.items():
        mean, width = difference(own, base)
        rows[name] = {
            "centres": math.fsum(own) / len(own),
            "difference": mean,
            "width": width,
            "differ": sum(one != other for one, other in zip(own, base, strict=True)) / len(own),
        }
    return rows


@click.command(cls=Script)
@click.argument("games", nargs=-1, required=True, metavar="GAMES...")
@click.option("--positions", type=whole(1, 10**9), default=500, metavar="N", help="Positions at most.")
@click.option(
    "--nodes", type=whole(1, MOST_NODES), default=6000, metavar="N", help="Limit of a search in nodes."
)
@click.option(
    "--time", "span", type=seconds, metavar="S", help="Limit of a search in seconds, in place of nodes."
)
@click.option("--ideas", default=",".join(IDEAS), metavar="a,b,c+d", help="Ideas to leave out, each in turn.")
@click.option("--from", "begin", type=whole(0, 9999), default=1901, metavar="YEAR", help="First year.")
@click.option("--until", type=whole(0, 9999), default=1910, metavar="YEAR", help="Last year.")
@click.option("--units", type=whole(1, 100), default=3, metavar="N", help="Fewest units of the power.")
@click.option("--seed", type=whole(0, MOST_SEED), default=1, metavar="N", help="Chooses other positions.")
@json_option
def main(
    games: tuple[str, ...],
    positions: int,
    nodes: int,
    span: float | None,
    ideas: str,
    begin: int,
    until: int,
    units: int,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the engine's orders with those that were played, and each idea with its absence."""
    without = [part for part in ideas.split(",") if part]
    for part in without:
        Ideas.without(part.split("+"))
    chosen = cases(games, range(begin, until + 1), units, seed)[:positions]
    if not chosen:
        raise click.UsageError("no movement phase between --from and --until has a power with --units units")
    rows = table(measured(chosen, without, Limit(nodes=nodes) if span is None else Limit(time=span)))
    if as_json:
        print(json.dumps(rows))
        return
    print(f"{'':24s} centres  difference         differ   ({len(chosen)} positions)")
    for name, row in rows.items():
        print(
            f"{name:24s} {row['centres']:7.3f}  {row['difference']:+.3f} ± {row['width']:.3f}"
            f"   {row['differ']:6.1%}"
        )


if __name__ == "__main__":
    main()
