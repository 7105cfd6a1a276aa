"""How fast mixtures are learnt, and what they leave to regret.

    python benchmarks/equilibrium.py [--positions 20] [--nodes 60000] [--seed 0] [--games FILE]

First, on the start position and one of the middle game: iterations a second with 12 sets for each
power, with every set and after the strategies have come to few, beside the search's nodes a second.

Then, over movement positions spread over the recorded games: points that each power could gain over its
mixture, with another set of the game ("inside") and with any set that a best-first search finds
against 32 fresh draws of the others ("outside"), after 200, 500 and 2,000 iterations, with the
candidates of the search alone and with replies that join (double oracle). Over the powers with units:
the median, the mean without the worst in twenty (a solo counts 10,000), and the ninth decile.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from bordeaux import Map, Position, bench
from bordeaux._ext.joint import CandidateGame
from bordeaux.evaluation import evaluator
from bordeaux.formats.games import read_games
from bordeaux.search.budget import Budget
from bordeaux.search.paper.bestfirst import best_first, polish
from bordeaux.search.paper.movement import MovementSearch
from bordeaux.search.paper.normal_form import NormalForm, widened
from bordeaux.search.paper.pruning import Maxims
from bordeaux.search.paper.situation import Situation

GAMES = Path(__file__).resolve().parents[2] / "shared" / "data" / "games" / "selfplay.jsonl.gz"
ITERATIONS = (200, 500, 2_000)


def searched(position: Position, nodes: int, seed: int) -> MovementSearch:
    """The candidate search of all powers."""
    judge = evaluator(position.map)
    search = MovementSearch(Situation(position, judge, maxims=Maxims.named(), seed=seed))
    for _ in search.run(list(position.map.powers), Budget(nodes=nodes)):
        pass
    return search


def speed(position: Position, seed: int) -> None:
    """Print iterations and nodes a second on a position."""
    begun = time.perf_counter()
    search = searched(position, 100_000, seed)
    searching = search.nodes / (time.perf_counter() - begun)
    sets = {}
    for side in search.sides.values():
        wider = widened(side.space, side.pool, side.best)
        sets[side.number] = sorted(wider, key=lambda orders: (-wider[orders], orders))[:12]
    print(f"{position.phase}, {len(position.units)} units, {sum(map(len, sets.values()))} sets")
    for iterations in ITERATIONS:
        game = CandidateGame(position.packed, evaluator(position.map), sets, seed=seed)
        begun = time.perf_counter()
        game.run(iterations)
        seconds = time.perf_counter() - begun
        asked = iterations * sum(map(len, sets.values()))
        print(
            f"  {iterations:>5} iterations: {iterations / seconds:>9,.0f} a second,"
            f" {game.nodes / seconds:>9,.0f} nodes a second"
            f" ({game.nodes / seconds / searching:.2f} of the search's),"
            f" {game.nodes / asked:.0%} of the values worked out"
        )


def recorded(path: Path, count: int) -> Iterator[Position]:
    """Movement positions from different games, the later the further the game has come."""
    for number, game in enumerate(islice(read_games(path), count)):
        moves = [index for index, phase in enumerate(game.phases) if phase.name.endswith("M")]
        yield game.position(moves[min(len(moves) - 1, 2 + number)])


def outside(normal_form: NormalForm, power: str) -> float:
    """Points that a best reply found by search gains over a power's mixture on fresh draws."""
    equilibrium, space = normal_form.equilibrium, normal_form.sides[power].space
    mixture = equilibrium.mixture(power)
    space.set_backgrounds(*equilibrium.backgrounds(power, 16))
    best = space.node_of(mixture.orders[0])
    for node in best_first(space, best, lambda: False, 12):
        best = node.choices
    best = polish(space, best).choices
    space.set_backgrounds(*equilibrium.backgrounds(power, 32))
    own = sum(
        share * space.value(space.node_of(orders))
        for orders, share in zip(mixture.orders, mixture.shares, strict=True)
        if share
    )
    return max(0.0, space.value(best) - own)


def regret(positions: list[Position], nodes: int, seed: int) -> None:
    """Print what mixtures leave to regret."""
    searches = [searched(position, nodes, seed) for position in positions]
    for replies in (False, True):
        for iterations in ITERATIONS:
            inside, without, pure, seconds = [], [], [], 0.0
            for position, search in zip(positions, searches, strict=True):
                judge = evaluator(position.map)
                normal_form = NormalForm(position, judge, search.sides, list(search.sides), seed=seed)
                begun = time.perf_counter()
                normal_form.run(Budget(time=600), iterations=iterations, replies=replies)
                seconds += time.perf_counter() - begun
                for power in normal_form.wanted:
                    mixture = normal_form.equilibrium.mixture(power, samples=2_000)
                    inside.append(mixture.regret)
                    without.append(outside(normal_form, power))
                    pure.append(mixture.pruned().shares[0] > 0.95)
            print(
                f"{'with' if replies else 'no'} replies, {iterations:>5} iterations: inside {spread(inside)},"
                f" outside {spread(without)}, {np.mean(pure):.0%} pure,"
                f" {seconds / len(positions):.3f} s a position"
            )


def spread(points: list[float]) -> str:
    """Median, mean without the worst in twenty, and what nine in ten stay below."""
    kept = sorted(points)[: max(1, len(points) * 19 // 20)]
    return f"{np.median(points):.1f} / {np.mean(kept):.1f} / {np.quantile(points, 0.9):.1f}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--nodes", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--games", type=Path, default=GAMES)
    args = parser.parse_args()
    speed(Position.start(Map.standard()), args.seed)
    speed(next(position for position, _ in bench.positions() if str(position.phase) == "S1904M"), args.seed)
    regret(list(recorded(args.games, args.positions)), args.nodes, args.seed)


if __name__ == "__main__":
    main()
