"""Fuzzes the ledger with random press, in random turns of games.

    python tools/press_fuzz.py [--messages N] [--seed S] [--per-turn N]

One ledger receives letters of all levels, answers to them, and nonsense between random turns of games. No
exception may be raised. The facts that hold must be consistent, have justifications that hold, and equal a
naive computation from the same justifications. The stored data must not grow. The tool prints the numbers
of deals and breaches, the size of the ledger, the memory of the process and seconds, during the run. It
exits with 1 on a failure, and prints how to reproduce it.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

import click

from bordeaux.cli.options import MOST_SEED, whole
from bordeaux.cli.program import Script
from tests.press.diplomat.storm import Storm

PROGRESS = 10_000


@click.command(cls=Script)
@click.option("--messages", type=whole(1, 10**9), default=100_000, metavar="N", help="Letters in all.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="S", help="Makes other letters.")
@click.option("--per-turn", type=whole(1, 10**6), default=50, metavar="N", help="Letters in each phase.")
def main(messages: int, seed: int, per_turn: int) -> int:
    """Fuzz the ledger with random press. Exit code 1 on a failure."""
    storm = Storm(seed, per_turn)
    began = time.perf_counter()
    mark = 0
    while storm.letters < messages:
        try:
            storm.phase()
        except Exception:
            traceback.print_exc()
            print(f"after {storm.letters} letters, --seed {seed} --per-turn {per_turn}", file=sys.stderr)
            return 1
        if storm.letters >= min(mark + PROGRESS, messages):
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
    main()
