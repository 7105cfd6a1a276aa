"""How fast the shipped book is loaded and asked, beside a plain reading of all of it, in processor time.

python benchmarks/book.py [BOOK]
"""

import json
import random
import sys
import time
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from statistics import median

from bordeaux import Position
from bordeaux.openings import Book, position_key

REPEATS = 15
LOOKUPS = 20_000


def timed(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Median seconds of the processor for a piece of work."""
    spent = []
    for _ in range(repeats):
        begun = time.process_time()
        work()
        spent.append(time.process_time() - begun)
    return median(spent)


def main() -> None:
    """Print the figures as JSON."""
    shipped = Path(str(resources.files("bordeaux.openings") / "data" / "standard.jsonl"))
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else shipped
    Position.start()
    load = timed(lambda: Book.load(path, check=False))
    everything = timed(lambda: Book.load(path, check=True), 3)
    plain = timed(lambda: [json.loads(line) for line in path.read_bytes().splitlines()], 3)
    book = Book.load(path, check=False)
    first = timed(lambda: Book.load(path, check=False).root) - load
    nodes = list(book)
    chance = random.Random(0)
    keys = [chance.choice(nodes).key for _ in range(LOOKUPS)]
    positions = [chance.choice(nodes).position for _ in range(LOOKUPS)]
    by_key = timed(lambda: [book.get(key) for key in keys], 3) / LOOKUPS
    hashing = timed(lambda: [position_key(position) for position in positions], 3) / LOOKUPS
    entries = timed(lambda: [book.entries(position, "FRANCE") for position in positions], 3) / LOOKUPS
    print(
        json.dumps(
            {
                "bytes": path.stat().st_size,
                "positions": len(book),
                "views": len(book.views),
                "load_ms": round(load * 1e3, 2),
                "load_and_check_ms": round(everything * 1e3, 1),
                "plain_json_ms": round(plain * 1e3, 1),
                "load_against_plain_json": round(load / plain, 3),
                "first_position_ms": round(first * 1e3, 3),
                "lookup_by_key_us": round(by_key * 1e6, 2),
                "key_of_a_position_us": round(hashing * 1e6, 1),
                "entries_us": round(entries * 1e6, 1),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
