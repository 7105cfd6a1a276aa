"""Find stalemate lines: regions that fewer units hold than they have centres (Hall and Loeb 1995, section
4.3.7).

    python tools/proofs/find_stalemates.py [--seconds 60] [--seed 0] [--least 13] [--most 17]

Simulated annealing finds a region of the board for a wanted number of centres. Every province that can be
entered from outside needs a unit. It also needs as many supports that cannot be cut to advantage as it has
attackers beyond the first. Units inside help if those on the edge do not suffice.
`tools/proofs/fortress.py` verifies every region. For each number of units the lines with the most centres
are printed in the form of `bordeaux/evaluation/data/stalemates.toml`. The lines there that assume attackers
without fleets in some waters were found with `--no-fleets LYO,TYS,...`.
"""

import json
import math
import random
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import click

from bordeaux import Map
from bordeaux.cli.options import MOST_SEED, seconds, whole
from bordeaux.cli.program import Script
from bordeaux.evaluation import StalemateLine, barred
from fortress import verify

UNMET = 2.5
"""The cost of a missing support, in units."""
STEPS = 1500
LIKE = 0.7
"""The common share of provinces from which on two lines count as one."""


class Region(NamedTuple):
    """A region by bits of provinces, the units that hold it, and their supports, by province."""

    bits: int
    held: int
    supports: dict[int, int]
    unmet: int


class Board:
    """Neighbours of provinces as bits: `near` for any unit, `entered` for the possible origins of attackers
    without fleets in some provinces, and `sailed` for the possible origins of fleets in those."""

    def __init__(self, map: Map, no_fleets: Sequence[str] = ()) -> None:
        self.map = map
        self.size = len(map.provinces)
        self.near, self.entered, self.sailed = ([0] * self.size for _ in range(3))
        self.no_fleets = tuple(no_fleets)
        self.barred = [
            place.index
            for place in map.locations
            if place.kind == "F" and {place.name, place.name.partition("/")[0]} & set(no_fleets)
        ]
        for location in map.locations:
            p = location.province
            for name in map.adjacent(location.kind, location.name):
                q = map.province(name.partition("/")[0]).index
                self.near[p] |= 1 << q
                if location.index not in self.barred:
                    self.entered[q] |= 1 << p
                    if map.location(location.kind, name).index in self.barred:
                        self.sailed[q] |= 1 << p
        self.centres = sum(1 << p.index for p in map.provinces if p.centre)

    def hold(self, region: int) -> Region:
        """The smallest number of units that hold a region, with plain supports."""
        outside = ~region & (1 << self.size) - 1
        within = list(bits(region))
        attackers = {p: self.entered[p] & outside for p in within}
        edge = [p for p in within if attackers[p]]
        wants = [p for p in edge for _ in range(attackers[p].bit_count() - 1)]
        helps: dict[int, int] = {}

        def helper(want: int, tried: set[int], inner: bool) -> bool:
            for p in bits(self.near[want] & region):
                # Who cuts such a support gives up an attack for it.
                if p in tried or attackers[p] & ~attackers[want]:
                    continue
                if not attackers[p] and not inner and p not in helps:
                    continue
                tried.add(p)
                if p not in helps or helper(helps[p], tried, inner):
                    helps[p] = want
                    return True
            return False

        left = [want for want in wants if not helper(want, set(), False)]
        unmet = sum(not helper(want, set(), True) for want in left)
        unmet += sum((self.sailed[q] & outside).bit_count() for q in bits(outside))
        held = sum(1 << p for p in {*edge, *helps})
        return Region(region, held, helps, unmet)


