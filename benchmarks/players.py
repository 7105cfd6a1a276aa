"""How fast the players are: a whole game of seven of them, and orders per second.

    python benchmarks/players.py [--games 20] [--until 1935] [--seconds 10] [--cpu] [PLAYER ...]

Every player plays itself on all seven chairs, as in paper 001, section 3.4.3. The loop is the
simplest there can be, so that "other" is adjudication and what a game cannot do without. A player
stops at `--seconds` of thinking, in the middle of a game if need be; then no whole game is shown.
Searching players get `--nodes` nodes a phase. With `--cpu` it is this process's time on a processor that
is measured, for machines that do other work besides; a player's own processes are not seen then.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from typing import NamedTuple

from bordeaux import Map, Position
from bordeaux.players.protocol import Limit, Seat, Turn
from bordeaux.players.registry import create, names


class Measured(NamedTuple):
    """One game: seconds in the players, seconds in all, orders, phases, and whether it ended."""

    thinking: float
    whole: float
    orders: int
    phases: int
    over: bool


def play(
    spec: str, seed: int, until: int, limit: Limit, seconds: float, clock: Callable[[], float]
) -> Measured:
    """A game of seven equal players, to a solo or the end of a year."""
    began = clock()
    map = Map.standard()
    players = {power: create(spec, Seat(power, map, seed)) for power in map.powers}
    position = Position.start(map)
    thinking, count, phases = 0.0, 0, 0
    try:
        while position.phase.kind != "-" and position.phase.year <= until and thinking < seconds:
            due = position.orderable()
            start = clock()
            orders = {power: players[power].orders(position, limit) for power in due}
            thinking += clock() - start
            after = position.next(orders)
            turn = Turn(position, orders, after)
            start = clock()
            for player in players.values():
                player.observe(turn)
            thinking += clock() - start
            count += sum(len(given) for given in orders.values())
            phases += 1
            position = after
        over = position.phase.kind == "-" or position.phase.year > until
    finally:
        for player in players.values():
            player.close()
    return Measured(thinking, clock() - began, count, phases, over)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("players", nargs="*", metavar="PLAYER", help="default: all but program")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--until", type=int, default=1935)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--nodes", type=int, default=1000)
    parser.add_argument("--cpu", action="store_true")
    args = parser.parse_args()
    clock = time.process_time if args.cpu else time.perf_counter
    heads = ("games", "game ms", "thinking", "other", "orders/s", "us/order")
    print(f"{'player':16}" + "".join(f" {head:>9}" for head in heads))
    for spec in args.players or [name for name in names() if name != "program"]:
        games: list[Measured] = []
        left = args.seconds
        while len(games) < args.games and left > 0:
            games.append(play(spec, len(games), args.until, Limit(nodes=args.nodes), left, clock))
            left -= games[-1].thinking
        thinking, orders = sum(game.thinking for game in games), sum(game.orders for game in games)
        whole = [game for game in games if game.over]
        parts = (
            [game.whole for game in whole],
            [game.thinking for game in whole],
            [game.whole - game.thinking for game in whole],
        )
        shown = [f"{1000 * statistics.mean(part):.1f}" if part else "-" for part in parts]
        figures = (len(whole), *shown, f"{orders / thinking:.0f}", f"{1e6 * thinking / orders:.1f}")
        print(f"{spec:16}" + "".join(f" {figure:>9}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
