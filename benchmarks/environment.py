"""Random play by batches of games and by the PyPI package `diplomacy`, in one run.

    python benchmarks/environment.py [--batches 1,64,1024,4096] [--seconds S] [--rounds N] [--until YEAR]
                                     [--json]

A phase is one step of one game, movement, retreats or adjustments; games end after `--until` and begin anew.
Measured by batch:

- everything: observation, legal orders of all units of all powers, a random choice among them, and the step;
- step and observation: the same play, with legal orders and choice outside of the measured time;
- two threads: how many times as fast everything is, by the clock, and on two free cores. The latter is the
  processor time of one thread by that of the longest way: the main thread, and where it waits for others, the
  longer of them. On a machine that others use as well the clock says little;
- memory: what the process grew by for a game, all arrays of a step held.

Figures are phases a second of one core: processor time, the best of `--rounds` rounds of `--seconds` seconds
in which all of them take turns; what threads gain is the median. Needs `diplomacy` 1.1.2.
"""

from __future__ import annotations

import ctypes
import json
import os
import random
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import click
from diplomacy import Game

from bordeaux.board.errors import BordeauxError
from bordeaux.cli.options import json_option, seconds, whole
from bordeaux.cli.program import Script
from bordeaux.env import Batch

#: Phases before the measured ones, so that games are spread over all years.
WARM = 60

Figures = dict[str, float]
T = TypeVar("T")


class Watched(Batch):
    """A batch that adds up the processor time by which its threads would have been done on free cores."""

    waited = 0.0

    def _each(self, work: Callable[[int, int], T]) -> list[T]:
        def watched(low: int, high: int) -> tuple[T, float]:
            begun = time.thread_time()
            return work(low, high), time.thread_time() - begun

        done = super()._each(watched)
        self.waited += max(spent for _, spent in done)
        return [result for result, _ in done]


class Bench:
    """Batches of one size, with one thread and with two."""

    def __init__(self, games: int, until: int) -> None:
        self._run(Batch(1), 1)
        before = held()
        self.one = Batch(games, until=until, autoreset=True)
        self.kept = self._run(self.one, WARM)
        self.memory = (held() - before) / games
        self.two = Watched(games, until=until, autoreset=True, threads=2)
        self._run(self.two, WARM)

    @staticmethod
    def _run(batch: Batch, phases: int) -> tuple[object, ...]:
        kept: tuple[object, ...] = ()
        for _ in range(phases):
            seen, legal, choices = batch.observe(), batch.legal(), batch.random()
            kept = seen, legal, choices, batch.step(choices)
        return kept

    def _everything(self, least: float) -> tuple[float, float]:
        """Phases a second of processor time, and by the clock, with one thread."""
        steps, begun, clock = 0, time.process_time(), time.perf_counter()
        while (spent := time.process_time() - begun) < least:
            self._run(self.one, 1)
            steps += 1
        return steps * self.one.games / spent, steps * self.one.games / (time.perf_counter() - clock)

    def _threads(self, least: float) -> tuple[float, float]:
        """Phases a second with two threads: on free cores, and by the clock."""
        steps, begun, clock = 0, time.thread_time(), time.perf_counter()
        self.two.waited = 0.0
        while (spent := time.thread_time() - begun + self.two.waited) < least:
            self._run(self.two, 1)
            steps += 1
        return steps * self.two.games / spent, steps * self.two.games / (time.perf_counter() - clock)

    def _steps(self, least: float) -> float:
        """Phases a second of step and observation."""
        steps, spent = 0, 0.0
        while spent < least:
            choices = self.one.random()
            begun = time.process_time()
            self.one.step(choices)
            self.one.observe()
            spent += time.process_time() - begun
            steps += 1
        return steps * self.one.games / spent

    def measure(self, least: float) -> Figures:
        """One round."""
        everything, clock = self._everything(least)
        free, both_clock = self._threads(least)
        return {
            "everything": everything,
            "step and observation": self._steps(least),
            "clock": clock,
            "two by the clock": both_clock,
            "two on free cores": free,
        }


def held() -> float:
    """The memory of this process in bytes, without what the allocator keeps for later (Linux)."""
    ctypes.CDLL(None).malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def package(until: int) -> Callable[[float], float]:
    """Phases a second of the package: state, legal orders, a random choice, and the step."""
    chance = random.Random(0)
    game = Game()

    def measure(least: float) -> float:
        nonlocal game
        phases, begun = 0, time.process_time()
        while (spent := time.process_time() - begun) < least:
            game.get_state()
            possible = game.get_all_possible_orders()
            for power, places in game.get_orderable_locations().items():
                game.set_orders(
                    power, [chance.choice(possible[place]) for place in places if possible[place]]
                )
            game.process()
            phases += 1
            if game.is_game_done or int(game.get_current_phase()[1:5]) > until:
                game = Game()
        return phases / spent

    return measure


def summary(rounds: list[Figures], games: int, memory: float) -> Figures:
    """The best of the speeds, and the medians of what two threads gain, where there are two."""
    figures = {name: max(row[name] for row in rounds) for name in ("everything", "step and observation")}
    if games > 1:
        by_clock = [row["two by the clock"] / row["clock"] for row in rounds]
        free = [row["two on free cores"] / row["everything"] for row in rounds]
        figures["two threads by the clock"] = statistics.median(by_clock)
        figures["two threads on two free cores"] = statistics.median(free)
    return figures | {"bytes a game": memory}


def sizes_in(text: str) -> list[int]:
    """Sizes of batches. Raises BordeauxError for text that has none."""
    sizes = [int(part) if part.isdecimal() else 0 for part in text.split(",")]
    if not all(sizes):
        raise BordeauxError(f"--batches {text}: write whole numbers above 0 with commas between them")
    return sizes


@click.command(cls=Script)
@click.option("--batches", default="1,64,1024,4096", metavar="N,...", help="Sizes of the batches.")
@click.option("--seconds", "least", type=seconds, default="1", metavar="S", help="Of each measurement.")
@click.option(
    "--rounds", type=whole(1, 1000), default=3, metavar="N", help="Rounds, of which the best counts."
)
@click.option(
    "--until", type=whole(1901, 9999), default=1910, metavar="YEAR", help="The last year of a game."
)
@json_option
def main(batches: str, least: float, rounds: int, until: int, as_json: bool) -> None:
    """Measure random play of many games at once, and of the PyPI package diplomacy."""
    benches = {size: Bench(size, until) for size in sizes_in(batches)}
    theirs = package(until)
    measured: dict[int, list[Figures]] = {size: [] for size in benches}
    slow = []
    for _ in range(rounds):
        slow.append(theirs(least))
        for size, bench in benches.items():
            measured[size].append(bench.measure(least))
    found = {size: summary(rows, size, benches[size].memory) for size, rows in measured.items()}
    if as_json:
        print(json.dumps({"batches": found, "diplomacy": max(slow)}))
        return
    print(f"phases a second of one core; the package diplomacy {max(slow):,.0f}")
    for size, figures in found.items():
        print(f"{size} games ({figures['everything'] / max(slow):,.0f} times the package)")
        for name, figure in figures.items():
            print(f"  {name:32} {figure:12,.2f}" if "threads" in name else f"  {name:32} {figure:12,.0f}")


if __name__ == "__main__":
    main()
