"""Random press into the ledger: whatever is said, in whatever turns, it must stand firm.

python tools/press_fuzz.py [--messages N] [--seed S] [--per-turn N]

Letters of all levels, answers to them, and nonsense are heard by the ledger of one power between random
turns of games. Nothing may be raised; what holds must be free of contradictions, and be what a fresh truth
maintenance system makes of the same grounds; the reason of each fact must rest on what holds; and what is
kept must not grow. Prints what was concluded and broken, seconds, and the size of the ledger, and of its
memory, on the way. Exits with 1 on a failure, and says what makes it again.
"""

from __future__ import annotations

import argparse
import sys
import time
import tracemalloc
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tests.press.storm import Storm

PROGRESS = 10_000


def main() -> int:
    """Run the storm; the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--per-turn", type=int, default=50, help="letters in each phase")
    options = parser.parse_args()
    storm = Storm(options.seed, options.per_turn)
    began = time.perf_counter()
    tracemalloc.start()
    while storm.letters < options.messages:
        try:
            storm.phase()
        except Exception:
            print(f"after {storm.letters} letters, --seed {options.seed} --per-turn {options.per_turn}")
            raise
        if storm.letters % PROGRESS < options.per_turn:
            used, _ = tracemalloc.get_traced_memory()
            print(
                f"{storm.letters:7} letters  {storm.deals:6} deals  {storm.breaches:6} breaches  "
                f"{storm.games:4} games  size {storm.ledger.size():6} (most {storm.most:6})  "
                f"{used / 2**20:6.1f} MiB  {time.perf_counter() - began:6.0f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
