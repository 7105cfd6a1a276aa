"""The memory of one process after many searches, in MB (Linux).

    python benchmarks/memory.py [--searches 1000] [--nodes 13500] [--positions 100] [--games FILE]

The positions are movement phases drawn from recorded games; each search is for one power, in turn. Every
hundred searches it prints the memory of the process, and at the end the maximum. Allocations of C are
included.
"""

import os
import random
from pathlib import Path

import click

from bordeaux import Engine, Position, load_games
from bordeaux.cli.options import MOST_NODES, whole
from bordeaux.cli.program import Script

GAMES = Path(__file__).parent.parent / "tests" / "data" / "selfplay.jsonl.gz"


def held() -> float:
    """The memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def drawn(path: Path, count: int) -> list[Position]:
    """A number of movement positions of games."""
    places = [
        (game, number)
        for game in load_games(path)
        for number, phase in enumerate(game.phases)
        if phase.name.endswith("M")
    ]
    return [game.position(number) for game, number in random.Random(0).sample(places, count)]


@click.command(cls=Script)
@click.option("--searches", type=whole(1, 10**9), default=1000, metavar="N", help="Searches in all.")
@click.option("--nodes", type=whole(1, MOST_NODES), default=13_500, metavar="N", help="Nodes of a search.")
@click.option("--positions", "count", type=whole(1, 10**9), default=100, metavar="N", help="Positions.")
@click.option("--games", type=Path, default=GAMES, metavar="FILE", help="Games that they are drawn from.")
def main(searches: int, nodes: int, count: int, games: Path) -> None:
    """Measure what one process holds after many searches, in MB."""
    positions = drawn(games, count)
    print(f"before the first search {held():.0f} MB")
    most = 0.0
    with Engine(seed=0) as engine:
        for number in range(searches):
            position = positions[number % len(positions)]
            powers = position.map.powers
            engine.search(position, powers[number % len(powers)], nodes=nodes)
            most = max(most, held())
            if (number + 1) % 100 == 0:
                print(f"{number + 1} searches {held():.0f} MB", flush=True)
    print(f"at most {most:.0f} MB")


if __name__ == "__main__":
    main()
