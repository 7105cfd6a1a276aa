"""What one process holds after many searches, in MB (Linux).

    python benchmarks/memory.py [--searches 1000] [--nodes 13500] [--positions 100] [--games FILE]

The positions are movement phases drawn from recorded games; each search is for one power, in turn. Every
hundred searches it prints what the process holds, and at the end the most of it. What C has allocated counts.
"""

import argparse
import os
import random
from pathlib import Path

from bordeaux import Engine, Position, load_games

GAMES = Path(__file__).parent.parent / "tests" / "data" / "selfplay.jsonl.gz"


def held() -> float:
    """Megabytes that this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def drawn(path: Path, count: int) -> list[Position]:
    """So many movement positions of games."""
    places = [
        (game, number)
        for game in load_games(path)
        for number, phase in enumerate(game.phases)
        if phase.name.endswith("M")
    ]
    return [game.position(number) for game, number in random.Random(0).sample(places, count)]


def main() -> None:
    """Measure, as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=13_500)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--games", type=Path, default=GAMES)
    given = parser.parse_args()
    positions = drawn(given.games, given.positions)
    print(f"before the first search {held():.0f} MB")
    most = 0.0
    with Engine(seed=0) as engine:
        for number in range(given.searches):
            position = positions[number % len(positions)]
            powers = position.map.powers
            engine.search(position, powers[number % len(powers)], nodes=given.nodes)
            most = max(most, held())
            if (number + 1) % 100 == 0:
                print(f"{number + 1} searches {held():.0f} MB", flush=True)
    print(f"at most {most:.0f} MB")


if __name__ == "__main__":
    main()
