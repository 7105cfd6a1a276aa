"""Tests inferred intentions: how often powers read as allied, or at war, behave accordingly.

    python tools/intentions.py GAMES... [--games 60] [--every 1] [--skip 0] [--nodes 4000] [--ahead 2]
                               [--seed 1] [--json]

`bordeaux.press.diplomat.intentions` observes every movement phase of saved games (best of people), with
searches of so many nodes and, separately, by signs alone. Each pair of nearby powers is then classified as
allied, or at war, if the probability is a half or more, else neither. A pair fights if one of them attacks
the other in the next `--ahead` movement phases. In all of these they must be near each other and give orders.
It helps if one supports or convoys the other and neither attacks.

The table has the shares of pairs that fight and that help, with 95 % intervals from resampling whole games.
It also has the probability that, of two pairs of which one fights, that one has the higher probability of
war. `--every` takes one game in so many, after the first `--skip`. The last phase is left out.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence
from typing import NamedTuple

import click
import numpy as np

from bordeaux import Engine
from bordeaux.arena.statistics import bootstrap
from bordeaux.board.neighbours import Neighbourhood
from bordeaux.cli.options import MOST_NODES, MOST_SEED, json_option, whole
from bordeaux.cli.program import Script
from bordeaux.formats.games import Game, read_games
from bordeaux.press.diplomat.intentions import Intentions
from bordeaux.press.diplomat.signs import ATTACK, HELP, Signs

ALLIED, AT_WAR, NEITHER = SAID = ("allied", "at war", "neither")
#: The probability from which on a pair is counted as being in a state.
LIKELY = 0.5


class Reading(NamedTuple):
    """The classification of a pair after a phase of a game, and its later behaviour; `war` is the probability
    of war."""

    game: int
    said: str
    war: float
    fights: bool
    helps: bool


def read(number: int, game: Game, nodes: int, ahead: int, seed: int) -> tuple[list[Reading], int, int, float]:
    """The classifications of a game, its movement phases, and the nodes and seconds used."""
    readings: list[Reading] = []
    history = game.history(-1)
    seen: list[dict[tuple[str, str], tuple[str, float]]] = []
    done: list[dict[tuple[str, str], set[str]]] = []
    spent, begun = 0, time.process_time()
    with Engine(seed=seed) as engine:
        read_so_far: Intentions | None = None
        for position, given in history:
            orders = {power: some for power, some in given.items() if some}
            read_so_far = read_so_far or Intentions(position.map)
            spent += read_so_far.observe(engine, position, orders, nodes=nodes)
            engine.observe(position, orders)
            signs, hood = Signs(position, orders), Neighbourhood(position)
            near = {tuple(sorted((one, other))) for one in position.map.powers for other in hood.enemies(one)}
            known = sorted(pair for pair in near if {*pair} <= orders.keys())
            done.append({(a, b): {signs.of(a, b), signs.of(b, a)} for a, b in known})
            seen.append({(a, b): said(read_so_far, a, b) for a, b in known})
    taken = time.process_time() - begun
    for place, pairs in enumerate(seen[: len(seen) - ahead]):
        for pair, (what, war) in pairs.items():
            later = [done[place + after].get(pair) for after in range(1, ahead + 1)]
            if None not in later:
                deeds = set[str]().union(*(known for known in later if known))
                fights = ATTACK in deeds
                readings.append(Reading(number, what, war, fights, HELP in deeds and not fights))
    return readings, len(history), spent, taken


def said(intentions: Intentions, one: str, other: str) -> tuple[str, float]:
    """The classification of two powers, and the probability that they are at war."""
    allied, against = intentions.allied(one, other), intentions.against(one, other)
    return ALLIED if allied >= LIKELY else AT_WAR if against >= LIKELY else NEITHER, against


def sorted_well(readings: Sequence[Reading]) -> float:
    """The probability that of two pairs the one that fights has the higher probability of war (area under the
    curve)."""
    fights = np.array([reading.war for reading in readings if reading.fights])
    quiet = np.array([reading.war for reading in readings if not reading.fights])
    if not (len(fights) and len(quiet)):
        return 0.5
    above = (fights[:, None] > quiet).mean() + (fights[:, None] == quiet).mean() / 2
    return float(above)


def table(readings: Sequence[Reading]) -> dict[str, object]:
    """Shares of the pairs that fight and that help, by classification."""
    rows: dict[str, object] = {"sorted": sorted_well(readings), "pairs": len(readings)}
    for what in SAID:
        some = [reading for reading in readings if reading.said == what]
        if some:
            games = [reading.game for reading in some]
            rows[what] = {
                "pairs": len(some),
                "fight": bootstrap([float(reading.fights) for reading in some], groups=games).to_json(),
                "help": bootstrap([float(reading.helps) for reading in some], groups=games).to_json(),
            }
    return rows


@click.command(cls=Script)
@click.argument("paths", nargs=-1, required=True, metavar="GAMES...")
@click.option("--games", "most", type=whole(1, 10**9), default=60, metavar="N", help="Games at most.")
@click.option("--every", type=whole(1, 10**9), default=1, metavar="N", help="One game in so many.")
@click.option("--skip", type=whole(0, 10**9), default=0, metavar="N", help="Games left out at the beginning.")
@click.option("--nodes", type=whole(1, MOST_NODES), default=4000, metavar="N", help="Nodes of a phase.")
@click.option("--ahead", type=whole(1, 100), default=2, metavar="N", help="Movement phases looked ahead.")
@click.option("--seed", type=whole(0, MOST_SEED), default=1, metavar="N", help="The chance of the engine.")
@json_option
def main(
    paths: tuple[str, ...], most: int, every: int, skip: int, nodes: int, ahead: int, seed: int, as_json: bool
) -> None:
    """Measure on saved games whether powers do what is read of their intentions."""
    rows: dict[str, dict[str, object]] = {}
    saved = itertools.chain.from_iterable(read_games(path) for path in paths)
    games = list(itertools.islice(saved, skip, skip + most * every, every))
    for name, limit in (("signs and searches", nodes), ("signs alone", 0)):
        games_read = [read(number, game, limit, ahead, seed) for number, game in enumerate(games)]
        phases = max(1, sum(game_read[1] for game_read in games_read))
        rows[name] = table([reading for game_read in games_read for reading in game_read[0]]) | {
            "phases": phases,
            "nodes": sum(game_read[2] for game_read in games_read) / phases,
            "seconds": sum(game_read[3] for game_read in games_read) / phases,
        }
    if as_json:
        print(json.dumps(rows))
        return
    for name, row in rows.items():
        print(f"{name}: {len(games)} games, {row['phases']} phases, {row['pairs']} pairs, sorted", end=" ")
        print(f"{row['sorted']:.3f}, {row['nodes']:.0f} nodes and {row['seconds']:.3f} s a phase")
        for what in SAID:
            if isinstance(part := row.get(what), dict):
                print(f"  said to be {what:8s} {part['pairs']:6d} pairs", end="")
                for deed in ("fight", "help"):
                    share = part[deed]
                    print(f", {deed} {share['mean']:.1%} ({share['low']:.1%} to {share['high']:.1%})", end="")
                print()


if __name__ == "__main__":
    main()
