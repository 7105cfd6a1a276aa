"""What several processes bring, and whether deadlines are kept with them.

    python benchmarks/processes.py [--processes 2] [--time 0.5] [--rounds 20]
                                   [--searches 200] [--limit 0.1] [--load 0]

Two measurements. Nodes: the same searches by turns in one process and in several, `--time` seconds each,
`--rounds` times over the positions of `bordeaux bench`; the ratio of all nodes, and the median of the pairs.
Deadlines: `--searches` searches of `--limit` seconds, in one process and in several, and by how much their
answers came late. `--load` N busy processes compete for the cores in the second measurement. The load
average stands next to the figures. On a machine that does other work the ratio is low, because the
processes of one terminal share what the system gives to it; nodes for a second of processor tell more then.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import time
from itertools import cycle, islice
from pathlib import Path

from bordeaux import Engine, Position, bench

LATE = 0.020
"""Seconds that an answer may be late."""


def searched(engine: Engine, position: Position, seconds: float) -> tuple[int, float]:
    """Nodes of a search of all powers, and the seconds that its caller waited."""
    begun = time.perf_counter()
    found = engine.search_all(position, time=seconds)
    return next(iter(found.values())).nodes, time.perf_counter() - begun


def computed(engine: Engine) -> float:
    """Seconds of processor that this process and an engine's workers have used (Linux)."""
    ticks = 0
    for process in engine.workers:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + ticks / os.sysconf("SC_CLK_TCK")


def compare_nodes(one: Engine, many: Engine, positions: list[Position], seconds: float) -> None:
    """Print how many more nodes several processes visit than one."""
    pairs, cost = [], {one: 0.0, many: 0.0}
    for turn, position in enumerate(positions):
        nodes = {}
        for engine in (one, many) if turn % 2 else (many, one):
            before = computed(engine)
            nodes[engine] = searched(engine, position, seconds)[0]
            cost[engine] += computed(engine) - before
        pairs.append((nodes[one], nodes[many]))
    ones, manies = map(sum, zip(*pairs, strict=True))
    median = statistics.median(several / single for single, several in pairs)
    print(
        f"{many.processes} processes, {len(pairs)} pairs of {seconds} s: {ones:,} nodes in one,"
        f" {manies:,} in {many.processes}: {manies / ones:.2f} times (median of the pairs {median:.2f})"
    )
    share = cost[many] / (cost[one] * many.processes)
    print(
        f"a second of processor gives {manies / cost[many] / (ones / cost[one]):.2f} times the nodes;"
        f" each process got {share:.0%} of the processor that one process alone got"
    )


def measure_lateness(engine: Engine, positions: list[Position], seconds: float) -> None:
    """Print how late the answers of searches come."""
    late = sorted(searched(engine, position, seconds)[1] - seconds for position in positions)
    over = sum(each > LATE for each in late)
    median, most = (1000 * late[int((len(late) - 1) * share)] for share in (0.5, 0.99))
    print(f"{engine.processes} processes, {len(late)} searches of {seconds} s, {over} late by over {LATE} s:")
    print(f"  late by {median:.1f} ms in the median, {most:.1f} ms in 99 %, {late[-1] * 1000:.1f} ms at most")


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--time", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--searches", type=int, default=200)
    parser.add_argument("--limit", type=float, default=0.1)
    parser.add_argument("--load", type=int, default=0)
    given = parser.parse_args()
    positions = [position for position, _ in bench.positions() if position.phase.kind == "M"]
    with Engine() as one, Engine(processes=given.processes) as many:
        many.warm_up(positions[0])
        print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}")
        if given.rounds:
            compare_nodes(one, many, list(islice(cycle(positions), given.rounds)), given.time)
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(given.load)]
        try:
            for engine in (one, many) if given.searches else ():
                measure_lateness(engine, list(islice(cycle(positions), given.searches)), given.limit)
        finally:
            for process in busy:
                process.send_signal(signal.SIGKILL)
                process.wait()
        print(f"load average {os.getloadavg()[0]:.2f}, {given.load} of them our own")


if __name__ == "__main__":
    main()
