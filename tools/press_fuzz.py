"""Fuzzes the ledger with random press, in random turns of games.

    python tools/press_fuzz.py [--messages N] [--seed S] [--per-turn N]

One ledger receives letters of all levels, answers to them, and nonsense between random turns of games. No
exception may be raised. The facts that hold must be consistent, have justifications that hold, and equal a
naive computation from the same justifications. The stored data must not grow. The tool prints the numbers
of deals and breaches, the size of the ledger, the memory of the process and seconds, during the run. It
exits with 1 on a failure, and prints how to reproduce it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

from tests.press.diplomat.storm import Storm

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
    mark = 0
    while storm.letters < options.messages:
        try:
            storm.phase()
        except Exception:
            print(f"after {storm.letters} letters, --seed {options.seed} --per-turn {options.per_turn}")
            raise
        if storm.letters >= min(mark + PROGRESS, options.messages):
            mark += PROGRESS
            print(
                f"{storm.letters:7} letters  {storm.deals:6} deals  {storm.breaches:6} breaches  "
                f"{storm.phases:5} phases  kept {storm.ledger.size():6} (most {storm.most:6})  "
                f"{resident():6.1f} MB  {time.perf_counter() - began:6.0f} s",
                flush=True,
            )
    return 0


def resident() -> float:
    """Memory of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    sys.exit(main())