def bits(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def anneal(board: Board, centres: int, rng: random.Random, steps: int, regions: dict[int, Region]) -> None:
    """Search regions of about so many centres, and record all that hold."""
    region = 1 << rng.randrange(board.size)
    while (region & board.centres).bit_count() < centres:
        around = [q for p in bits(region) for q in bits(board.near[p]) if not region >> q & 1]
        region |= 1 << rng.choice(around)

    def energy(held: Region) -> float:
        away = abs((held.bits & board.centres).bit_count() - centres)
        return held.held.bit_count() + UNMET * held.unmet + 1.6 * away

    now = board.hold(region)
    cost = energy(now)
    for step in range(steps):
        heat = 1.5 * (1 - step / steps) + 0.05
        if rng.random() < 0.5:
            edge = [p for p in bits(now.bits) if board.near[p] & ~now.bits]
        else:
            edge = [q for q in range(board.size) if board.near[q] & now.bits and not now.bits >> q & 1]
        if not edge:
            continue
        changed = now.bits
        for _ in range(rng.choice((1, 1, 2))):
            changed ^= 1 << rng.choice(edge)
        if not changed:
            continue
        other = board.hold(changed)
        price = energy(other)
        if price <= cost or rng.random() < math.exp((cost - price) / heat):
            now, cost = other, price
            n = (now.bits & board.centres).bit_count()
            if not now.unmet and now.held.bit_count() <= n and n <= board.centres.bit_count() // 2 + 1:
                regions[now.bits] = now


def as_line(board: Board, region: Region) -> StalemateLine:
    """The line of a region, its units armies where they can be."""
    map, provinces = board.map, board.map.provinces
    units = []
    for p in bits(region.held):
        goal = region.supports.get(p)
        for location in map.locations:
            around = map.adjacent(location.kind, location.name)
            entered = {map.province(name.partition("/")[0]).index for name in around}
            if location.province == p and (goal is None or goal in entered):
                units.append(f"{location.kind} {location.name}")
                break
    inside = {provinces[p].name for p in bits(region.bits)}
    return StalemateLine(
        name="",
        units=tuple(units),
        supports={provinces[p].name: provinces[q].name for p, q in sorted(region.supports.items())},
        sheltered=tuple(provinces[p].name for p in bits(region.bits & ~region.held)),
        centres=tuple(provinces[p].name for p in bits(region.bits & board.centres)),
        no_fleets=tuple(name for name in board.no_fleets if name.partition("/")[0] not in inside),
    )


def with_fewest_conditions(map: Map, line: StalemateLine) -> StalemateLine:
    """The line without those waters in which attacking fleets have no effect."""
    left = list(line.no_fleets)
    waters = {place.name for place in map.locations if barred(line, place)}
    while left:
        basin: set[str] = set()
        open_ends = [left[0]]
        while open_ends:
            province = open_ends.pop().partition("/")[0]
            basin.add(province)
            for name in (name for name in waters if name.partition("/")[0] == province):
                around = set(map.adjacent("F", name)) & waters
                open_ends += [place for place in around if place.partition("/")[0] not in basin]
        left = [name for name in left if name.partition("/")[0] not in basin]
        kept = tuple(name for name in line.no_fleets if name.partition("/")[0] not in basin)
        lighter = replace(line, no_fleets=kept)
        if verify(map, lighter).unbreakable:
            line = lighter
    return line


def choose(lines: Sequence[StalemateLine], of_each: int) -> list[StalemateLine]:
    """For every number of units the lines with the most centres, without similar ones."""
    chosen: list[StalemateLine] = []
    for line in sorted(lines, key=lambda line: (len(line.units), -len(line.centres), line.units)):
        alike = (
            len(set(line.held) & set(other.held)) > LIKE * len(set(line.held) | set(other.held))
            for other in chosen
        )
        if sum(len(other.units) == len(line.units) for other in chosen) < of_each and not any(alike):
            chosen.append(line)
    return chosen


def entry(map: Map, line: StalemateLine) -> str:
    """A line in the form of the data file, named after the powers whose homes it shelters."""
    within = {*line.held, *line.sheltered}
    powers = [power.lower() for power in map.powers if set(map.homes[power]) <= within] or ["corner"]
    condition = "no-fleets-" if line.no_fleets else ""
    mark = f"{zlib.crc32(' '.join(line.units).encode()) & 0xFFFF:04x}"
    supports = ", ".join(f'{helper} = "{helped}"' for helper, helped in line.supports.items())
    rows = [
        f'["{"+".join(powers)}-{condition}{len(line.centres)}-by-{len(line.units)}-{mark}"]',
        f"units = {json.dumps(line.units)}",
        f"supports = {{ {supports} }}",
        f'sheltered = "{" ".join(line.sheltered)}"',
    ]
    if line.no_fleets:
        rows.append(f'no_fleets = "{" ".join(line.no_fleets)}"')
    return "\n".join(rows)


@click.command(cls=Script)
@click.option("--seconds", "span", type=seconds, default="60", metavar="S", help="How long to search.")
@click.option("--seed", type=whole(0, MOST_SEED), default=0, metavar="N", help="The chance of the search.")
@click.option("--least", type=whole(1, 100), default=13, metavar="N", help="Fewest centres of a line.")
@click.option("--most", type=whole(1, 100), default=17, metavar="N", help="Most centres of a line.")
@click.option("--units", type=whole(1, 100), default=16, metavar="N", help="Most units of a line.")
@click.option("--of-each", type=whole(1, 1000), default=7, metavar="N", help="Lines for a number of units.")
@click.option(
    "--no-fleets", default="", metavar="A,B,...", help="Provinces in which attackers have no fleets."
)
def main(span: float, seed: int, least: int, most: int, units: int, of_each: int, no_fleets: str) -> None:
    """Find stalemate lines, prove them, and print those with the most centres."""
    if least > most:
        raise click.UsageError(f"--least {least} is above --most {most}")
    waters = no_fleets.split(",") if no_fleets else ()
    board, rng = Board(Map.standard(), waters), random.Random(seed)
    regions: dict[int, Region] = {}
    end = time.monotonic() + span
    while time.monotonic() < end:
        anneal(board, rng.randint(least, most), rng, STEPS, regions)
    half = len(board.map.centres) // 2
    small = (r for r in regions.values() if r.held.bit_count() <= units)
    lines = [as_line(board, r) for r in small if (r.bits & board.centres).bit_count() <= half]
    proved = [line for line in lines if verify(board.map, line).unbreakable]
    for line in choose(proved, of_each):
        line = with_fewest_conditions(board.map, line)
        if bool(line.no_fleets) == bool(waters):
            print(entry(board.map, line), end="\n\n")


if __name__ == "__main__":
    main()
